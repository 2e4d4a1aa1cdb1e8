package schema

import (
	_ "embed" // for countries
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// countries has a line for each country of ISO 3166-1, and for Kosovo: the codes of two
// and of three letters, and the names in English, separated by |.
//
//go:embed countries.txt
var countries string

// countryCodes returns the code of two letters for each key of a name or of a code of three letters.
var countryCodes = sync.OnceValue(func() map[string]string {
	codes := map[string]string{}
	for line := range strings.Lines(countries) {
		code, names, _ := strings.Cut(strings.TrimSpace(line), "|")
		for name := range strings.SplitSeq(names, "|") {
			codes[countryKey(name)] = code
		}
	}
	return codes
})

// countryCode returns the code of two letters of a country that is given by one of its names
// or by its code of three letters, "" if there is no such country.
func countryCode(text string) string {
	const longest = 100 // bytes; longer than any name
	if len(text) > longest {
		return ""
	}
	return countryCodes()[countryKey(text)]
}

// countryKey returns a text that is the same for all spellings of the name of a country: its letters in lower case without
// accents, with Saint for St. and without the article. It is empty for a text that can't be such a name.
func countryKey(name string) string {
	var key, word strings.Builder
	end := func() {
		switch word.String() {
		case "the":
		case "st":
			key.WriteString("saint")
		default:
			key.WriteString(word.String())
		}
		word.Reset()
	}
	for _, r := range norm.NFD.String(strings.ReplaceAll(name, "&", " and ")) {
		switch {
		case unicode.IsLetter(r):
			word.WriteRune(unicode.ToLower(r))
		case unicode.Is(unicode.Mn, r) || strings.ContainsRune(".'’", r): // within a word
		case unicode.IsSpace(r) || strings.ContainsRune(",-–()[]", r):
			end()
		default:
			return ""
		}
	}
	end()
	return key.String()
}
