package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"reseller/client/record"
	"reseller/client/schema"
)

// TestZeroValues checks that zero values of public types give an error, and send nothing.
func TestZeroValues(t *testing.T) {
	c, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a call was sent") })
	none := &Client{}
	defer none.Close()
	account := Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", 1)
	first := func(records iter.Seq2[record.Record, error]) (err error) {
		for _, err = range records {
			break
		}
		return err
	}
	for name, send := range map[string]func() error{
		"Do":     func() error { _, err := c.Do(t.Context(), Call{}); return err },
		"Record": func() error { _, err := c.Record(t.Context(), Call{}); return err },
		"Raw":    func() error { _, err := c.Raw(t.Context(), Call{}, io.Discard); return err },
		"List":   func() error { return first(c.List(t.Context(), Call{})) },
		"Report": func() error { return first(c.Report(t.Context(), Report{}, 1, 101, Dates{})) },
		"Rows": func() error {
			for _, err := range (TypedReport[TrafficRow]{}).Rows(t.Context(), c, 1, 101, Dates{From: "2026-01-01"}) {
				return err
			}
			return nil
		},
		"no client":    func() error { _, err := none.Account(t.Context(), 1); return err },
		"no client: w": func() error { _, err := none.AddKeywords(t.Context(), 1, 101, nil); return err },
		"no client: l": func() error { return first(none.List(t.Context(), account)) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := send(); err == nil || OutcomeUnknown(err) {
				t.Errorf("got %v, want an error of a call that was not sent", err)
			}
		})
	}
	requests, retries := none.Count()
	_, throttled := none.Throttled()
	ids, untold := Call{}.Told(record.Of())
	if requests+retries != 0 || throttled || len(none.Secrets())+len(ids)+len(untold) != 0 {
		t.Errorf("got %d requests, %d retries, throttled %t, secrets and ids, want nothing", requests, retries, throttled)
	}
	if action, url, err := (Call{}).Action(), none.URL(Call{}), (Call{}).NoRecord("account_id", 1); action != "" || url != "" || err == nil {
		t.Errorf("got the action %q, the address %q and %v, want empty texts and an error", action, url, err)
	}
}

// failingSource is a source whose token can't be had, or can't be renewed.
type failingSource struct{ token, renew error }

func (s failingSource) Token(context.Context) (string, error) { return "opaque-token", s.token }
func (s failingSource) Renew(context.Context, string) (string, error) {
	return "", s.renew
}

// TestTokenSourceFails checks that the outcome of a write is known when the login
// before it fails, and that it is not sent.
func TestTokenSourceFails(t *testing.T) {
	var calls atomic.Int32
	lost := &NetworkError{Operation: schema.OpLogin.Name(), Action: "log in", Sent: true, Err: io.EOF}
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { calls.Add(1) }, func(o *Options) { o.Tokens = failingSource{token: lost} })
	_, err := c.AddKeywords(t.Context(), 1, 1, nil)
	var network *NetworkError
	if !errors.As(err, &network) || network.Action != "log in" || OutcomeUnknown(err) || calls.Load() != 0 {
		t.Errorf("got %v, unknown %v, %d calls, want the error of the login and no call", err, OutcomeUnknown(err), calls.Load())
	}
}

// TestRenewalFails checks that the error of a renewal is that of the call.
func TestRenewalFails(t *testing.T) {
	refuse := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }
	down := &NetworkError{Action: "log in", Err: errors.New("down")}
	c, _ := serve(t, refuse, func(o *Options) { o.Tokens = failingSource{renew: down} })
	if _, err := c.Keyword(t.Context(), 1); !errors.Is(err, down) {
		t.Errorf("the login fails: got %v, want %v", err, down)
	}
	c, _ = serve(t, refuse, func(o *Options) { o.Tokens = failingSource{renew: context.Canceled} })
	if _, err := c.Keyword(t.Context(), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v, want %v", err, context.Canceled)
	}
}

