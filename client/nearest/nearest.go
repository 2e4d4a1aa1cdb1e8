// Package nearest finds the name that a misspelt one probably stands for.
package nearest

import "strings"

// maxRunes is how much of a name counts: longer ones are no misspelt names,
// and comparing takes time by the square of it.
const maxRunes = 80

// Name returns the one of names that is nearest to name by Distance; a name of
// three letters or more that is part of another counts as two edits away from
// it at most. Upper and lower case, and dashes, spaces and underscores, are
// alike. The result is empty only where names is.
func Name(name string, names []string) string {
	best, least := "", 0
	name = normalize(name)
	for _, candidate := range names {
		other := normalize(candidate)
		d := Distance(name, other)
		if len([]rune(name)) >= 3 && strings.Contains(other, name) {
			d = min(d, 2)
		}
		if best == "" || d < least {
			best, least = candidate, d
		}
	}
	return best
}

// Typo returns the one of names that differs from name by no more edits than a
// slip of the fingers makes (two, or a third of its length), or "" where none
// does. Names are compared as Name compares them.
func Typo(name string, names []string) string {
	name = normalize(name)
	best, least := "", max(2, len(name)/3)+1
	for _, candidate := range names {
		if d := Distance(name, normalize(candidate)); d < least {
			best, least = candidate, d
		}
	}
	return best
}

func normalize(name string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(name))
}

// Distance is the edit distance of a and b (Damerau–Levenshtein, restricted):
// the number of characters to insert, delete, replace or swap with their
// neighbour. Only the first 80 characters of each are compared.
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
