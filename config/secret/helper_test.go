package secret

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gokeyring "github.com/zalando/go-keyring"
)

// realKeyring is the variable of a test process that uses the system's keyring.
// A mock would be seen by its own process only.
const realKeyring = "RESELLER_TEST_REAL_KEYRING"

func TestMain(m *testing.M) {
	if os.Getenv(realKeyring) == "" {
		gokeyring.MockInit()
	}
	os.Exit(m.Run())
}

// fixture is the environment and the home folder of one test.
type fixture struct {
	t   *testing.T
	dir string
	env map[string]string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	gokeyring.MockInit()
	dir := t.TempDir()
	return &fixture{t, dir, map[string]string{"DBUS_SESSION_BUS_ADDRESS": "unix:path=" + filepath.Join(dir, "bus")}}
}

func (f *fixture) path() string { return filepath.Join(f.dir, "reseller", "credentials.json") }

func (f *fixture) getenv(name string) string { return f.env[name] }

func (f *fixture) stores() *Stores { return NewStores("linux", f.getenv, f.path()) }

func (f *fixture) open(insecure bool) Store {
	f.t.Helper()
	store, err := f.stores().Open(insecure)
	if err != nil {
		f.t.Fatal(err)
	}
	return store
}

func (f *fixture) put(insecure bool, entry Entry) {
	f.t.Helper()
	if err := f.open(insecure).Put(f.t.Context(), "p", api, entry); err != nil {
		f.t.Fatal(err)
	}
}

// find returns the entry that put stored last.
func (f *fixture) find() (Entry, error) {
	f.t.Helper()
	entry, _, err := f.stores().Find(f.t.Context(), "p", api)
	return entry, err
}

func (f *fixture) wantToken(want string) {
	f.t.Helper()
	if entry, err := f.find(); err != nil || entry.Token != want {
		f.t.Errorf("got token %q and error %v, want %q", entry.Token, err, want)
	}
}

// wantRoundTrip checks what every store must do: Get returns what Put stored, for
// its profile and origin only, until Delete removes it.
func wantRoundTrip(t *testing.T, store Store) {
	t.Helper()
	ctx := t.Context()
	wantNone := func(profile, address string) {
		t.Helper()
		if e, found, err := store.Get(ctx, profile, address); found || err != nil || e != (Entry{}) {
			t.Errorf("%s %s: got found %v and error %v, want no entry", profile, address, found, err)
		}
	}
	wantDeleted := func(want bool) {
		t.Helper()
		if got, err := store.Delete(ctx, "p", api); got != want || err != nil {
			t.Errorf("got deleted %v and error %v, want %v", got, err, want)
		}
	}
	wantNone("p", api)
	wantDeleted(false)
	for _, entry := range []Entry{
		{Token: "t1"},
		{Token: strings.Repeat("t", 5000) + "\"\\ä: #", Expires: time.Unix(1800000000, 0).UTC(), Username: "me@example.com", Password: " p:\t'\"ä\n"},
		{Token: "t3", Expires: time.Unix(1800000000, 0).UTC()},
		{Token: "t4", Username: "u", Password: "*p"},
	} {
		noError(t, store.Put(ctx, "p", api, entry))
		got, found, err := store.Get(ctx, "p", api)
		if !found || err != nil || got != entry {
			t.Errorf("got found %v, error %v and another entry, want the one that was put", found, err)
		}
	}
	wantNone("q", api)
	wantNone("p", "http://api.example.com")
	wantDeleted(true)
	wantNone("p", api)
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// api is the origin that tests use.
const api = "https://api.example.com:443"

// jwt returns a token whose payload is the given JSON.
func jwt(payload string) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
}

// wantError fails the test unless err is of type T and its message and hint contain every part.
func wantError[T error](t *testing.T, err error, parts ...string) {
	t.Helper()
	var typed T
	if !errors.As(err, &typed) {
		t.Fatalf("got error %T %v, want %T", err, err, typed)
	}
	text := err.Error() + "\n" + hintOf(err)
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("got error and hint %q, want %q in it", text, part)
		}
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
	noError(t, err)
	return string(raw)
}

// listFiles returns the paths of everything in a folder, one per line.
func listFiles(t *testing.T, dir string) string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	noError(t, err)
	return strings.Join(paths, "\n")
}

func hintOf(err error) string {
	var hinted interface{ Advice() string }
	if errors.As(err, &hinted) {
		return hinted.Advice()
	}
	return ""
}
