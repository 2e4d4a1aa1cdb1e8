package page

import (
	"fmt"
	"strings"
	"testing"

	"reseller/client/summary"
)

// TestNotes reads the Markdown of a note, and shows all else as text.
func TestNotes(t *testing.T) {
	for text, want := range map[string]string{
		"one\ntwo\n\nthree":           "<p>one two</p>\n<p>three</p>\n",
		"- a\n- b\n  more\n\nend":     "<ul><li>a</li>\n<li>b more</li>\n</ul>\n<p>end</p>\n",
		"1. a\n2) b":                  `<ol><li value="1">a</li>` + "\n" + `<li value="2">b</li>` + "\n</ol>\n",
		"31. October was best":        `<ol><li value="31">October was best</li>` + "\n</ol>\n",
		"9. Nov: a\n15. Nov: b":       `<ol><li value="9">Nov: a</li>` + "\n" + `<li value="15">Nov: b</li>` + "\n</ol>\n",
		"1. a\n1. b\n1. c":            `<ol><li value="1">a</li>` + "\n" + `<li value="2">b</li>` + "\n" + `<li value="3">c</li>` + "\n</ol>\n",
		"it was the\n31. October":     "<p>it was the 31. October</p>\n",
		"- a\n1. b":                   "<ul><li>a</li>\n</ul>\n" + `<ol><li value="1">b</li>` + "\n</ol>\n",
		"0. a":                        "<p>0. a</p>\n",
		"a **b** * c ** d":            "<p>a <strong>b</strong> * c ** d</p>\n",
		"[a](https://example.com/?b)": `<p><a href="https://example.com/?b">a</a></p>` + "\n",
		"[a](mailto:a@example.com)":   `<p><a href="mailto:a@example.com">a</a></p>` + "\n",
		"[a](javascript:alert)":       "<p>[a](javascript:alert)</p>\n",
		"[a](JaVaScRiPt:alert(1))":    "<p>[a](JaVaScRiPt:alert(1))</p>\n",
		"[a](data:text/html,b)":       "<p>[a](data:text/html,b)</p>\n",
		"[a](//example.com)":          "<p>[a](//example.com)</p>\n",
		"[a](http:b)":                 "<p>[a](http:b)</p>\n",
		"[a](https://b\u202ec)":       `<p>[a](https://b\u202ec)</p>` + "\n",
		"<script>alert(1)</script>":   "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
		`**"><img src=x>**`:           "<p><strong>&#34;&gt;&lt;img src=x&gt;</strong></p>\n",
		"[a](https://b\"onload=c)":    `<p><a href="https://b&#34;onload=c">a</a></p>` + "\n",
		"a\x00b\u202ec\x1b[31m":       `<p>a\u0000b\u202ec\u001b[31m</p>` + "\n",
	} {
		t.Run(text, func(t *testing.T) {
			var w writer
			w.addNote(parseMarkdown(text))
			if got, want := w.String(), `<div class="letter">`+want+"</div>\n"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestNotesAreRefused names the line of what is wrong with a file of notes.
func TestNotesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                           "the file is empty",
		"- a":                                        "line 1: not keys with values: a key is a campaign or an account",
		"101: a":                                     "line 1: not keys with values: a key is text, targets or language",
		"101: {text: [a]}":                           "line 1: text is not a text",
		"101:\n  texts: a":                           `line 2: unknown key "texts": use text, targets, language`,
		"101: {}\n101: {}":                           `line 2: "101" is there before`,
		"101: {}\n---\n102: {}":                      "line 2: another document: put all into one",
		"101: {}\n---\n":                             "line 2: another document: put all into one",
		"1:\n  text: a\n  text: b":                   `line 3: "text" is there before`,
		"1: {targets: {visits: 1,\n visits: 2}}":     `line 2: "visits" is there before`,
		"1: {targets: {visits: 12.000}}":             `line 1: visits: "12.000" may mean thousands: write 12000, or 12.0000`,
		"1: {targets: {visits: 1.000e3}}":            `line 1: visits: "1.000e3" is no number above 0, such as 12000`,
		"1: {targets: {visits: 0x1p4}}":              `line 1: visits: "0x1p4" is no number above 0`,
		"1: &a {text: b}\n2: *a":                     "line 1: anchors and aliases are not taken",
		"1: {text: &a b}":                            "line 1: anchors and aliases are not taken",
		"1: {targets: {visits: many}}":               `line 1: visits: "many" is no number above 0`,
		"1: {targets: {visits: 0}}":                  `line 1: visits: "0" is no number above 0`,
		"1: {targets: {visits: .nan}}":               `line 1: visits: ".nan" is no number above 0`,
		"1: {text: " + strings.Repeat("a", 10_001):   "line 1: ",
		"1:\n  text: " + strings.Repeat("a", 10_001): "line 2: the text has more than 10000 bytes",
		"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n1: {text: *c}": "line 1: anchors and aliases are not taken",
		"1:\n\ttext: a":                                    "line 2: not to be understood, or the line beside it: indent with blanks",
		"1:\n  text: Hallo: Welt":                          "line 2: not to be understood",
		"1:\n  text: |\n  Hallo\n  targets: {}":            "line 3: not to be understood",
		"# A\n1:\n  text: |\n    Hallo\n\n  - mehr\n2: {}": "line 6: not to be understood",
		"1: {}\n2:\n  text: M\xfcller":                     "line 3: letters that are not in UTF-8: save the file with the encoding UTF-8",
		"1: {text: a\x01}":                                 "it has control characters",
		"1: a: b":                                          "line 1: not to be understood",
		"1:\n  text: Umsatz # 5 stieg":                     `line 2: text ends before "# 5 stieg", which YAML takes for a comment`,
		"1: {text: \"\\x00\"}\n2: {text: !!binary YQ==, language: {a: b}}": "line 2: language is not a text",
	} {
		t.Run(fmt.Sprintf("%.60s", text), func(t *testing.T) {
			if _, err := ParseNotes([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

// FuzzNotes shows any file of notes that is taken, as HTML without an element that notes do not have, and as a PDF.
func FuzzNotes(f *testing.F) {
	f.Add("101:\n  text: |\n    a **b** [c](https://example.com)\n\n    - d\n")
	f.Add("1: {text: '<script>', targets: {visits: 1}, language: de}")
	f.Fuzz(func(t *testing.T, text string) {
		notes, err := ParseNotes([]byte(text))
		if err != nil {
			return
		}
		for _, n := range notes {
			html := string(Render(&summary.Page{}, Options{Note: n.Text}))
			for _, bad := range []string{"<script", "<img", "javascript:\"", "\x00", "\u202e"} {
				if strings.Contains(html, bad) {
					t.Errorf("got %q in %s", bad, html)
				}
			}
		}
	})
}

// TestNoteOnPaper has a note in a PDF, above the sentences.
func TestNoteOnPaper(t *testing.T) {
	sheets, _ := renderedPDF(t, pageOf("Harbour", 1), Options{Note: parseMarkdown("Dear **Ann**, see [this](https://example.com/a).\n\n- one\n\n9. two\n10. three")})
	all := strings.Join(sheets[0], "\n")
	at := strings.Index(all, "Dear\nAnn\n, see this (https://example.com/a).\n•\u00a0one\n9.\u00a0two\n10.\u00a0three\n")
	if at < 0 || at > strings.Index(all, "2,412 visits.") {
		t.Errorf("got %q, want the note above the sentences", all)
	}
}

// TestLongWordOnPaper begins a word that has no room on a line beside the point of its item.
func TestLongWordOnPaper(t *testing.T) {
	sheets, _ := renderedPDF(t, pageOf("Harbour", 1), Options{Note: parseMarkdown("- " + strings.Repeat("long", 60))})
	if all := strings.Join(sheets[0], "\n"); !strings.Contains(all, "•\u00a0longlong") {
		t.Errorf("got %q, want the point and the word on one line", all)
	}
}

// TestBoldOnPaper writes what is bold with the bold letters, however the lines end.
func TestBoldOnPaper(t *testing.T) {
	long := strings.Repeat("much work was done, ", 12)
	pdf, _, err := RenderPDF(pageOf("Harbour", 1), Options{Note: parseMarkdown("Dear **Ann**, " + long + "**" + long + "**end" + strings.Repeat("less", 60))})
	noError(t, err)
	_, bold := textsOf(t, pdf)
	if got := strings.Join(bold, " "); !strings.HasPrefix(got, "Harbour Ann much work was") || strings.Count(got, "much work was done,") < 8 || strings.Contains(got, "less") {
		t.Errorf("got %q in bold, want what the note says in bold", got)
	}
}