// TestSlowReaderIsNoTimeout checks that only the silence of the service counts for
// the timeout of a list.
func TestSlowReaderIsNoTimeout(t *testing.T) {
	chunks := []string{`{"data":[{"rank_id":0}`}
	for i := range 1000 {
		chunks = append(chunks, strings.Repeat(fmt.Sprintf(`,{"rank_id":%d,"keyword":"some keyword"}`, i+1), 100))
	}
	chunks = append(chunks, `],"error":false}`)
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Options{BaseURL: "https://api.example.com", Timeout: time.Minute, Transport: slowBody{chunks: chunks}})
		noError(t, err)
		n := 0
		for _, err := range c.Keywords(t.Context()) {
			noError(t, err)
			if n++; n%1000 == 0 {
				time.Sleep(10 * time.Minute)
			}
		}
		if n != 100_001 {
			t.Errorf("got %d records, want 100001", n)
		}
	})
}

// TestNoEnvelope checks that an object without any field of an envelope is not a response.
func TestNoEnvelope(t *testing.T) {
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"status":"please sign in"}`) })
	var unreadable *UnreadableError
	if _, err := c.AddKeywords(t.Context(), 1, 1, nil); !errors.As(err, &unreadable) || !OutcomeUnknown(err) {
		t.Errorf("got %v, want an UnreadableError of unknown outcome", err)
	}
}

// TestWrongTypesAreNamed checks that the error of a value that can't be decoded names its field.
func TestWrongTypesAreNamed(t *testing.T) {
	for row, want := range map[string]string{
		`{"rank_google_organic":1e30}`:           "record 1: rank_google_organic: 1e30 is not a whole number",
		`{"rank_google_organic":"n/a"}`:          `record 1: rank_google_organic: "n/a" is not a whole number`,
		`{"histogram":"x"}`:                      "record 1: histogram: string is not an array",
		`{"histogram":[{"rank_google_map":{}}]}`: "record 1: histogram.rank_google_map: {} is not a whole number",
	} {
		c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, envelopeOf("["+row+"]")) })
		for _, err := range ReportKeywords.Rows(t.Context(), c, 1, 101, Dates{}) {
			if !errors.As(err, new(*UnreadableError)) || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
}

// TestOnlyWholeAnswersCount checks that a status which the contract does not have is no answer, whatever the body says. A write
// may be answered with 201.
func TestOnlyWholeAnswersCount(t *testing.T) {
	for status, isWrite := range map[int]bool{200: true, 201: true, 202: false, 203: false, 206: false} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(status)
				fmt.Fprint(w, `{"data":[{"account_id":7}],"error":false,"pagination":{"totalPages":1}}`)
			})
			var records int
			var failed error
			for _, err := range c.Accounts(t.Context()) {
				if failed = err; err == nil {
					records++
				}
			}
			if isWhole := status == 200; (failed == nil) != isWhole || (records == 1) != isWhole || failed != nil && !errors.As(failed, new(*UnreadableError)) {
				t.Errorf("list: got %d records, %v", records, failed)
			}
			if _, err := c.AddKeywords(t.Context(), 1, 1, nil); (err == nil) != isWrite || OutcomeUnknown(err) == isWrite {
				t.Errorf("write: got %v, want an unknown outcome unless the status is 200 or 201", err)
			}
		})
	}
}

// TestEnvelopeProvesWhoAnswered checks that only a response with the envelope of the service counts as its own answer.
func TestEnvelopeProvesWhoAnswered(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		want   bool
	}{
		"the service":                  {500, `{"data":{},"error":true,"pagination":{},"messages":["failed"]}`, true},
		"the service, without data":    {422, `{"error":true,"messages":["Unprocessable Entity"]}`, true},
		"a page":                       {520, "<html><h1>Unknown Error</h1></html>", false},
		"the service asks to wait":     {503, `{"data":{},"error":true,"messages":["Service Unavailable"]}`, true},
		"no body":                      {503, "", false},
		"a page that asks to wait":     {503, "<html><h1>Backend fetch failed</h1></html>", false},
		"a text":                       {524, "error code: 524", false},
		"a page that tells a timeout":  {408, "<html><h1>Request Timeout</h1></html>", false},
		"an object with a message":     {503, `{"message":"Service Unavailable"}`, false},
		"an object with an error text": {500, `{"timestamp":1,"status":500,"error":"Internal Server Error","path":"/"}`, false},
		"an envelope that is cut off":  {500, `{"data":{},"error":true,"messages":["fai`, false},
	} {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int32
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				calls.Add(1)
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(tt.status)
				fmt.Fprint(w, tt.body)
			})
			_, err := c.AddKeywords(t.Context(), 1, 1, nil)
			var refusal *Error
			if !errors.As(err, &refusal) || refusal.Envelope != tt.want {
				t.Errorf("got %#v, want an Error with Envelope %v", err, tt.want)
			}
			asksToWait := tt.want && tt.status == 503
			if isUnknown := (tt.status >= 500 || tt.status == 408) && !asksToWait; OutcomeUnknown(err) != isUnknown || (calls.Load() > 1) != asksToWait {
				t.Errorf("got an unknown outcome %t after %d calls, want %t, and several only if the service itself asks to wait", OutcomeUnknown(err), calls.Load(), isUnknown)
			}
		})
	}
}

