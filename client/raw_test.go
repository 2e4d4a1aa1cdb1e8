package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"reseller/client/schema"
)

// rawCall makes a raw call to a server that responds with status and body.
func rawCall(t *testing.T, method string, status int, body string, w io.Writer) (http.Header, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Seen", r.Method)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	c, err := New(Options{BaseURL: server.URL, Timeout: 10 * time.Second})
	noError(t, err)
	t.Cleanup(c.Close)
	return c.Raw(context.Background(), Call{Op: &schema.Operation{Title: "ask", Method: method, Path: "/x", Public: true}}, w)
}

func TestRawOutcomes(t *testing.T) {
	const good, refused, unreadable = "good", "refused", "unreadable"
	for _, test := range []struct {
		name, method string
		status       int
		body, want   string
	}{
		{"envelope", "GET", 200, `{"data":{"a":1},"error":false}` + "\n", good},
		{"list", "GET", 200, `{"data":[{"a":1}, {"a":2}],"error":false,"pagination":{"totalPages":3}}`, good},
		{"empty list", "GET", 200, `{"data":[ ]}`, good},
		{"no envelope", "GET", 200, `{"anything":[1,2]}`, good},
		{"array", "GET", 200, ` [1, "two", [3], {}] `, good},
		{"scalar", "GET", 200, `17`, good},
		{"string", "GET", 200, `"text"`, good},
		{"head", "HEAD", 200, ``, good},
		{"no content", "DELETE", 204, ``, good},
		{"error true", "GET", 200, `{"data":{},"error":true,"messages":["no"]}`, refused},
		{"error code", "POST", 200, `{"data":{},"error_code":"E1"}`, refused},
		{"status code", "POST", 200, `{"data":{},"status_code":500}`, refused},
		{"status", "GET", 404, `{"data":{},"error":true}`, refused},
		{"status with page", "GET", 404, `<html>`, refused},
		{"status without body", "GET", 404, ``, refused},
		{"empty", "GET", 200, ``, unreadable},
		{"page", "GET", 200, "<html>\n<body>", unreadable},
		{"cut", "GET", 200, `{"data":[{"a":1},{"a"`, unreadable},
		{"cut array", "GET", 200, `[1,`, unreadable},
		{"two responses", "GET", 200, `{"data":{}}{"data":{}}`, unreadable},
		{"bad in the middle", "GET", 200, `{"data":[1,,2]}` + strings.Repeat(" rest", 50000), unreadable},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			header, err := rawCall(t, test.method, test.status, test.body, &out)
			var refusal *Error
			var broken *UnreadableError
			got := fmt.Sprint(err)
			switch {
			case err == nil:
				got = good
			case errors.As(err, &refusal):
				got = refused
			case errors.As(err, &broken):
				got = unreadable
			}
			if got != test.want {
				t.Errorf("got %s (%v), want %s", got, err, test.want)
			}
			if out.String() != test.body {
				t.Errorf("got the output %.80q, want %.80q", out.String(), test.body)
			}
			if header.Get("X-Seen") != test.method {
				t.Errorf("got the header %v, want X-Seen: %s", header, test.method)
			}
		})
	}
}

// TestRawOfLongResponses checks that a response may be larger than any record may be.
func TestRawOfLongResponses(t *testing.T) {
	record := `{"a":"` + strings.Repeat("x", 1<<20) + `"}`
	body := `{"data":[` + record + strings.Repeat(","+record, MaxRecord>>20) + `],"error":false}`
	var n counter
	if _, err := rawCall(t, "GET", 200, body, &n); err != nil {
		t.Fatal(err)
	}
	if int(n) != len(body) {
		t.Errorf("got %d bytes, want %d", n, len(body))
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// TestRawReturnsTheErrorOfTheWriter checks that a writer which fails ends the call with
// its own error.
func TestRawReturnsTheErrorOfTheWriter(t *testing.T) {
	_, err := rawCall(t, "GET", 200, `{"data":[1,2,3]}`, closedWriter{})
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got error %v, want %v", err, io.ErrClosedPipe)
	}
}

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
