package bulk

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestLineNumbers(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var lines lineNumbers
		want := map[int]int{}
		for row, line := 0, 1; row < 50; row++ {
			line += 1 + dice.IntN(3)*dice.IntN(2)
			if dice.IntN(8) > 0 {
				want[row] = line
				lines.add(row, line)
			}
		}
		for row, line := range want {
			if got := lines.of(row); got != line {
				t.Fatalf("row %d stands on line %d, not %d: %v", row, line, got, lines)
			}
		}
	}
	var even lineNumbers
	for row := range 1000 {
		even.add(row, 2+3*row)
	}
	if len(even) != 1 {
		t.Errorf("%d runs of even rows", len(even))
	}
}

// TestSeen compares with a map, through all sizes of the index.
func TestSeen(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	rows, firsts := newSeen(), map[string]int{}
	rows.expect(10)
	for row := 0; row < 60_000; row++ {
		if dice.IntN(10) == 0 {
			continue // one that can't be sent
		}
		id := strconv.Itoa(dice.IntN(40_000))
		want, ok := firsts[id]
		if !ok {
			want = row
			firsts[id] = row
		}
		if got := rows.put(row, rows.sight([]byte(id), nil)); got != want {
			t.Fatalf("row %d of %s: first is %d, not %d", row, id, got, want)
		}
	}
	for id, want := range firsts {
		if got := rows.find(rows.sight([]byte(id), nil)); got != want {
			t.Fatalf("%s: first is %d, not %d", id, got, want)
		}
	}
	if got := rows.find(rows.sight([]byte("none"), nil)); got != -1 {
		t.Errorf("%d is there", got)
	}
}
