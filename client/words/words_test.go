package words

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// counts are numbers whose plural forms differ in some language.
var counts = []any{0, 1, 2, 5, 1.5, 12000}

// wrong is what no text has: a place that is left, or marks that parts of it have left behind.
var wrong = regexp.MustCompile(`[{}]|  |^ | $| [,.]|\(\)|%!`)

// TestTexts checks the words of each language against the English ones, and prints each text with each number (-v).
func TestTexts(t *testing.T) {
	for _, name := range Languages {
		t.Run(name, func(t *testing.T) {
			w, err := Parse(append([]byte("\ufeff"), Source(name)...)) // as Windows writes it
			if err != nil {
				t.Fatal(err)
			}
			for key, top := range w.texts {
				if strings.HasPrefix(key, "list.") {
					continue
				}
				top.each(key, func(name string, leaf *text) {
					if leaf.forms != nil {
						return
					}
					single := &Words{Language: w.Language, texts: map[string]*text{key: leaf}, tag: w.tag, printer: w.printer, isLatin: w.isLatin, elided: w.elided}
					for _, n := range counts {
						var values []any
						for _, p := range leaf.parts {
							values = append(values, p.place, n)
						}
						said := single.Say(key, values...)
						if wrong.MatchString(said) || said == "" {
							t.Errorf("%s: got %q", name, said)
						}
						t.Logf("%s: %s", name, said)
						if len(leaf.parts) == 1 {
							break
						}
					}
				})
			}
		})
	}
}

// TestOneFullStop ends a sentence with an abbreviation.
func TestOneFullStop(t *testing.T) {
	w, err := Parse(Source("de"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := w.Say("remark", "title", "Besuche", "text", "31. Okt."), "Besuche: 31. Okt."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestForms has a language with all forms.
func TestForms(t *testing.T) {
	w, err := read([]byte("language: pl\nelided: de que\na:\n  0: none\n  one: \"{n} a\"\n  few: \"{n} b\"\n  many:\n    one: \"{n} c of {m}\"\n    other: \"{n} c of many {m}\"\n  other: \"{n} d\"\nb:\n  x: X\n  other: \"\\\"{v}\\\": de {v} que {v}\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string]string{
		"none": w.Say("a", "n", 0), "1 a": w.Say("a", "n", 1), "2 b": w.Say("a", "n", 2), "5 c of 1": w.Say("a", "n", 5, "m", 1), "1,5 d": w.Say("a", "n", 1.5),
		"12\u00a0345 c of many 7": w.Say("a", "n", 12345, "m", 7), "X": w.Say("b", "kind", Case("x")),
		`"octobre": d’octobre qu’octobre`: w.Say("b", "kind", Case("y"), "v", "octobre"), `"mai": de mai que mai`: w.Say("b", "v", "mai"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for tag, want := range map[string]string{"en": "0 −999.9 1,234,567.5 0", "de": "0 −999,9 1.234.567,5 0", "fr": "0 −999,9 1\u00a0234\u00a0567,5 0", "hi": "0 −999.9 12,34,567.5 0", "ar": "٠ −٩٩٩٫٩ ١٬٢٣٤٬٥٦٧٫٥ ٠"} {
		w, err := read([]byte("language: " + tag))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join([]string{w.Number(0), w.Number(-999.94), w.Number(1234567.45), w.Number(-0.01)}, " "); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
}

// TestProblems names all that is wrong with a file of words.
func TestProblems(t *testing.T) {
	english := string(Source("en"))
	for change, want := range map[[2]string]string{
		{"language: en", "language: xyzzy9"}:                              `language "xyzzy9" is none such as en or pt-BR`,
		{"month.3: March", "month.3: M\xe4rz"}:                            "line 10: letters that are not in UTF-8: save the file with the encoding UTF-8",
		{"month.1: January\n", ""}:                                        "missing key month.1",
		{"month.1:", "month.13:"}:                                         "unknown key month.13, missing key month.1",
		{`period.days: "{from} to {to}"`, "period.days: from {since}"}:    "period.days has an unknown place {since}, period.days lacks {from}, period.days lacks {to}",
		{`period.days: "{from} to {to}"`, "period.days: {from} to {to}"}:  "line %d: a text with such characters is in double quotes",
		{`period.days: "{from} to {to}"`, `period.days: "{from to {to}"`}: "line %d: a place such as {n} begins with { and ends with }",
		{`period.days: "{from} to {to}"`, `period.days: "{from} to {to}`}: "line %d: the quotes do not fit",
		{`period.days: "{from} to {to}"`, "period.days from"}:             "line %d: not a key and a text, or a form that is indented by two blanks",
		{`period.days: "{from} to {to}"`, "period.days: &a b"}:            "line %d: a text with such characters is in double quotes",
		{`period.days:`, "page.campaign:"}:                                "line %d: page.campaign is there before",
		{"  one: \"{links} link was built\"\n", ""}:                       "",
		{"  one: \"{links} link was built\"", "  few: \"{links} links\""}: "sentence.links has an unknown form few",
		{"  other: \"{links} links were built\"\n", ""}:                   "sentence.links lacks the form other",
		{"rank.none: not ranked", `rank.none: ""`}:                        "rank.none is empty",
	} {
		t.Run(want, func(t *testing.T) {
			text := strings.Replace(english, change[0], change[1], 1)
			if strings.Contains(want, "%d") {
				line := slices.Index(strings.Split(text, "\n"), strings.TrimSuffix(change[1], "\n"))
				if strings.HasPrefix(want, "line %d: page") {
					line = slices.Index(strings.Split(text, "\n"), "page.campaign: Campaign {id}")
				}
				want = fmt.Sprintf(want, line+1)
			}
			got := ""
			if _, err := Parse([]byte(text)); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// FuzzParse reads any file of words, and says each text of one that it takes.
func FuzzParse(f *testing.F) {
	f.Add(Source("en"))
	f.Add([]byte("language: de\na:\n  one: x\n    b: c\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if w, err := Parse(data); err == nil {
			for key := range w.texts {
				w.Say(key, "n", 1, "period", Case("x"))
			}
			w.Month(time.May)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if _, err := read(Source("en")); err != nil {
			b.Fatal(err)
		}
	}
}
