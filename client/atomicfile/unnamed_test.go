package atomicfile

import (
	"os"
	"runtime"
	"testing"
)

// TestUnnamed checks that only this user may read the file, that it has no name, and that
// Close removes no other file that has got the name since.
func TestUnnamed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Unix file modes, and removes no file that Go has opened")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := CreateUnnamed()
	noError(t, err)
	if info, err := f.Stat(); err != nil || info.Mode() != 0o600 {
		t.Errorf("got the mode %v, error %v; want 0600", info.Mode(), err)
	}
	checkFolder(t, dir)
	noError(t, os.WriteFile(f.Name(), nil, 0o600))
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(f.Name()); err != nil {
		t.Errorf("after Close: got %v, want the other file of that name", err)
	}
}
