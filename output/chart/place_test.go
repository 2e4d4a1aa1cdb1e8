package chart

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
)

var (
	labelAt = regexp.MustCompile(`<text x="(-?\d+)"[^>]*>label (\d\d\d)</text>`)
	barAt   = regexp.MustCompile(`<path d="M (\d+) \d+\nL (\d+) \d+\nL \d+ \d+\nL \d+ \d+\nL \d+ \d+" style="stroke:none;fill:rgb\(0,114,178\)"`)
	lineAt  = regexp.MustCompile(`<path d="((?:[ML] \d+ \d+\n?)+)" style="stroke-width:2;stroke:rgb\(0,114,178\);fill:none"`)
	pointAt = regexp.MustCompile(`[ML] (\d+) \d+`)
)

// TestPlaces: a date stands below its own bar or point, however many there are.
func TestPlaces(t *testing.T) {
	for _, kind := range []Kind{Columns, Lines, Ranks, Stacked} {
		for _, names := range []int{1, legendAbove + 1} {
			for _, n := range []int{2, 3, 5, 8, 9, 12, 13, 16, 17, 20, 21, 26, 31, 52, 60, 100} {
				c := Chart{Title: "t", Kind: kind, Across: "week", Up: "links"}
				c.Series = make([]Series, names)
				for i := range n {
					c.Labels = append(c.Labels, fmt.Sprintf("label %03d", i))
					for j := range c.Series {
						c.Series[j].Name = strconv.Itoa(j)
						c.Series[j].Values = append(c.Series[j].Values, float64(1+i%7))
					}
				}
				drawn, err := File(Page{Charts: []Chart{c}}, SVG)
				if err != nil {
					t.Fatal(err)
				}
				checkPlaces(t, fmt.Sprintf("kind %d, %d names, %d labels", kind, names, n), c.centers(string(drawn)), string(drawn))
			}
		}
	}
}

// centers are where the bars or points of the first series stand.
func (c *Chart) centers(drawn string) (centers []int) {
	if c.Kind == Columns {
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

func checkPlaces(t *testing.T, name string, centers []int, drawn string) {
	t.Helper()
	labels := labelAt.FindAllStringSubmatch(drawn, -1)
	if len(labels) < 2 {
		t.Errorf("%s: %d labels", name, len(labels))
		return
	}
	half := 0
	for i, m := range labels {
		at := number(m[2])
		if at >= len(centers) {
			t.Errorf("%s: %d centers", name, len(centers))
			return
		}
		off := centers[at] - number(m[1])
		if i == 0 {
			half = off
		}
		if off < half-2 || off > half+2 || half < 20 || half > 50 {
			t.Errorf("%s: label %d begins %d left of its center, the first one %d", name, at, off, half)
			return
		}
	}
}
