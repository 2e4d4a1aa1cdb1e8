package config

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestExpiredTokens(t *testing.T) {
	old, soon := jwtUntil(1, time.Now().Add(-time.Minute)), jwtUntil(1, time.Now().Add(time.Hour))
	w := newWorld(t)
	login := &counter{token: soon}
	fresh := func() *TokenSource { return w.load().Tokens(api, login.login, nil) }

	w.env["RESELLER_TOKEN"] = old
	wantToken(t, fresh(), old)
	w.env["RESELLER_USERNAME"], w.env["RESELLER_PASSWORD"] = "me", "hunter2"
	source := fresh()
	wantToken(t, source, soon)
	wantToken(t, source, soon)
	if n := login.calls.Load(); n != 1 {
		t.Error(n, "logins")
	}
	delete(w.env, "RESELLER_TOKEN")
	delete(w.env, "RESELLER_USERNAME")

	w.put(w.load(), false, Entry{Token: old})
	wantToken(t, fresh(), old)
	w.put(w.load(), false, Entry{Token: "opaque", Expires: time.Now().Add(-time.Second), Username: "you", Password: "secret"})
	wantToken(t, fresh(), soon)
	if _, ok := login.logins.Load("you:secret"); !ok {
		t.Error("the remembered login was not used")
	}
	wantToken(t, w.load().Tokens(api, nil, nil), soon) // stored again

	// A service that gives expired tokens, or a wrong clock: no storm of logins.
	login = &counter{token: old}
	w.put(w.load(), false, Entry{Token: old + "x", Expires: time.Unix(1, 0), Username: "you", Password: "secret"})
	source = fresh()
	for range 5 {
		wantToken(t, source, old)
	}
	if n := login.calls.Load(); n != 1 {
		t.Error(n, "logins")
	}
	// A login that fails does not stop the token from being sent.
	login = &counter{err: errors.New("down")}
	source = fresh()
	wantToken(t, source, old)
	wantToken(t, source, old)
	if n := login.calls.Load(); n != 1 {
		t.Error(n, "logins")
	}
}

func TestExpiredTokenOfCommand(t *testing.T) {
	w := newWorld(t)
	w.env["RESELLER_TOKEN_COMMAND"] = "x"
	now := time.Now()
	command := &counter{token: jwtUntil(1, now.Add(time.Hour))}
	s := w.load()
	s.now = func() time.Time { return now }
	source := s.Tokens(api, nil, command.run)
	wantToken(t, source, command.token)
	now = now.Add(2 * time.Hour)
	wantToken(t, source, command.token) // run once more, in vain
	wantToken(t, source, command.token)
	if n := command.calls.Load(); n != 2 {
		t.Error(n, "runs")
	}
}

func TestRenew(t *testing.T) {
	w := newWorld(t)
	renew := func(source *TokenSource, refused string) (string, error) { return source.Renew(t.Context(), refused) }

	w.env["RESELLER_TOKEN"] = "env"
	source := w.load().Tokens(api, (&counter{}).login, (&counter{}).run)
	wantToken(t, source, "env")
	_, err := renew(source, "env")
	wantError[*CannotRenewError](t, err, "RESELLER_TOKEN")
	if got, err := renew(source, "another"); got != "env" || err != nil {
		t.Error(got, err)
	}
	delete(w.env, "RESELLER_TOKEN")

	w.env["RESELLER_TOKEN_COMMAND"] = "x"
	source = w.load().Tokens(api, nil, (&counter{}).run)
	wantToken(t, source, "command1")
	for i := 2; i < 6; i++ { // no limit to renewals
		if got, err := renew(source, fmt.Sprintf("command%d", i-1)); got != fmt.Sprintf("command%d", i) || err != nil {
			t.Error(got, err)
		}
	}
	wantToken(t, source, "command5")
	source = w.load().Tokens(api, nil, (&counter{token: "same"}).run)
	wantToken(t, source, "same")
	_, err = renew(source, "same")
	wantError[*CannotRenewError](t, err, "refused token again")
	delete(w.env, "RESELLER_TOKEN_COMMAND")

	s := w.load()
	w.put(s, false, Entry{Token: "a"})
	source = s.Tokens(api, (&counter{}).login, nil)
	wantToken(t, source, "a")
	_, err = renew(source, "a")
	wantError[*CannotRenewError](t, err, "keyring", "auth login")
	w.put(w.load(), false, Entry{Token: "b"}) // a login in another window
	if got, err := renew(source, "a"); got != "b" || err != nil {
		t.Error(got, err)
	}
	w.env["RESELLER_USERNAME"], w.env["RESELLER_PASSWORD"] = "me", "hunter2"
	if got, err := renew(source, "b"); got != "login1" || err != nil {
		t.Error(got, err)
	}
	if got, err := renew(source, "login1"); got != "login2" || err != nil {
		t.Error(got, err)
	}
	wantToken(t, w.load().Tokens(api, nil, nil), "b") // nothing asked for it to be stored
}

func TestRenewRemembered(t *testing.T) {
	for _, insecure := range []bool{false, true} {
		w := newWorld(t)
		w.put(w.load(), insecure, Entry{Token: "a", Username: "me", Password: "hunter2"})
		source := w.load().Tokens(api, (&counter{}).login, nil)
		for i, refused := range []string{"a", "login1", "login2"} {
			got, err := source.Renew(t.Context(), refused)
			if want := fmt.Sprintf("login%d", i+1); got != want || err != nil {
				t.Error(got, want, err)
			}
		}
		wantToken(t, w.load().Tokens(api, nil, nil), "login3")
		// After a logout elsewhere what was remembered is used no more.
		if removed, err := w.load().Forget(t.Context(), api); !removed || err != nil {
			t.Error(removed, err)
		}
		_, err := source.Renew(t.Context(), "login3")
		wantError[*CannotRenewError](t, err)
	}
}

func TestRenewWithLoginThatFails(t *testing.T) {
	w := newWorld(t)
	down := errors.New("service is down")
	login := &counter{err: down}
	w.put(w.load(), false, Entry{Token: "a", Username: "me", Password: "hunter2"})
	source := w.load().Tokens(api, login.login, nil)
	wantToken(t, source, "a")
	if _, err := source.Renew(t.Context(), "a"); !errors.Is(err, down) || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	login.err = nil
	if got, err := source.Renew(t.Context(), "a"); got != "login2" || err != nil {
		t.Error(got, err)
	}
}

func TestOneRenewalForAll(t *testing.T) {
	for _, fails := range []bool{false, true} {
		w := newWorld(t)
		w.env["RESELLER_TOKEN_COMMAND"] = "x"
		command := &counter{}
		source := w.load().Tokens(api, nil, command.run)
		wantToken(t, source, "command1")
		command.delay = 100 * time.Millisecond
		if fails {
			command.err = errors.New("no vault")
		}
		var all sync.WaitGroup
		for range 32 {
			all.Go(func() {
				got, err := source.Renew(t.Context(), "command1")
				if fails != (err != nil) || !fails && got != "command2" {
					t.Error(got, err)
				}
			})
			all.Go(func() { _, _ = source.Token(t.Context()) })
		}
		all.Wait()
		if n := command.calls.Load(); n != 2 {
			t.Error(n, "runs, want 2; fails:", fails)
		}
		command.err = nil
		if _, err := source.Renew(t.Context(), "command1"); err != nil {
			t.Error("a later renewal is a new one:", err)
		}
	}
}
