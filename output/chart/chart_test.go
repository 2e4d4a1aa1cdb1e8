package chart

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"reseller/internal/golden"
	"reseller/output/textwidth"
)

// TestTerminal compares with files, in which a person can see the charts.
func TestTerminal(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		t.Run(strconv.Itoa(width), func(t *testing.T) {
			golden.Compare(t, filepath.Join("testdata", fmt.Sprintf("terminal-%d.txt", width)), Text(sample(), width, false))
		})
	}
}

func TestColorAddsNothingElse(t *testing.T) {
	plain, colored := Text(sample(), 80, false), Text(sample(), 80, true)
	if strings.Contains(plain, "\x1b") || !strings.Contains(colored, "\x1b[") {
		t.Fatal("color where there is to be none, or none where there is to be some")
	}
	if got := withoutColor(colored); got != plain {
		t.Fatalf("%s\nwant\n%s", got, plain)
	}
}

func withoutColor(s string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(s, "\x1b[") {
		if _, rest, ok := strings.Cut(part, "m"); ok && b.Len() > 0 {
			part = rest
		}
		b.WriteString(part)
	}
	return b.String()
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]Format{"a.html": HTML, "b/c.SVG": SVG, "d.e.png": PNG, "x.pdf": "", "html": "", "": "", "-": "", "a.html/": ""} {
		if got, err := FormatOf(path); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", path, got, err)
		}
	}
}

