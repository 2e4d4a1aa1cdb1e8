package mock

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be a second process on a database.
func TestMain(m *testing.M) {
	if path := os.Getenv("MOCK_WRITER_DB"); path != "" {
		os.Exit(writer(path, os.Getenv("MOCK_WRITER_NAME"), os.Getenv("MOCK_WRITER_ROUNDS")))
	}
	os.Exit(m.Run())
}

// client is one caller of a service, with the token of reseller 1.
type client struct {
	t     testing.TB
	s     *Service
	token string
}

// clock is a time that tests set forward.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newClock() *clock { return &clock{time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)} }

func start(t testing.TB, o Options) *client {
	t.Helper()
	if o.Path == "" {
		o.Path = filepath.Join(t.TempDir(), "mock.db")
	}
	s, err := Open(o)
	noError(t, err)
	return (&client{t: t, s: s}).as(1)
}

// as returns a caller with a token of another reseller.
func (c *client) as(reseller int) *client {
	c.t.Helper()
	token, err := c.s.Token(reseller)
	if err != nil {
		c.t.Fatal(err)
	}
	return &client{c.t, c.s, token}
}

// in returns the caller for a subtest.
func (c *client) in(t testing.TB) *client { return &client{t, c.s, c.token} }

// reply is an answer in the common envelope.
type reply struct {
	status     int
	body       string
	recorder   *httptest.ResponseRecorder
	Data       json.RawMessage `json:"data"`
	Error      *bool           `json:"error"`
	Pagination *struct {
		TotalPages   *int `json:"totalPages"`
		MaxRows      *int `json:"maxRows"`
		Offset       *int `json:"offset"`
		Page         *int `json:"page"`
		TotalRecords *int `json:"totalRecords"`
	} `json:"pagination"`
	Messages []string `json:"messages"`
}

func (c *client) send(method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	w := httptest.NewRecorder()
	c.s.ServeHTTP(w, r)
	return w
}

// call sends a request and reads the common envelope, which must be complete.
func (c *client) call(method, path, body string) reply {
	c.t.Helper()
	w := c.send(method, path, body)
	r := reply{status: w.Code, body: w.Body.String(), recorder: w}
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
		c.t.Fatalf("%s %s: %v in %.200s", method, path, err, r.body)
	}
	p := r.Pagination
	if r.Data == nil || r.Error == nil || r.Messages == nil || p == nil || p.MaxRows == nil || p.Offset == nil || p.TotalRecords == nil ||
		p.TotalPages == nil || p.Page == nil || *p.TotalPages != 1 || *p.Page != 1 || *p.MaxRows != 0 || *p.Offset != 0 {
		c.t.Fatalf("%s %s: got an incomplete envelope: %.300s", method, path, r.body)
	}
	if got := w.Header().Get("Content-Type"); got != "application/json" {
		c.t.Errorf("%s %s: got content type %q, want application/json", method, path, got)
	}
	if *r.Error != (r.status != 200) {
		c.t.Errorf("%s %s: got status %d with error %v", method, path, r.status, *r.Error)
	}
	return r
}

// ok sends a request that must succeed and decodes its data.
func (c *client) ok(method, path, body string, into any) reply {
	c.t.Helper()
	r := c.call(method, path, body)
	if r.status != 200 {
		c.t.Fatalf("%s %s %s: got %d %s, want 200", method, path, body, r.status, r.body)
	}
	if into != nil {
		if err := json.Unmarshal(r.Data, into); err != nil {
			c.t.Fatalf("%s %s: %v in %.200s", method, path, err, r.body)
		}
	}
	return r
}

// refused sends a request that must fail with the status, the message of this status,
// and a second message that contains detail.
func (c *client) refused(method, path, body string, status int, detail string) {
	c.t.Helper()
	r := c.call(method, path, body)
	text := map[int]string{
		400: "Missing parameter", 401: "Invalid Authorization", 404: "Not Found", 405: "Method Not Allowed", 413: "Request Entity Too Large",
		422: "Unprocessable Entity", 429: "Too Many Requests", 500: "Internal Server Error",
	}[status]
	switch {
	case r.status != status || r.Messages[0] != text:
		c.t.Errorf("%s %s %.80s: got %d %s, want %d %s", method, path, body, r.status, r.body, status, text)
	case string(r.Data) != "{}" || *r.Pagination.TotalRecords != 0:
		c.t.Errorf("%s %s: got error envelope %s, want empty data", method, path, r.body)
	case !strings.Contains(strings.Join(r.Messages[1:], "\n"), detail):
		c.t.Errorf("%s %s: got messages %q, want one with %q", method, path, r.Messages, detail)
	}
}

// object is a JSON object with plain Go values (numbers are float64).
type object = map[string]any

// same fails the test unless got, as JSON, has the value of want.
func same(t testing.TB, got any, want string) {
	t.Helper()
	raw, err := json.Marshal(got)
	noError(t, err)
	var a, b any
	noError(t, json.Unmarshal(raw, &a))
	noError(t, json.Unmarshal([]byte(want), &b))
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got  %s\nwant %s", raw, want)
	}
}

// with returns a JSON object with a field set to value, or without the field if value is nil.
func with(t testing.TB, body, name string, value any) string {
	t.Helper()
	var o object
	noError(t, json.Unmarshal([]byte(body), &o))
	if o[name] = value; value == nil {
		delete(o, name)
	}
	raw, err := json.Marshal(o)
	noError(t, err)
	return string(raw)
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
