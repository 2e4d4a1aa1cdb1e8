package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"reseller/client/schema"
)

// tokens is a source that counts its renewals.
type tokens struct {
	mu       sync.Mutex
	present  string
	renewals int
}

func (s *tokens) Token(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.present, nil
}

func (s *tokens) Renew(_ context.Context, refused string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.present == refused {
		s.renewals++
		s.present = fmt.Sprintf("token-%d", s.renewals)
	}
	return s.present, nil
}

func serve(t *testing.T, h http.HandlerFunc, change ...func(*Options)) (*Client, *tokens) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	source := &tokens{present: "token-0"}
	o := Options{BaseURL: server.URL, Tokens: source, Timeout: 5 * time.Second, Retries: 2}
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	noError(t, err)
	t.Cleanup(c.Close)
	return c, source
}

func envelopeOf(data string) string {
	return `{"data":` + data + `,"error":false,"pagination":{"totalPages":1,"maxRows":0,"offset":0,"page":1,"totalRecords":0},"messages":[]}`
}

func ids(t *testing.T, c *Client) (out []string, err error) {
	t.Helper()
	for rec, err := range c.List(t.Context(), Call{Op: &schema.OpKeywordsList}) {
		if err != nil {
			return out, err
		}
		out = append(out, rec.Get("rank_id").Text())
	}
	return out, nil
}

func TestRetryRules(t *testing.T) {
	t.Parallel()
	type response struct {
		status int
		header string
	}
	for _, tc := range []struct {
		name      string
		write     bool
		responses []response
		calls     int
		ok        bool
		unknown   bool
	}{
		{"read 500 twice", false, []response{{500, ""}, {502, ""}, {200, ""}}, 3, true, false},
		{"read 500 for ever", false, []response{{500, ""}}, 3, false, true},
		{"read 429", false, []response{{429, "0"}, {200, ""}}, 2, true, false},
		{"read 404", false, []response{{404, ""}}, 1, false, false},
		{"write 500", true, []response{{500, ""}}, 1, false, true},
		{"write 503", true, []response{{503, ""}}, 1, false, true},
		{"write 503 with Retry-After", true, []response{{503, "0"}, {200, ""}}, 2, true, false},
		{"write 503 with Retry-After for ever", true, []response{{503, "0"}}, 3, false, false},
		{"write 429", true, []response{{429, ""}, {200, ""}}, 2, true, false},
		{"write 429 asking for an hour", true, []response{{429, "3600"}}, 1, false, false},
		{"write 422", true, []response{{422, ""}}, 1, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var calls atomic.Int32
			var body string
			c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				n := int(calls.Add(1))
				got, _ := io.ReadAll(r.Body)
				if n > 1 && string(got) != body {
					t.Errorf("call %d sent %q, the first %q", n, got, body)
				}
				body = string(got)
				a := tc.responses[min(n, len(tc.responses))-1]
				if a.header != "" {
					w.Header().Set("Retry-After", a.header)
				}
				w.WriteHeader(a.status)
				fmt.Fprint(w, envelopeOf(`{"rank_id":1}`))
			})
			var err error
			if tc.write {
				_, err = c.AddKeywords(t.Context(), 1, 2, []NewKeyword{{Keyword: "a", KeywordType: "target"}})
			} else {
				_, err = c.Keyword(t.Context(), 1)
			}
			if int(calls.Load()) != tc.calls || (err == nil) != tc.ok || OutcomeUnknown(err) != tc.unknown {
				t.Errorf("got %d calls, error %v, unknown %v, want %d, success %v, %v", calls.Load(), err, OutcomeUnknown(err), tc.calls, tc.ok, tc.unknown)
			}
		})
	}
}

func TestWriteIsRepeatedOnlyWithoutConnection(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	address := listener.Addr().String()
	_ = listener.Close()
	c, _ := serve(t, nil, func(o *Options) { o.BaseURL = "http://" + address })
	err = c.UpdateNotes(t.Context(), CampaignNotes{CampaignID: 1})
	var network *NetworkError
	if !errors.As(err, &network) || network.Sent || OutcomeUnknown(err) || !errors.Is(err, ErrNoResponse) {
		t.Errorf("a connection that is refused: got %#v, want a NetworkError that was not sent", err)
	}
	var calls atomic.Int32
	c, _ = serve(t, func(http.ResponseWriter, *http.Request) { calls.Add(1); panic(http.ErrAbortHandler) })
	err = c.UpdateNotes(t.Context(), CampaignNotes{CampaignID: 1})
	if !errors.Is(err, ErrNoResponse) || errors.Is(err, ErrTimeout) || !OutcomeUnknown(err) || calls.Load() != 1 {
		t.Errorf("a reset after sending: got %v after %d calls, want an unknown outcome after 1", err, calls.Load())
	}
}

func TestRenewal(t *testing.T) {
	t.Run("one for all workers", func(t *testing.T) {
		c, source := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "Bearer token-0" {
				w.WriteHeader(401)
			}
			fmt.Fprint(w, envelopeOf(`{"rank_id":1}`))
		})
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := c.AddKeywords(t.Context(), 1, 2, nil); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if source.renewals != 1 {
			t.Errorf("got %d renewals, want 1", source.renewals)
		}
	})
	t.Run("refused with the renewed token", func(t *testing.T) {
		var calls atomic.Int32
		c, source := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			calls.Add(1)
			w.WriteHeader(401)
			fmt.Fprint(w, `{"data":{},"error":true,"messages":["Invalid Authorization token-1"]}`)
		})
		_, err := c.Keyword(t.Context(), 1)
		var refusal *Error
		if !errors.As(err, &refusal) || refusal.HTTPStatus != 401 || calls.Load() != 2 || source.renewals != 1 {
			t.Errorf("got %v, %d calls, %d renewals, want 401, 2, 1", err, calls.Load(), source.renewals)
		}
		if strings.Contains(err.Error(), "token-1") {
			t.Errorf("the token shows: %v", err)
		}
	})
	t.Run("expires again and again", func(t *testing.T) {
		var n atomic.Int32
		c, source := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1)%2 == 1 {
				w.WriteHeader(401)
			}
			fmt.Fprint(w, envelopeOf(`{"rank_id":1}`))
		})
		for range 10 {
			if _, err := c.Keyword(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		if source.renewals != 10 {
			t.Errorf("got %d renewals, want 10", source.renewals)
		}
	})
}

func TestRedirects(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a call reached another host: %s %v", r.Method, r.Header)
	}))
	defer other.Close()
	var to atomic.Value
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/moved") {
			fmt.Fprint(w, envelopeOf(`{"rank_id":1}`))
			return
		}
		http.Redirect(w, r, to.Load().(string), http.StatusTemporaryRedirect)
	})
	to.Store("/moved")
	if _, err := c.Keyword(t.Context(), 1); err != nil {
		t.Errorf("to the same host: got %v, want success", err)
	}
	var refused *RedirectError
	if err := c.UpdateNotes(t.Context(), CampaignNotes{}); !errors.As(err, &refused) {
		t.Errorf("of a write: got %v, want a RedirectError", err)
	}
	to.Store(other.URL + "/x")
	if _, err := c.Keyword(t.Context(), 1); !errors.As(err, &refused) {
		t.Errorf("to another host: got %v, want a RedirectError", err)
	}
}
