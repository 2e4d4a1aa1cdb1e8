package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"reseller/client/schema"
)

// A sequence is a network whose responses have the bodies of responses, one after the other,
// and then the last of them again and again. A body that ends with "…" is cut off there.
type sequence struct {
	status    int
	responses []string
	requests  []string // the queries of the requests so far
}

func (s *sequence) RoundTrip(req *http.Request) (*http.Response, error) {
	s.requests = append(s.requests, req.URL.RawQuery)
	text := s.responses[min(len(s.requests), len(s.responses))-1]
	body := io.Reader(strings.NewReader(text))
	if text, cut := strings.CutSuffix(text, "…"); cut {
		body = io.MultiReader(strings.NewReader(text), brokenWire{})
	}
	return &http.Response{StatusCode: s.status, Header: http.Header{}, Body: io.NopCloser(body), Request: req}, nil
}

type brokenWire struct{}

func (brokenWire) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// clientOfSequence returns a client with two retries.
func clientOfSequence(t *testing.T, s *sequence) *Client {
	t.Helper()
	c, err := New(Options{BaseURL: "https://api.example.com", Retries: 2, Transport: s})
	noError(t, err)
	return c
}

// TestUnreadableReadsAreRetried checks which responses to reads are requested again, and
// that no write is.
func TestUnreadableReadsAreRetried(t *testing.T) {
	const good = `{"data":[{"rank_id":1}],"error":false}`
	calls := map[string]func(context.Context, *Client) error{
		"record": func(ctx context.Context, c *Client) error { _, err := c.Keyword(ctx, 1); return err },
		"list": func(ctx context.Context, c *Client) error {
			for _, err := range c.Keywords(ctx) {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"raw": func(ctx context.Context, c *Client) error {
			_, err := c.Raw(ctx, Call{Op: &schema.OpKeywordsList}, io.Discard)
			return err
		},
		"write": func(ctx context.Context, c *Client) error { _, err := c.AddKeywords(ctx, 1, 1, nil); return err },
		"raw write": func(ctx context.Context, c *Client) error {
			_, err := c.Raw(ctx, Call{Op: &schema.OpKeywordsCreate, Body: json.RawMessage("{}")}, io.Discard)
			return err
		},
		"login": func(ctx context.Context, c *Client) error { _, _, err := c.Login(ctx, "u", "p"); return err },
		"estimate": func(ctx context.Context, c *Client) error {
			_, err := c.EstimateBudget(ctx, EstimateRequest{})
			return err
		},
	}
	const transient, final, begun = "record list", "", "record"
	for _, tt := range []struct {
		name    string
		status  int
		text    string
		retried string // the calls that are made again
	}{
		{"page", 200, "<html>\n<body>", transient},
		{"plain text", 200, "temporarily unavailable", transient},
		{"plain text with a number", 200, "503 Service Unavailable", transient},
		{"empty", 200, "", transient + " raw"},
		{"cut short", 200, `{"data":[{"rank_id":1},{"ra`, begun},
		{"cut on the wire", 200, `{"data":[{"rank_id":1},…`, begun},
		{"cut on the wire behind the data", 200, `{"data":[{"rank_id":1}],"err…`, begun},
		{"cut on the wire inside white space", 200, ` …`, transient},
		{"page inside the data", 200, `{"data":[{"rank_id":1},<br>out of memory`, begun},
		{"page behind the response", 200, good + `<br>out of memory`, begun},
		{"no field of an envelope", 200, `{"status":"maintenance"}`, transient},
		{"no object", 200, `[1,2,3]`, final},
		{"text", 200, `"maintenance"`, final},
		{"no data", 200, `{"error":false}`, final},
		{"a number as data", 200, `{"data":12,"error":false}`, final},
		{"numbers as records", 200, `{"data":[1,2],"error":false}`, final},
		{"deep", 200, `{"data":[` + strings.Repeat("[", 1000), final},
		{"large", 200, `{"data":[{"x":"` + strings.Repeat("x", MaxRecord) + `"}]}`, final},
		{"refused", 200, `{"data":[],"error":true,"messages":["no"]}`, final},
		{"page as an error", 404, "<html>", final},
		{"cut error", 422, `{"messages":["n…`, final},
		{"empty error", 404, "", final},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, call := range calls {
				t.Run(name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						s := &sequence{status: tt.status, responses: []string{tt.text}}
						c, want := clientOfSequence(t, s), 1
						if strings.Contains(" "+tt.retried+" ", " "+name+" ") {
							want = 3
						}
						err := call(t.Context(), c)
						if requests, retries := c.Count(); requests != want || retries != want-1 || len(s.requests) != want {
							t.Errorf("got %d requests, %d retries, want %d, %d; error %.200v", requests, retries, want, want-1, err)
						}
						if want == 1 {
							return
						}
						var unreadable *UnreadableError
						if !errors.As(err, &unreadable) {
							t.Errorf("got error %v, want an UnreadableError", err)
						}
						c = clientOfSequence(t, &sequence{status: tt.status, responses: []string{tt.text, tt.text, good}})
						if err := call(t.Context(), c); err != nil {
							t.Errorf("got error %v after the service has recovered, want success", err)
						}
					})
				})
			}
		})
	}
}

