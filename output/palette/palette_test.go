package palette

import (
	"slices"
	"testing"
)

func parse(t *testing.T, text string) RGB {
	t.Helper()
	c, ok := Parse(text)
	if !ok {
		t.Fatalf("got no color for %s, want one", text)
	}
	return c
}

func TestColorsAreSeenOnLightAndDark(t *testing.T) {
	for _, color := range Colors {
		for _, background := range []string{"#ffffff", "#15191e"} {
			t.Run(color+" on "+background, func(t *testing.T) {
				if got := Contrast(parse(t, color), parse(t, background)); got < 3 {
					t.Errorf("got a contrast of %.2f, want at least 3", got)
				}
			})
		}
	}
}

// colorsOf returns the colors of the series of a chart.
func colorsOf(names ...string) []string {
	colors := make([]string, len(names))
	for i, at := range Places([][]string{names}, ByName)[0] {
		colors[i] = Colors[at]
	}
	return colors
}

func TestColorsOfSeries(t *testing.T) {
	t.Run("a series has the same color on all charts", func(t *testing.T) {
		alone, beside := colorsOf("organic visits"), colorsOf("visits", "organic visits", "visits before")
		if alone[0] != beside[1] {
			t.Errorf("got %s and %s, want one color", alone[0], beside[1])
		}
	})
	t.Run("the series of a chart have different colors", func(t *testing.T) {
		got := colorsOf("a", "b", "c", "d", "e", "f", "g", "h")
		slices.Sort(got)
		if n := len(slices.Compact(got)); n != len(Colors) {
			t.Errorf("got %d colors, want %d", n, len(Colors))
		}
	})
	t.Run("more series than colors", func(t *testing.T) {
		if got := colorsOf("a", "b", "c", "d", "e", "f", "g", "h", "i"); got[8] == "" {
			t.Error("got no color for the ninth series, want one")
		}
	})
}

func TestContrast(t *testing.T) {
	if got := Contrast(White, Black); got != 21 {
		t.Errorf("got %v for black on white, want 21", got)
	}
	for _, text := range []string{"#000", "#ffff00", "#777777", "#0072b2", "#FFF"} {
		t.Run(text, func(t *testing.T) {
			c := parse(t, text)
			if got := Contrast(c, On(c)); got < 4.5 {
				t.Errorf("got %.2f for text on the color, want at least 4.5", got)
			}
			for _, background := range []RGB{White, {21, 25, 30}} {
				if got := Contrast(Readable(c, background, 4.5), background); got < 4.5 {
					t.Errorf("got %.2f on %s, want at least 4.5", got, background)
				}
			}
		})
	}
	for _, text := range []string{"", "red", "#12345", "#12345g", "0072b2", "#0072b20"} {
		t.Run("not a color: "+text, func(t *testing.T) {
			if c, ok := Parse(text); ok {
				t.Errorf("got %s, want none", c)
			}
		})
	}
}
