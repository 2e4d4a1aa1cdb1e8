package config

import (
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
)

func TestKeyringRoundTrip(t *testing.T) {
	w := newWorld(t)
	storeRoundTrip(t, w.load(), false)
	if _, err := os.Stat(filepath.Dir(w.path())); err == nil {
		t.Error("the keyring left files behind")
	}
}

// storeRoundTrip is what every store must do.
func storeRoundTrip(t *testing.T, s *Settings, insecure bool) {
	t.Helper()
	ctx := t.Context()
	store, err := s.Store(insecure)
	if err != nil {
		t.Fatal(err)
	}
	absent := func(profile, address string) {
		t.Helper()
		if e, found, err := store.Get(ctx, profile, address); found || err != nil || e != (Entry{}) {
			t.Error(profile, address, found, err)
		}
	}
	absent("p", api)
	if removed, err := store.Delete(ctx, "p", api); removed || err != nil {
		t.Error(removed, err)
	}
	for _, entry := range []Entry{
		{Token: "t1"},
		{Token: strings.Repeat("t", 5000) + "\"\\ä: #", Expires: time.Unix(1800000000, 0).UTC(), Username: "me@example.com", Password: " p:\t'\"ä\n"},
		{Token: "t3", Expires: time.Unix(1800000000, 0).UTC()},
		{Token: "t4", Username: "u", Password: "*p"},
	} {
		if err := store.Put(ctx, "p", api, entry); err != nil {
			t.Fatal(err)
		}
		got, found, err := store.Get(ctx, "p", api+":443/v1")
		if !found || err != nil || got != entry {
			t.Errorf("%v %v: another entry came back", found, err)
		}
	}
	absent("q", api)
	absent("p", "http://api.example.com")
	if removed, err := store.Delete(ctx, "p", api); !removed || err != nil {
		t.Error(removed, err)
	}
	absent("p", api)
}

func TestKeyringForgetsPassword(t *testing.T) {
	w := newWorld(t)
	w.put(w.load(), false, Entry{Token: "a", Username: "me", Password: "hunter2"})
	name := "default " + api + ":443" + loginSuffix
	if _, err := gokeyring.Get(service, name); err != nil {
		t.Error(err)
	}
	w.put(w.load(), false, Entry{Token: "a"})
	if _, err := gokeyring.Get(service, name); !errors.Is(err, gokeyring.ErrNotFound) {
		t.Error("the password is still there", err)
	}
}

func TestNoKeyring(t *testing.T) {
	w := newWorld(t)
	for _, bus := range []string{"", "autolaunch:"} {
		w.env["DBUS_SESSION_BUS_ADDRESS"] = bus
		w.env["XDG_RUNTIME_DIR"] = w.dir
		_, err := w.load().Store(false)
		wantError[*KeyringError](t, err, "no keyring: ", "--insecure-storage", "RESELLER_TOKEN")
	}
	_, err := w.load().Tokens(api, nil, nil).Token(t.Context())
	wantError[*NoTokenError](t, err, "keyring", "--insecure-storage", "RESELLER_TOKEN")
	if removed, err := w.load().Forget(t.Context(), api); removed || err == nil {
		t.Error(removed, err)
	}
	w.put(w.load(), true, Entry{Token: "a"})
	wantToken(t, w.load().Tokens(api, nil, nil), "a")
	if removed, err := w.load().Forget(t.Context(), api); !removed || err != nil {
		t.Error(removed, err)
	}
	for _, goos := range []string{"darwin", "windows"} {
		env := w.lookup()
		env.GOOS = goos
		if _, err := (&Settings{keyring: newKeyring(env)}).Store(false); err != nil {
			t.Error(goos, err)
		}
	}
}

func TestBusInRuntimeFolder(t *testing.T) {
	w := newWorld(t)
	delete(w.env, "DBUS_SESSION_BUS_ADDRESS")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	dir, err := os.MkdirTemp("", "bus dir") // short: socket paths have little room
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	listen(t, filepath.Join(dir, "bus"))
	w.env["XDG_RUNTIME_DIR"] = dir
	if _, err := w.load().Store(false); err != nil {
		t.Error(err)
	}
	wantText(t, os.Getenv("DBUS_SESSION_BUS_ADDRESS"), "unix:path="+strings.ReplaceAll(dir, " ", "%20")+"/bus")
}

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
			t.Cleanup(func() { _ = conn.Close() }) // accepted and never answered
		}
	}()
}

func TestKeyringErrors(t *testing.T) {
	w := newWorld(t)
	defer gokeyring.MockInit()
	secret := jwt(`{"sub":1}`)
	gokeyring.MockInitWithError(errors.New("odd \x1b answer with " + secret))
	store, err := w.load().Store(false)
	if err != nil {
		t.Fatal(err)
	}
	err = store.Put(t.Context(), "p", api, Entry{Token: "hunter2"})
	wantError[*KeyringError](t, err, "no keyring: ", "--insecure-storage", "RESELLER_TOKEN", `\u001B`)
	if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	gokeyring.MockInitWithError(gokeyring.ErrSetDataTooBig)
	wantError[*KeyringError](t, store.Put(t.Context(), "p", api, Entry{Token: "x"}), "too long", "--insecure-storage")
	if left := listing(t, w.dir); strings.Contains(left, "credentials") {
		t.Error("a silent fall to a file:", left)
	}
	gokeyring.MockInit()
	if err := gokeyring.Set(service, "p "+api+":443", "hunter2"); err != nil {
		t.Fatal(err)
	}
	_, _, err = store.Get(t.Context(), "p", api)
	wantError[*KeyringError](t, err, "not one of ours")
	if strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

// alone runs a test in a process of its own, with the system's keyring.
func alone(t *testing.T, env ...string) bool {
	t.Helper()
	if os.Getenv(realKeyring) != "" {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(append(os.Environ(), realKeyring+"=1"), env...)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

func TestHangingKeyring(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the session bus is a matter of Linux")
	}
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	bus := filepath.Join(dir, "bus")
	if os.Getenv(realKeyring) == "" {
		listen(t, bus)
	}
	if !alone(t, "DBUS_SESSION_BUS_ADDRESS=unix:path="+bus) {
		return
	}
	s, err := Load(Env{Lookup: os.LookupEnv}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.keyring.limit != 3*time.Second {
		t.Error("the limit is", s.keyring.limit)
	}
	s.keyring.limit = 300 * time.Millisecond
	start := time.Now()
	_, err = s.Tokens(api, nil, nil).Token(t.Context())
	wantError[*NoTokenError](t, err, "did not answer", "--insecure-storage", "RESELLER_TOKEN")
	// Nobody waits for it a second time.
	_, err = s.Forget(t.Context(), api)
	wantError[*KeyringError](t, err)
	if took := time.Since(start); took > 2*time.Second {
		t.Error("took", took)
	}
}

func TestSecretService(t *testing.T) {
	if os.Getenv("RESELLER_TEST_SECRET_SERVICE") == "" {
		t.Skip("needs an unlocked Secret Service; set RESELLER_TEST_SECRET_SERVICE=1 where there is one")
	}
	if !alone(t) {
		return
	}
	config := filepath.Join(t.TempDir(), "config.yaml")
	s, err := Load(Env{Lookup: func(name string) (string, bool) {
		if name == "RESELLER_CONFIG" {
			return config, true
		}
		return os.LookupEnv(name)
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	storeRoundTrip(t, s, false)
}
