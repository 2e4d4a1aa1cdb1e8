// Package redact hides secrets in texts that people read: errors, logs, and the requests that a dry run shows. Text and URL hide
// what looks like a secret; the methods of Secrets hide secrets that the caller knows.
package redact

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

	"reseller/client/record"
)

const Placeholder = "[hidden]"

// Most runs redact nothing, so each pattern is compiled when it is first used.
var (
	member  = lazyRegexp(`"((?:[^"\\]|\\.)*)"(\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)`)
	queries = lazyRegexp(`[?#][^\s"'<>]+`)
	jwtLike = lazyRegexp(`eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)+`)
)

func lazyRegexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// Text hides the values of all members with a secret name, and everything that looks like a JWT, in a text that may be JSON.
func Text(text string) string {
	if v, err := record.ParseValue([]byte(text)); err == nil {
		return string((&redactor{str: Tokens}).append(nil, v))
	}
	text = member().ReplaceAllStringFunc(text, func(found string) string {
		parts := member().FindStringSubmatch(found)
		if !IsSecretName(unescape(parts[1])) {
			return found
		}
		return `"` + parts[1] + `"` + parts[2] + `"` + Placeholder + `"`
	})
	return Tokens(text)
}

// Tokens hides everything that looks like a JWT.
func Tokens(text string) string { return jwtLike().ReplaceAllString(text, Placeholder) }

// AllStrings hides every string in a JSON text, and the whole text if it is not JSON.
// It is for the response to a login, which may contain the token anywhere.
func AllStrings(text string) string {
	if v, err := record.ParseValue([]byte(text)); err == nil {
		return string((&redactor{str: func(string) string { return Placeholder }}).append(nil, v))
	}
	if strings.TrimSpace(text) == "" {
		return text
	}
	return Placeholder
}

// A redactor copies JSON with the values of all members with a secret name hidden.
type redactor struct {
	str     func(text string) string // returns the text that replaces a string
	secrets Secrets                  // numbers that are equal to one of these are hidden
}

func (r *redactor) append(dst []byte, v record.Value) []byte {
	switch v.Kind() {
	case record.Object:
		dst = append(dst, '{')
		for name, member := range v.Members() {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(record.AppendQuote(dst, name), ':')
			if kind := member.Kind(); kind != record.Null && kind != record.Bool && IsSecretName(name) {
				dst = record.AppendQuote(dst, Placeholder)
			} else {
				dst = r.append(dst, member)
			}
		}
		return append(dst, '}')
	case record.Array:
		dst = append(dst, '[')
		for element := range v.Elements() {
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = r.append(dst, element)
		}
		return append(dst, ']')
	case record.String:
		text := v.Text()
		if shown := r.str(text); shown != text {
			return record.AppendQuote(dst, shown)
		}
	case record.Number:
		if len(v) >= minNumber && r.secrets.equal(string(v)) {
			return record.AppendQuote(dst, Placeholder)
		}
	}
	return append(dst, v...)
}

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

// Queries hides the queries and fragments of all URLs in a text. It is for the text of a
// redirect: an opaque token may be the value of any parameter.
func Queries(text string) string {
	return queries().ReplaceAllStringFunc(text, func(query string) string { return query[:1] + Placeholder })
}

// TokenCandidates returns the strings in v that may be tokens: those without white space inside.
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
