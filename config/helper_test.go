package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	gokeyring "github.com/zalando/go-keyring"

	"reseller/config/endpoint"
	"reseller/config/secret"
)

func TestMain(m *testing.M) {
	gokeyring.MockInit()
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
	return &fixture{t, dir, map[string]string{
		"HOME":                     dir,
		"XDG_CONFIG_HOME":          dir,
		"DBUS_SESSION_BUS_ADDRESS": "unix:path=" + filepath.Join(dir, "bus"),
	}}
}

func (f *fixture) lookup() Env {
	return Env{GOOS: "linux", Lookup: func(name string) (string, bool) {
		text, ok := f.env[name]
		return text, ok
	}}
}

func (f *fixture) path() string { return filepath.Join(f.dir, "reseller", "config.yaml") }

// writeFile writes the configuration file.
func (f *fixture) writeFile(text string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path()), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path(), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// load loads settings with flags given as key=value.
func (f *fixture) load(flags ...string) *Settings {
	f.t.Helper()
	s, err := Load(f.lookup(), flagsOf(flags...))
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

// flagsOf returns flags given as key=value.
func flagsOf(flags ...string) *pflag.FlagSet {
	given := map[string]string{}
	for _, flag := range flags {
		name, text, _ := strings.Cut(flag, "=")
		given[strings.ReplaceAll(name, "_", "-")] = text
	}
	return FlagsOf(given)
}

// put stores an entry for the chosen profile and an address.
func (f *fixture) put(s *Settings, insecure bool, address string, entry secret.Entry) {
	f.t.Helper()
	store, err := s.Store(insecure)
	if err == nil {
		var origin string
		if origin, err = endpoint.Origin(address); err == nil {
			err = store.Put(f.t.Context(), s.Profile(), origin, entry)
		}
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
