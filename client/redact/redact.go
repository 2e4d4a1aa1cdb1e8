// Package redact hides secrets in what people read: errors, the log of an
// exchange, a planned request. It hides what looks like a secret (Text, URL)
// and the secrets that the caller knows (Secrets).
package redact

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

	"reseller/client/record"
)

// Placeholder stands where a secret was.
const Placeholder = "[hidden]"

// Most runs redact nothing, so each pattern is compiled when it is first needed.
var (
	secretMember = lazyRegexp(`(?i)("(?:[a-z_]*password|[a-z_]*token|secret|authorization)"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)`)
	secretName   = lazyRegexp(`(?i)token|password|secret|authorization|cookie|api-?key`)
	jwtLike      = lazyRegexp(`eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)+`)
)

func lazyRegexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// IsSecretName reports whether the value of a header, parameter or member with
// this name is a secret.
func IsSecretName(name string) bool { return secretName().MatchString(name) }

// Text hides secrets in a text that may be JSON: the values of members with a
// secret name, whatever they are, and what looks like a JWT.
func Text(text string) string {
	if v, err := record.ParseValue([]byte(text)); err == nil {
		return string(appendRedacted(nil, v, false))
	}
	return jwtLike().ReplaceAllString(secretMember().ReplaceAllString(text, `${1}"`+Placeholder+`"`), Placeholder)
}

// AllStrings hides every string in a JSON text, and all of a text that is not
// JSON: the answer to a login may hold the token anywhere.
func AllStrings(text string) string {
	if v, err := record.ParseValue([]byte(text)); err == nil {
		return string(appendRedacted(nil, v, true))
	}
	if strings.TrimSpace(text) == "" {
		return text
	}
	return Placeholder
}

// appendRedacted appends v without the values of members with a secret name,
// and without its strings where redactStrings is set.
func appendRedacted(dst []byte, v record.Value, redactStrings bool) []byte {
	switch v.Kind() {
	case record.Object:
		dst = append(dst, '{')
		for name, member := range v.Members() {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(record.AppendQuote(dst, name), ':')
			if member.Kind() != record.Null && IsSecretName(name) && !isExpiry(name) {
				dst = record.AppendQuote(dst, Placeholder)
			} else {
				dst = appendRedacted(dst, member, redactStrings)
			}
		}
		return append(dst, '}')
	case record.Array:
		dst = append(dst, '[')
		for element := range v.Elements() {
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = appendRedacted(dst, element, redactStrings)
		}
		return append(dst, ']')
	case record.String:
		if redactStrings {
			return record.AppendQuote(dst, Placeholder)
		}
		return append(dst, jwtLike().ReplaceAll(v, []byte(Placeholder))...)
	}
	return append(dst, v...)
}

// isExpiry reports whether a member such as token_exp says when a token expires.
func isExpiry(name string) bool { return strings.HasSuffix(name, "_exp") }

// URL hides the password and the parameters with a secret name in an address.
func URL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return Placeholder
	}
	query := u.Query()
	for name := range query {
		if IsSecretName(name) {
			query.Set(name, Placeholder)
			u.RawQuery = query.Encode()
		}
	}
	return Text(u.Redacted())
}

// TokenCandidates returns the strings in v that may be a token: those without
// white space.
func TokenCandidates(v record.Value) (all []string) {
	if text := v.Text(); v.Kind() == record.String && len(strings.Fields(text)) == 1 {
		return []string{text}
	}
	for element := range v.Elements() {
		all = append(all, TokenCandidates(element)...)
	}
	for _, member := range v.Members() {
		all = append(all, TokenCandidates(member)...)
	}
	return all
}
