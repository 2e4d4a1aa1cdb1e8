package secret

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	gokeyring "github.com/zalando/go-keyring"

	"reseller/config/errdefs"
)

func TestKeyringRoundTrip(t *testing.T) {
	f := newFixture(t)
	wantRoundTrip(t, f.open(false))
	if _, err := os.Stat(filepath.Dir(f.path())); err == nil {
		t.Error("the keyring left files behind")
	}
}

// TestLongTokens keeps tokens in a keyring that takes as much in an item as that of Windows,
// and checks that no part of an old token is left.
func TestLongTokens(t *testing.T) {
	f := newFixture(t)
	items := map[string]bool{}
	stores := f.stores()
	stores.keyring.set = func(service, user, text string) error {
		if len(text) > 2560 {
			return gokeyring.ErrSetDataTooBig
		}
		items[user] = true
		return gokeyring.Set(service, user, text)
	}
	store, err := stores.Open(false)
	noError(t, err)
	wantRoundTrip(t, store)
	left := func() (names []string) {
		for name := range items {
			if _, err := gokeyring.Get(keyringService, name); err == nil {
				names = append(names, name)
			}
		}
		return names
	}
	if names := left(); len(names) > 0 {
		t.Errorf("after Delete: got the items %q, want none", names)
	}
	for _, c := range []struct{ length, want int }{{2000, 1}, {2560, 3}, {10000, 6}, {10000, 6}, {5000, 4}, {10, 1}} {
		entry := Entry{Token: strings.Repeat(string('a'+rune(c.length%26)), c.length)}
		noError(t, store.Put(t.Context(), "p", api, entry))
		if got, _, err := store.Get(t.Context(), "p", api); got != entry || err != nil {
			t.Errorf("a token of %d bytes: got error %v and another entry, want the one that was put", c.length, err)
		}
		if names := left(); len(names) != c.want {
			t.Errorf("a token of %d bytes: got the items %q, want %d", c.length, names, c.want)
		}
	}
}

// TestTornToken checks that a token of which a part is missing is an error, not a shorter
// token.
func TestTornToken(t *testing.T) {
	f := newFixture(t)
	f.put(false, Entry{Token: strings.Repeat("t", 5000)})
	name := "p " + api
	text, err := gokeyring.Get(keyringService, name)
	noError(t, err)
	var parts partsItem
	if err := json.Unmarshal([]byte(text), &parts); err != nil || parts.Parts != 3 {
		t.Fatalf("got the item %q (%v), want one of 3 parts", text, err)
	}
	noError(t, gokeyring.Delete(keyringService, parts.partNames(name)[1]))
	_, err = f.find()
	wantError[*errdefs.KeyringError](t, err, "not in the expected format", "auth login")
}

func TestKeyringForgetsPassword(t *testing.T) {
	f := newFixture(t)
	f.put(false, Entry{Token: "a", Username: "me", Password: "hunter2"})
	if entry, err := f.find(); entry.Password != "hunter2" || err != nil {
		t.Errorf("got another password and error %v, want the one that was put", err)
	}
	f.put(false, Entry{Token: "a"})
	if text, err := gokeyring.Get(keyringService, itemName("p", api)); strings.Contains(text, "hunter2") || err != nil {
		t.Errorf("got the item %s and error %v, want none with the password", text, err)
	}
}

func TestNoKeyring(t *testing.T) {
	f := newFixture(t)
	for _, bus := range []string{"", "autolaunch:"} {
		f.env["DBUS_SESSION_BUS_ADDRESS"] = bus
		f.env["XDG_RUNTIME_DIR"] = f.dir
		_, err := f.stores().Open(false)
		wantError[*errdefs.KeyringError](t, err, "no keyring here", "--insecure-storage", "RESELLER_TOKEN")
		_, err = f.find()
		wantError[*errdefs.KeyringError](t, err)
	}
	f.put(true, Entry{Token: "a"})
	f.wantToken("a")
	for _, goos := range []string{"darwin", "windows"} {
		if _, err := NewStores(goos, f.getenv, f.path()).Open(false); err != nil {
			t.Errorf("%s: got error %v, want none", goos, err)
		}
	}
}