// TestPagesAreRequestedAgain checks that a page that can't be read is requested again, unless records of it were read.
func TestPagesAreRequestedAgain(t *testing.T) {
	first, second := `{"data":[{"rank_id":1},{"rank_id":2}],"error":false,"pagination":{"page":1,"totalPages":2}}`, `{"data":[{"rank_id":3}],"error":false}`
	for _, tt := range []struct {
		name      string
		responses []string
		want      string // the ids
		fails     string
		queries   string
	}{
		{"before the first record", []string{"{…", first, second}, "1 2 3", "", ",,page=2"},
		{"between records", []string{first[:23] + "…", first, second}, "1", "unexpected EOF", ""},
		{"behind the data", []string{first[:39] + "…", first, second}, "1 2", "unexpected EOF", ""},
		{"each page", []string{"<html>", first, "<html>", "", second}, "1 2 3", "", ",,page=2,page=2,page=2"},
		{"too often", []string{first, "<html>"}, "1 2", "invalid", ",page=2,page=2,page=2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &sequence{status: 200, responses: tt.responses}
				got, err := ids(t, clientOfSequence(t, s))
				if strings.Join(got, " ") != tt.want {
					t.Errorf("got records %v, want %s", got, tt.want)
				}
				if tt.fails == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("got error %v, want %q", err, tt.fails)
				}
				if queries := strings.Join(s.requests, ","); queries != tt.queries {
					t.Errorf("got the queries %q, want %q", queries, tt.queries)
				}
			})
		})
	}
}

// TestSingleObjectIsRequestedAgain checks a list whose only record is one object, or an
// array of one object in the second response.
func TestSingleObjectIsRequestedAgain(t *testing.T) {
	for _, second := range []string{`{"domain_rating":2}`, `[{"domain_rating":2}]`} {
		t.Run(second, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &sequence{status: 200, responses: []string{`{"data":{"domain_rating":1},"err…`, `{"data":` + second + `,"error":false}`}}
				n := 0
				for row, err := range ReportBacklinks.Rows(t.Context(), clientOfSequence(t, s), 1, 101, Dates{}) {
					if n++; err != nil || row.DomainRating != 2 {
						t.Errorf("got %v, error %v, want the rating 2", row.DomainRating, err)
					}
				}
				if n != 1 {
					t.Errorf("got %d rows, want 1", n)
				}
			})
		})
	}
}

// TestCopiesAreNotRequestedAgain: a response that is copied as it comes is requested once, and a record, which is copied whole, again.
func TestCopiesAreNotRequestedAgain(t *testing.T) {
	const good = `{"data":[{"x":"y"}],"error":false}`
	for name, send := range map[string]func(context.Context, *Client, io.Writer) error{
		"raw": func(ctx context.Context, c *Client, w io.Writer) error {
			_, err := c.Raw(ctx, Call{Op: &schema.OpKeywordsList, Query: url.Values{}}, w)
			return err
		},
		"list": func(ctx context.Context, c *Client, w io.Writer) error {
			for _, err := range c.List(ctx, Call{Op: &schema.OpKeywordsList, CopyTo: w}) {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"record": func(ctx context.Context, c *Client, w io.Writer) error {
			_, err := c.Do(ctx, Call{Op: &schema.OpKeywordsList, CopyTo: w})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				s := &sequence{status: 200, responses: []string{"<html>", good}}
				err := send(t.Context(), clientOfSequence(t, s), &out)
				want, requests := "<html>", 1
				if name == "record" {
					want, requests = good, 2
				}
				if out.String() != want || len(s.requests) != requests || (err == nil) != (want == good) {
					t.Errorf("got %q, %d requests, error %v, want %q, %d", out.String(), len(s.requests), err, want, requests)
				}
			})
		})
	}
}
