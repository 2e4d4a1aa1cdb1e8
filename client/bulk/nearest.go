package bulk

import "strings"

// nearest returns the one of names that takes the fewest letters to change,
// swap, add or leave out.
func nearest(name string, names []string) string {
	level := strings.NewReplacer("-", "_", " ", "_")
	best, least := "", 0
	for _, n := range names {
		if d := distance(level.Replace(strings.ToLower(name)), n); best == "" || d < least {
			best, least = n, d
		}
	}
	return best
}

// distance is the edit distance of a and b with swaps of neighbours; names of
// absurd length count only by their beginning.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), 80)], y[:min(len(y), 80)]
	var before []int
	prev := make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range x {
		cur := make([]int, len(y)+1)
		cur[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			cur[j+1] = min(prev[j+1]+1, cur[j]+1, prev[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
		}
		before, prev = prev, cur
	}
	return prev[len(y)]
}
