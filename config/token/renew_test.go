package token

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reseller/config/errdefs"
	"reseller/config/secret"
)

func TestExpiredTokens(t *testing.T) {
	expired, valid := jwtUntil(1, time.Now().Add(-time.Minute)), jwtUntil(1, time.Now().Add(time.Hour))

	t.Run("environment", func(t *testing.T) {
		login := &counter{token: valid}
		o := newOptions(t, login, nil)
		o.Token = expired
		wantToken(t, NewSource(o), expired)
		o.Username, o.Password = "me", "hunter2"
		source := NewSource(o)
		wantToken(t, source, valid)
		wantToken(t, source, valid)
		login.wantCalls(t, 1)
	})
	t.Run("stored", func(t *testing.T) {
		login := &counter{token: valid}
		o := newOptions(t, login, nil)
		put(t, o, false, secret.Entry{Token: expired})
		wantToken(t, NewSource(o), expired)
		put(t, o, false, secret.Entry{Token: "opaque", Expires: time.Now().Add(-time.Second), Username: "you", Password: "secret"})
		wantToken(t, NewSource(o), valid)
		if _, ok := login.logins.Load("you:secret"); !ok {
			t.Error("the login did not use the remembered user name and password")
		}
		o.Login = nil
		wantToken(t, NewSource(o), valid) // the new token was stored
	})
	// The service issues expired tokens, or this machine's clock is wrong.
	t.Run("new token expired", func(t *testing.T) {
		login := &counter{token: expired}
		o := newOptions(t, login, nil)
		put(t, o, false, secret.Entry{Token: expired + "x", Expires: time.Unix(1, 0), Username: "you", Password: "secret"})
		source := NewSource(o)
		for range 5 {
			wantToken(t, source, expired)
		}
		login.wantCalls(t, 1)
	})
	t.Run("login fails", func(t *testing.T) {
		login := &counter{err: errors.New("down")}
		o := newOptions(t, login, nil)
		put(t, o, false, secret.Entry{Token: expired, Username: "you", Password: "secret"})
		source := NewSource(o)
		wantToken(t, source, expired)
		wantToken(t, source, expired)
		login.wantCalls(t, 1)
	})
	t.Run("command", func(t *testing.T) {
		now := time.Now()
		command := &counter{token: jwtUntil(1, now.Add(time.Hour))}
		o := newOptions(t, nil, command)
		o.Command, o.Now = "x", func() time.Time { return now }
		source := NewSource(o)
		wantToken(t, source, command.token)
		now = now.Add(2 * time.Hour)
		wantToken(t, source, command.token) // the command runs once more, in vain
		wantToken(t, source, command.token)
		command.wantCalls(t, 2)
	})
}

func TestRenew(t *testing.T) {
	t.Run("environment", func(t *testing.T) {
		o := newOptions(t, &counter{}, &counter{})
		o.Token = "env"
		source := NewSource(o)
		wantToken(t, source, "env")
		_, err := source.Renew(t.Context(), "env")
		wantError[*errdefs.CannotRenewError](t, err, "RESELLER_TOKEN")
		wantRenewed(t, source, "another", "env")
	})
	t.Run("command", func(t *testing.T) {
		o := newOptions(t, nil, &counter{})
		o.Command = "x"
		source := NewSource(o)
		wantToken(t, source, "command1")
		for i := 2; i < 6; i++ { // any number of renewals
			wantRenewed(t, source, fmt.Sprintf("command%d", i-1), fmt.Sprintf("command%d", i))
		}
		wantToken(t, source, "command5")
	})
	t.Run("same token again", func(t *testing.T) {
		o := newOptions(t, nil, &counter{token: "same"})
		o.Command = "x"
		source := NewSource(o)
		wantToken(t, source, "same")
		_, err := source.Renew(t.Context(), "same")
		wantError[*errdefs.CannotRenewError](t, err, "refused token again")
	})
	t.Run("stored", func(t *testing.T) {
		o := newOptions(t, &counter{}, nil)
		put(t, o, false, secret.Entry{Token: "a"})
		source := NewSource(o)
		wantToken(t, source, "a")
		_, err := source.Renew(t.Context(), "a")
		wantError[*errdefs.CannotRenewError](t, err, "keyring", "auth login")
		put(t, o, false, secret.Entry{Token: "b"}) // a login in another window
		wantRenewed(t, source, "a", "b")

		o.Username, o.Password = "me", "hunter2"
		source = NewSource(o)
		wantRenewed(t, source, "b", "login1")
		wantRenewed(t, source, "login1", "login2")
		o.Login = nil
		wantToken(t, NewSource(o), "b") // no --remember, so the new tokens are not stored
	})
}

