package transport

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
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
// host and port: no other host may receive the token, and no body may be sent twice. Any other redirect is returned as the response.
func CheckRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	if first.Body != nil && first.Body != http.NoBody || len(via) >= 10 || notFollowed(first.Method, first.URL, req.URL) != "" {
		return http.ErrUseLastResponse
	}
	return nil
}

// notFollowed returns why a redirect is not followed, or an empty text if it is followed. Its status does not count.
func notFollowed(method string, from, to *url.URL) string {
	switch {
	case method != http.MethodGet && method != http.MethodHead:
		return fmt.Sprintf("a %s is not redirected", method)
	case !sameOrigin(from, to):
		return "it leads to another scheme, host or port"
	case to.User != nil:
		return "it has user info"
	}
	return ""
}

// NotFollowed returns the error for a response whose status is a redirect that http.Client did not follow. The call has this
// method, and its first request went to the address first.
func NotFollowed(resp *http.Response, method, first string) *RedirectError {
	e := &RedirectError{HTTPStatus: resp.StatusCode, From: redact.URL(first), To: redact.URL(resp.Header.Get("Location")), Reason: "it has no valid Location"}
	if to, err := resp.Location(); err == nil {
		e.To = redact.Queries(redact.URL(to.String()))
		last := "this status is not followed"
		if slices.Contains([]int{301, 302, 303, 307, 308}, resp.StatusCode) {
			last = "too many redirects"
		}
		e.Reason = cmp.Or(notFollowed(method, resp.Request.URL, to), last)
	}
	return e
}
