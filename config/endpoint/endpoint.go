// Package endpoint checks the address of a server, and compares addresses by their origin, to which tokens are bound: scheme, host
// and port.
package endpoint

import (
	"cmp"
	"net"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"reseller/config/errdefs"
)

// Normalize checks the address of a server and returns its normal form: scheme and host in lower case, without the default port and
// without slashes at the end. Plain http to another machine is an error unless allowHTTP is set. No error quotes an address that
// may hold a password.
func Normalize(raw string, allowHTTP bool) (string, error) {
	u, err := parse(raw, allowHTTP)
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String() + strings.TrimRight(u.EscapedPath(), "/"), nil
}

const addressHint = "example: https://api.example.com"

func parse(raw string, allowHTTP bool) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case raw == "":
		return nil, errdefs.Invalidf("the address is empty")
	case err != nil:
		// The parser's error quotes the address, so it is left out.
		return nil, errdefs.Invalidf("the address can't be parsed").Hinted(addressHint)
	case u.User != nil:
		return nil, errdefs.Invalidf("the address contains a user name or password").Hinted("remove them and run `reseller auth login`")
	case u.Scheme == "" || u.Opaque != "":
		return nil, errdefs.Invalidf("the address does not begin with https://").Hinted(addressHint)
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errdefs.Invalidf("the address begins with %q, not with https://", u.Scheme+":").Hinted(addressHint)
	case u.Hostname() == "" || !isPrintable(u.Host):
		return nil, errdefs.Invalidf("the address has no valid host").Hinted(addressHint)
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(raw, "#"):
		return nil, errdefs.Invalidf("the address contains a query or fragment (? or #)").Hinted(addressHint)
	}
	if port := u.Port(); port != "" {
		if number, err := strconv.Atoi(port); err != nil || number < 1 || number > 65535 {
			return nil, errdefs.Invalidf("the port of the address is not between 1 and 65535")
		}
	}
	if host := strings.ToLower(u.Hostname()); u.Scheme == "http" && !allowHTTP && !isLoopback(host) {
		return nil, errdefs.Invalidf("plain http to %s would send the token unencrypted", host).
			Hinted("use https, or --allow-http if you trust the network")
	}
	u.Host = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), ":"+defaultPort(u.Scheme)), ":")
	return u, nil
}

// Origin returns scheme, host and port of an address. The port is always there, so that origins can be compared as texts.
func Origin(address string) (string, error) {
	u, err := parse(address, true)
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), defaultPort(u.Scheme))), nil
}

// IsOf reports whether an origin is that of a host, a name or an IP address, with a port or, for all ports, without.
func IsOf(origin, host string) (bool, error) {
	u, err := url.Parse(origin)
	if err != nil {
		return false, err
	}
	wanted, err := url.Parse("//" + host)
	if err != nil || wanted.Host != host || wanted.Hostname() == "" || !isPrintable(host) || strings.HasSuffix(host, ":") {
		return false, errdefs.Invalidf("%q is not HOST or HOST:PORT", host)
	}
	return strings.EqualFold(u.Hostname(), wanted.Hostname()) && (wanted.Port() == "" || wanted.Port() == u.Port()), nil
}

func defaultPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
}

// RedactUserInfo returns an address with [hidden] in place of a user name and password. Of an invalid address, it hides all text
// between the scheme and the last @.
func RedactUserInfo(raw string) string {
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
