package wal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTornEndAtEveryByte cuts a log off at each byte, and checks that a replay gives all
// events that are complete.
func TestTornEndAtEveryByte(t *testing.T) {
	events := []string{"A", "Bee", "C" + strings.Repeat("x", 130), "D"}
	text := frames(events...)
	path := filepath.Join(t.TempDir(), "log")
	for size := range len(text) + 1 {
		noError(t, os.WriteFile(path, text[:size], 0o600))
		n := 0
		for n < len(events) && len(frames(events[:n+1]...)) <= size {
			n++
		}
		got, end, err := replayAll(path)
		if err != nil || !slices.Equal(got, events[:n]) || end != int64(len(frames(events[:n]...))) {
			t.Errorf("cut at byte %d: got events %q up to byte %d, error %v; want %q", size, got, end, err, events[:n])
		}
	}
}

// TestEveryFlippedBitIsFound flips each bit of a log, and checks that a replay ends before
// the event with that bit. Unless it is the last event, the log is corrupt.
func TestEveryFlippedBitIsFound(t *testing.T) {
	events := []string{"A", "Bee", "C" + strings.Repeat("x", 130), "D"}
	text := frames(events...)
	var starts []int // the offset of each event
	for n := range events {
		starts = append(starts, len(frames(events[:n]...)))
	}
	path := filepath.Join(t.TempDir(), "log")
	for i := range text {
		n, _ := slices.BinarySearch(starts, i+1)
		n-- // the number of the event with the flipped bit
		for bit := range 8 {
			noError(t, os.WriteFile(path, flipped(text, i, bit), 0o600))
			got, end, err := replayAll(path)
			if !slices.Equal(got, events[:n]) || end != int64(starts[n]) {
				t.Errorf("byte %d, bit %d: got events %q up to byte %d, want %q up to %d", i, bit, got, end, events[:n], starts[n])
			}
			corrupt, ok := errors.AsType[*CorruptError](err)
			if isLast := n == len(events)-1; ok == isLast || err != nil && !ok {
				t.Errorf("byte %d, bit %d: got error %v, want a *CorruptError: %t", i, bit, err, !isLast)
			}
			if ok && (corrupt.Offset != int64(starts[n]) || corrupt.Path != path || !strings.Contains(err.Error(), fmt.Sprint(starts[n]))) {
				t.Errorf("byte %d, bit %d: got error %v at byte %d, want one at byte %d", i, bit, err, corrupt.Offset, starts[n])
			}
		}
	}
}

// TestOnlyKindsProveCorruption checks that only an event of a known kind after a torn
// event makes a log corrupt. Other bytes there belong to the torn end.
func TestOnlyKindsProveCorruption(t *testing.T) {
	torn := frames("B")[:3]
	for name, c := range map[string]struct {
		behind  []byte
		corrupt bool
	}{
		"an event":          {frames("C"), true},
		"an unknown kind":   {frames("c"), false},
		"a torn event":      {frames("C")[:4], false},
		"an invalid event":  {flipped(frames("C"), 2, 0), false},
		"an endless length": {bytes.Repeat([]byte{0xff}, 20), false},
		"too long an event": {[]byte{0x81, 0x80, 0x80, 0x20, 'C'}, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeLog(t, slices.Concat(frames("A"), torn, c.behind))
			got, end, err := replayAll(path)
			if _, ok := errors.AsType[*CorruptError](err); ok != c.corrupt || err != nil && !ok {
				t.Errorf("got error %v, want a *CorruptError: %t", err, c.corrupt)
			}
			if !slices.Equal(got, []string{"A"}) || end != int64(len(frames("A"))) {
				t.Errorf("got events %q up to byte %d, want A", got, end)
			}
		})
	}
}

func TestReplayStopsEarly(t *testing.T) {
	path := writeLog(t, slices.Concat(frames("A", "B"), flipped(frames("C"), 1, 0), frames("D")))
	n := 0
	end, err := Replay(path, isLetter, func([]byte) error {
		if n++; n == 2 {
			return ErrStop
		}
		return nil
	})
	if want := int64(len(frames("A", "B"))); err != nil || n != 2 || end != want {
		t.Errorf("got %d events up to byte %d, error %v; want 2 up to %d", n, end, err, want)
	}
}

func TestReplayOfMissingFile(t *testing.T) {
	if _, _, err := replayAll(filepath.Join(t.TempDir(), "log")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v, want %v", err, fs.ErrNotExist)
	}
}

func TestEndsWith(t *testing.T) {
	before := strings.Repeat("x", 100)
	for name, c := range map[string]struct {
		text []byte
		want bool
	}{
		"at the end":               {frames("A", "F"), true},
		"at the end of a long one": {frames("A"+before, "F"), true},
		"before one of the kind":   {frames("F", "Bee"), true},
		"before another kind":      {frames("F", "A"), false},
		"before two events":        {frames("F", "Bee", "Bee"), false},
		"the last of several":      {frames("F", "A", "F", "B"), true},
		"before a torn event":      {append(frames("F", "B"), frames("B")[:3]...), false},
		"before an invalid event":  {slices.Concat(frames("F"), flipped(frames("B"), 1, 0)), false},
		"too far from the end":     {frames("F", "B"+before), false},
		"not there":                {frames("A", "B"), false},
		"torn":                     {frames("A", "F")[:len(frames("A", "F"))-1], false},
		"empty":                    {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := EndsWith(writeLog(t, c.text), []byte("F"), 'B'); got != c.want {
				t.Errorf("got %t, want %t", got, c.want)
			}
		})
	}
	for what, path := range map[string]string{"a missing file": filepath.Join(t.TempDir(), "log"), "a folder": t.TempDir()} {
		if EndsWith(path, []byte("F"), 'B') {
			t.Errorf("%s: got true, want false", what)
		}
	}
}

// FuzzReplay checks that a replay of a file with any content ends after a complete event:
// a second replay of the part that was read gives the same events.
func FuzzReplay(f *testing.F) {
	f.Add(frames("A", "Bee"))
	f.Add(append(frames("A", "Bee"), 0x80))
	f.Add(slices.Concat(frames("A"), []byte{0}, frames("B")))
	f.Add(slices.Concat([]byte{0x81, 0x00}, frames("A")[1:], frames("B"))) // a length with a byte too many
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, text []byte) {
		events, end, _ := replayAll(writeLog(t, text))
		if end > int64(len(text)) {
			t.Fatalf("replay ended at byte %d of %d", end, len(text))
		}
		again, second, err := replayAll(writeLog(t, text[:end]))
		if err != nil || second != end || !slices.Equal(again, events) {
			t.Errorf("%q: the second replay got %q up to byte %d, error %v; want %q up to %d", text, again, second, err, events, end)
		}
	})
}
