package token

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	gokeyring "github.com/zalando/go-keyring"

	"reseller/config/errdefs"
	"reseller/config/secret"
)

func TestTokenOrder(t *testing.T) {
	login, command := &counter{}, &counter{}
	o := newOptions(t, login, command)

	_, err := NewSource(o).Token(t.Context())
	wantError[*errdefs.TokenError](t, err, "api.example.com", "auth login", "RESELLER_TOKEN")

	o.Username = "me"
	_, err = NewSource(o).Token(t.Context())
	wantError[*errdefs.TokenError](t, err, "RESELLER_PASSWORD is not")
	o.Username, o.Password = "", "hunter2"
	_, err = NewSource(o).Token(t.Context())
	wantError[*errdefs.TokenError](t, err, "RESELLER_USERNAME is not")
	o.Username = "me"
	source := NewSource(o)
	wantToken(t, source, "login1")
	wantToken(t, source, "login1")
	login.wantCalls(t, 1)
	if _, ok := login.logins.Load("me:hunter2"); !ok {
		t.Error("the login did not use the user name and password of the options")
	}
	put(t, o, false, secret.Entry{Token: "ring"})
	wantToken(t, NewSource(o), "ring")
	put(t, o, true, secret.Entry{Token: "file"})
	wantToken(t, NewSource(o), "file")
	o.Command = "x"
	source = NewSource(o)
	wantToken(t, source, "command1")
	wantToken(t, source, "command1")
	o.Token = "env\n"
	wantToken(t, NewSource(o), "env")
	o.Token = ""
	wantToken(t, NewSource(o), "command2")
}

func TestKeyringIsAskedLast(t *testing.T) {
	o := newOptions(t, &counter{}, &counter{})
	gokeyring.MockInitWithError(errors.New("locked"))
	defer gokeyring.MockInit()
	o.Token = "env"
	wantToken(t, NewSource(o), "env")
	o.Token, o.Command = "", "x"
	wantToken(t, NewSource(o), "command1")
	o.Command = ""
	_, err := NewSource(o).Token(t.Context())
	wantError[*errdefs.TokenError](t, err, "locked", "--insecure-storage", "RESELLER_TOKEN")
	wantError[*errdefs.KeyringError](t, err)
	o.Username, o.Password = "me", "hunter2"
	wantToken(t, NewSource(o), "login1")
}

func TestNoKeyring(t *testing.T) {
	o := newOptions(t, nil, nil)
	o.Stores = secret.NewStores("linux", func(string) string { return "" }, "")
	_, err := NewSource(o).Token(t.Context())
	wantError[*errdefs.TokenError](t, err, "keyring", "--insecure-storage", "RESELLER_TOKEN")
}

func TestBadTokens(t *testing.T) {
	o := newOptions(t, nil, nil)
	o.Token = "hun\nter2"
	_, err := NewSource(o).Token(t.Context())
	wantError[*errdefs.InvalidError](t, err, "RESELLER_TOKEN", "control character")

	o.Token, o.Command, o.CommandName = "", "get hunter2", "token_command of profile default"
	for name, c := range map[string]struct{ output, want string }{
		"empty":     {"", "contains no token"},
		"blank":     {" \n\t\n", "contains no token"},
		"two lines": {"hun\nter2", "line break"},
	} {
		t.Run(name, func(t *testing.T) {
			o.Run = func(context.Context, string) (string, error) { return c.output, nil }
			_, err := NewSource(o).Token(t.Context())
			wantError[*errdefs.TokenError](t, err, "token_command of profile default", c.want)
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "ter2") {
				t.Errorf("got error %q, want no secret in it", err)
			}
		})
	}
	o.Run = (&counter{err: errors.New("exit status 1: no vault")}).run
	_, err = NewSource(o).Token(t.Context())
	wantError[*errdefs.TokenError](t, err, "no vault")
}

func TestCommandLimits(t *testing.T) {
	o := newOptions(t, nil, nil)
	o.Command, o.CommandName = "sleep 30", "RESELLER_TOKEN_COMMAND"
	o.CommandTimeout = 50 * time.Millisecond
	_, err := NewSource(o).Token(t.Context())
	wantError[*errdefs.TokenError](t, err, "RESELLER_TOKEN_COMMAND", "50ms")

	ctx, cancel := context.WithCancel(t.Context())
	o.CommandTimeout = time.Minute
	source := NewSource(o)
	time.AfterFunc(50*time.Millisecond, cancel)
	for range 2 { // the second time, ctx has ended before the call
		if _, err = source.Token(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got error %v, want %v", err, context.Canceled)
		}
	}
}

func TestWaitingIsCancelled(t *testing.T) {
	command := &counter{held: make(chan struct{})}
	o := newOptions(t, nil, command)
	o.Command = "x"
	source := NewSource(o)
	done := make(chan error)
	go func() { _, err := source.Token(t.Context()); done <- err }()
	for command.calls.Load() == 0 {
		runtime.Gosched()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := source.Token(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v, want %v", err, context.DeadlineExceeded)
	}
	close(command.held)
	if err := <-done; err != nil {
		t.Errorf("got error %v for the other caller, want none", err)
	}
}

func TestDescribe(t *testing.T) {
	login := &counter{}
	o := newOptions(t, login, &counter{})
	expires := time.Now().Add(-time.Hour).Truncate(time.Second)
	describe := func() Description {
		t.Helper()
		d, err := NewSource(o).Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	_, err := NewSource(o).Describe(t.Context())
	wantError[*errdefs.TokenError](t, err)
	o.Username, o.Password = "me", "hunter2"
	if d := describe(); d.From != FromLogin || !d.Renewable || d.Claims.OK {
		t.Errorf("login: got %+v", d)
	}
	put(t, o, false, secret.Entry{Token: jwtUntil(7, expires)})
	if d := describe(); d.From != "keyring" || !d.Expired || !d.Expires.Equal(expires) || d.Claims.Subject != "7" {
		t.Errorf("keyring: got %+v, want an expired token of subject 7", d)
	}
	o.Token = "opaque"
	if d := describe(); d.From != "environment RESELLER_TOKEN" || d.Expired || !d.Expires.IsZero() {
		t.Errorf("environment: got %+v, want a token that does not expire", d)
	}
	login.wantCalls(t, 0)
}
