// Package redact hides secrets in texts that people read: errors, logs, and the
// requests that a dry run shows. Text and URL hide what looks like a secret; the
// methods of Secrets hide secrets that the caller knows.
package redact

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

	"reseller/client/record"
)

// Placeholder replaces a secret.
const Placeholder = "[hidden]"

// Most runs redact nothing, so each pattern is compiled when it is first used.
var (
	secretMember = lazyRegexp(`(?i)("(?:[a-z_]*password|[a-z_]*token|secret|authorization)"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)`)
	secretName   = lazyRegexp(`(?i)token|password|secret|authorization|cookie|api-?key`)
	jwtLike      = lazyRegexp(`eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)+`)
)

func lazyRegexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// IsSecretName reports whether the value of a header, of a query parameter or of a
// JSON member with a name is a secret.
func IsSecretName(name string) bool { return secretName().MatchString(name) }

// Text hides the values of all members with a secret name, and everything that looks
// like a JWT, in a text that may be JSON.
func Text(text string) string {
	if v, err := record.ParseValue([]byte(text)); err == nil {
		return string(appendRedacted(nil, v, false))
	}
	return jwtLike().ReplaceAllString(secretMember().ReplaceAllString(text, `${1}"`+Placeholder+`"`), Placeholder)
}

// AllStrings hides every string in a JSON text, and the whole text if it is not JSON.
// It is for the response to a login, which may contain the token anywhere.
func AllStrings(text string) string {
	if v, err := record.ParseValue([]byte(text)); err == nil {
		return string(appendRedacted(nil, v, true))
	}
	if strings.TrimSpace(text) == "" {
		return text
	}
	return Placeholder
}

// appendRedacted appends v with the values of all members with a secret name hidden.
// With redactStrings it hides all strings.
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

// URL hides the password and the values of parameters with a secret name in a URL.
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

// TokenCandidates returns the strings in v that may be tokens: those without white
// space inside.
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
