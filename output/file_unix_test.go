//go:build unix

package output

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSecretsGoToRegularFilesOnly checks that a secret is neither readable by others at
// any time nor handed to whoever reads a pipe, and that other output may go to a pipe
// of the user.
func TestSecretsGoToRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	defer syscall.Umask(syscall.Umask(0))
	path := filepath.Join(dir, "token")
	noError(t, errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o666)))
	f, err := OpenSecret(path)
	noError(t, err)
	defer f.Abort()
	entries, err := os.ReadDir(dir)
	noError(t, err)
	for _, e := range entries {
		if info, err := e.Info(); e.Name() != "token" && (err != nil || info.Mode() != 0o600) {
			t.Errorf("%s: got mode %v, error %v before the first write, want 0600", e.Name(), info.Mode(), err)
		}
	}
	pipe := filepath.Join(dir, "pipe")
	noError(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{pipe, os.DevNull, "/dev/stdout"} {
		if _, err := OpenSecret(path); err == nil || !strings.Contains(err.Error(), path+": not a regular file") {
			t.Errorf("%s: got error %v, want that it is no regular file", path, err)
		}
	}

	reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	noError(t, err)
	defer func() { _ = reader.Close() }()
	plain, err := OpenFile(pipe)
	if err != nil {
		t.Fatalf("a pipe of the user: %v", err)
	}
	if _, err := plain.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 10)
	if n, err := reader.Read(got); err != nil || !bytes.Equal(got[:n], []byte("text")) {
		t.Errorf("got %q, error %v from the pipe, want what was written", got[:n], err)
	}
	_ = plain.Commit()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a pipe of another user")
	}
	noError(t, os.Lchown(pipe, 12345, 12345))
	if _, err := OpenFile(pipe); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("a pipe of another user: got error %v, want one", err)
	}
}

// TestNewFilesHaveTheirFinalMode checks the mode of an output file before its first
// write, for a new file and for one that exists.
func TestNewFilesHaveTheirFinalMode(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	for was, want := range map[fs.FileMode]fs.FileMode{0: 0o640, 0o600: 0o600, 0o666: 0o666} {
		t.Run(was.String(), func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "out")
			if was != 0 {
				noError(t, errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, was)))
			}
			f, err := OpenFile(path)
			noError(t, err)
			defer f.Abort()
			entries, err := os.ReadDir(dir)
			noError(t, err)
			for _, e := range entries {
				if info, err := e.Info(); e.Name() != "out" && (err != nil || info.Mode() != want) {
					t.Errorf("got mode %v, error %v, want %v", info.Mode(), err, want)
				}
			}
		})
	}
}
