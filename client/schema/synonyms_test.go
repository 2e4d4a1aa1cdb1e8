package schema

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestSynonymsOfAllLanguages checks that the column of each field that a file can have has a name in German, French and Spanish,
// which means no other field of the resource, and that each line of synonyms.txt is about such a field.
func TestSynonymsOfAllLanguages(t *testing.T) {
	resources, known := []*Resource{&StatusChange}, map[string]bool{"keywords": true}
	for _, op := range Operations() {
		hasFile := op.Response != &Estimates && op.Response != &BusinessProfiles // their commands take no --file
		if hasFile && op.Response != nil && !slices.Contains(resources, op.Response) {
			resources = append(resources, op.Response)
		}
	}
	fold := func(name string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, name)
	}
	for _, res := range resources {
		fields := map[string]string{}
		for _, f := range res.Having(Create | Update) {
			known[f.Name], known["credentials."+f.Name] = true, known["credentials."+f.Name] || res == &Credentials
			for _, names := range f.ForeignSynonyms() {
				if len(names) == 0 || names[0] == "" {
					t.Errorf("%s of %s has no name in one of the languages: got %q, want a line %s|German|French|Spanish in client/schema/synonyms.txt",
						f.Name, res.Name, f.ForeignSynonyms(), f.Name)
				}
			}
			for _, name := range append(f.Headings(), f.Name, f.ReadName()) {
				if before, ok := fields[fold(name)]; ok && before != f.Name {
					t.Errorf("got %q for both %s and %s of %s, want one field", name, before, f.Name, res.Name)
				}
				fields[fold(name)] = f.Name
			}
		}
	}
	for field := range foreignSynonyms() {
		if !known[field] {
			t.Errorf("synonyms.txt names %q, which no file has", field)
		}
	}
}

// TestCountriesHaveOneCode checks that no name of a country, in any of the languages, is that of another one.
func TestCountriesHaveOneCode(t *testing.T) {
	codes := map[string]string{}
	for line := range strings.Lines(countries) {
		code, names, _ := strings.Cut(strings.TrimSpace(line), "|")
		for name := range strings.SplitSeq(names, "|") {
			if before, ok := codes[countryKey(name)]; ok && before != code || countryKey(name) == "" {
				t.Errorf("got %q for both %s and %s, want one country", name, before, code)
			}
			codes[countryKey(name)] = code
		}
	}
}
