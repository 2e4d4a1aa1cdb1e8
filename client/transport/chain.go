// Package transport carries requests to the service: a chain of round trippers
// beneath an http.Client. Outside in, the chain retries what may be retried,
// sets the token, keeps to the rate that the service allows, refuses to leave
// the configured address, logs the exchange without its secrets, and ends what
// takes too long. The chain knows HTTP and nothing of the operations.
//
// Begin with New, which takes Options. A request says by WithCallOptions how the chain
// treats it.
package transport

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"reseller/client/redact"
)

// Options set up a Chain.
type Options struct {
	Base        *url.URL          // the only scheme, host and port that requests may go to
	Tokens      TokenSource       // where nil, requests carry no token
	Timeout     time.Duration     // of each attempt; for streams, between bytes; 0 for none
	Retries     int               // of a request, after its first attempt
	Rate        float64           // attempts a second, 0 for no limit
	Concurrency int               // idle connections to keep, 8 where it is 0
	AllowHTTP   bool              // plain http is allowed to more than this machine
	Debug       io.Writer         // where set, the exchange is logged there, without secrets
	Notify      func(text string) // where set, it is called with what a person may wonder about, such as a long wait
	Network     http.RoundTripper // beneath the chain; where nil, the network
}

// A Chain sends requests. It is safe for concurrent use.
type Chain struct {
	retrier *retrier
	limiter *limiter
	auth    *authenticator
	network *http.Transport // nil where the caller gave one
}

// New returns a Chain. It connects to nothing.
func New(o Options) *Chain {
	c := &Chain{}
	next := o.Network
	if next == nil {
		c.network = newNetwork(o.Concurrency)
		next = c.network
	}
	next = &deadline{next: next, timeout: o.Timeout}
	if o.Debug != nil {
		next = &debugLog{next: next, out: o.Debug}
	}
	next = &originGuard{next: next, base: o.Base, allowHTTP: o.AllowHTTP}
	c.limiter = newLimiter(next, o.Rate)
	c.auth = &authenticator{next: c.limiter, source: o.Tokens}
	c.retrier = &retrier{next: c.auth, retries: o.Retries, notify: o.Notify}
	return c
}

// RoundTrip sends a request and returns the answer, whatever its status. A
// request without an answer is a *NetworkError; one that was not sent, a
// *GuardError, a *TokenSourceError or the error of CallOptions.OnSend.
func (c *Chain) RoundTrip(req *http.Request) (*http.Response, error) { return c.retrier.RoundTrip(req) }

// Close closes idle connections, but not those of Options.Network.
func (c *Chain) Close() {
	if c.network != nil {
		c.network.CloseIdleConnections()
	}
}

// Counts returns how many attempts were sent, and how many of them were
// retries.
func (c *Chain) Counts() (requests, retries int) {
	return int(c.limiter.sent.Load()), int(c.retrier.retried.Load())
}

// Secrets returns the tokens that were used so far.
func (c *Chain) Secrets() redact.Secrets { return c.auth.tokens() }

// newNetwork returns the transport beneath the chain. It keeps as many
// connections as there are workers and speaks HTTP/1.1 only, since a
// connection for each worker is what bulk calls want.
func newNetwork(concurrency int) *http.Transport {
	if concurrency <= 0 {
		concurrency = 8
	}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:    15 * time.Second,
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
		MaxIdleConns:           concurrency,
		MaxIdleConnsPerHost:    concurrency,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		ReadBufferSize:         64 << 10,
		WriteBufferSize:        16 << 10,
	}
}
