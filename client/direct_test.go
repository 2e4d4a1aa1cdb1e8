package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reseller/client/schema"
)

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
