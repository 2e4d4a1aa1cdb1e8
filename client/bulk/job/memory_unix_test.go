//go:build unix

package job

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"reseller/client/trust"
)

// TestCommandsDoNotWaitForPipes replaces the files of a store by pipes without another end.
func TestCommandsDoNotWaitForPipes(t *testing.T) {
	store := Store(t.TempDir())
	single := func() {
		store.RememberSingle(Key{BaseURL: "http://a"}, 1, Boot{})(time.Second, Result{State: StateSent})
	}
	single()
	files, err := filepath.Glob(filepath.Join(string(store), "*"))
	noError(t, err)
	locks, err := filepath.Glob(filepath.Join(string(store), ".*"))
	noError(t, err)
	if files = append(files, locks...); len(files) < 2 {
		t.Fatalf("got the files %q, want a log and a lock", files)
	}
	for _, path := range files {
		noError(t, os.Remove(path))
		noError(t, syscall.Mkfifo(path, 0o600))
	}
	single()
	job := Job{store: store, Header: Header{Key: Key{BaseURL: "http://a"}}}
	if err := job.EachSent("", time.Hour, Boot{}, All, nil); !errors.As(err, new(*trust.Error)) {
		t.Errorf("got the error %v, want one of the log", err)
	}
	_, _ = store.List()
	_ = store.IsBusy()
}
