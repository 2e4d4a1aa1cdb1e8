package output

import "strings"

// Nearest returns the one of names that is most like name: by the letters to
// change, swap, add or leave out, where a name that is part of another counts
// as close to it. It is empty only when names is.
func Nearest(name string, names []string) string {
	best, least := "", 0
	for _, n := range names {
		if d := distance(plainName(name), plainName(n)); best == "" || d < least {
			best, least = n, d
		}
	}
	return best
}

// plainName levels what people mix up in names.
func plainName(s string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(s))
}

func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
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
	d := prev[len(y)]
	if len(x) >= 3 && strings.Contains(b, a) {
		d = min(d, 2)
	}
	return d
}
