package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	gokeyring "github.com/zalando/go-keyring"
)

func (w *world) credentials() string { return filepath.Join(w.dir, "reseller", "credentials.json") }

func TestCredentialsRoundTrip(t *testing.T) {
	w := newWorld(t)
	gokeyring.MockInitWithError(fmt.Errorf("the keyring is not to be touched"))
	defer gokeyring.MockInit()
	storeRoundTrip(t, w.load(), true)
	info, err := os.Stat(w.credentials())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

func TestCredentialsReadableByOthers(t *testing.T) {
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604, 0o620, 0o601} {
		w := newWorld(t)
		w.put(w.load(), true, Entry{Token: "hunter2"})
		if err := os.Chmod(w.credentials(), mode); err != nil {
			t.Fatal(err)
		}
		s := w.load()
		store, err := s.Store(true)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Tokens(api, nil, nil).Token(t.Context())
		wantError[*Error](t, err, "chmod 600 "+w.credentials())
		wantError[*Error](t, store.Put(t.Context(), "p", api, Entry{Token: "b"}), "chmod 600")
		_, err = s.Forget(t.Context(), api)
		wantError[*Error](t, err, "chmod 600")
		if err := os.Chmod(w.credentials(), 0o600); err != nil {
			t.Fatal(err)
		}
		wantToken(t, w.load().Tokens(api, nil, nil), "hunter2")
	}
}

func TestBrokenCredentials(t *testing.T) {
	for _, text := range []string{"hunter2", `{"entries":[hunter2]}`, `{"entries":"hunter2"}`, `{"entries":[{"token":"hunter2"`, "\x00"} {
		w := newWorld(t)
		w.put(w.load(), true, Entry{Token: "a"})
		if err := os.WriteFile(w.credentials(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := w.load().Tokens(api, nil, nil).Token(t.Context())
		wantError[*Error](t, err, w.credentials(), "broken")
		if strings.Contains(err.Error(), "hunter2") {
			t.Error(err)
		}
		store, _ := w.load().Store(true)
		wantError[*Error](t, store.Put(t.Context(), "p", api, Entry{Token: "b"}))
		wantText(t, read(t, w.credentials()), text)
	}
}

func TestConcurrentCredentials(t *testing.T) {
	w := newWorld(t)
	store, err := w.load().Store(true)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			if err := store.Put(t.Context(), fmt.Sprint(i), api, Entry{Token: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 12 {
		if e, found, err := store.Get(t.Context(), fmt.Sprint(i), api); !found || err != nil || e.Token != fmt.Sprint(i) {
			t.Error(i, found, err)
		}
	}
}

func TestLoginToKeyringReplacesFile(t *testing.T) {
	w := newWorld(t)
	w.put(w.load(), true, Entry{Token: "file"})
	w.put(w.load(), false, Entry{Token: "ring"})
	wantToken(t, w.load().Tokens(api, nil, nil), "ring")
	w.put(w.load(), true, Entry{Token: "file"})
	if removed, err := w.load().Forget(t.Context(), api); !removed || err != nil {
		t.Error(removed, err)
	}
	_, err := w.load().Tokens(api, nil, nil).Token(t.Context())
	wantError[*NoTokenError](t, err)
	if strings.Contains(read(t, w.credentials()), "file") {
		t.Error("the token is still in the file")
	}
}

// TestWaitingForTheLock: a signal ends the wait for another command.
func TestWaitingForTheLock(t *testing.T) {
	w := newWorld(t)
	w.file("")
	other := flock.New(w.path() + ".lock")
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if err := w.load().Set(ctx, "output", "json"); err == nil || time.Since(begun) > 5*time.Second {
		t.Error(err, time.Since(begun))
	}
}
