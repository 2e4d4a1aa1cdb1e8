package secret

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	gokeyring "github.com/zalando/go-keyring"

	"reseller/config/errdefs"
)

func TestFileRoundTrip(t *testing.T) {
	f := newFixture(t)
	gokeyring.MockInitWithError(errors.New("the keyring must not be used"))
	defer gokeyring.MockInit()
	wantRoundTrip(t, f.open(true))
	info, err := os.Stat(f.path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v and error %v, want 0600", info.Mode(), err)
	}
}

func TestFileReadableByOthers(t *testing.T) {
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604, 0o620, 0o601} {
		t.Run(mode.String(), func(t *testing.T) {
			f := newFixture(t)
			f.put(true, Entry{Token: "hunter2"})
			noError(t, os.Chmod(f.path(), mode))
			_, err := f.find()
			wantError[*errdefs.InvalidError](t, err, "chmod 600 "+f.path())
			store := f.open(true)
			wantError[*errdefs.InvalidError](t, store.Put(t.Context(), "p", api, Entry{Token: "b"}), "chmod 600")
			_, err = store.Delete(t.Context(), "p", api)
			wantError[*errdefs.InvalidError](t, err, "chmod 600")
			noError(t, os.Chmod(f.path(), 0o600))
			f.wantToken("hunter2")
		})
	}
}

func TestBrokenFile(t *testing.T) {
	for name, text := range map[string]string{
		"text": "hunter2", "item": `{"entries":[hunter2]}`, "type": `{"entries":"hunter2"}`, "cut": `{"entries":[{"token":"hunter2"`, "binary": "\x00",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.put(true, Entry{Token: "a"})
			noError(t, os.WriteFile(f.path(), []byte(text), 0o600))
			_, err := f.find()
			wantError[*errdefs.InvalidError](t, err, f.path(), "broken")
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got error %q, want no secret in it", err)
			}
			wantError[*errdefs.InvalidError](t, f.open(true).Put(t.Context(), "p", api, Entry{Token: "b"}))
			wantText(t, readFile(t, f.path()), text)
		})
	}
}

func TestConcurrentPuts(t *testing.T) {
	store := newFixture(t).open(true)
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			if err := store.Put(t.Context(), fmt.Sprint(i), api, Entry{Token: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 12 {
		if e, found, err := store.Get(t.Context(), fmt.Sprint(i), api); !found || err != nil || e.Token != fmt.Sprint(i) {
			t.Errorf("profile %d: got token %q, found %v and error %v", i, e.Token, found, err)
		}
	}
}

func TestKeyringEntryReplacesFileEntry(t *testing.T) {
	f := newFixture(t)
	f.put(true, Entry{Token: "file"})
	f.put(false, Entry{Token: "ring"})
	f.wantToken("ring")
	f.put(true, Entry{Token: "file"})
	for _, insecure := range []bool{true, false} {
		if deleted, err := f.open(insecure).Delete(t.Context(), "p", api); !deleted || err != nil {
			t.Errorf("insecure %v: got deleted %v and error %v, want true", insecure, deleted, err)
		}
	}
	if _, err := f.find(); !errors.Is(err, ErrNotFound) {
		t.Errorf("got error %v, want %v", err, ErrNotFound)
	}
	if strings.Contains(readFile(t, f.path()), "file") {
		t.Error("the token is still in the file")
	}
}

func TestEntriesDoNotPrint(t *testing.T) {
	entry := Entry{Token: "hunter2", Password: "hunter2"}
	for _, value := range []any{entry, &entry, []Entry{entry}, fileEntry{Entry: entry}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			if text := fmt.Sprintf(verb, value); strings.Contains(text, "hunter2") || strings.Contains(text, "68756e74657232") {
				t.Errorf("%T with %s: got %s, want no secret in it", value, verb, text)
			}
		}
	}
}
