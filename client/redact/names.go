package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secretWords end a word of each name whose value is a secret: password, user_password,
// accessToken, X-Api-Key.
var secretWords = []string{
	"password", "passwd", "passphrase", "passcode", "pwd", "token", "secret", "jwt", "bearer",
	"authorization", "cookie", "apikey", "accesskey", "privatekey", "secretkey",
}

// harmlessWords end names that say something about a secret without being one, such as
// token_exp and password_changed_at.
var harmlessWords = []string{
	"exp", "expires", "expiry", "expiration", "at", "in", "on", "date", "time", "ttl", "age", "type", "types", "id", "ids",
	"count", "length", "status", "state", "policy", "required", "changed", "updated", "created", "enabled", "valid", "limit",
	"used", "attempts", "url", "uri", "name", "version",
}

// IsSecretName reports whether the value of a header, of a query parameter or of a JSON
// member with a name is a secret. It is the only list of such names in the program.
func IsSecretName(name string) bool {
	words := splitWords(name)
	if len(words) == 0 || slices.Contains(harmlessWords, words[len(words)-1]) {
		return false
	}
	for i, word := range words {
		if word == "key" && i > 0 {
			word = words[i-1] + word
		}
		singular := strings.TrimSuffix(word, "s")
		if word == "pass" || slices.ContainsFunc(secretWords, func(secret string) bool { return strings.HasSuffix(singular, secret) }) {
			return true
		}
	}
	return false
}

// mayBeSecretName reports whether the JSON text of a name has a word that ends like one of
// a secret. It returns true whenever IsSecretName does, and decides with little work that
// almost all other names are harmless.
func mayBeSecretName(quoted []byte) bool {
	for i, c := range quoted {
		if c == '\\' || c >= utf8.RuneSelf {
			return true
		}
		if i > 0 && !isLower(c) && isLower(quoted[i-1]|0x20) && endsLikeSecret(quoted[:i]) {
			return true
		}
	}
	return false
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

// endsLikeSecret reports whether the end of a text, of which case and a plural do not
// count, is one of secretWords, pass or key.
func endsLikeSecret(text []byte) bool {
	for {
		last := text[len(text)-1] | 0x20
		for _, word := range lastLetters[last-'a'] {
			if len(text) >= len(word) && equalFold(text[len(text)-len(word):], word) {
				return true
			}
		}
		if text = text[:len(text)-1]; last != 's' || len(text) == 0 || !isLower(text[len(text)-1]|0x20) {
			return false
		}
	}
}

// lastLetters holds secretWords, pass and key by their last letter.
var lastLetters = func() (all [26][]string) {
	for _, word := range slices.Concat(secretWords, []string{"pass", "key"}) {
		last := word[len(word)-1] - 'a'
		all[last] = append(all[last], word)
	}
	return all
}()

// equalFold reports whether a text is a word of lower-case letters, of which case does not
// count.
func equalFold(text []byte, word string) bool {
	for i := range len(word) {
		if text[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// splitWords returns the words of a name in lower case and without digits: api, key for
// apiKey, API-Key and api_key2.
func splitWords(name string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}
