package redact

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"reseller/client/safetext"
)

// Secrets are texts that must not be shown, such as the tokens that were used so far and the password in a call. Secrets of fewer
// than four bytes are not hidden, since they occur in too many texts.
type Secrets []string

const (
	minSecret      = 4 // bytes of the shortest secret that is hidden
	minPrefix      = 8 // bytes of the shortest beginning of a secret that is hidden at the end of a text
	minNumber      = 8 // digits of the shortest number that is hidden because it equals a secret
	maxMessage     = safetext.MaxMessage
	maxSecrets     = 100       // the most secrets that are searched for in messages
	maxSecretBytes = 256 << 10 // the most bytes of all secrets that are searched for in messages
	maxEscapes     = 5         // how many times over a secret may be escaped
)

// equal reports whether a text is a secret, but for white space around it.
func (s Secrets) equal(text string) bool {
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(s, func(secret string) bool { return strings.TrimSpace(secret) == text })
}

// Text hides the secrets in a text, even if they are escaped. If an escaped secret
// occurs, the text is returned without its escapes.
func (s Secrets) Text(text string) string { return redactAll(text, s.encodings()) }

// Error returns an error that wraps err, with the secrets, and everything that looks like a secret, hidden in its text, which is
// cut after 2 KB. Errors of net/http quote malformed parts of a response.
func (s Secrets) Error(err error) error {
	if text := safetext.Cut(s.Text(Text(err.Error())), maxMessage); text != err.Error() {
		return &redactedError{text, err}
	}
	return err
}

type redactedError struct {
	text string
	err  error
}

func (e *redactedError) Error() string { return e.text }
func (e *redactedError) Unwrap() error { return e.err }

// Messages hides the secrets in the messages of the service. It cuts messages after 2
// KB. If there are too many secrets to search for, it hides all messages.
func (s Secrets) Messages(messages []string) []string {
	size := 0
	for _, secret := range s {
		size += len(secret)
	}
	if len(s) > maxSecrets || size > maxSecretBytes {
		return []string{Placeholder}
	}
	secrets := s.encodings()
	var out []string
	for _, text := range messages {
		more := len(text) > maxMessage
		if more {
			text = strings.ToValidUTF8(text[:maxMessage-len("…")], "")
		}
		if text = Tokens(redactAll(text, secrets)); more {
			text += "…"
		}
		out = append(out, safetext.Cut(text, maxMessage)) // a placeholder may be longer than the secret
	}
	return out
}

// Location returns a URL as it is, or only its scheme and host if it contains a secret.
func (s Secrets) Location(address string) string {
	if s.Text(address) == address {
		return address
	}
	to, err := url.Parse(address)
	if err != nil || to.Host == "" {
		return Placeholder
	}
	return to.Scheme + "://" + to.Host + "/" + Placeholder
}

// An encoding is a form in which a text may repeat a secret.
type encoding struct {
	text   string
	base64 bool // text is the part of a longer Base64 text that the secret alone decides
}

// encodings returns the secrets in every form in which a response may repeat them: trimmed, unescaped, with + for a space as in a
// URL, in Latin-1 as in a header, and in Base64, by itself or as a part of a longer text such as USER:PASSWORD.
func (s Secrets) encodings() []encoding {
	var all []encoding
	add := func(text string, base64 bool) {
		if e := (encoding{text, base64}); len(text) >= minSecret && !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	for _, secret := range s {
		for _, text := range []string{secret, strings.TrimSpace(secret)} {
			if len(text) < minSecret {
				continue
			}
			plain := text
			for range maxEscapes {
				plain = unescape(plain)
			}
			for _, form := range []string{text, plain, latin1(text)} {
				add(form, false)
				add(strings.ReplaceAll(form, " ", "+"), false)
				for offset := range 3 {
					part := base64Part(form, offset)
					add(part, true)
					add(strings.NewReplacer("+", "-", "/", "_").Replace(part), true)
				}
			}
		}
	}
	return all
}

// base64Part returns the characters that a text decides alone in the Base64 of a longer
// text, in which offset bytes, or three more, six more and so on, come before it.
func base64Part(text string, offset int) string {
	whole := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", offset) + text))
	if (offset+len(text))%3 != 0 {
		whole = whole[:len(whole)-1] // the last character has bits of the byte behind the text
	}
	return whole[(offset*8+5)/6:]
}

// redactAll hides secrets in a text, and in the text with its escapes undone up to maxEscapes times.
func redactAll(text string, secrets []encoding) string {
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

// removeAll replaces each secret by the placeholder, even if the end of the text cuts the secret off.
func removeAll(text string, secrets []encoding) string {
	for _, secret := range secrets {
		if secret.base64 {
			text = removeBase64(text, secret.text)
			continue
		}
		text = strings.ReplaceAll(text, secret.text, Placeholder)
		for n := min(len(secret.text)-1, len(text)); n >= minPrefix; n-- {
			if cut, ok := strings.CutSuffix(text, secret.text[:n]); ok {
				text = cut + Placeholder
				break
			}
		}
	}
	return text
}

func removeBase64(text, part string) string {
	i := strings.Index(text, part)
	if i < 0 {
		return text
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
	before := strings.TrimRight(text[:i], alphabet)
	behind := strings.TrimLeft(strings.TrimLeft(text[i+len(part):], alphabet), "=")
	return before + Placeholder + removeBase64(behind, part)
}

// latin1 returns a text encoded in Latin-1, with ? for characters that Latin-1 lacks.
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

// escapes matches one escaped character of URLs, HTML, JSON and Go.
var escapes = lazyRegexp(`%[0-9A-Fa-f]{2}|&#?[0-9A-Za-z]+;|\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|` +
	`\\(?:["'\\/abfnrtv]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2})`)

// unescape undoes one level of the escapes of URLs, HTML, JSON and Go.
func unescape(text string) string {
	if !strings.ContainsAny(text, `%&\`) {
		return text
	}
	return escapes().ReplaceAllStringFunc(text, func(e string) string {
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
		var plain string // of the escapes that only JSON has: \/ and surrogate pairs
		if json.Unmarshal([]byte(quoted), &plain) == nil {
			return plain
		}
		return e[1:]
	})
}
