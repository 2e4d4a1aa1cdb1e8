//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAppend appends to a new file, to one that is there, and by a link of the user. It neither waits for the other end of a pipe nor
// writes to one, and leaves alone what another user may have put there.
func TestAppend(t *testing.T) {
	dir := t.TempDir()
	path, link, pipe := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	noError(t, errors.Join(os.Symlink("file", link), syscall.Mkfifo(pipe, 0o600)))
	for _, to := range []string{path, path, link} {
		noError(t, Append(to, []byte("text\n"), 0o600))
	}
	if got := readFile(t, path); got != "text\ntext\ntext\n" {
		t.Errorf("got %q, want the text three times", got)
	}
	reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	noError(t, err)
	if err := Append(pipe, []byte("text\n"), 0o600); !errors.Is(err, errNotRegular) {
		t.Errorf("a pipe: got error %v, want %v", err, errNotRegular)
	}
	buffer := make([]byte, 8)
	if n, _ := reader.Read(buffer); n > 0 {
		t.Errorf("a pipe: got %q, want nothing", buffer[:n])
	}
	noError(t, reader.Close())
	if err := Append(pipe, []byte("text\n"), 0o600); err == nil { // it has no other end any more
		t.Error("a pipe: got no error")
	}
	if os.Geteuid() != 0 {
		return // only root can make files of another user
	}
	const stranger = 12345
	shared := filepath.Join(dir, "shared")
	noError(t, errors.Join(os.Mkdir(shared, 0o700), os.Chmod(shared, 0o777|fs.ModeSticky)))
	planted, led := filepath.Join(shared, "planted"), filepath.Join(shared, "led")
	noError(t, errors.Join(os.WriteFile(planted, nil, 0o666), os.Lchown(planted, stranger, stranger), os.Symlink(path, led), os.Lchown(led, stranger, stranger)))
	for _, to := range []string{planted, led} {
		if err := Append(to, []byte("more\n"), 0o600); err == nil || !strings.Contains(err.Error(), "another user") {
			t.Errorf("%s: got error %v, want it to name another user", to, err)
		}
	}
	if got := readFile(t, planted) + readFile(t, path); strings.Contains(got, "more") {
		t.Errorf("got %q, want nothing appended", got)
	}
}
