package wal

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// isLetter is the isKind function of the tests: their events begin with a capital
// letter.
func isLetter(b byte) bool { return 'A' <= b && b <= 'Z' }

// frames returns the frames of events.
func frames(events ...string) (text []byte) {
	for _, e := range events {
		text = AppendFrame(text, []byte(e))
	}
	return text
}

// writeLog writes a log with the text and returns its path.
func writeLog(t *testing.T, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	noError(t, os.WriteFile(path, text, 0o600))
	return path
}

// replayAll replays a log and returns its events.
func replayAll(path string) (events []string, end int64, err error) {
	end, err = Replay(path, isLetter, func(event []byte) error {
		events = append(events, string(event))
		return nil
	})
	return events, end, err
}

// wantEvents fails the test unless a log contains exactly the wanted events.
func wantEvents(t *testing.T, path string, want ...string) {
	t.Helper()
	got, end, err := replayAll(path)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Replay: got events %q, error %v; want %q", got, err, want)
	}
	if size := fileSize(t, path); end != size || size != int64(len(frames(want...))) {
		t.Errorf("Replay ended at byte %d of %d, want %d of %[3]d", end, size, len(frames(want...)))
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	noError(t, err)
	return info.Size()
}

// longEvent is larger than the buffer of a replay.
var longEvent = "L" + strings.Repeat("x", 300<<10)

// flipped returns text with one bit changed.
func flipped(text []byte, i, bit int) []byte {
	text = bytes.Clone(text)
	text[i] ^= 1 << bit
	return text
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
