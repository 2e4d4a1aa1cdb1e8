package transport

import (
	"net/url"
	"os"
	"strings"

	"reseller/client/redact"
)

// proxySecrets returns the passwords in the addresses of the proxies that the
// environment names. An address without a password may have a secret as its user name.
func proxySecrets() (found redact.Secrets) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"} {
		address := os.Getenv(name)
		at := strings.LastIndex(address, "@")
		if at < 0 {
			continue
		}
		secret := address[:at]
		for _, before := range []string{"://", ":"} {
			if _, rest, ok := strings.Cut(secret, before); ok {
				secret = rest
			}
		}
		found = append(found, secret)
		if plain, err := url.PathUnescape(secret); err == nil && plain != secret {
			found = append(found, plain)
		}
	}
	return found
}
