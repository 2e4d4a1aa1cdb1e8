package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"reseller/output/palette"
	"reseller/output/typeface"
)

var testSize = Size{Width: 900, Height: 300, Letter: 12}

// chartOf returns a chart with n labels and that many series, which are called 0, 1 and so on.
func chartOf(kind Kind, n, series int) Chart {
	c := Chart{Title: "t", Kind: kind, Series: make([]Series, series)}
	for i := range n {
		c.Labels = append(c.Labels, fmt.Sprintf("label %03d", i))
		for j := range c.Series {
			c.Series[j].Name = strconv.Itoa(j)
			c.Series[j].Values = append(c.Series[j].Values, float64(1+i%7))
		}
	}
	return c
}

var timeKinds = []Kind{KindLines, KindRanks, KindColumns}

// A date stands below its own columns or point, however many there are.
func TestLabelsBelowTheirPoints(t *testing.T) {
	for _, kind := range timeKinds {
		for _, series := range []int{1, 4} {
			for _, n := range []int{1, 2, 3, 5, 8, 9, 12, 13, 16, 17, 20, 21, 26, 31, 52, 60, 100} {
				t.Run(fmt.Sprintf("kind %d, %d series, %d labels", kind, series, n), func(t *testing.T) {
					c := chartOf(kind, n, series)
					marks, _ := c.Draw(testSize)
					centers, labels := centersOf(marks, kind, n, series), 0
					for _, m := range marks {
						i, err := strconv.Atoi(strings.TrimPrefix(m.Text, "label "))
						if err != nil || !strings.HasPrefix(m.Text, "label ") {
							continue
						}
						labels++
						if x := m.Points[0].X; m.Anchor != 0.5 || math.Abs(x-centers[i]) > 2 {
							t.Errorf("got the middle of label %d at %.1f, want it below %.1f", i, x, centers[i])
						}
					}
					if labels < min(n, 3) {
						t.Errorf("got %d labels of %d, want more", labels, n)
					}
				})
			}
		}
	}
}

// centersOf returns where the points of a line are, or the middles of the columns of each label.
func centersOf(marks []Mark, kind Kind, n, series int) (centers []float64) {
	var columns []Mark
	for _, m := range marks {
		switch {
		case m.Text != "":
		case m.Width == 0:
			columns = append(columns, m)
		case (kind == KindLines || kind == KindRanks) && len(m.Points) == n && m.Width == 2.5: // also a line of the legend, which comes first
			centers = nil
			for _, p := range m.Points {
				centers = append(centers, p.X)
			}
		}
	}
	if centers != nil {
		return centers
	}
	for all := range slices.Chunk(columns[len(columns)-n*series:], series) {
		centers = append(centers, (all[0].Points[0].X+all[series-1].Points[1].X)/2)
	}
	return centers
}

// TestTextsCoverNothing checks that no text of a chart is on a line, on an area, on another text or outside of the picture.
func TestTextsCoverNothing(t *testing.T) {
	for _, size := range []Size{testSize, {Width: 400, Height: 200, Letter: 13}, {Width: 515, Height: 80, Letter: 7.5}} {
		for _, c := range []Chart{
			chartOf(KindLines, 30, 8), chartOf(KindLines, 1, 1), chartOf(KindRanks, 7, 3), chartOf(KindColumns, 52, 3), chartOf(KindColumns, 5, 2),
		} {
			t.Run(fmt.Sprintf("kind %d, %v wide", c.Kind, size.Width), func(t *testing.T) {
				for i := range c.Labels {
					c.Labels[i] = "22 Nov 2026*"
				}
				for i := range c.Series {
					c.Series[i].Name = strings.Repeat("WORD ", i)
				}
				marks, height := c.Draw(size)
				var ink []Point
				for _, m := range marks {
					ink = append(ink, inkOf(m)...)
				}
				for i, m := range marks {
					if m.Text == "" {
						continue
					}
					left, top, right, bottom := boxOf(m)
					if left < -0.5 || top < 0 || right > size.Width+0.5 || bottom > height {
						t.Errorf("got %q from %.0f, %.0f to %.0f, %.0f, want it inside of %.0f, %.0f", m.Text, left, top, right, bottom, size.Width, height)
					}
					isOn := func(p Point) bool { return p.X > left && p.X < right && p.Y > top && p.Y < bottom }
					if j := slices.IndexFunc(ink, isOn); j >= 0 {
						t.Errorf("got %q on a line or an area at %v", m.Text, ink[j])
					}
					for _, other := range marks[:i] {
						if l, u, r, b := boxOf(other); other.Text != "" && l < right && left < r && u < bottom && top < b {
							t.Errorf("got %q on %q", m.Text, other.Text)
						}
					}
				}
			})
		}
	}
}

