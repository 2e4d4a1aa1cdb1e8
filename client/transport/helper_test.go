package transport

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// roundTripFunc is a function that responds to requests.
type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// response returns a response with a status and pairs of a header's name and value.
func response(status int, header ...string) *http.Response {
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}
	for i := 0; i < len(header); i += 2 {
		resp.Header.Set(header[i], header[i+1])
	}
	return resp
}

// get returns a read of the service at https://api.example.com.
func get(t *testing.T) *http.Request {
	t.Helper()
	return httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://api.example.com/x", nil)
}

// put returns a write of body that can be sent again.
func put(t *testing.T, address, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// newChain returns a chain for address, whose options change may modify.
func newChain(t *testing.T, address string, change func(*Options)) *Chain {
	t.Helper()
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Base: base}
	if change != nil {
		change(&o)
	}
	chain := New(o)
	t.Cleanup(chain.Close)
	return chain
}

// fakeTokens is a TokenSource of functions.
type fakeTokens struct {
	token func() (string, error)
	renew func(refused string) (string, error)
}

func (f fakeTokens) Token(context.Context) (string, error) { return f.token() }
func (f fakeTokens) Renew(_ context.Context, refused string) (string, error) {
	return f.renew(refused)
}