func TestBusInRuntimeFolder(t *testing.T) {
	f := newFixture(t)
	delete(f.env, "DBUS_SESSION_BUS_ADDRESS")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	dir, err := os.MkdirTemp("", "bus dir") // the path of a socket must be short
	noError(t, err)
	defer os.RemoveAll(dir)
	listen(t, filepath.Join(dir, "bus"))
	f.env["XDG_RUNTIME_DIR"] = dir
	f.open(false)
	wantText(t, os.Getenv("DBUS_SESSION_BUS_ADDRESS"), "unix:path="+strings.ReplaceAll(dir, " ", "%20")+"/bus")
}

// listen accepts connections to a socket and never answers.
func listen(t *testing.T, path string) {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Skip("no Unix sockets here:", err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
}

func TestKeyringErrors(t *testing.T) {
	f := newFixture(t)
	defer gokeyring.MockInit()
	jwt := jwt(`{"sub":1}`)
	gokeyring.MockInitWithError(errors.New("odd \x1b answer with " + jwt))
	store := f.open(false)
	err := store.Put(t.Context(), "p", api, Entry{Token: "hunter2"})
	wantError[*errdefs.KeyringError](t, err, "no keyring: ", "--insecure-storage", "RESELLER_TOKEN", `\u001b`)
	if strings.Contains(err.Error(), jwt) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got error %q, want no secret in it", err)
	}
	gokeyring.MockInitWithError(gokeyring.ErrSetDataTooBig)
	err = store.Put(t.Context(), "p", api, Entry{Token: "x"})
	wantError[*errdefs.KeyringError](t, err, "too long", "--insecure-storage")
	if files := listFiles(t, f.dir); strings.Contains(files, "credentials") {
		t.Errorf("got files %s, want no credentials file", files)
	}
	gokeyring.MockInit()
	noError(t, gokeyring.Set(keyringService, "p "+api, "hunter2"))
	_, _, err = store.Get(t.Context(), "p", api)
	wantError[*errdefs.KeyringError](t, err, "not in the expected format")
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got error %q, want no secret in it", err)
	}
}

func TestKeyringTimeout(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	wait := func() (string, error) { <-stuck; return "", nil }

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k := &keyring{timeout: time.Minute}
	if _, err := k.call(ctx, wait); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
	k.timeout = 10 * time.Millisecond
	_, err := k.call(t.Context(), wait)
	wantError[*errdefs.KeyringError](t, err, "did not respond within 10ms", "--insecure-storage")
	called := false
	_, err = k.call(t.Context(), func() (string, error) { called = true; return "", nil })
	wantError[*errdefs.KeyringError](t, err, "did not respond within 10ms")
	if called {
		t.Error("got another call after the keyring timed out, want none")
	}
}

// inOwnProcess runs the test again in a process of its own, with the system's
// keyring. It returns true in that process.
func inOwnProcess(t *testing.T, env ...string) bool {
	t.Helper()
	if os.Getenv(realKeyring) != "" {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(append(os.Environ(), realKeyring+"=1"), env...)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("got error %v, want the test to pass in its own process:\n%s", err, out)
	}
	return false
}

func TestHangingKeyring(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the keyring is reached over D-Bus on Linux only")
	}
	dir, err := os.MkdirTemp("", "bus")
	noError(t, err)
	defer os.RemoveAll(dir)
	bus := filepath.Join(dir, "bus")
	if os.Getenv(realKeyring) == "" {
		listen(t, bus)
	}
	if !inOwnProcess(t, "DBUS_SESSION_BUS_ADDRESS=unix:path="+bus) {
		return
	}
	s := NewStores(runtime.GOOS, os.Getenv, "")
	if s.keyring.timeout != 3*time.Second {
		t.Errorf("got timeout %v, want 3s", s.keyring.timeout)
	}
	s.keyring.timeout = 300 * time.Millisecond
	_, store, err := s.Find(t.Context(), "p", api)
	wantError[*errdefs.KeyringError](t, err, "did not respond", "--insecure-storage", "RESELLER_TOKEN")
	s.keyring.timeout = time.Hour // the second call does not wait
	_, err = store.Delete(t.Context(), "p", api)
	wantError[*errdefs.KeyringError](t, err)
}

func TestSecretService(t *testing.T) {
	if os.Getenv("RESELLER_TEST_SECRET_SERVICE") == "" {
		t.Skip("needs an unlocked Secret Service; set RESELLER_TEST_SECRET_SERVICE=1 if there is one")
	}
	if !inOwnProcess(t) {
		return
	}
	store, err := NewStores(runtime.GOOS, os.Getenv, filepath.Join(t.TempDir(), "credentials.json")).Open(false)
	noError(t, err)
	wantRoundTrip(t, store)
}