func boxOf(m Mark) (left, top, right, bottom float64) {
	width := typeface.Plain().Width(m.Text, m.Size)
	left = m.Points[0].X - m.Anchor*width
	return left, m.Points[0].Y + (Baseline-0.72)*m.Size, left + width, m.Points[0].Y + (Baseline+0.15)*m.Size
}

// inkOf returns points on a line, or on the edges of an area.
func inkOf(m Mark) (ink []Point) {
	if m.Text != "" {
		return nil
	}
	for i, p := range m.Points[1:] {
		from := m.Points[i]
		steps := math.Ceil(math.Hypot(p.X-from.X, p.Y-from.Y))
		for step := 0.0; step <= steps; step++ {
			ink = append(ink, Point{from.X + (p.X-from.X)*step/steps, from.Y + (p.Y-from.Y)*step/steps})
		}
	}
	return ink
}

// TestTextsAreAsWideAsLaidOut checks that a text beside others is no wider in another font than in that of the layout, and
// stands on its baseline.
func TestTextsAreAsWideAsLaidOut(t *testing.T) {
	c := chartOf(KindLines, 2, 2)
	c.Series[1].Name = "emergency dentist"
	marks, _ := c.Draw(testSize)
	want := fmt.Sprintf(`textLength="%.4g" lengthAdjust="spacingAndGlyphs">emergency dentist</text>`, typeface.Plain().Width("emergency dentist", testSize.Letter))
	text := marks[slices.IndexFunc(marks, func(m Mark) bool { return m.Text == "emergency dentist" })]
	place := fmt.Sprintf(` y="%v" `, tenths(text.Points[0].Y+Baseline*text.Size))
	if got := string(Elements([]Mark{text})); !strings.Contains(got, want) || !strings.Contains(got, place) {
		t.Errorf("got %s, want %s and %s in it", got, want, place)
	}
}

// Ranks have 1 on top, and other values 0 at the bottom.
func TestDirectionOfAxes(t *testing.T) {
	for kind, isUp := range map[Kind]bool{KindLines: true, KindRanks: false} {
		c := Chart{Kind: kind, Labels: []string{"a", "b"}, Series: []Series{{Values: []float64{2, 9}}}}
		marks, _ := c.Draw(testSize)
		line := marks[slices.IndexFunc(marks, func(m Mark) bool { return m.Width == 2.5 })]
		if got := line.Points[1].Y < line.Points[0].Y; got != isUp {
			t.Errorf("kind %d: got a line that goes up: %v, want %v", kind, got, isUp)
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
			drawn := Render(Page{Charts: []Chart{c}}, SVG)
			if want := palette.Colors[palette.ByName("organic")]; !strings.Contains(string(drawn), `stroke="`+want) {
				t.Errorf("got %s, want %s in it", drawn, want)
			}
		})
	}
}

func TestSparkInBlocks(t *testing.T) {
	many := make([]float64, 1000)
	for i := range many {
		many[i] = float64(i)
	}
	for name, test := range map[string]struct {
		values []float64
		isRank bool
		want   string
	}{
		"none": {nil, false, ""}, "flat": {[]float64{3, 3}, false, "██"}, "zeros": {[]float64{0, 0}, false, "▁▁"}, "rising": {[]float64{0, 1, 2, 7}, false, "▁▂▃█"},
		"ranks": {[]float64{8, 1}, true, "▁█"}, "one rank": {[]float64{4, 4}, true, "▅▅"}, "gaps": {[]float64{0, nan, 2}, false, "▁ █"}, "only gaps": {[]float64{nan}, false, ""}, "one": {[]float64{3}, false, ""},
		"many": {many, false, "▁▂▂▂▃▃▃▄▄▄▅▅▆▆▆▇▇▇██"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (Spark{Values: test.values, IsRank: test.isRank}).String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestSparkIsDrawn(t *testing.T) {
	for name, test := range map[string]struct {
		spark Spark
		want  string
	}{
		"gap":     {Spark{Values: []float64{0, nan, 5, 10}}, "M0 90h0M66.7 50L100 10, M100 10h0"},
		"end":     {Spark{Values: []float64{4, 2, nan}, IsRank: true}, "M0 90L50 10, M50 10h0"},
		"one":     {Spark{Values: []float64{nan, 3}}, ""},
		"nothing": {Spark{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, m := range test.spark.Draw(Size{Width: 100, Height: 100, Letter: 10}, "#000000") {
				got = append(got, m.Path())
			}
			if got := strings.Join(got, ", "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
