package chart

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"reseller/output/palette"
	"reseller/output/textwidth"
)

var (
	labelAt = regexp.MustCompile(`<text x="(-?\d+)"[^>]*>label (\d\d\d)</text>`)
	barAt   = regexp.MustCompile(`<path d="M (\d+) \d+\nL (\d+) \d+\nL \d+ \d+\nL \d+ \d+\nL \d+ \d+" style="stroke:none;fill:` + colorOf("0") + `"`)
	lineAt  = regexp.MustCompile(`<path d="((?:[ML] \d+ \d+\n?)+)" style="stroke-width:2;stroke:` + colorOf("0") + `;fill:none"`)
	pointAt = regexp.MustCompile(`[ML] (\d+) \d+`)
)

// colorOf returns the color of a series as a regular expression for an SVG.
func colorOf(series string) string {
	c, _ := palette.Parse(palette.Of(series)[0])
	return regexp.QuoteMeta(fmt.Sprintf("rgb(%d,%d,%d)", c[0], c[1], c[2]))
}

// A date stands below its own bar or point, however many there are.
func TestLabelsBelowTheirPoints(t *testing.T) {
	for _, kind := range []Kind{KindStackedColumns, KindLines, KindRanks} {
		for _, names := range []int{1, maxTopLegend + 1} {
			for _, n := range []int{2, 3, 5, 8, 9, 12, 13, 16, 17, 20, 21, 26, 31, 52, 60, 100} {
				c := Chart{Title: "t", Kind: kind, XTitle: "week", YTitle: "links"}
				c.Series = make([]Series, names)
				for i := range n {
					c.Labels = append(c.Labels, fmt.Sprintf("label %03d", i))
					for j := range c.Series {
						c.Series[j].Name = strconv.Itoa(j)
						c.Series[j].Values = append(c.Series[j].Values, float64(1+i%7))
					}
				}
				t.Run(fmt.Sprintf("kind %d, %d names, %d labels", kind, names, n), func(t *testing.T) {
					drawn, err := Render(Page{Charts: []Chart{c}}, SVG)
					if err != nil {
						t.Fatal(err)
					}
					checkLabels(t, c.centers(string(drawn)), string(drawn))
				})
			}
		}
	}
}

// centers returns the x coordinates of the bars or points of the first series.
func (c *Chart) centers(drawn string) (centers []int) {
	if c.Kind == KindStackedColumns {
		for _, m := range barAt.FindAllStringSubmatch(drawn, -1)[1:] { // the first is the legend's
			centers = append(centers, (number(m[1])+number(m[2]))/2)
		}
		return centers
	}
	for _, m := range lineAt.FindAllStringSubmatch(drawn, -1) {
		if points := pointAt.FindAllStringSubmatch(m[1], -1); len(points) == len(c.Labels) {
			for _, p := range points {
				centers = append(centers, number(p[1]))
			}
			return centers
		}
	}
	return nil
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// checkLabels checks that all labels begin equally far left of their centers.
func checkLabels(t *testing.T, centers []int, drawn string) {
	t.Helper()
	labels := labelAt.FindAllStringSubmatch(drawn, -1)
	if len(labels) < 2 {
		t.Fatalf("got %d labels, want 2 or more", len(labels))
	}
	half := 0
	for i, m := range labels {
		at := number(m[2])
		if at >= len(centers) {
			t.Fatalf("got %d bars or points, want one for label %d", len(centers), at)
		}
		off := centers[at] - number(m[1])
		if i == 0 {
			half = off
		}
		if off < half-2 || off > half+2 || half < 20 || half > 50 {
			t.Fatalf("label %d begins %d left of its center, the first one %d", at, off, half)
		}
	}
}

// The names of bars end where the bars begin, and there is room for them.
func TestBarNames(t *testing.T) {
	at := regexp.MustCompile(`<text x="(\d+)" text-anchor="end"[^>]*>([^<]*)</text>`)
	for _, names := range [][]string{{"i", "COMMERCIAL HVAC MAINTENANCE MANCHESTER"}, {strings.Repeat("W", 50)}, {"\u6771\u4eac \u6b6f\u533b\u8005 \u4e00\u756a", "<b>&amp;"}} {
		c := Chart{Title: "t", Kind: KindBars, XTitle: "keyword", YTitle: "cost", Labels: names, Series: []Series{{Values: []float64{1, 2}[:len(names)]}}}
		drawn, err := Render(Page{Charts: []Chart{c}}, SVG)
		if err != nil {
			t.Fatal(err)
		}
		found := at.FindAllStringSubmatch(string(drawn), -1)
		if len(found) != len(names) || strings.Contains(string(drawn), figureSpace) {
			t.Fatalf("got names %q, want %q", found, names)
		}
		for i, m := range found {
			shown := html.UnescapeString(m[2])
			room := 8 * textwidth.Of(shown) // pixels
			if strings.HasPrefix(shown, "W") {
				room = 13 * textwidth.Of(shown)
			}
			if m[1] != found[0][1] || number(m[1]) < room {
				t.Errorf("name %q is shown as %q, which ends at %s", names[i], shown, m[1])
			}
		}
	}
}

// A series has the same color whatever series are beside it.
func TestSeriesKeepTheirColors(t *testing.T) {
	for _, names := range [][]string{{"organic"}, {"non-organic", "organic"}} {
		t.Run(strings.Join(names, ","), func(t *testing.T) {
			c := Chart{Title: "t", Kind: KindLines, Labels: []string{"a", "b"}}
			for _, name := range names {
				c.Series = append(c.Series, Series{Name: name, Values: []float64{1, 2}})
			}
			drawn, err := Render(Page{Charts: []Chart{c}}, SVG)
			if err != nil {
				t.Fatal(err)
			}
			if want := colorOf("organic"); !regexp.MustCompile(want).Match(drawn) {
				t.Errorf("got %s, want %s in it", drawn, want)
			}
		})
	}
}