func TestRenewRemembered(t *testing.T) {
	for name, insecure := range map[string]bool{"keyring": false, "file": true} {
		t.Run(name, func(t *testing.T) {
			o := newOptions(t, &counter{}, nil)
			put(t, o, insecure, secret.Entry{Token: "a", Username: "me", Password: "hunter2"})
			source := NewSource(o)
			for i, refused := range []string{"a", "login1", "login2"} {
				wantRenewed(t, source, refused, fmt.Sprintf("login%d", i+1))
			}
			noLogin := o
			noLogin.Login = nil
			wantToken(t, NewSource(noLogin), "login3")
			// After a logout in another window, the remembered login is not used.
			store, err := o.Stores.Open(insecure)
			if err != nil {
				t.Fatal(err)
			}
			if deleted, err := store.Delete(t.Context(), o.Profile, o.Origin); !deleted || err != nil {
				t.Errorf("got deleted %v and error %v, want true", deleted, err)
			}
			_, err = source.Renew(t.Context(), "login3")
			wantError[*errdefs.CannotRenewError](t, err)
		})
	}
}

func TestRenewAfterFailedLogin(t *testing.T) {
	down := errors.New("service is down")
	login := &counter{err: down}
	o := newOptions(t, login, nil)
	put(t, o, false, secret.Entry{Token: "a", Username: "me", Password: "hunter2"})
	source := NewSource(o)
	wantToken(t, source, "a")
	if _, err := source.Renew(t.Context(), "a"); !errors.Is(err, down) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got error %v, want %v without the password", err, down)
	}
	login.err = nil
	wantRenewed(t, source, "a", "login2")
}

func TestOneRenewalForAll(t *testing.T) {
	for name, fails := range map[string]bool{"succeeds": false, "fails": true} {
		t.Run(name, func(t *testing.T) {
			command := &counter{}
			o := newOptions(t, nil, command)
			o.Command = "x"
			source := NewSource(o)
			wantToken(t, source, "command1")
			command.delay = 100 * time.Millisecond
			if fails {
				command.err = errors.New("no vault")
			}
			var wg sync.WaitGroup
			for range 32 {
				wg.Go(func() {
					got, err := source.Renew(t.Context(), "command1")
					if fails != (err != nil) || !fails && got != "command2" {
						t.Errorf("got token %q and error %v", got, err)
					}
				})
				wg.Go(func() { _, _ = source.Token(t.Context()) })
			}
			wg.Wait()
			command.wantCalls(t, 2)
			command.err = nil
			if _, err := source.Renew(t.Context(), "command1"); err != nil {
				t.Errorf("got error %v, want a later call to renew again", err)
			}
		})
	}
}

// TestOneLoginOfManyCommands checks that commands which get a 401 at the same time log in once,
// since each login of this service ends the token of the one before.
func TestOneLoginOfManyCommands(t *testing.T) {
	var mu sync.Mutex
	valid, logins := "token0", 0
	o := newOptions(t, nil, nil)
	o.Login = func(context.Context, string, string) (string, time.Time, error) {
		mu.Lock()
		defer mu.Unlock()
		logins++
		valid = fmt.Sprintf("token%d", logins)
		return valid, time.Time{}, nil
	}
	put(t, o, true, secret.Entry{Token: "expired", Username: "you", Password: "hunter2"})
	var commands sync.WaitGroup
	sources := make([]*Source, 20) // each of a command of its own
	for i := range sources {
		sources[i] = NewSource(o)
		wantToken(t, sources[i], "expired")
	}
	for _, source := range sources {
		commands.Go(func() {
			renewed, err := source.Renew(t.Context(), "expired")
			mu.Lock()
			defer mu.Unlock()
			if err != nil || renewed != valid {
				t.Errorf("got %q, error %v, want %q", renewed, err, valid)
			}
		})
	}
	commands.Wait()
	if logins != 1 {
		t.Errorf("got %d logins, want 1", logins)
	}
}

// TestReplaced checks that a token which another command has stored is found.
func TestReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOptions(t, nil, nil)
		put(t, o, true, secret.Entry{Token: "old"})
		source := NewSource(o)
		wantToken(t, source, "old")
		if got := source.Replaced(t.Context(), "old"); got != "" {
			t.Errorf("before another login: got %q, want none", got)
		}
		unlock := o.Stores.LockLogin(t.Context(), o.Profile, o.Origin) // the other command is logging in
		replaced := make(chan string)
		go func() { replaced <- source.Replaced(t.Context(), "old") }()
		select {
		case got := <-replaced:
			t.Fatalf("during the login: got %q, want it to be waited for", got)
		case <-time.After(time.Second):
		}
		put(t, o, true, secret.Entry{Token: "new"})
		unlock()
		if got := <-replaced; got != "new" {
			t.Errorf("got %q, want the new token", got)
		}
		wantToken(t, source, "new")
	})
}
