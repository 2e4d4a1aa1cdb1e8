package config

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gokeyring "github.com/zalando/go-keyring"
)

const api = "https://api.example.com"

// counter is a login or command that numbers the tokens it gives.
type counter struct {
	calls  atomic.Int64
	logins sync.Map // of user:password
	err    error
	token  string // instead of a numbered one
	delay  time.Duration
}

func (c *counter) next(name string) (string, error) {
	n := c.calls.Add(1)
	time.Sleep(c.delay)
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

func (w *world) put(s *Settings, insecure bool, entry Entry) {
	w.t.Helper()
	store, err := s.Store(insecure)
	if err == nil {
		err = store.Put(w.t.Context(), s.Profile(), api, entry)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func wantToken(t *testing.T, source *TokenSource, want string) {
	t.Helper()
	got, err := source.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, got, want)
}

func TestTokenOrder(t *testing.T) {
	w := newWorld(t)
	login, command := &counter{}, &counter{}
	fresh := func() *TokenSource { return w.load().Tokens(api, login.login, command.run) }

	_, err := fresh().Token(t.Context())
	wantError[*NoTokenError](t, err, "api.example.com", "auth login", "RESELLER_TOKEN")

	w.env["RESELLER_USERNAME"] = "me"
	_, err = fresh().Token(t.Context())
	wantError[*NoTokenError](t, err, "RESELLER_PASSWORD is not")
	w.env["RESELLER_PASSWORD"] = "hunter2"
	source := fresh()
	wantToken(t, source, "login1")
	wantToken(t, source, "login1")
	if _, ok := login.logins.Load("me:hunter2"); !ok || login.calls.Load() != 1 {
		t.Error("login", login.calls.Load())
	}
	w.put(w.load(), false, Entry{Token: "ring"})
	wantToken(t, fresh(), "ring")
	w.put(w.load(), true, Entry{Token: "file"})
	wantToken(t, fresh(), "file")
	w.file("profiles: {default: {base_url: '" + api + "', token_command: x}}")
	source = fresh()
	wantToken(t, source, "command1")
	wantToken(t, source, "command1")
	w.env["RESELLER_TOKEN"] = "env\n"
	wantToken(t, fresh(), "env")
	w.env["RESELLER_TOKEN"] = ""
	wantToken(t, fresh(), "command2")
}

func TestKeyringIsAskedLast(t *testing.T) {
	w := newWorld(t)
	gokeyring.MockInitWithError(errors.New("locked"))
	defer gokeyring.MockInit()
	w.env["RESELLER_TOKEN"] = "env"
	wantToken(t, w.load().Tokens(api, nil, nil), "env")
	delete(w.env, "RESELLER_TOKEN")
	w.env["RESELLER_TOKEN_COMMAND"] = "x"
	wantToken(t, w.load().Tokens(api, nil, (&counter{}).run), "command1")
	delete(w.env, "RESELLER_TOKEN_COMMAND")
	_, err := w.load().Tokens(api, nil, nil).Token(t.Context())
	wantError[*NoTokenError](t, err, "locked", "--insecure-storage", "RESELLER_TOKEN")
	wantError[*KeyringError](t, err)
	w.env["RESELLER_USERNAME"], w.env["RESELLER_PASSWORD"] = "me", "hunter2"
	wantToken(t, w.load().Tokens(api, (&counter{}).login, nil), "login1")
}

func TestBadTokens(t *testing.T) {
	w := newWorld(t)
	w.env["RESELLER_TOKEN"] = "hun\nter2"
	_, err := w.load().Tokens(api, nil, nil).Token(t.Context())
	wantError[*Error](t, err, "RESELLER_TOKEN", "control character")
	delete(w.env, "RESELLER_TOKEN")
	_, err = w.load().Tokens("nonsense", nil, nil).Token(t.Context())
	wantError[*Error](t, err)

	w.file("profiles: {default: {base_url: '" + api + "', token_command: 'get hunter2'}}")
	for out, want := range map[string]string{"": "holds no token", " \n\t\n": "holds no token", "hun\nter2": "line break"} {
		run := func(context.Context, string) (string, error) { return out, nil }
		_, err = w.load().Tokens(api, nil, run).Token(t.Context())
		wantError[*TokenError](t, err, "token_command of profile default", want)
		if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "ter2") {
			t.Error(err)
		}
	}
	_, err = w.load().Tokens(api, nil, (&counter{err: errors.New("exit status 1: no vault")}).run).Token(t.Context())
	wantError[*TokenError](t, err, "no vault")
}

func TestTokenCommandLimits(t *testing.T) {
	w := newWorld(t)
	w.env["RESELLER_TOKEN_COMMAND"] = "sleep 30"
	s := w.load()
	s.commandLimit = 50 * time.Millisecond
	_, err := s.Tokens(api, nil, nil).Token(t.Context())
	wantError[*TokenError](t, err, "RESELLER_TOKEN_COMMAND", "50ms")

	ctx, cancel := context.WithCancel(t.Context())
	source := w.load().Tokens(api, nil, nil)
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err = source.Token(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err = source.Token(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestWaitingIsCancelled(t *testing.T) {
	w := newWorld(t)
	w.env["RESELLER_TOKEN_COMMAND"] = "x"
	command := &counter{delay: 400 * time.Millisecond}
	source := w.load().Tokens(api, nil, command.run)
	done := make(chan error)
	go func() { _, err := source.Token(t.Context()); done <- err }()
	time.Sleep(50 * time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := source.Token(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestDescribe(t *testing.T) {
	w := newWorld(t)
	login := &counter{}
	until := time.Now().Add(-time.Hour).Truncate(time.Second)
	describe := func() Description {
		t.Helper()
		d, err := w.load().Tokens(api, login.login, (&counter{}).run).Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	_, err := w.load().Tokens(api, login.login, nil).Describe(t.Context())
	wantError[*NoTokenError](t, err)
	w.env["RESELLER_USERNAME"], w.env["RESELLER_PASSWORD"] = "me", "hunter2"
	if d := describe(); d.From != loginPlace || !d.Renewable || d.Claims.OK {
		t.Errorf("%+v", d)
	}
	w.put(w.load(), false, Entry{Token: jwtUntil(7, until)})
	if d := describe(); d.From != "keyring" || !d.Expired || !d.Expires.Equal(until) || d.Claims.Subject != "7" {
		t.Errorf("%+v", d)
	}
	w.env["RESELLER_TOKEN"] = "opaque"
	if d := describe(); d.From != "environment RESELLER_TOKEN" || d.Expired || !d.Expires.IsZero() {
		t.Errorf("%+v", d)
	}
	if n := login.calls.Load(); n != 0 {
		t.Error("describing logged in")
	}
}
