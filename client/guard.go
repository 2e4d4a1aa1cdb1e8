package client

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// A originGuard lets a call pass only to the scheme, host and port it was set up
// for, and in the clear only to this machine.
type originGuard struct {
	next      http.RoundTripper
	base      *url.URL
	allowHTTP bool
}

func (g *originGuard) RoundTrip(req *http.Request) (*http.Response, error) {
	switch {
	case !sameOrigin(req.URL, g.base):
		return nil, &GuardError{URL: origin(req.URL), Reason: "not the address that was set up"}
	case req.URL.User != nil:
		return nil, &GuardError{URL: origin(req.URL), Reason: "user info in an address"}
	case req.URL.Scheme == "https" || req.URL.Scheme == "http" && (g.allowHTTP || loopback(req.URL.Hostname())):
		return g.next.RoundTrip(req)
	}
	return nil, &GuardError{URL: origin(req.URL), Reason: "plain http goes to this machine only"}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// checkRedirect follows a redirect of a read to the same scheme, host and
// port, and none else: the token must not travel, nor a body be sent twice.
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	refuse := func(why string) error {
		return &RedirectError{HTTPStatus: req.Response.StatusCode, From: redactURL(first.URL), To: redactURL(req.URL), Reason: why}
	}
	switch {
	case first.Method != http.MethodGet && first.Method != http.MethodHead || first.Body != nil && first.Body != http.NoBody:
		return refuse(notRedirected(first.Method))
	case !sameOrigin(first.URL, req.URL):
		return refuse("it leads to another scheme, host or port")
	case req.URL.User != nil:
		return refuse("it carries user info")
	case len(via) >= 10:
		return refuse("one too many")
	}
	return nil
}

func notRedirected(method string) string { return fmt.Sprintf("a %s is not redirected", method) }