func TestFiles(t *testing.T) {
	svg, err := Render(sample(), SVG)
	if err != nil {
		t.Fatal(err)
	}
	text := wellFormed(t, svg)
	for _, want := range []string{"Campaign 101", "Visits a day", "organic", "A note.", "1 row is left out", "2026-10-26", "The report has no rows.", "monthly budget"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if !bytes.HasPrefix(svg, []byte(`<svg width="960" height="`)) || bytes.Contains(svg, []byte("Noto")) || bytes.Contains(svg, []byte("Roboto")) {
		t.Errorf("%.300s", svg)
	}
	drawn, err := Render(sample(), PNG)
	if err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(bytes.NewReader(drawn)); err != nil || img.Bounds().Dx() != pictureWidth {
		t.Fatalf("%v, %v", img.Bounds(), err)
	}
}

func TestPage(t *testing.T) {
	page, err := Render(sample(), HTML)
	if err != nil {
		t.Fatal(err)
	}
	text := wellFormed(t, page)
	for _, want := range []string{"Campaign 101", "Visits a day", "emergency dentist near me now", "120000", "All keywords", "crown", "1 row is left out", "The report has no rows."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, want := range []string{contentPolicy, "@media print"} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if regexp.MustCompile(`section[^{}]*{[^{}]*break-inside`).Match(page) {
		t.Error("a section that is kept whole leaves the paper before it blank")
	}
	left := strings.NewReplacer("http://www.w3.org/2000/svg", "", "http://www.w3.org/1999/xlink", "").Replace(string(page))
	if strings.Contains(left, "://") || strings.Contains(left, "@import") || strings.Contains(left, "url(") {
		t.Error("the page would load something")
	}
}

// What only leads from one value to the next is no number.
func TestNumbers(t *testing.T) {
	c := sample().Charts[2]
	if got := c.dataTable().Rows[2]; got[0] != "2026-10-11" || got[1] != "" {
		t.Errorf("%q", got)
	}
	c = Chart{YTitle: "u", Labels: []string{"only"}, Series: []Series{{Name: "a", Values: []float64{1.005}}, {Name: "b", Values: []float64{nan}}}}
	if got := fmt.Sprint(c.dataTable()); got != "{ [ only] [[a 1] [b ]] false}" {
		t.Error(got)
	}
	for v, want := range map[float64]string{0: "0", 1.25: "1.25", 9999: "9999", 12345: "12.3k", 1.5e6: "1.5M", 2e15: "2000T"} {
		if got := abbreviate(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

func TestScale(t *testing.T) {
	for _, highest := range []float64{0, 0.001, 0.5, 1, 2, 7, 8, 9, 10, 99, 101, 12345, 1e15} {
		step, steps := roundSteps(highest)
		if top := step * float64(steps); top < highest || steps < 1 || steps > 8 || highest > 1 && top > 3*highest {
			t.Errorf("%v: %d steps of %v", highest, steps, step)
		}
	}
}

// Whatever the service sends as a name, nothing of it is obeyed, and lines
// stay within their width.
func TestHostileText(t *testing.T) {
	names := []string{
		`</script><img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, `]]>&amp;<!--`, "a\x1b[31mred\x00\u202egnp.exe\u2066",
		strings.Repeat("very long ", 1000), strings.Repeat("語", 3000), "\xff\xfe broken", "line\nbreak\ttab\r", "", " ", "'single' & \"double\"", "e\u0301\u0301\u0301 \U0001F9D1\u200D\U0001F33E",
	}
	for _, kind := range []Kind{KindStackedAreas, KindLines, KindRanks, KindStackedColumns, KindBars} {
		for _, name := range names {
			c := Chart{
				Title: name, Kind: kind, XTitle: "x", YTitle: "y", Labels: []string{name, "b", name}, Notes: []string{name}, Omitted: []string{name}, NoData: name,
				Series: []Series{{Name: name, Values: []float64{1, nan, 3}}, {Name: name, Values: []float64{2, 2, 2}}},
				Rows:   Table{Title: name, Header: []string{name}, Rows: [][]string{{name}}},
			}
			if kind != KindBars { // those of time are this program's own
				c.Labels = days()[:3]
			}
			page := Page{Title: name, About: []string{name}, Charts: []Chart{c, {Title: name, NoData: name}}}
			for _, format := range []Format{HTML, SVG, PNG} {
				drawn, err := Render(page, format)
				if err != nil {
					t.Fatal(err)
				}
				if format == PNG {
					continue
				}
				wellFormed(t, drawn)
				harmless(t, string(drawn))
				if len(drawn) > 80_000 {
					t.Errorf("%v %.20q: %d bytes", format, name, len(drawn))
				}
			}
			for _, width := range []int{1, 40, 80} {
				text := Text(page, width, false)
				harmless(t, text)
				fits(t, text, width)
			}
		}
	}
}

func fits(t interface{ Errorf(string, ...any) }, text string, width int) {
	for line := range strings.Lines(text) {
		if got := textwidth.Of(strings.TrimSuffix(line, "\n")); got > max(width, minWidth) {
			t.Errorf("%d columns of %d: %q", got, width, line)
		}
	}
}

// Any numbers, gaps and sizes can be drawn.
func TestAnyNumbers(t *testing.T) {
	value := rapid.OneOf(rapid.Just(nan), rapid.Float64Range(0, 1e15), rapid.Just(0.0), rapid.Float64Range(0, 5), rapid.Map(rapid.IntRange(1, 998), func(i int) float64 { return float64(i) }))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 2, 3, 30, 100}).Draw(t, "labels")
		c := Chart{Title: "t", Kind: Kind(rapid.IntRange(0, int(KindBars)).Draw(t, "kind")), XTitle: "across", YTitle: "up", NoData: "missing"}
		for i := range n {
			c.Labels = append(c.Labels, fmt.Sprintf("2026-%02d-%02d", i/28+1, i%28+1))
		}
		for i := range rapid.IntRange(0, MaxSeries).Draw(t, "series") {
			c.Series = append(c.Series, Series{Name: strings.Repeat("s", i), Values: rapid.SliceOfN(value, n, n).Draw(t, "values")})
		}
		width := rapid.IntRange(20, 200).Draw(t, "width")
		fits(t, Text(Page{Charts: []Chart{c}}, width, false), width)
		drawn, err := Render(Page{Charts: []Chart{c}}, HTML)
		if err != nil || bytes.Contains(drawn, []byte("NaN")) || bytes.Contains(drawn, []byte("Inf")) {
			t.Fatalf("%v: %s", err, drawn)
		}
	})
}

func TestStretch(t *testing.T) {
	for _, c := range []struct {
		values []float64
		width  int
		want   string
	}{
		{[]float64{1}, 3, "[1 1 1]"},
		{[]float64{1, 3}, 3, "[1 2 3]"},
		{[]float64{nan, 5, nan}, 5, "[NaN 5 5 NaN NaN]"},
		{[]float64{0, 1, 2, 3, 4}, 3, "[0 2 4]"},
	} {
		if got := fmt.Sprint(resample(c.values, c.width)); got != c.want {
			t.Errorf("%v: %s, want %s", c.values, got, c.want)
		}
	}
	if !math.IsNaN(addSeries([]float64{nan}, []float64{nan})[0]) {
		t.Error("nothing and nothing is something")
	}
}
