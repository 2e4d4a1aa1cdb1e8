// Package palette has the colors of the series that charts show. People with color blindness can
// tell them apart, and each has a contrast of at least 3 to 1 with a white and with a dark page.
package palette

import (
	"hash/fnv"
	"slices"
	"strings"
)

// Colors are the colors, in hexadecimal: those of Okabe and Ito, of which the light ones are darker.
var Colors = [...]string{"#0072b2", "#c27a00", "#009e73", "#cc79a7", "#3a93c8", "#d55e00", "#8c6a00", Gray}

// Gray is the color of what another series is compared with.
const Gray = "#6b6b6b"

// Of returns a color for each of the series of a chart by their names, so that a series has the
// same color on all charts. If several names have the same color, the later ones get colors that
// are still free.
func Of(names ...string) []string {
	colors := make([]string, len(names))
	for i, name := range names {
		h := fnv.New32a()
		_, _ = h.Write([]byte(strings.ToLower(name)))
		at := int(h.Sum32()>>16) % len(Colors)
		for n := 0; n < len(Colors) && slices.Contains(colors[:i], Colors[at]); n++ {
			at = (at + 1) % len(Colors)
		}
		colors[i] = Colors[at]
	}
	return colors
}
