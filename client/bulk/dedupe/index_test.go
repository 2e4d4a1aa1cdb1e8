package dedupe

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestIndexFindsTheFirstRow compares an index with a map: one that stays in memory, one
// that is on disk almost from its beginning, and one that moves there in between.
func TestIndexFindsTheFirstRow(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	defer func(rows int) { MaxInMemory = rows }(MaxInMemory)
	for _, MaxInMemory = range []int{1, 8_000, 1 << 20} {
		for _, identities := range []int{1, 10_000} {
			t.Run(fmt.Sprintf("%d identities, %d rows in memory", identities, MaxInMemory), func(t *testing.T) {
				random := rand.New(rand.NewPCG(3, 4))
				rows, firsts, contents := NewIndex(NewKey(), false), map[string]Match{}, map[string]string{}
				defer rows.Close()
				rows.Grow(10)
				var got, want []Match
				for row := 0; row < 15_000; row++ {
					if random.IntN(10) == 0 {
						continue // the ordinal is not used, as that of an invalid row
					}
					id, content, line := strconv.Itoa(random.IntN(identities)), strconv.Itoa(random.IntN(2)), 2*row+1
					first, ok := firsts[id]
					if ok {
						first.Repeat, first.RepeatLine, first.Equal = row, line, contents[id] == content
						want = append(want, first)
					} else {
						firsts[id], contents[id] = Match{First: row, FirstLine: line}, content
					}
					if match, ok := rows.Add(row, line, rows.Fingerprint([]byte(id), []byte(content))); ok {
						got = append(got, match)
					}
				}
				if err := rows.Finish(func(m Match) { got = append(got, m) }); err != nil {
					t.Fatal(err)
				}
				slices.SortFunc(got, func(a, b Match) int { return cmp.Compare(a.Repeat, b.Repeat) })
				if !slices.Equal(got, want) {
					t.Errorf("got %d matches, want the %d of the map", len(got), len(want))
				}
				for id, want := range firsts {
					for _, content := range []string{"0", "1"} {
						got, same := rows.Find(rows.Fingerprint([]byte(id), []byte(content)))
						if got != want.First || same != (content == contents[id]) {
							t.Fatalf("identity %s, content %s: got the first row %d, same content %t; want %d, %t",
								id, content, got, same, want.First, content == contents[id])
						}
					}
				}
				other := NewIndex(rows.Key, true) // another process with the same key
				for id, want := range firsts {
					other.Add(want.First, 0, other.Fingerprint([]byte(id), []byte(contents[id])))
				}
				all := map[int]bool{}
				for row, f := range rows.All() {
					if read := ReadFingerprint(f.AppendTo(nil)); read != f {
						t.Fatalf("row %d: got the fingerprint %x, want %x", row, read, f)
					}
					first, same := other.Find(f)
					if first == row && !same {
						t.Fatalf("row %d has other content in the other index", row)
					}
					if first != row && !slices.ContainsFunc(want, func(m Match) bool { return m.First == first && m.Repeat == row }) {
						t.Fatalf("row %d: the other index has row %d for its hash", row, first)
					}
					all[first] = true
				}
				if len(all) != len(firsts) {
					t.Errorf("All returned %d identities, want %d", len(all), len(firsts))
				}
				for id, want := range firsts {
					for _, content := range []string{contents[id], "other"} {
						if first, same := rows.Find(rows.Fingerprint([]byte(id), []byte(content))); first != want.First || same != (content == contents[id]) {
							t.Fatalf("identity %s: got row %d with the same content %t, want row %d", id, first, same, want.First)
						}
					}
				}
				for n := range 1_000 {
					if got, _ := rows.Find(rows.Fingerprint(strconv.AppendInt(nil, int64(100_000+n), 10), nil)); got != -1 {
						t.Errorf("an identity that no row has: got row %d, want -1", got)
					}
				}
				if err := rows.Err(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestIndexWithSecretsStaysInMemory adds more rows than an index in memory has otherwise.
func TestIndexWithSecretsStaysInMemory(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing")) // no temporary file can be created
	defer func(rows int) { MaxInMemory = rows }(MaxInMemory)
	MaxInMemory = 10
	for _, inMemory := range []bool{true, false} {
		rows := NewIndex(NewKey(), inMemory)
		for row := range 20 {
			rows.Add(row, row, rows.Fingerprint([]byte{byte(row)}, nil))
		}
		if err := rows.Finish(nil); (err == nil) != inMemory {
			t.Errorf("in memory %t: got error %v", inMemory, err)
		}
		if got, _ := rows.Find(rows.Fingerprint([]byte{15}, nil)); inMemory && got != 15 {
			t.Errorf("got row %d, want 15", got)
		}
		rows.Close()
	}
}

// TestErrorsOfTheFileSayWhatItIsFor checks the error of an index whose file was cut, and of one that finds no folder for it.
func TestErrorsOfTheFileSayWhatItIsFor(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	defer func(rows int) { MaxInMemory = rows }(MaxInMemory)
	MaxInMemory = 1
	const want = "rows can't be kept in a temporary file: "
	index := func() *Index {
		rows := NewIndex(NewKey(), false)
		t.Cleanup(rows.Close)
		for row := range 100 {
			rows.Add(row, row+1, rows.Fingerprint([]byte(strconv.Itoa(row)), nil))
		}
		return rows
	}
	cut := index()
	if err := cut.Finish(nil); err != nil {
		t.Fatal(err)
	}
	if err := cut.disk.sorted.Truncate(3); err != nil {
		t.Fatal(err)
	}
	for range cut.All() {
		t.Error("got a row of a file that was cut")
	}
	if err := cut.Err(); err == nil || err.Error() != want+"unexpected EOF" {
		t.Errorf("of a file that was cut: got error %v, want %sunexpected EOF", err, want)
	}
	homeless := index()
	for _, name := range []string{"TMPDIR", "TMP"} { // the second on Windows
		t.Setenv(name, filepath.Join(dir, "none"))
	}
	if err := homeless.Finish(nil); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("without a folder: got error %v, want it to begin with %s", err, want)
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
	b.Clear(200_000)
	for row, want := range map[int]bool{-1: false, 0: true, 1: false, 63: false, 64: true, 65: false, 1000: true, 1001: false, 100_000: false} {
		if got := b.Has(row); got != want {
			t.Errorf("Has(%d) = %t, want %t", row, got, want)
		}
	}
}
