package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// CleanToken drops one line end and blanks around a token and refuses what can't stand in
// a header. Its error does not repeat the token.
func CleanToken(raw string) (string, error) {
	token := strings.Trim(strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r"), " \t")
	if token == "" {
		return "", errors.New("holds no token")
	}
	if strings.IndexFunc(token, unicode.IsControl) >= 0 {
		return "", errors.New("holds a control character or a line break inside the token")
	}
	return token, nil
}

// hideTokens replaces what looks like a JSON Web Token.
func hideTokens(text string) string {
	if !strings.Contains(text, "eyJ") {
		return text
	}
	return regexp.MustCompile(`eyJ[\w-]+\.[\w-]+(\.[\w-]*)?`).ReplaceAllString(text, "[hidden]")
}

// escape makes text from elsewhere safe to print on one line.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	return b.String()
}
