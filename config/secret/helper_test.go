package secret

import (
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

func (f *fixture) getenv(name string) (string, bool) { return f.env[name], f.env[name] != "" }

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
