package palette

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
)

type RGB [3]uint8

// Parse returns the color that #rrggbb or #rgb stands for.
func Parse(text string) (c RGB, ok bool) {
	if len(text) == 4 {
		text = string([]byte{text[0], text[1], text[1], text[2], text[2], text[3], text[3]})
	}
	digits, hasSign := strings.CutPrefix(text, "#")
	parsed, err := hex.DecodeString(digits)
	if !hasSign || err != nil || len(parsed) != len(c) {
		return c, false
	}
	return RGB(parsed), true
}

func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// Contrast returns the contrast of two colors as WCAG 2 defines it, from 1 to 21.
func Contrast(a, b RGB) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func (c RGB) luminance() float64 {
	sum := 0.0
	for i, weight := range [...]float64{0.2126, 0.7152, 0.0722} {
		v := float64(c[i]) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

var (
	White = RGB{255, 255, 255}
	Black = RGB{0, 0, 0}
)

// On returns white or black: the one that is easier to read on the color.
func On(background RGB) RGB {
	if Contrast(White, background) >= Contrast(Black, background) {
		return White
	}
	return Black
}

// Readable returns the color, made darker or lighter until it has at least a contrast with a background.
func Readable(c, background RGB, contrast float64) RGB {
	towards := On(background)
	for share := 0.0; share < 1; share += 1.0 / 32 {
		if mixed := Mix(c, towards, share); Contrast(mixed, background) >= contrast {
			return mixed
		}
	}
	return towards
}

// Mix returns a color between two: the first for a share of 0, and the other for 1.
func Mix(c, other RGB, share float64) RGB {
	for i := range c {
		c[i] = uint8(math.Round(float64(c[i])*(1-share) + float64(other[i])*share))
	}
	return c
}
