package client

import (
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
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

// A slowBody is a response whose chunks come one after the other, each after a pause. With
// stalls, it never ends.
type slowBody struct {
	chunks []string
	pause  time.Duration
	stalls bool
}

func (b slowBody) RoundTrip(r *http.Request) (*http.Response, error) {
	reader, writer := io.Pipe()
	go func() {
		for _, chunk := range b.chunks {
			if _, err := io.WriteString(writer, chunk); err != nil {
				return
			}
			time.Sleep(b.pause)
		}
		if b.stalls {
			<-r.Context().Done()
		}
		_ = writer.CloseWithError(cmp.Or(r.Context().Err(), io.EOF))
	}()
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: reader, Request: r}, nil
}

func TestTimeouts(t *testing.T) {
	trickle := []string{`{"data":[`}
	for i := range 8 {
		trickle = append(trickle, fmt.Sprintf(`{"rank_id":%d},`, i))
	}
	trickle = append(trickle, `{"rank_id":9}],"error":false}`)
	for name, c := range map[string]struct {
		response slowBody
		asList   bool
		records  int
		timesOut bool
	}{
		"silence":                    {slowBody{nil, 0, true}, false, 0, true},
		"a list that keeps coming":   {slowBody{trickle, 40 * time.Second, false}, true, 9, false},
		"a record that keeps coming": {slowBody{trickle, 40 * time.Second, false}, false, 0, true},
		"a list that stops":          {slowBody{[]string{`{"data":[{"rank_id":1},`}, 0, true}, true, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, err := New(Options{BaseURL: "https://api.example.com", Timeout: 100 * time.Second, Transport: c.response})
				noError(t, err)
				var got []string
				if c.asList {
					got, err = ids(t, client)
				} else {
					_, err = client.Keyword(t.Context(), 1)
				}
				var network *NetworkError
				if timedOut := errors.As(err, &network) && errors.Is(err, ErrTimeout); timedOut != c.timesOut || !timedOut && err != nil {
					t.Errorf("got error %v, want a timeout: %t", err, c.timesOut)
				}
				if len(got) != c.records {
					t.Errorf("got %d records, want %d", len(got), c.records)
				}
			})
		})
	}
}
