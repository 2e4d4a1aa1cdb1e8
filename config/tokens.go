package config

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// LoginFunc logs in at the service; expires is what the service told, if it did.
type LoginFunc func(ctx context.Context, username, password string) (token string, expires time.Time, err error)

// TokenSource gives the token for one address and renews it. It serves any
// number of callers at a time.
type TokenSource struct {
	settings *Settings
	origin   string
	invalid  error // of the address
	login    LoginFunc
	run      CommandRunner

	// turn is a lock that can be waited for under a context. It guards what
	// is below it, and whoever holds it may ask the service or the user's
	// command for a token.
	turn  chan struct{}
	held  held
	tried string // an expired token whose renewal was tried, or that came so

	failures  atomic.Uint64 // counts failed renewals; read without the turn
	failedFor string
	failure   error
}

// Tokens makes the source of tokens for an address. login may be nil; run may
// be nil for RunCommand.
func (s *Settings) Tokens(address string, login LoginFunc, run CommandRunner) *TokenSource {
	if run == nil {
		run = RunCommand
	}
	origin, err := OriginOf(address)
	return &TokenSource{
		settings: s, origin: origin, invalid: err, login: login, run: run,
		turn: make(chan struct{}, 1),
	}
}

// Format keeps the token out of whatever prints the source.
func (t *TokenSource) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "tokens for %s (hidden)", t.origin) }

// Token returns the present token, found at the first call. One that looks
// expired is renewed first where that can be; else it is given all the same.
func (t *TokenSource) Token(ctx context.Context) (string, error) {
	if err := t.take(ctx); err != nil {
		return "", err
	}
	defer t.leave()
	if err := t.ensure(ctx); err != nil {
		return "", err
	}
	if t.held.expired(t.settings.now()) && t.held.token != t.tried {
		t.tried = t.held.token
		// A failed renewal is told when the service refuses the old token.
		if fresh, err := t.renewed(ctx, t.held.token); err == nil {
			t.keep(fresh)
		} else if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	return t.held.token, nil
}

// Renew returns a token other than the refused one. All who ask at a time
// share one renewal. A CannotRenewError says that the refusal stands.
func (t *TokenSource) Renew(ctx context.Context, refused string) (string, error) {
	before := t.failures.Load()
	if err := t.take(ctx); err != nil {
		return "", err
	}
	defer t.leave()
	if err := t.ensure(ctx); err != nil {
		return "", err
	}
	if t.held.token != refused {
		return t.held.token, nil
	}
	// A renewal that failed while we waited for our turn was ours too.
	if t.failures.Load() != before && t.failedFor == refused {
		return "", t.failure
	}
	fresh, err := t.renewed(ctx, refused)
	if err != nil {
		if ctx.Err() == nil {
			t.failedFor, t.failure = refused, err
			t.failures.Add(1)
		}
		return "", err
	}
	t.keep(fresh)
	return fresh.token, nil
}

// ensure finds a token where none is held yet.
func (t *TokenSource) ensure(ctx context.Context) error {
	if t.held.token != "" {
		return nil
	}
	found, err := t.find(ctx)
	if err != nil {
		return err
	}
	if found.token == "" {
		if found, err = t.loggedIn(ctx, found); err != nil {
			return err
		}
	}
	if found.kind == byCommand || found.kind == byLogin {
		t.keep(found)
	} else {
		t.held = found
	}
	return nil
}

// keep holds a token that was just made. If it looks expired even so, this
// machine's clock is wrong, and making another one would not help.
func (t *TokenSource) keep(fresh held) {
	t.held = fresh
	if fresh.expired(t.settings.now()) {
		t.tried = fresh.token
	}
}

// renewed gets a token other than the refused one, from where that one came.
func (t *TokenSource) renewed(ctx context.Context, refused string) (held, error) {
	var fresh held
	var err error
	switch t.held.kind {
	case byCommand:
		fresh, err = t.fromCommand(ctx)
	case inStore:
		fresh, err = t.restored(ctx, refused)
	default:
		fresh, err = t.loggedIn(ctx, t.held)
	}
	if err == nil && fresh.token == refused {
		err = &CannotRenewError{Message: fmt.Sprintf("%s gives the refused token again", fresh.from)}
	}
	return fresh, err
}

// restored looks whether the store meanwhile holds another token, as after a
// login elsewhere, and logs in again where it does not.
func (t *TokenSource) restored(ctx context.Context, refused string) (held, error) {
	was := t.held
	entry, store, err := t.settings.stored(ctx, t.origin)
	switch {
	case ctx.Err() != nil:
		return held{}, ctx.Err()
	case err == nil:
		was = heldOf(entry, store)
	case errors.Is(err, errNotStored):
		was.entry = Entry{} // logged out meanwhile: what was remembered is so no more
	}
	if was.token != "" && was.token != refused {
		if !was.expired(t.settings.now()) || !t.canLogIn(was) {
			return was, nil
		}
	}
	return t.loggedIn(ctx, was)
}

// loggedIn logs in with what is remembered, else with what the environment
// gives. A remembered login is stored again.
func (t *TokenSource) loggedIn(ctx context.Context, was held) (held, error) {
	if !t.canLogIn(was) {
		err := &CannotRenewError{
			Message: fmt.Sprintf("the token (%s) can't be renewed", was.from),
			Hint:    "run `reseller auth login`; with --username and --remember a token renews itself",
		}
		if was.kind == inEnvironment {
			err.Hint = "set RESELLER_TOKEN to another token, or unset it and run `reseller auth login`"
		}
		return held{}, err
	}
	username, password, _ := t.loginInEnvironment()
	if was.entry.remembered() {
		username, password = was.entry.Username, was.entry.Password
	}
	token, told, err := t.login(ctx, username, password)
	if err != nil {
		return held{}, fmt.Errorf("login: %w", err)
	}
	if token, err = CleanToken(token); err != nil {
		return held{}, &TokenError{Message: "login: the answer " + err.Error()}
	}
	fresh := held{kind: byLogin, from: loginPlace, token: token}
	fresh.expires = TokenExpiry(token, told, t.settings.now())
	if was.entry.remembered() {
		fresh.kind, fresh.from, fresh.store = inStore, was.from, was.store
		fresh.entry = Entry{token, fresh.expires, username, password}
		// The token is good even where it can't be kept: a read-only disk or a
		// keyring that went away must not stop a long job.
		_ = was.store.Put(ctx, t.settings.profile, t.origin, fresh.entry)
	}
	return fresh, nil
}

func (t *TokenSource) canLogIn(h held) bool {
	_, _, ok := t.loginInEnvironment()
	return t.login != nil && (ok || h.entry.remembered())
}

func (t *TokenSource) loginInEnvironment() (username, password string, ok bool) {
	username, user := t.settings.env.get("RESELLER_USERNAME")
	password, pass := t.settings.env.get("RESELLER_PASSWORD")
	return username, password, user && pass
}

func (t *TokenSource) take(ctx context.Context) error {
	if t.invalid != nil {
		return t.invalid
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case t.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *TokenSource) leave() { <-t.turn }
