package transport

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"reseller/client/redact"
)

// An originGuard passes on only requests to the configured scheme, host and port, and
// unencrypted requests only to this machine (unless allowHTTP is set).
type originGuard struct {
	next      http.RoundTripper
	base      *url.URL
	allowHTTP bool
}

func (g *originGuard) RoundTrip(req *http.Request) (*http.Response, error) {
	if !sameOrigin(req.URL, g.base) {
		return nil, &GuardError{URL: req.URL.Scheme + "://" + req.URL.Host, Reason: "not the configured address"}
	}
	if err := CheckAddress(req.URL, g.allowHTTP); err != nil {
		return nil, err
	}
	return g.next.RoundTrip(req)
}

// CheckAddress returns a *GuardError for an address to which no request is sent, whatever its path.
func CheckAddress(u *url.URL, allowHTTP bool) error {
	reason := "not the address of a service"
	switch {
	case u.Host == "":
	case u.User != nil:
		reason = "user info in the address"
	case u.Scheme == "https" || u.Scheme == "http" && (allowHTTP || isLoopback(u.Hostname())):
		return nil
	case u.Scheme == "http":
		reason = "plain http would send the token unencrypted"
	}
	return &GuardError{URL: u.Scheme + "://" + u.Host, Reason: reason}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

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

// CheckRedirect is the CheckRedirect function of the http.Client. It follows only redirects of reads to the same scheme,
// host and port: no other host may receive the token, and no body may be sent twice.
func CheckRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	refuse := func(reason string) error {
		return &RedirectError{
			HTTPStatus: req.Response.StatusCode,
			From:       redact.URL(first.URL.String()), To: redact.Queries(redact.URL(req.URL.String())), Reason: reason,
		}
	}
	switch {
	case first.Method != http.MethodGet && first.Method != http.MethodHead || first.Body != nil && first.Body != http.NoBody:
		return refuse(notRedirected(first.Method))
	case !sameOrigin(first.URL, req.URL):
		return refuse("it leads to another scheme, host or port")
	case req.URL.User != nil:
		return refuse("it has user info")
	case len(via) >= 10:
		return refuse("too many redirects")
	}
	return nil
}

// NotFollowed returns the error for a response whose status is a redirect that http.Client did not follow, for one of three
// reasons: the response has no valid Location, the request is a write, or no redirect is ever followed after that status.
func NotFollowed(resp *http.Response, method, from string) *RedirectError {
	e := &RedirectError{HTTPStatus: resp.StatusCode, From: redact.URL(from), To: redact.URL(resp.Header.Get("Location"))}
	to, err := resp.Location()
	if err == nil {
		e.To = redact.Queries(redact.URL(to.String()))
	}
	switch {
	case err != nil:
		e.Reason = "it has no valid Location"
	case method != http.MethodGet && method != http.MethodHead:
		e.Reason = notRedirected(method)
	default:
		e.Reason = "this status is not followed"
	}
	return e
}

func notRedirected(method string) string { return fmt.Sprintf("a %s is not redirected", method) }
