package client

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"reseller/client/record"
)

// hidden stands where a secret was.
const hidden = "[hidden]"

// What is hidden is rarely looked for, so the patterns are made at first need.
var (
	secretMember = pattern(`(?i)("(?:[a-z_]*password|[a-z_]*token|secret|authorization)"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)`)
	secretName   = pattern(`(?i)token|password|secret|authorization|cookie|api-?key`)
	jwtLike      = pattern(`eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*`)
)

func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Redact hides secrets in a text that may be JSON: the values of members
// named password or token, whatever they are, and what looks like a JWT.
func Redact(text string) string {
	if v, err := record.ParseValue([]byte(text)); err == nil {
		return string(appendRedacted(nil, v))
	}
	return jwtLike().ReplaceAllString(secretMember().ReplaceAllString(text, `${1}"`+hidden+`"`), hidden)
}

func appendRedacted(dst []byte, v record.Value) []byte {
	switch v.Kind() {
	case record.Object:
		dst = append(dst, '{')
		first := true
		for name, member := range v.Members() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(append(dst, Quote(name)...), ':')
			if secretName().MatchString(name) && member.Kind() != record.Null && !strings.HasSuffix(name, "_exp") {
				dst = append(dst, Quote(hidden)...)
			} else {
				dst = appendRedacted(dst, member)
			}
		}
		return append(dst, '}')
	case record.Array:
		dst = append(dst, '[')
		for element := range v.Elements() {
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = appendRedacted(dst, element)
		}
		return append(dst, ']')
	case record.String:
		return append(dst, jwtLike().ReplaceAll(v, []byte(hidden))...)
	}
	return append(dst, v...)
}

// conceal hides the given secrets in a text, also where the text is cut off
// inside one.
func conceal(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) < 4 {
			continue
		}
		text = strings.ReplaceAll(text, secret, hidden)
		for n := min(len(secret)-1, len(text)); n >= 8; n-- {
			if cut, ok := strings.CutSuffix(text, secret[:n]); ok {
				text = cut + hidden
				break
			}
		}
	}
	return text
}

// spelt are secrets and what they look like in an address.
func spelt(secrets []string) []string {
	for _, secret := range secrets {
		secrets = append(secrets, url.QueryEscape(secret), url.PathEscape(secret))
	}
	return secrets
}

// concealTarget hides all of an address but where it leads, where it holds a
// secret, however it is spelt.
func concealTarget(address string, secrets []string) string {
	text := address
	for range 5 { // what is escaped may be so again
		if plus := strings.ReplaceAll(text, "+", " "); conceal(text, secrets) != text || conceal(plus, secrets) != plus {
			to, err := url.Parse(address)
			if err != nil || to.Host == "" {
				return hidden
			}
			return origin(to) + "/" + hidden
		}
		text = unescape(text)
	}
	return address
}

// unescape leaves what is no escape as it is.
func unescape(text string) string {
	return escape().ReplaceAllStringFunc(text, func(e string) string {
		c, _ := strconv.ParseUint(e[1:], 16, 8)
		return string([]byte{byte(c)})
	})
}

var escape = pattern(`%[0-9A-Fa-f]{2}`)
