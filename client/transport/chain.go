// Package transport sends requests to the service through a chain of round trippers, which lies beneath an http.Client. From
// the outside in, the chain retries requests (retry.go), adds the token (auth.go), limits the rate (limit.go, pace.go),
// refuses requests to other addresses than the configured one (guard.go), logs requests and responses without their secrets
// (debug.go), and enforces the timeout (deadline.go). The chain knows nothing of the service's operations.
//
// Begin with New, which takes Options. WithCallOptions sets how the chain treats one request.
package transport

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"reseller/client/redact"
)

// Options configure a client and its Chain. Only BaseURL is required.
type Options struct {
	BaseURL     string            // scheme, host, port and, if there is one, the path before /api
	Tokens      TokenSource       // supplies the token of each call; nil sends calls without a token
	Timeout     time.Duration     // the longest time for an attempt, or, in a list, for its next record; 0 is no limit
	Retries     int               // retries of a call: of reads, of logins, and of writes that were certainly not carried out; 0 is none, the commands use 4
	Rate        float64           // attempts per second; 0 is no limit
	Concurrency int               // idle connections to keep; 0 means 8
	AllowHTTP   bool              // allow plain http to other machines than this one
	RootCAs     *x509.CertPool    // the root certificates to trust; nil means those of the system
	UserAgent   string            // the User-Agent header
	Debug       io.Writer         // receives a log of all requests and responses, without secrets; may be nil
	Notify      func(text string) // receives notes for the user, such as one about a long wait before a retry, of several goroutines at a time; may be nil
	Transport   http.RoundTripper // sends the requests; nil means the network
}

// A Chain sends requests. It is safe for concurrent use.
type Chain struct {
	retrier  *retrier
	limiter  *limiter
	auth     *authenticator
	deadline *deadline
	network  *http.Transport // nil if Options.Transport is used
	proxies  redact.Secrets  // the passwords of proxies
}

// New returns a Chain without connecting to the service. Requests may go to the scheme, host and port of base only.
func New(base *url.URL, o Options) *Chain {
	c := &Chain{proxies: proxySecrets()}
	next := o.Transport
	if next == nil {
		c.network = newNetwork(o.Concurrency, o.RootCAs)
		next = c.network
	}
	c.deadline = &deadline{next: next, timeout: o.Timeout}
	next = c.deadline
	if o.Debug != nil {
		next = &debugLog{next: next, out: o.Debug, secrets: c.Secrets}
	}
	next = &originGuard{next: next, base: base, allowHTTP: o.AllowHTTP}
	c.limiter = &limiter{next: next, pace: NewPace(o.Rate), notify: o.Notify}
	c.auth = &authenticator{next: c.limiter, source: o.Tokens}
	c.retrier = &retrier{next: c.auth, retries: o.Retries, notify: o.Notify}
	return c
}

// RoundTrip sends a request and returns the response, whatever its status. Without a response, the error is a *NetworkError; if
// the chain itself kept the request from being sent, it is a *GuardError, a *TokenSourceError or the error of CallOptions.OnSend.
func (c *Chain) RoundTrip(req *http.Request) (*http.Response, error) { return c.retrier.RoundTrip(req) }

// Close closes idle connections, but not those of Options.Transport.
func (c *Chain) Close() {
	if c.network != nil {
		c.network.CloseIdleConnections()
	}
}

// Counts returns how many attempts were sent, and how many of them were retries.
func (c *Chain) Counts() (requests, retries int) {
	resent := c.deadline.resent.Load()
	return int(c.limiter.sent.Load() + resent), int(c.retrier.retried.Load() + resent)
}

// Throttled returns the number of requests per second that the service was found to
// allow, and whether it has refused any with 429.
func (c *Chain) Throttled() (perSecond float64, throttled bool) { return c.limiter.pace.throttled() }

// Secrets returns the tokens that were used so far and the passwords of proxies.
func (c *Chain) Secrets() redact.Secrets { return append(c.auth.tokens(), c.proxies...) }

// newNetwork returns the default innermost round tripper. Bulk jobs are fastest with one connection for each worker, so it
// keeps as many idle connections as there are workers. A service that prefers HTTP/2 gets all on one connection.
func newNetwork(concurrency int, roots *x509.CertPool) *http.Transport {
	if concurrency <= 0 {
		concurrency = 8
	}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    15 * time.Second,
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 15 * time.Second}, // finds a connection that is dead
		MaxIdleConns:           concurrency,
		MaxIdleConnsPerHost:    concurrency,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		ReadBufferSize:         64 << 10,
		WriteBufferSize:        16 << 10,
	}
}
