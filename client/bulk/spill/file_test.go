package spill

import (
	"bytes"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
)

// TestRecordsComeBackInOrder appends records of all sizes to some parts and compares them
// with what comes back.
func TestRecordsComeBackInOrder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := Create(5)
	noError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	want := make([][][]byte, 5)
	for n := range 2_000 {
		record := bytes.Repeat([]byte{byte(n)}, []int{0, 1, random.IntN(200), random.IntN(3 * bufferSize)}[random.IntN(4)])
		part := random.IntN(4) // the last part stays empty
		noError(t, f.Append(part, record))
		want[part] = append(want[part], record)
	}
	for part := range want {
		var got [][]byte
		for record, err := range f.Records(part) {
			noError(t, err)
			got = append(got, slices.Clone(record))
		}
		if !slices.EqualFunc(got, want[part], bytes.Equal) {
			t.Errorf("part %d: got %d records, want the %d that were appended", part, len(got), len(want[part]))
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("after Close: got %v, want no file", left)
	}
}

// TestNobodyElseReadsTheFile checks the file's permissions, and that it has no name.
func TestNobodyElseReadsTheFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Unix file modes, and removes no file that Go has opened")
	}
	t.Setenv("TMPDIR", t.TempDir())
	f, err := Create(1)
	noError(t, err)
	defer func() { _ = f.Close() }()
	if info, err := f.file.Stat(); err != nil || info.Mode() != 0o600 {
		t.Errorf("got the mode %v, error %v; want 0600", info.Mode(), err)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("got %v, want no name", left)
	}
}

// TestCutFileIsAnError checks that a file that somebody has cut is not taken for its end.
func TestCutFileIsAnError(t *testing.T) {
	f, err := Create(1)
	noError(t, err)
	defer func() { _ = f.Close() }()
	for range 3 {
		noError(t, f.Append(0, make([]byte, bufferSize)))
	}
	noError(t, f.flush(&f.parts[0]))
	noError(t, f.file.Truncate(2*bufferSize+bufferSize/2))
	n := 0
	var failed error
	for _, err := range f.Records(0) {
		if failed = err; err == nil {
			n++
		}
	}
	if n != 2 || failed == nil {
		t.Errorf("got %d records, error %v; want 2 and an error", n, failed)
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
