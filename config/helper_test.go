package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gokeyring "github.com/zalando/go-keyring"
)

// realKeyring marks a test process of its own that uses the system's keyring,
// since a mock lasts as long as its process.
const realKeyring = "RESELLER_TEST_REAL_KEYRING"

func TestMain(m *testing.M) {
	if os.Getenv(realKeyring) == "" {
		gokeyring.MockInit()
	}
	os.Exit(m.Run())
}

// world is the surroundings of one test.
type world struct {
	t   *testing.T
	dir string
	env map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	gokeyring.MockInit()
	dir := t.TempDir()
	return &world{t, dir, map[string]string{
		"HOME":                     dir,
		"XDG_CONFIG_HOME":          dir,
		"DBUS_SESSION_BUS_ADDRESS": "unix:path=" + filepath.Join(dir, "bus"),
	}}
}

func (w *world) lookup() Env {
	return Env{GOOS: "linux", Lookup: func(name string) (string, bool) {
		text, ok := w.env[name]
		return text, ok
	}}
}

func (w *world) path() string { return filepath.Join(w.dir, "reseller", "config.yaml") }

func (w *world) file(text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path()), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// load reads settings from flags given as key=value.
func (w *world) load(flags ...string) *Settings {
	w.t.Helper()
	s, err := Load(w.lookup(), flagMap(flags))
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func flagMap(flags []string) map[string]string {
	given := map[string]string{}
	for _, flag := range flags {
		name, text, _ := strings.Cut(flag, "=")
		given[name] = text
	}
	return given
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// jwt makes a token whose payload is the given JSON.
func jwt(payload string) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
}

func jwtUntil(subject int, expires time.Time) string {
	return jwt(fmt.Sprintf(`{"sub":%d,"exp":"%d"}`, subject, expires.Unix()))
}

// wantError fails unless err is of type T and holds every part.
func wantError[T error](t *testing.T, err error, parts ...string) {
	t.Helper()
	var typed T
	if !errors.As(err, &typed) {
		t.Fatalf("got %T %v, want %T", err, err, typed)
	}
	all := err.Error() + "\n" + Hint(err)
	for _, part := range parts {
		if !strings.Contains(all, part) {
			t.Errorf("%q does not mention %q", all, part)
		}
	}
}

func wantText(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