// TestLoginTokens checks in which places the response to a login may have the token.
func TestLoginTokens(t *testing.T) {
	for data, want := range map[string]string{
		`"jwt"`: "jwt", `{"data":"jwt"}`: "jwt", `{"token":"jwt","exp":1}`: "jwt", `{"token":"","data":" jwt "}`: "jwt",
		`{"token":{"data":"jwt"}}`: "", `{"token":7}`: "", `{"user":"u"}`: "", `["jwt"]`: "", `""`: "",
	} {
		t.Run(data, func(t *testing.T) {
			token, _, err := clientOf(t, data).Login(t.Context(), "u", "p")
			if token != want || (err == nil) != (want != "") {
				t.Errorf("got %q, %v, want %q", token, err, want)
			}
		})
	}
}

// TestSecretsStayHidden checks that secrets show neither in errors nor in the log of
// the exchange.
func TestSecretsStayHidden(t *testing.T) {
	const token, password = "opaque-token-with-many-characters-in-it", "s3cret-horse"
	for name, text := range map[string]string{
		"start of a response": strings.Repeat("x", 30) + token,
		"error code":          `{"data":{},"error_code":"` + token + `"}`,
		"message":             `{"data":{},"error":true,"messages":["password ` + password + ` is weak"]}`,
		"jwt":                 "eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOjF9.abcdef",
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			c, source := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }, func(o *Options) { o.Debug = &log })
			source.present = token
			_, err := c.CreateCredentials(t.Context(), CredentialsCreate{Password: password})
			checkSecrets(t, err, log.String(), token[:12], password, "eyJzdWIi")
		})
	}
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "new-token-in-plain-text") })
	if _, _, err := c.Login(t.Context(), "u", "p"); err == nil || strings.Contains(err.Error(), "new-token") {
		t.Errorf("login: got %v, want an error without the token", err)
	}
}

// TestRawIsBounded checks that a gzip bomb is not kept in memory.
func TestRawIsBounded(t *testing.T) {
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, `{"x":"`)
		block := strings.Repeat("x", 1<<20)
		for range 100 {
			if _, err := io.WriteString(z, block); err != nil {
				return
			}
		}
		_ = z.Close()
	}, func(o *Options) { o.Retries = 0 })
	var unreadable *UnreadableError
	if _, err := c.Raw(t.Context(), Call{Op: &schema.OpKeywordsList}, io.Discard); !errors.As(err, &unreadable) {
		t.Errorf("got %v, want an UnreadableError", err)
	}
}

func TestTolerantTypes(t *testing.T) {
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			fmt.Fprint(w, envelopeOf(`[]`))
		default:
			fmt.Fprint(w, envelopeOf(`[{"status":1,"account_id":"7","attributes":{},"external_account_manager":[],"external_campaign_manager":null,"phone":5}]`))
		}
	})
	for a, err := range c.Accounts(t.Context()) {
		if err != nil || a.AccountID != 7 || a.Status != "1" || a.Attributes != nil || a.Phone != "5" {
			t.Errorf("got %+v, %v", a, err)
		}
	}
	if _, err := c.AddKeywords(t.Context(), 1, 1, nil); err != nil {
		t.Errorf("an empty array for an object: got %v, want success", err)
	}
}

