package dedupe

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestLineNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var lines Lines
		want := map[int]int{}
		for row, line := 0, 1; row < 50; row++ {
			line += 1 + random.IntN(3)*random.IntN(2)
			if random.IntN(8) > 0 {
				want[row] = line
				lines.Add(row, line)
			}
		}
		for row, line := range want {
			if got := lines.Of(row); got != line {
				t.Fatalf("row %d stands on line %d, not %d: %v", row, line, got, lines)
			}
		}
	}
	var even Lines
	for row := range 1000 {
		even.Add(row, 2+3*row)
	}
	if len(even) != 1 {
		t.Errorf("%d runs of even rows", len(even))
	}
}

// TestIndex compares with a map, through all sizes of the index.
func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	rows, firsts := NewIndex(), map[string]int{}
	rows.Grow(10)
	for row := 0; row < 60_000; row++ {
		if random.IntN(10) == 0 {
			continue // one that can't be sent
		}
		id := strconv.Itoa(random.IntN(40_000))
		want, ok := firsts[id]
		if !ok {
			want = row
			firsts[id] = row
		}
		if got := rows.Add(row, rows.Fingerprint([]byte(id), nil)); got != want {
			t.Fatalf("row %d of %s: first is %d, not %d", row, id, got, want)
		}
	}
	for id, want := range firsts {
		if got := rows.Find(rows.Fingerprint([]byte(id), nil)); got != want {
			t.Fatalf("%s: first is %d, not %d", id, got, want)
		}
	}
	if got := rows.Find(rows.Fingerprint([]byte("none"), nil)); got != -1 {
		t.Errorf("%d is there", got)
	}
}
