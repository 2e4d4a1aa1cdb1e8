package client

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestUnreadableResponses(t *testing.T) {
	big := strings.Repeat("x", MaxRecord)
	for name, h := range map[string]http.HandlerFunc{
		"html":      func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>hello</html>") },
		"empty":     func(http.ResponseWriter, *http.Request) {},
		"truncated": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"data":[{"rank_id":1},{"ra`) },
		"cut on the wire": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"data":[{"rank_id":1},`)
		},
		"deep":        func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"data":`+strings.Repeat("[", 100000)) },
		"no envelope": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `[1,2,3]`) },
		"no data":     func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"error":false}`) },
		"number":      func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"data":12,"error":false}`) },
		"list of numbers": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"data":[1,2],"error":false}`)
		},
		"two responses": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, envelopeOf(`[]`)+envelopeOf(`[]`)) },
		"huge record":   func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"data":[{"x":"`, big, `"}]}`) },
		"gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, `{"data":[{"x":"`)
			for range 20 {
				if _, err := io.WriteString(z, big); err != nil {
					return
				}
			}
		},
		"endless space": func(w http.ResponseWriter, r *http.Request) {
			space := []byte(strings.Repeat(" ", 1<<20))
			for r.Context().Err() == nil {
				if _, err := w.Write(space); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := serve(t, h, func(o *Options) { o.Retries, o.Timeout = 0, time.Minute })
			var unreadable *UnreadableError
			if _, err := ids(t, c); !errors.As(err, &unreadable) || len(err.Error()) > 400 {
				t.Errorf("a list: got %.400v, want a short UnreadableError", err)
			}
			if _, err := c.Keyword(t.Context(), 1); !errors.As(err, &unreadable) || len(err.Error()) > 400 {
				t.Errorf("a record: got %.400v, want a short UnreadableError", err)
			}
			if name == "no data" || name == "number" {
				return // a write that says no more has succeeded
			}
			if _, err := c.AddKeywords(t.Context(), 1, 1, nil); !errors.As(err, &unreadable) || !OutcomeUnknown(err) {
				t.Errorf("a write: got %.400v, want an UnreadableError of unknown outcome", err)
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if m.HeapInuse > 400<<20 {
				t.Errorf("got a heap of %d MB, want 400 at most", m.HeapInuse>>20)
			}
		})
	}
}

func TestTimeouts(t *testing.T) {
	quick := func(o *Options) { o.Timeout, o.Retries = 100*time.Millisecond, 0 }
	c, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, quick)
	var network *NetworkError
	if _, err := c.Keyword(t.Context(), 1); !errors.As(err, &network) || !errors.Is(err, ErrTimeout) {
		t.Errorf("silence: got %v, want a timeout", err)
	}
	trickle := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"data":[`)
		for i := range 8 {
			fmt.Fprintf(w, `{"rank_id":%d},`, i)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(40 * time.Millisecond)
		}
		fmt.Fprint(w, `{"rank_id":9}],"error":false}`)
	}
	c, _ = serve(t, trickle, quick)
	if got, err := ids(t, c); err != nil || len(got) != 9 {
		t.Errorf("a list that keeps coming: got %v, %v, want 9 records", got, err)
	}
	if _, err := c.Keyword(t.Context(), 1); !errors.Is(err, ErrTimeout) {
		t.Errorf("a record that keeps coming: got %v, want a timeout", err)
	}
	c, _ = serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"data":[{"rank_id":1},`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}, quick)
	if got, err := ids(t, c); !errors.As(err, &network) || !errors.Is(err, ErrTimeout) || len(got) != 1 {
		t.Errorf("a list that stops: got %v, %v, want one record and a timeout", got, err)
	}
}
