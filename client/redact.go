package client

import (
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"reseller/client/record"
)

// Redacted stands where a secret was.
const Redacted = "[hidden]"

// What is hidden is rarely looked for, so the patterns are made at first need.
var (
	secretMember = lazyRegexp(`(?i)("(?:[a-z_]*password|[a-z_]*token|secret|authorization)"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)`)
	secretName   = lazyRegexp(`(?i)token|password|secret|authorization|cookie|api-?key`)
	jwtLike      = lazyRegexp(`eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)+`)
)

func lazyRegexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Redact hides secrets in a text that may be JSON: the values of members
// named password or token, whatever they are, and what looks like a JWT.
func Redact(text string) string {
	if v, err := record.ParseValue([]byte(text)); err == nil {
		return string(appendRedacted(nil, v, false))
	}
	return jwtLike().ReplaceAllString(secretMember().ReplaceAllString(text, `${1}"`+Redacted+`"`), Redacted)
}

// redactLogin hides every string in the answer to a login, which may hold the
// token anywhere.
func redactLogin(text string) string {
	if v, err := record.ParseValue([]byte(text)); err == nil {
		return string(appendRedacted(nil, v, true))
	}
	if strings.TrimSpace(text) == "" {
		return text
	}
	return Redacted
}

func appendRedacted(dst []byte, v record.Value, texts bool) []byte {
	switch v.Kind() {
	case record.Object:
		dst = append(dst, '{')
		first := true
		for name, member := range v.Members() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(append(dst, record.Quote(name)...), ':')
			if secretName().MatchString(name) && member.Kind() != record.Null && !strings.HasSuffix(name, "_exp") {
				dst = append(dst, record.Quote(Redacted)...)
			} else {
				dst = appendRedacted(dst, member, texts)
			}
		}
		return append(dst, '}')
	case record.Array:
		dst = append(dst, '[')
		for element := range v.Elements() {
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = appendRedacted(dst, element, texts)
		}
		return append(dst, ']')
	case record.String:
		if texts {
			return append(dst, record.Quote(Redacted)...)
		}
		return append(dst, jwtLike().ReplaceAll(v, []byte(Redacted))...)
	}
	return append(dst, v...)
}

// redactSecrets hides the given secrets in a text, however they are escaped there;
// what holds an escaped one is shown without its escapes.
func redactSecrets(text string, secrets []string) string {
	return redactForms(text, encodings(secrets))
}

// redactMessages are the service's words without secrets: of long ones the beginning, and
// none where what may be secret is too much to look for.
func redactMessages(words, secrets []string) []string {
	size := 0
	for _, secret := range secrets {
		size += len(secret)
	}
	if len(secrets) > 100 || size > 256<<10 {
		return []string{Redacted}
	}
	secrets = encodings(secrets)
	var out []string
	for _, text := range words {
		more := len(text) > maxMessage
		if more {
			text = strings.ToValidUTF8(text[:maxMessage], "")
		}
		if text = jwtLike().ReplaceAllString(redactForms(text, secrets), Redacted); more {
			text += "…"
		}
		out = append(out, text)
	}
	return out
}

// maxMessage is how much of a message is told, in bytes.
const maxMessage = 16 << 10

// redactForms is conceal with secrets in all their spellings.
func redactForms(text string, secrets []string) string {
	text = removeAll(text, secrets)
	plain := text
	for range maxEscapes {
		next := unescape(plain)
		if next == plain {
			break
		}
		if plain = removeAll(next, secrets); plain != next {
			text = plain
		}
	}
	return text
}

// maxEscapes is how many times over a secret may be escaped.
const maxEscapes = 5

// removeAll is a text without the secrets, also where it is cut off inside one.
func removeAll(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) < 4 {
			continue
		}
		text = strings.ReplaceAll(text, secret, Redacted)
		for n := min(len(secret)-1, len(text)); n >= 8; n-- {
			if cut, ok := strings.CutSuffix(text, secret[:n]); ok {
				text = cut + Redacted
				break
			}
		}
	}
	return text
}

// encodings are secrets and what becomes of them where a service trims them, where
// an address has + for a space, where a header is in Latin-1, and where they
// look escaped themselves.
func encodings(secrets []string) []string {
	var all []string
	for _, secret := range secrets {
		for _, text := range []string{secret, strings.TrimSpace(secret)} {
			plain := text
			for range maxEscapes {
				plain = unescape(plain)
			}
			for _, form := range []string{text, plain, latin1(text)} {
				all = append(all, form, strings.ReplaceAll(form, " ", "+"))
			}
		}
	}
	return slices.Compact(all)
}

// latin1 is a text in Latin-1, with ? for what that lacks.
func latin1(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return string(out)
}

// redactTarget hides all of an address but where it leads, where it holds a
// secret.
func redactTarget(address string, secrets []string) string {
	if redactSecrets(address, secrets) == address {
		return address
	}
	to, err := url.Parse(address)
	if err != nil || to.Host == "" {
		return Redacted
	}
	return origin(to) + "/" + Redacted
}

// unescape undoes the escapes of addresses, HTML, JSON and Go, and leaves what
// is none as it is.
func unescape(text string) string {
	if !strings.ContainsAny(text, `%&\`) {
		return text
	}
	return escape().ReplaceAllStringFunc(text, func(e string) string {
		switch e[0] {
		case '%':
			c, _ := strconv.ParseUint(e[1:], 16, 8)
			return string([]byte{byte(c)})
		case '&':
			return html.UnescapeString(e)
		}
		quoted := `"` + e + `"`
		if plain, err := strconv.Unquote(quoted); err == nil {
			return plain
		}
		var plain string // of what JSON alone has: \/ and pairs of \u
		if json.Unmarshal([]byte(quoted), &plain) == nil {
			return plain
		}
		return e[1:]
	})
}

var escape = lazyRegexp(`%[0-9A-Fa-f]{2}|&#?[0-9A-Za-z]+;|\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|` +
	`\\(?:["'\\/abfnrtv]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2})`)

// A redactedError is an error whose text holds a secret, and shows without it.
type redactedError struct {
	text string
	err  error
}

func (e *redactedError) Error() string { return e.text }
func (e *redactedError) Unwrap() error { return e.err }

// redactError keeps secrets out of the text of an error: net/http quotes what is
// broken in an answer.
func redactError(err error, secrets []string) error {
	if text := redactSecrets(Redact(err.Error()), secrets); text != err.Error() {
		return &redactedError{text, err}
	}
	return err
}

// tokenCandidates are the strings in a value that may be a token: those without a space.
func tokenCandidates(v record.Value) (all []string) {
	if text := v.Text(); v.Kind() == record.String && len(strings.Fields(text)) == 1 {
		return []string{text}
	}
	for element := range v.Elements() {
		all = append(all, tokenCandidates(element)...)
	}
	for _, member := range v.Members() {
		all = append(all, tokenCandidates(member)...)
	}
	return all
}
