package config

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// CheckURL checks the address of a server and returns it in one spelling:
// scheme and host in lower case, without the scheme's own port and without
// slashes at the end; a path in front of the operations is kept.
//
// Its errors never repeat an address that might hold a password.
func CheckURL(raw string, allowHTTP bool) (string, error) {
	u, err := url.Parse(raw)
	switch {
	case raw == "":
		return "", &Error{Message: "the address is empty"}
	case err != nil:
		// The parser's error repeats the address, so it is not passed on.
		return "", &Error{Message: "the address can't be read", Hint: addressHint}
	case u.User != nil:
		return "", &Error{
			Message: "the address has a user name or password in it",
			Hint:    "take them out and run `reseller auth login`",
		}
	case u.Scheme == "" || u.Opaque != "":
		return "", &Error{Message: "the address does not begin with https://", Hint: addressHint}
	case u.Scheme != "https" && u.Scheme != "http":
		return "", &Error{Message: fmt.Sprintf("the address begins with %q, not with https", u.Scheme), Hint: addressHint}
	case u.Hostname() == "" || !printable(u.Host):
		return "", &Error{Message: "the address has no host that can be read", Hint: addressHint}
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(raw, "#"):
		return "", &Error{Message: "the address has a query or fragment (? or #) in it", Hint: addressHint}
	}
	port := u.Port()
	if number, err := strconv.Atoi(port); port != "" && (err != nil || number < 1 || number > 65535) {
		return "", &Error{Message: "the address has a port outside 1 to 65535"}
	}
	host := strings.ToLower(u.Hostname())
	if u.Scheme == "http" && !allowHTTP && !loopback(host) {
		return "", &Error{
			Message: fmt.Sprintf("plain http to %s is refused, since it would send the token in clear", host),
			Hint:    "use https, or --allow-http where every network between is trusted",
		}
	}
	hostPort := hostOf(u.Scheme, host, port)
	return (&url.URL{Scheme: u.Scheme, Host: hostPort}).String() + strings.TrimRight(u.EscapedPath(), "/"), nil
}

const addressHint = "an address reads like https://api.example.com"

// hostOf joins host and port, leaving out the port that the scheme implies.
func hostOf(scheme, host, port string) string {
	if port == "" || port == defaultPort(scheme) {
		if strings.Contains(host, ":") {
			return "[" + host + "]"
		}
		return host
	}
	return net.JoinHostPort(host, port)
}

// OriginOf returns scheme, host and port of an address, with the default port
// filled in: what tokens are kept and bound by.
func OriginOf(address string) (string, error) {
	checked, err := CheckURL(address, true)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(checked)
	if err != nil {
		return "", &Error{Message: "the address can't be read", Hint: addressHint}
	}
	port := u.Port()
	if port == "" {
		port = defaultPort(u.Scheme)
	}
	return u.Scheme + "://" + net.JoinHostPort(u.Hostname(), port), nil
}

// SameOrigin says whether two addresses have the same scheme, host and port.
// An address that can't be read is the same as no other.
func SameOrigin(a, b string) bool {
	first, err := OriginOf(a)
	if err != nil {
		return false
	}
	second, err := OriginOf(b)
	return err == nil && first == second
}

func defaultPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func printable(text string) bool {
	for _, r := range text {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return false
		}
	}
	return true
}

// hideUserInfo makes an address safe to show that was never checked.
func hideUserInfo(raw string) string {
	at := strings.LastIndex(raw, "@")
	if at < 0 {
		return raw
	}
	if u, err := url.Parse(raw); err == nil && u.User == nil && u.Host != "" {
		return raw
	}
	scheme, _, found := strings.Cut(raw, "://")
	if !found {
		return "[hidden]" + raw[at:]
	}
	return scheme + "://[hidden]" + raw[at:]
}
