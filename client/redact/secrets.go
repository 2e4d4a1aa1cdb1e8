package redact

import (
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Secrets are texts that must not be shown: the tokens so far, the password of
// a call. Those of fewer than four bytes are too common to be hidden.
type Secrets []string

const (
	minSecret      = 4         // bytes of the shortest secret that is hidden
	minPrefix      = 8         // bytes of the shortest beginning of a secret that is hidden at the end of a text
	maxMessage     = 16 << 10  // bytes of a message that are shown
	maxSecrets     = 100       // in messages
	maxSecretBytes = 256 << 10 // of all secrets together, in messages
	maxEscapes     = 5         // times over that a secret may be escaped
)

// Text hides the secrets in a text, however they are escaped there. A text in
// which an escaped one was found is returned without its escapes.
func (s Secrets) Text(text string) string { return redactAll(text, s.encodings()) }

// Error hides the secrets, and what looks like one, in the text of an error:
// net/http quotes what is malformed in an answer. Unwrap returns err.
func (s Secrets) Error(err error) error {
	if text := s.Text(Text(err.Error())); text != err.Error() {
		return &redactedError{text, err}
	}
	return err
}

// A redactedError is an error whose own text holds a secret.
type redactedError struct {
	text string
	err  error
}

func (e *redactedError) Error() string { return e.text }
func (e *redactedError) Unwrap() error { return e.err }

// Messages hides the secrets in the messages of the service. A message of more
// than 16 KB is cut; where there are too many secrets to look for, all messages
// are hidden.
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
			text = strings.ToValidUTF8(text[:maxMessage], "")
		}
		if text = jwtLike().ReplaceAllString(redactAll(text, secrets), Placeholder); more {
			text += "…"
		}
		out = append(out, text)
	}
	return out
}

// Location returns an address as it is, or, where it holds a secret, only its
// scheme and host.
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

// encodings returns the secrets in every form in which an answer may repeat
// them: trimmed, unescaped, with + for a space as in an address, and in Latin-1
// as in a header.
func (s Secrets) encodings() []string {
	var all []string
	for _, secret := range s {
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

// redactAll hides secrets in a text and in what remains when its escapes are
// undone, up to maxEscapes times.
func redactAll(text string, secrets []string) string {
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

// removeAll puts the placeholder in the place of each secret, also of one that
// the end of the text cuts off.
func removeAll(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) < minSecret {
			continue
		}
		text = strings.ReplaceAll(text, secret, Placeholder)
		for n := min(len(secret)-1, len(text)); n >= minPrefix; n-- {
			if cut, ok := strings.CutSuffix(text, secret[:n]); ok {
				text = cut + Placeholder
				break
			}
		}
	}
	return text
}

// latin1 returns a text in Latin-1, with ? for the characters that it lacks.
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

// escapes match what addresses, HTML, JSON and Go write for one character.
var escapes = lazyRegexp(`%[0-9A-Fa-f]{2}|&#?[0-9A-Za-z]+;|\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|` +
	`\\(?:["'\\/abfnrtv]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2})`)

// unescape undoes the escapes of addresses, HTML, JSON and Go once.
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
		var plain string // of what only JSON has: \/ and surrogate pairs
		if json.Unmarshal([]byte(quoted), &plain) == nil {
			return plain
		}
		return e[1:]
	})
}
