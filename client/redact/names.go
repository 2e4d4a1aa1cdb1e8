package redact

import (
	"slices"
	"strings"
	"unicode"
)

// secretWords end a word of each name whose value is a secret: password, user_password, accessToken, X-Api-Key.
var secretWords = []string{
	"password", "passwd", "passphrase", "passcode", "pwd", "token", "secret", "jwt", "bearer",
	"authorization", "cookie", "apikey", "accesskey", "privatekey", "secretkey", "passwort", "kennwort", "contraseña", "contrasena",
	"motdepasse", "clavedeacceso", "pw", "mdp", "geheimni", // without the s at its end
}

// harmlessWords end names that say something about a secret without being one, such as token_exp and password_changed_at.
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
		singular := strings.TrimSuffix(word, "s")
		if singular == "key" && i > 0 {
			singular = words[i-1] + singular
		}
		if i > 1 && words[i-1] == "de" {
			singular = strings.TrimSuffix(words[i-2], "s") + "de" + singular
		}
		if word == "pass" || slices.ContainsFunc(secretWords, func(secret string) bool { return strings.HasSuffix(singular, secret) }) {
			return true
		}
	}
	return false
}

// splitWords returns the words of a name in lower case and without digits: api, key for apiKey, API-Key and api_key2.
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
