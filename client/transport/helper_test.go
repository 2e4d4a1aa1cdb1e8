package transport

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
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
	noError(t, err)
	return req
}

// newChain returns a chain for address, whose options change may modify.
func newChain(t *testing.T, address string, change func(*Options)) *Chain {
	t.Helper()
	base, err := url.Parse(address)
	noError(t, err)
	o := Options{}
	if change != nil {
		change(&o)
	}
	chain := New(base, o)
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

// Replaced tells that another program has put "newest" in place of the token "replaced".
func (f fakeTokens) Replaced(_ context.Context, refused string) string {
	return map[string]string{"replaced": "newest"}[refused]
}

// pipeNetwork returns a network that ends at handler. Its connections are pipes in
// memory, so that a test in a synctest bubble can wait for them without any real time.
func pipeNetwork(t *testing.T, handler http.HandlerFunc) *http.Transport {
	t.Helper()
	listener := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: handler}
	go func() { _ = server.Serve(listener) }()
	network := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		listener.conns <- theirs
		return ours, nil
	}}
	t.Cleanup(func() { network.CloseIdleConnections(); _ = server.Close() })
	return network
}

// A pipeListener accepts the connections that it gets through conns.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
