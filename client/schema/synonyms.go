package schema

import (
	_ "embed" // for synonyms
	"slices"
	"strings"
	"sync"
)

// synonyms has a line for each field that files have: its name, and what people call its column in German, in French
// and in Spanish, separated by |.
//
//go:embed synonyms.txt
var synonyms string

var foreignSynonyms = sync.OnceValue(func() map[string][3][]string {
	byField := map[string][3][]string{}
	for line := range strings.Lines(synonyms) {
		field, names, _ := strings.Cut(strings.TrimSpace(line), "|")
		var languages [3][]string
		for i, language := range strings.SplitN(names, "|", len(languages)) {
			languages[i] = strings.Split(language, ", ")
		}
		byField[field] = languages
	}
	return byField
})

// ForeignSynonyms returns the names that people give the column of the field in German, in French and in Spanish.
func (f *Field) ForeignSynonyms() [3][]string { return foreignSynonyms()[f.Name] }

// unaccented writes a heading as those do who have no keys for its letters.
var unaccented = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "œ", "oe", "ç", "c", "ñ", "n",
	"à", "a", "á", "a", "é", "e", "è", "e", "ê", "e", "É", "E", "í", "i", "ó", "o", "ô", "o", "ú", "u", "û", "u")

// Headings returns all names that people give the column of the field in their spreadsheets, in other words than its own.
func (f *Field) Headings() []string {
	foreign := f.ForeignSynonyms()
	all := slices.Concat(f.ColumnSynonyms, foreign[0], foreign[1], foreign[2])
	for _, name := range all[len(f.ColumnSynonyms):] {
		if plain := unaccented.Replace(name); plain != name {
			all = append(all, plain)
		}
	}
	return all
}

// The synonyms of fields that several resources have, or that are declared in two versions.
var (
	accountNameSynonyms     = []string{"company", "company name", "business", "business name", "customer", "customer name", "client", "client name"}
	phoneSynonyms           = []string{"telephone", "tel", "mobile"}
	postalSynonyms          = []string{"zip code", "postcode", "postal code"}
	websiteSynonyms         = []string{"website", "site", "url", "web", "domain", "homepage"}
	externalAccountSynonyms = []string{"crm id", "customer id", "customer no", "customer number", "client id", "client no", "client number", "external id", "reference", "record id"}
)

// KeywordListSynonyms are names that people give a column with several keywords in each cell.
var KeywordListSynonyms = []string{"keyword", "search term", "search terms", "search phrase", "search phrases", "query", "queries"}
