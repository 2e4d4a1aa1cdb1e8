// Package palette has the colors of the series that charts show. People with color blindness can
// tell them apart, and each has a contrast of at least 3 to 1 with a white and with a dark page.
package palette

import (
	"hash/fnv"
	"strings"
)

// Colors are the colors, in hexadecimal: those of Okabe and Ito, of which the light ones are darker.
var Colors = [...]string{"#0072b2", "#c27a00", "#009e73", "#cc79a7", "#3a93c8", "#d55e00", "#8c6a00", Gray}

// Gray is the color of a series with which another one is compared.
const Gray = "#6b6b6b"

// Shade returns the color of a place in an order, from dark to light; the last two are gray.
func Shade(place int) string {
	shades := [...]string{"#004a75", "#2a7fb5", "#74b0d6", "#bcd9ec", "#8d949b", "#d3d7db"}
	return shades[min(place, len(shades)-1)]
}

// ByName returns a place among Colors that a name has in all files.
func ByName(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.ToLower(name)))
	return int(h.Sum32()>>16) % len(Colors)
}

// Places returns a place among Colors for each name of several charts of one file: the same in all charts that have
// the name, and different ones within a chart, as long as it has no more names than there are colors. A name gets the
// first place from prefer that is still free. A name that a chart has twice is two names.
func Places(charts [][]string, prefer func(name string) int) [][]int {
	type series struct {
		name string
		n    int // how often the chart has the name before
	}
	places, all := map[series]int{}, make([][]int, len(charts))
	for i, names := range charts {
		var keys []series
		seen, taken := map[string]int{}, map[int]bool{}
		for _, name := range names {
			key := series{name, seen[name]}
			seen[name]++
			keys = append(keys, key)
			if at, known := places[key]; known {
				taken[at] = true
			}
		}
		for _, key := range keys {
			at, known := places[key]
			if !known {
				at = prefer(key.name)
				for n := 0; n < len(Colors) && taken[at]; n++ {
					at = (at + 1) % len(Colors)
				}
				places[key], taken[at] = at, true
			}
			all[i] = append(all[i], at)
		}
	}
	return all
}
