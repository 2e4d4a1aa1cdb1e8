package dedupe

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestLineOfRow compares Lines with a map, for rows that take one or more lines.
func TestLineOfRow(t *testing.T) {
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
				t.Fatalf("row %d: got line %d, want %d; %v", row, got, line, lines)
			}
		}
	}
	var even Lines
	for row := range 1000 {
		even.Add(row, 2+3*row)
	}
	if len(even) != 1 {
		t.Errorf("evenly spaced rows need %d entries, want 1", len(even))
	}
}

// TestIndexFindsTheFirstRow compares an index with a map, while the index grows.
func TestIndexFindsTheFirstRow(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	rows, firsts := NewIndex(), map[string]int{}
	rows.Grow(10)
	for row := 0; row < 60_000; row++ {
		if random.IntN(10) == 0 {
			continue // an invalid row is not added
		}
		id := strconv.Itoa(random.IntN(40_000))
		want, ok := firsts[id]
		if !ok {
			want = row
			firsts[id] = row
		}
		if got := rows.Add(row, rows.Fingerprint([]byte(id), nil)); got != want {
			t.Fatalf("row %d with identity %s: got the first row %d, want %d", row, id, got, want)
		}
	}
	for id, want := range firsts {
		if got := rows.Find(rows.Fingerprint([]byte(id), nil)); got != want {
			t.Fatalf("identity %s: got the first row %d, want %d", id, got, want)
		}
	}
	if got := rows.Find(rows.Fingerprint([]byte("none"), nil)); got != -1 {
		t.Errorf("an identity that no row has: got row %d, want -1", got)
	}
}

func TestBitmap(t *testing.T) {
	var b Bitmap
	for _, row := range []int{0, 63, 64, 1000} {
		if b.Has(row) {
			t.Errorf("an empty set has row %d", row)
		}
		b.Set(row)
	}
	b.Clear(63)
	for row, want := range map[int]bool{-1: false, 0: true, 1: false, 63: false, 64: true, 65: false, 1000: true, 1001: false, 100_000: false} {
		if got := b.Has(row); got != want {
			t.Errorf("Has(%d) = %t, want %t", row, got, want)
		}
	}
}
