package chart

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"

	"reseller/output/palette"
	"reseller/output/textwidth"
)

// TestTerminal compares with files, in which a person can see the charts.
func TestTerminal(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		t.Run(strconv.Itoa(width), func(t *testing.T) {
			compareGolden(t, filepath.Join("testdata", fmt.Sprintf("terminal-%d.txt", width)), Text(sample(), width, false))
		})
	}
}

func TestColorAddsNothingElse(t *testing.T) {
	plain, colored := Text(sample(), 80, false), Text(sample(), 80, true)
	if strings.Contains(plain, "\x1b") || !strings.Contains(colored, "\x1b[") {
		t.Fatal("the plain chart has colors, or the colored one has none")
	}
	if got := withoutColor(colored); got != plain {
		t.Fatalf("got\n%s\nwant\n%s", got, plain)
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
	for path, want := range map[string]Format{"a.html": "", "a.svg": SVG, "b/c.SVG": SVG, "d.e.png": PNG, "x.pdf": "", "html": "", "": "", "-": "", "a.html/": ""} {
		t.Run(path, func(t *testing.T) {
			if got, err := FormatOf(path); got != want || (err == nil) != (want != "") {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	svg := Render(sample(), SVG)
	text := wellFormed(t, svg)
	for _, want := range []string{"Campaign 101", "Visits a day", "organic", "A note.", "1 row is left out", "2026-10-26", "The report has no rows."} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if !bytes.HasPrefix(svg, []byte(`<svg width="960" height="`)) {
		t.Errorf("got %.300s, want a size", svg)
	}
	drawn := Render(sample(), PNG)
	if img, err := png.Decode(bytes.NewReader(drawn)); err != nil || img.Bounds().Dx() != pictureWidth {
		t.Fatalf("got a picture of %v, %v, want a width of %d", img.Bounds(), err, pictureWidth)
	}
}

// TestNumbersHaveTheFormOfTheLanguage draws columns, whose axis has the same form of numbers as the texts beside it.
func TestNumbersHaveTheFormOfTheLanguage(t *testing.T) {
	c := Chart{Kind: KindColumns, Labels: []string{"Okt."}, Series: []Series{{Name: "Besuche", Values: []float64{18228}}}}
	for _, size := range []Size{pictureSize, {Width: 80, Height: terminalHeight}} {
		c.Form = func(v float64) string { return fmt.Sprintf("%.0f Besuche", v) }
		marks, _ := c.Draw(size)
		n := 0
		for _, m := range marks {
			if strings.HasSuffix(m.Text, "000 Besuche") || m.Text == "18228 Besuche" {
				n++
			}
		}
		if n == 0 {
			t.Errorf("got %v, want numbers in the form of the chart", marks)
		}
	}
}

func TestRoundSteps(t *testing.T) {
	for _, highest := range []float64{0, 0.001, 0.5, 1, 2, 7, 8, 9, 10, 99, 101, 12345, 1e15} {
		t.Run(fmt.Sprint(highest), func(t *testing.T) {
			step, steps := roundSteps(highest, maxSteps)
			if top := step * float64(steps); top < highest || steps < 1 || steps > 8 || highest > 1 && top > 3*highest {
				t.Errorf("got %d steps of %v, want 1 to 8 that reach %[3]v, and not far beyond it", steps, step, highest)
			}
			if highest == math.Trunc(highest) && step != math.Trunc(step) {
				t.Errorf("got steps of %v for whole numbers", step)
			}
		})
	}
}

// No text from the service can run or load anything or control a terminal, and
// no line is too wide.
func TestHostileText(t *testing.T) {
	names := []string{
		`</script><img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, `]]>&amp;<!--`, "a\x1b[31mred\x00\u202egnp.exe\u2066",
		strings.Repeat("very long ", 1000), strings.Repeat("語", 3000), "\xff\xfe broken", "line\nbreak\ttab\r", "", " ", "'single' & \"double\"", "e\u0301\u0301\u0301 \U0001F9D1\u200D\U0001F33E",
	}
	for _, kind := range []Kind{KindLines, KindRanks, KindColumns} {
		for _, name := range names {
			c := Chart{
				Title: name, Kind: kind, Labels: []string{name, "b", name}, Notes: []string{name}, Omitted: []string{name}, NoData: name,
				Series: []Series{{Name: name, Values: []float64{1, nan, 3}}, {Name: name, Values: []float64{2, 2, 2}}},
			}
			page := Page{Title: name, About: []string{name}, Charts: []Chart{c, {Title: name, NoData: name}}}
			for _, format := range []Format{SVG, PNG} {
				drawn := Render(page, format)
				if format == PNG {
					continue
				}
				wellFormed(t, drawn)
				harmless(t, string(drawn))
				if len(drawn) > 80_000 {
					t.Errorf("%v of %.20q: got %d bytes, want 80,000 at most", format, name, len(drawn))
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

// fits reports lines that are wider than the terminal.
func fits(t interface{ Errorf(string, ...any) }, text string, width int) {
	for line := range strings.Lines(text) {
		if got := textwidth.Of(strings.TrimSuffix(line, "\n")); got > max(width, minWidth) {
			t.Errorf("got a line of %d columns, want %d at most: %q", got, width, line)
		}
	}
}

// Any numbers, gaps and sizes can be drawn.
func TestAnyNumbers(t *testing.T) {
	value := rapid.OneOf(rapid.Just(nan), rapid.Float64Range(0, 1e15), rapid.Just(0.0), rapid.Float64Range(0, 5), rapid.Map(rapid.IntRange(1, 998), func(i int) float64 { return float64(i) }))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 2, 3, 30, 100}).Draw(t, "labels")
		c := Chart{Title: "t", Kind: Kind(rapid.IntRange(0, int(KindColumns)).Draw(t, "kind")), NoData: "missing"}
		for i := range n {
			c.Labels = append(c.Labels, fmt.Sprintf("2026-%02d-%02d", i/28+1, i%28+1))
		}
		for i := range rapid.IntRange(0, MaxSeries).Draw(t, "series") {
			c.Series = append(c.Series, Series{Name: strings.Repeat("s", i), Values: rapid.SliceOfN(value, n, n).Draw(t, "values")})
		}
		width := rapid.IntRange(20, 200).Draw(t, "width")
		fits(t, Text(Page{Charts: []Chart{c}}, width, false), width)
		drawn := Render(Page{Charts: []Chart{c}}, SVG)
		if bytes.Contains(drawn, []byte("NaN")) || bytes.Contains(drawn, []byte("Inf")) {
			t.Fatalf("got a page with NaN or Inf: %s", drawn)
		}
	})
}

// linesOf returns the lines of a chart in a terminal between its axes, without the axes.
func linesOf(values []float64, width int) (lines []string) {
	c := Chart{Title: "t", Labels: make([]string, len(values)), Series: []Series{{Values: values}}}
	for line := range strings.Lines(Text(Page{Charts: []Chart{c}}, width, false)) {
		if _, line, ok := strings.Cut(line, "┤"); ok {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return lines
}

// TestTerminalLines checks that a line in a terminal goes through its values, and ends beside a gap.
func TestTerminalLines(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{1}, "         ───"},
		{[]float64{1, 1}, "──────────────────────"},
		{[]float64{nan, 1, nan}, "         ───"},
		{[]float64{1, 1, nan, nan}, "────────"},
		{[]float64{1, nan, 1, 1}, "──            ────────"},
	} {
		t.Run(fmt.Sprint(c.values), func(t *testing.T) {
			if got := linesOf(c.values, 25)[0]; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestOneMissingDayIsAGap checks that a day without a value among a hundred is a gap of each drawing.
func TestOneMissingDayIsAGap(t *testing.T) {
	for missing := 1; missing < 99; missing++ {
		values := make([]float64, 100)
		values[missing] = nan
		lines := linesOf(values, 75)
		if got := lines[len(lines)-1]; len(strings.Fields(got)) != 2 {
			t.Errorf("day %d: got no gap in %q", missing, got)
		}
	}
	values := make([]float64, 100)
	values[50] = nan
	c := Chart{Kind: KindLines, Series: []Series{{Values: values}}, Labels: make([]string, 100)}
	marks, _ := c.Draw(testSize)
	parts := 0
	for range marks[slices.IndexFunc(marks, func(m Mark) bool { return m.Width == 2.5 })].Runs {
		parts++
	}
	if parts != 2 {
		t.Errorf("got a line of %d parts, want 2 with a gap between them", parts)
	}
}

// TestTerminalOfEastAsianLocales checks that lines and bars have the same places where such characters are said to be wide.
func TestTerminalOfEastAsianLocales(t *testing.T) {
	want := linesOf([]float64{1, 3, 2, 2, 0}, 60)
	before := runewidth.DefaultCondition.EastAsianWidth
	defer func() { runewidth.DefaultCondition.EastAsianWidth = before }()
	runewidth.DefaultCondition.EastAsianWidth = true
	if got := linesOf([]float64{1, 3, 2, 2, 0}, 60); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTerminalTextsAreWhole checks that nothing is drawn on a text in a terminal, and that no text is cut off at its side.
func TestTerminalTextsAreWhole(t *testing.T) {
	for width := minWidth; width <= 160; width += 17 {
		p := sample()
		for _, kind := range []Kind{KindLines, KindRanks, KindColumns} {
			p.Charts = append(p.Charts, chartOf(kind, 52, 3))
		}
		p.Charts = append(p.Charts, Chart{ // whose highest bar is not that of the longest number
			Title: "t", Kind: KindColumns, Labels: []string{"a", "b"}, Series: []Series{{Name: "x", Values: []float64{5000, 9999.99}}, {Name: "y", Values: []float64{5000, 0}}},
		})
		marks, height := p.draw(Size{Width: float64(width), Height: terminalHeight})
		drawn := paint(marks, width, int(height), false)
		fits(t, drawn, width)
		for _, m := range marks {
			if !strings.Contains(drawn, m.Text) {
				t.Errorf("got no %q in %d columns, want it:\n%s", m.Text, width, drawn)
			}
		}
	}
}

// TestSeriesHasOneLook checks that a series has the same pen and color on all charts of a page, whatever other series
// they have.
func TestSeriesHasOneLook(t *testing.T) {
	line := func(names ...string) (c Chart) {
		c.Labels = []string{"a", "b"}
		for _, name := range names {
			c.Series = append(c.Series, Series{Name: name, Values: []float64{1, 2}})
		}
		return c
	}
	p := Page{Charts: []Chart{
		line("a", "b", "c", "d", "e", "f", "g", "h"), line("x", "h", "y", "a", "z", "g", "g"), line("referring"),
	}}
	for name, prefer := range map[string]func(string) int{"color": palette.ByName, "pen": func(string) int { return 0 }} {
		t.Run(name, func(t *testing.T) {
			placed, places := p.Colored(prefer), map[string]int{}
			for _, c := range placed.Charts {
				taken := map[int]bool{}
				for i, s := range c.Series {
					if at, known := places[s.Name]; known && at != c.places[i] && s.Name != "g" {
						t.Errorf("%s: got place %d after %d", s.Name, c.places[i], at)
					}
					if taken[c.places[i]] {
						t.Errorf("%s: got the place of another series of the chart", s.Name)
					}
					places[s.Name], taken[c.places[i]] = c.places[i], true
				}
			}
		})
	}
	if first := p.Colored(func(string) int { return 0 }).Charts[2].places[0]; first != 0 {
		t.Errorf("got pen %d for the only series of a chart, want 0", first)
	}
}

func TestLead(t *testing.T) {
	p := Page{Title: "October", Lead: [][]string{{"Visits", "2,412", "up", "▁█"}, {"Rank\x1b", "–", "the report could not be read"}, {}}}
	want := "October\n\nVisits      2,412  up  ▁█\nRank\\u001b  –      the report could not be read\n\n\n"
	if got := Text(p, 60, false); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
