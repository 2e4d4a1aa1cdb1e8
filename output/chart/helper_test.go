package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"unicode"
)

var nan = math.NaN()

func days() []string {
	return []string{"2026-10-01", "2026-10-06", "2026-10-11", "2026-10-16", "2026-10-21", "2026-10-26"}
}

// sample has a chart of each kind.
func sample() Page {
	return Page{Title: "Campaign 101", About: []string{"2026-10-01 to 2026-10-26"}, Charts: []Chart{
		{
			Title: "Visits a day", Kind: KindLines, Labels: days(), Notes: []string{"A note."},
			Series: []Series{{Name: "organic", Values: []float64{10, 20, 15, 30, 22, 40}}, {Name: "non-organic", Values: []float64{10, 12, nan, 10, 11, 9}}},
		},
		{
			Title: "Ranks", Kind: KindRanks, Labels: days(),
			Series: []Series{
				{Name: "dentist portland", Values: []float64{10, 20, nan, 30, 22, 40}}, {Name: "emergency dentist near me now", Values: []float64{1, 2, 1, 1, nan, 9}},
				{Name: "crown", Values: []float64{nan, nan, 44, nan, nan, 50}},
			},
		},
		{Title: "Referring", Kind: KindLines, Labels: days(), Series: []Series{{Values: []float64{1, 2, 3, 2, 1, 4}}}},
		{
			Title: "Lost", Kind: KindColumns, Labels: days(), Omitted: []string{"1 row is left out"},
			Series: []Series{{Name: "guest post", Values: []float64{1, 0, 3, 2, 1, 4}}, {Name: "citation", Values: []float64{2, 0, 1, 2, 1, 3}}},
		},
		{Title: "Budget", Kind: KindColumns, Labels: []string{"one", "emergency dentist near me now", "three"}, Series: []Series{{Values: []float64{1.5, 120000, nan}}}},
		{Title: "Nothing", Kind: KindColumns, NoData: "The report has no rows."},
	}}
}

// wellFormed reads a document to its end as XML and gives its text.
func wellFormed(t *testing.T, doc []byte) string {
	t.Helper()
	var text strings.Builder
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		if err != nil {
			t.Fatalf("%v\n%.2000s", err, doc)
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			checkElement(t, token)
		}
	}
}

// checkElement reports elements and attributes that could run or load something.
func checkElement(t *testing.T, e xml.StartElement) {
	t.Helper()
	switch e.Name.Local {
	case "html", "head", "meta", "title", "style", "body", "header", "main", "section", "h1", "h2", "p", "figure", "div",
		"table", "caption", "thead", "tbody", "tr", "th", "td", "svg", "path", "text", "rect", "wbr":
	default:
		t.Errorf("element %s", e.Name.Local)
	}
	for _, a := range e.Attr {
		name := strings.ToLower(a.Name.Local)
		if strings.HasPrefix(name, "on") || name == "href" || name == "src" || strings.Contains(a.Value, "url(") {
			t.Errorf("attribute %s=%q", a.Name.Local, a.Value)
		}
	}
}

// harmless reports control characters.
func harmless(t *testing.T, s string) {
	t.Helper()
	for _, r := range s {
		if r != '\n' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x61c {
			t.Fatalf("%U is in the output", r)
		}
	}
}
