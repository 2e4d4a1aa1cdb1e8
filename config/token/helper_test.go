package token

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gokeyring "github.com/zalando/go-keyring"

	"reseller/config/secret"
)

func TestMain(m *testing.M) {
	gokeyring.MockInit()
	os.Exit(m.Run())
}

// counter is a login or a token_command that numbers the tokens it returns.
type counter struct {
	calls  atomic.Int64
	logins sync.Map // of user:password
	err    error
	token  string // returned instead of a numbered token
	delay  time.Duration
	held   chan struct{} // if it is not nil, nothing is returned before it is closed
}

func (c *counter) next(name string) (string, error) {
	n := c.calls.Add(1)
	time.Sleep(c.delay)
	if c.held != nil {
		<-c.held
	}
	if c.err != nil {
		return "", c.err
	}
	if c.token != "" {
		return c.token, nil
	}
	return fmt.Sprintf("%s%d", name, n), nil
}

func (c *counter) login(_ context.Context, username, password string) (string, time.Time, error) {
	c.logins.Store(username+":"+password, true)
	token, err := c.next("login")
	return token, time.Time{}, err
}

func (c *counter) run(context.Context, string) (string, error) { return c.next("command") }

func (c *counter) wantCalls(t *testing.T, want int64) {
	t.Helper()
	if got := c.calls.Load(); got != want {
		t.Errorf("got %d calls, want %d", got, want)
	}
}

// newOptions returns options without any token, and a fresh keyring. login and
// command may be nil.
func newOptions(t *testing.T, login, command *counter) Options {
	t.Helper()
	gokeyring.MockInit()
	bus := func(name string) string { return map[string]string{"DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus"}[name] }
	o := Options{
		Origin: api + ":443", Profile: "default",
		Stores:         secret.NewStores("linux", bus, filepath.Join(t.TempDir(), "credentials.json")),
		CommandTimeout: time.Minute, Run: RunCommand, Now: time.Now,
	}
	if login != nil {
		o.Login = login.login
	}
	if command != nil {
		o.Run = command.run
	}
	return o
}

// put stores an entry in the keyring or, with insecure, in the file.
func put(t *testing.T, o Options, insecure bool, entry secret.Entry) {
	t.Helper()
	store, err := o.Stores.Open(insecure)
	if err == nil {
		err = store.Put(t.Context(), o.Profile, o.Origin, entry)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func wantToken(t *testing.T, source *Source, want string) {
	t.Helper()
	got, err := source.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, got, want)
}

func wantRenewed(t *testing.T, source *Source, refused, want string) {
	t.Helper()
	if got, err := source.Renew(t.Context(), refused); got != want || err != nil {
		t.Errorf("got token %q and error %v, want %q in place of %q", got, err, want, refused)
	}
}

// api is the address that tests use.
const api = "https://api.example.com"

// jwt returns a token whose payload is the given JSON.
func jwt(payload string) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
}

// jwtUntil returns a token with a subject and a time of expiry.
func jwtUntil(subject int, expires time.Time) string {
	return jwt(fmt.Sprintf(`{"sub":%d,"exp":"%d"}`, subject, expires.Unix()))
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

// wantValue fails the test unless got is want and err is nil.
func wantValue[T comparable](t *testing.T, got T, err error, want T) {
	t.Helper()
	if got != want || err != nil {
		t.Errorf("got %v and error %v, want %v", got, err, want)
	}
}

func hintOf(err error) string {
	var hinted interface{ Advice() string }
	if errors.As(err, &hinted) {
		return hinted.Advice()
	}
	return ""
}
