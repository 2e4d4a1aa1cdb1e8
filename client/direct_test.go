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

// TestPost: a load's calls are those that resty would make.
func TestPost(t *testing.T) {
	type seen struct {
		Method, URI, Host, Body string
		Header                  http.Header
		Length                  int64
	}
	var got []seen
	status, to := http.StatusOK, ""
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, seen{r.Method, r.RequestURI, r.Host, string(body), r.Header, r.ContentLength})
		if to != "" {
			w.Header().Set("Location", to)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, envelopeOf(`{}`))
	}, func(o *Options) { o.UserAgent = "reseller/1" })
	call := Call{Op: &schema.OpKeywordsCreate, Body: json.RawMessage(`{"keyword":"caf\u00e9"}`)}
	load := call
	load.OnSend = func() error { return nil }

	answer, err := c.Do(t.Context(), call)
	same, sameErr := c.Do(t.Context(), load)
	if err != nil || sameErr != nil || string(answer.Data) != string(same.Data) {
		t.Fatal(err, sameErr, answer, same)
	}
	if diff := cmp.Diff(got[0], got[1]); diff != "" {
		t.Error(diff)
	}

	for _, to = range []string{"/elsewhere", "https://example.com/x?token=abc", ""} {
		for _, status = range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprintf("%d to %q", status, to), func(t *testing.T) {
				_, err := c.Do(t.Context(), call)
				_, sameErr := c.Do(t.Context(), load)
				var redirect *RedirectError
				switch {
				case !errors.As(sameErr, &redirect):
					t.Errorf("%d to %q: %v", status, to, sameErr)
				case to != "" && sameErr.Error() != err.Error():
					t.Errorf("%d to %q: %v, with resty %v", status, to, sameErr, err)
				}
			})
		}
	}

	kept := errors.New("kept back")
	load.OnSend = func() error { return kept }
	if _, err := c.Do(t.Context(), load); !errors.Is(err, kept) {
		t.Errorf("got %v, want the error of OnSend", err)
	}
}
