package page

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"reseller/client/summary"
	"reseller/client/words"
)

// sameWords are the texts of the samples that have no word of a language, or one that several languages have.
var sameWords = regexp.MustCompile(`^[^\pL]*$|^(Backlinks|Total|Domain Rating|Domain-Rating|Links|Rating|Status|Type|Page|reseller|HTML|PDF|Local search|Harbor Dental|Gull Bikes|Müller & Söhne|target|completed|Audit.*|guest post.*|read more|https?:.*|.*dentist.*|city bikes.*|On-page.*|.*script.*|.*שלום.*)$`)

// textsOfPage returns the texts of an HTML page that are more than data and what languages share.
func textsOfPage(text []byte) map[string]bool {
	found, isStyle := map[string]bool{}, false
	for z := html.NewTokenizer(strings.NewReader(string(text))); ; {
		switch kind, token := z.Next(), z.Token(); kind {
		case html.ErrorToken:
			return found
		case html.StartTagToken:
			isStyle = token.Data == "style"
		case html.TextToken:
			if s := strings.TrimSpace(token.Data); !isStyle && !sameWords.MatchString(s) {
				found[s] = true
			}
		}
	}
}

// TestNoEnglishIsLeft makes the samples in each language, and finds no text that the English page has, too.
func TestNoEnglishIsLeft(t *testing.T) {
	inEnglish := samples(t, english)
	for _, name := range words.Languages[1:] {
		in, _ := words.In(name)
		for kind, p := range samples(t, in) {
			var sheets [][]string
			if kind != "hostile" { // whose appendix is long
				sheets, _ = renderedPDF(t, p, Options{Words: in, Brand: &Brand{Name: "Tide"}})
			}
			left := textsOfPage(Render(inEnglish[kind], Options{Appendix: true}))
			for s := range textsOfPage(Render(p, Options{Appendix: true, Words: in})) {
				if left[s] {
					t.Errorf("%s, %s: got %q in English", name, kind, s)
				}
			}
			for _, texts := range sheets {
				for _, s := range texts {
					if left[s] && !sameWords.MatchString(s) {
						t.Errorf("%s, %s: got %q in English on a sheet", name, kind, s)
					}
				}
			}
			var ix, other Index
			ix.Entries, other.Entries = make([]Entry, 2), make([]Entry, 2)
			ix.Entries[0].File, other.Entries[0].File = "a.html", "a.html"
			ix.Entries[0].Describe(in, p)
			other.Entries[0].Describe(english, inEnglish[kind])
			made := ix.Render(in, nil)
			was := other.Render(english, nil)
			left = textsOfPage(was)
			for s := range textsOfPage(made) {
				if left[s] {
					t.Errorf("%s: got %q in English in the index", name, s)
				}
			}
		}
	}
}

// TestOneRowIsTheFirst counts no single row in the title of a table that is cut.
func TestOneRowIsTheFirst(t *testing.T) {
	for _, name := range words.Languages {
		in, _ := words.In(name)
		if got := (&table{title: "Keywords", all: 40}).caption(in, 1); strings.Contains(got, "1") || !strings.Contains(got, "40") {
			t.Errorf("%s: got %q, want the first of 40 rows", name, got)
		}
	}
}

// TestIndexHasSemicolonsOfItsLanguage finds a blank before each of them in French.
func TestIndexHasSemicolonsOfItsLanguage(t *testing.T) {
	french, _ := words.In("fr")
	ix := Index{Entries: []Entry{{Name: "A", File: "a.html", State: Incomplete, Unread: []string{"b"}, Missing: []string{"c"}, Look: []string{"d", "e"}}}}
	_, text, _ := strings.Cut(string(ix.Render(french, nil)), "<h1>")
	if strings.Count(text, french.Say("list.semicolon")) != 3 {
		t.Errorf("got %s, want three semicolons with a blank", text)
	}
}

// TestColorsAreThoseOfEnglish checks that a series has its color in every language.
func TestColorsAreThoseOfEnglish(t *testing.T) {
	german, _ := words.In("de")
	for _, in := range []*words.Words{english, german} {
		if got, want := seriesOf(in, summary.TileVisits).Key, "Visits"; got != want {
			t.Errorf("got the key %q, want %q", got, want)
		}
	}
}
