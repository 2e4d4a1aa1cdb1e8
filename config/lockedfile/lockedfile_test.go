package lockedfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

func TestTransform(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "file")
	write := func(content []byte, err error) error {
		return Transform(t.Context(), path, "", func(string) ([]byte, error) { return content, err })
	}
	if err := write([]byte("a"), nil); err != nil {
		t.Fatal(err)
	}
	if err := write(nil, nil); err != nil {
		t.Error(err)
	}
	failed := errors.New("failed")
	if err := write([]byte("b"), failed); !errors.Is(err, failed) {
		t.Errorf("got error %v, want %v", err, failed)
	}
	wantText(t, readFile(t, path), "a")
	for name, want := range map[string]os.FileMode{path: 0o600, path + ".lock": 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want && runtime.GOOS != "windows" { // it has no modes
			t.Errorf("%s: got mode %v and error %v, want %v", name, info.Mode(), err, want)
		}
	}
}

// TestWaitForLock checks that the end of the context ends the wait for the lock.
func TestWaitForLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := Transform(ctx, path, "", func(string) ([]byte, error) { return []byte("a"), nil })
	if err == nil {
		t.Error("got no error although another one holds the lock")
	}
}

func wantText(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// readFile returns the content of a file.
func readFile(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
