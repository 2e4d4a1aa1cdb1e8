// Package nearest finds the name that the user probably meant by a misspelled one.
package nearest

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxRunes is the number of characters of a name that are compared: the time for a
// comparison grows with the square of it, and no name that the user may mean is longer.
const maxRunes = 80

// Name returns the first of Names, "" if there is none.
func Name(text string, names []string) string {
	if near := Names(text, names, 1); near != nil {
		return near[0]
	}
	return ""
}

// Names returns the names that a misspelled text, or a part of a name, probably means, up to limit: those of which the
// text is a part, or of which it differs from the whole, or from as many words in a row, in at most a third of the
// characters of the shorter one: two edits make Straße of state. The nearest are first. Case is ignored, and dashes and spaces count as underscores.
func Names(text string, names []string, limit int) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	text = normalize(text)
	length, count := utf8.RuneCountInString(text), strings.Count(text, "_")+1
	for _, name := range names {
		whole := normalize(name)
		words := strings.Split(whole, "_")
		least := math.MaxInt
		compare := func(part string) {
			size := utf8.RuneCountInString(part)
			if most := min(size, length) / 3; max(size-length, length-size) <= most { // each takes an edit
				if distance := Distance(text, part); distance <= most {
					least = min(least, distance)
				}
			}
		}
		compare(whole)
		for i := range max(0, len(words)-count) + 1 {
			compare(strings.Join(words[i:min(len(words), i+count)], "_"))
		}
		if length >= 3 && strings.Contains(whole, text) {
			least = min(least, 1)
		}
		if least < math.MaxInt {
			near = append(near, candidate{name, least})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var found []string
	for _, c := range near {
		if len(found) == limit {
			break
		}
		if !slices.Contains(found, c.name) {
			found = append(found, c.name)
		}
	}
	return found
}

var underscores = strings.NewReplacer("-", "_", " ", "_")

func normalize(name string) string {
	return underscores.Replace(strings.ToLower(strings.Join(strings.Fields(name), " ")))
}

// Distance returns the restricted Damerau–Levenshtein distance of a and b: the least number of edits that change a into b, where
// an edit inserts, deletes or replaces a character, or swaps two neighboring ones. Only the first 80 characters are compared.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), maxRunes)], y[:min(len(y), maxRunes)]
	before, prev, cur := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(y)]
}
