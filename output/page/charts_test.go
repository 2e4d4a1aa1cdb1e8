package page

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"reseller/output/chart"
)

// chartsOf returns a page with a chart of each kind, in which all texts that others write are name.
func chartsOf(name string) chart.Page {
	p := chart.Page{Title: name, About: []string{name}, Charts: []chart.Chart{{Title: name, NoData: "The report has no rows."}}}
	for kind := chart.KindLines; kind <= chart.KindColumns; kind++ {
		c := chart.Chart{
			Title: name, Kind: kind, Labels: []string{"1 Oct 2026", "2 Oct 2026", "3 Oct 2026"}, Notes: []string{name}, Omitted: []string{"1 row is left out"},
			Series: []chart.Series{{Name: name, Values: []float64{1, math.NaN(), 120000}}, {Name: name, Values: []float64{2, 2, 2}}},
			Rows:   chart.Table{Title: "All keywords", Header: []string{"keyword"}, Rows: [][]string{{name}}},
		}
		p.Charts = append(p.Charts, c)
	}
	return p
}

func TestCharts(t *testing.T) {
	text := string(Charts(chartsOf("Harbor Dental")))
	for _, want := range []string{
		"<h1>Harbor Dental</h1>", "<h2>Harbor Dental</h2>", `<bdi>120000</bdi>`, "All keywords", "1 row is left out", "The report has no rows.",
		`content="default-src 'none'; style-src 'unsafe-inline'`, "@media print", "prefers-color-scheme: dark",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if regexp.MustCompile(`section[^{}]*{[^{}]*break-inside`).MatchString(text) {
		t.Error("sections may not break: a printed page before a long one would stay blank")
	}
	if strings.Contains(text, "://") || strings.Contains(text, "@import") || strings.Contains(text, "url(") {
		t.Error("the page would load something")
	}
	if strings.Contains(text, "<th>") || regexp.MustCompile("<th[^>]*></th>").MatchString(text) {
		t.Error("got a header without a scope or a text, want both")
	}
}

// TestChartsOfHostileTexts checks that names add no tags or attributes and no control characters to a page, and not much to its size.
func TestChartsOfHostileTexts(t *testing.T) {
	want := tagsOf(structure(t, Charts(chartsOf("a"))))
	for _, name := range []string{
		hostile, `"><svg onload=alert(1)>`, `]]>&amp;<!--`, "a\x1b[31mred\x00\u202egnp.exe\u2066", strings.Repeat("very long ", 1000), strings.Repeat("\u8a9e", 3000),
		"\xff\xfe broken", "line\nbreak\ttab\r", "'single' & \"double\"", "e\u0301\u0301\u0301 \U0001F9D1\u200D\U0001F33E", "</style>",
	} {
		text := Charts(chartsOf(name))
		for _, r := range string(text) {
			if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%U is in the page of %.20q", r, name)
			}
		}
		if limit := 120_000; len(text) > limit {
			t.Errorf("got %d bytes for %.20q, want %d at most", len(text), name, limit)
		}
		if got := tagsOf(structure(t, text)); got != want {
			t.Errorf("got other tags or attributes because of %.20q:\n%s", name, firstDifference(got, want))
		}
	}
}

// tagsOf returns the different tags of a structure, since names decide about colors, and colors about dots.
func tagsOf(structure string) string {
	return strings.Join(slices.Compact(slices.Sorted(strings.Lines(structure))), "")
}

// TestNumbersOfCharts has a row for each label, without gaps.
func TestNumbersOfCharts(t *testing.T) {
	c := chart.Chart{Title: "Links", Labels: []string{"1 Oct", "", "20 Oct"}, Series: []chart.Series{{Values: []float64{1, math.NaN(), 1.005}}, {Name: "lost", Values: []float64{2, math.NaN(), math.NaN()}}}}
	if got, want := fmt.Sprint(numbersOf(&c)), "{ [ Links lost] [[1 Oct 1 2] [20 Oct 1 ]]}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