func TestTotalPagesAsFloat(t *testing.T) {
	var calls atomic.Int32
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"data":[{"rank_id":%d}],"error":false,"pagination":{"totalPages":2.0}}`, calls.Add(1))
	})
	if got, err := ids(t, c); err != nil || len(got) != 2 {
		t.Errorf("got %v, %v, want two records", got, err)
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestDirectCallsEqualThoseOfResty checks that a call with an OnSend, which does not go
// through resty, makes the same request and gives the same errors.
func TestDirectCallsEqualThoseOfResty(t *testing.T) {
	type request struct {
		Method, URI, Host, Body string
		Header                  http.Header
		Length                  int64
	}
	var got []request
	status, to := http.StatusOK, ""
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, request{r.Method, r.RequestURI, r.Host, string(body), r.Header, r.ContentLength})
		if to != "" {
			w.Header().Set("Location", to)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, envelopeOf(`{}`))
	}, func(o *Options) { o.UserAgent = "reseller/1" })
	call := Call{Op: &schema.OpKeywordsCreate, Body: json.RawMessage(`{"keyword":"caf\u00e9"}`)}
	withOnSend := call
	withOnSend.OnSend = func() error { return nil }

	response, err := c.Do(t.Context(), call)
	direct, directErr := c.Do(t.Context(), withOnSend)
	if err != nil || directErr != nil || string(response.Data) != string(direct.Data) {
		t.Fatalf("got %s, error %v; want %s (%v) as through resty", direct.Data, directErr, response.Data, err)
	}
	if diff := cmp.Diff(got[0], got[1]); diff != "" {
		t.Errorf("the request differs from that of resty (-resty +direct):\n%s", diff)
	}

	for _, to = range []string{"/elsewhere", "https://example.com/x?token=abc", ""} {
		for _, status = range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprintf("%d to %q", status, to), func(t *testing.T) {
				_, err := c.Do(t.Context(), call)
				_, directErr := c.Do(t.Context(), withOnSend)
				var redirect *RedirectError
				switch {
				case !errors.As(directErr, &redirect):
					t.Errorf("got error %v, want a *RedirectError", directErr)
				case to != "" && directErr.Error() != err.Error():
					t.Errorf("got error %v, want %v as through resty", directErr, err)
				}
			})
		}
	}

	failure := errors.New("not now")
	withOnSend.OnSend = func() error { return failure }
	if _, err := c.Do(t.Context(), withOnSend); !errors.Is(err, failure) {
		t.Errorf("got error %v, want %v of OnSend", err, failure)
	}
}

// TestEndOfContextLeavesOutcomeUnknown checks that a write whose context ends after it was sent may have been carried out, but no
// read, and no write that was not sent.
func TestEndOfContextLeavesOutcomeUnknown(t *testing.T) {
	arrived := make(chan struct{}, 3)
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Query().Has("begins") {
			_, _ = w.Write([]byte(`{"data":`))
			w.(http.Flusher).Flush()
		}
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	for _, test := range []struct {
		name  string
		call  Call
		ended bool // before the call
		want  bool
	}{
		{"write", Call{Op: &schema.OpKeywordsCreate, Body: []byte("{}")}, false, true},
		{"write whose response has begun", Call{Op: &schema.OpKeywordsCreate, Body: []byte("{}"), Query: map[string][]string{"begins": {"1"}}}, false, true},
		{"write that was not sent", Call{Op: &schema.OpKeywordsCreate, Body: []byte("{}")}, true, false},
		{"read", Call{Op: &schema.OpCampaignsList}, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.ended {
				cancel()
			} else {
				go func() { <-arrived; cancel() }()
			}
			_, err := c.Do(ctx, test.call)
			if got := OutcomeUnknown(err); got != test.want || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v with the error %v, want %v and the end of the context", got, err, test.want)
			}
		})
	}
}
