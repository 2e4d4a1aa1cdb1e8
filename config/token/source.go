// Package token finds the token for an address and renews it. It asks RESELLER_TOKEN, the token_file or token_command, the stores
// of package secret, and a login with RESELLER_USERNAME and RESELLER_PASSWORD, in this order.
package token

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"reseller/config/errdefs"
	"reseller/config/secret"
)

// A LoginFunc logs in at the service. expires is zero if the service did not say when the token expires.
type LoginFunc func(ctx context.Context, username, password string) (token string, expires time.Time, err error)

type Options struct {
	Origin  string // scheme, host and port that the token is for
	Profile string

	Token              string // of RESELLER_TOKEN
	Username, Password string // of RESELLER_USERNAME and RESELLER_PASSWORD
	BoundTo            string // the host of RESELLER_TOKEN_HOST, the only one that the environment's token and login may serve; may be empty
	WrongHost          error  // why they may not serve the origin; nil if they may

	Command        string // the token_command, or the path of the token_file, if it serves the origin
	CommandName    string // the name of that setting and its source, for messages
	CommandSkipped string // why it does not serve the origin
	CommandTimeout time.Duration
	Run            func(ctx context.Context, command string) (string, error)

	// NoteOverride is called if Token is used in place of a token of the profile. It may be nil.
	NoteOverride func(variable, what string)

	Stores *secret.Stores
	Login  LoginFunc // nil if there is no way to log in
	Now    func() time.Time
}

// Format keeps the secrets out of everything that prints options.
func (o Options) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "tokens for %s (hidden)", o.Origin) }

// Source returns the token for one origin and renews it. Goroutines may share it.
type Source struct {
	options Options

	// lock guards the fields below. A caller stops waiting for it when its context ends.
	lock    *semaphore.Weighted
	current heldToken
	// renewalTried is an expired token that is not to be renewed again: that failed, or the token was expired when it was new.
	renewalTried string

	failures    atomic.Uint64 // number of failed renewals; read without the lock
	failedToken string        // the token whose renewal failed last
	failure     error
}

func NewSource(options Options) *Source {
	return &Source{options: options, lock: semaphore.NewWeighted(1)}
}

// Format keeps the token out of everything that prints the source.
func (s *Source) Format(f fmt.State, verb rune) { s.options.Format(f, verb) }

// Token returns the current token. An expired one is renewed if possible; otherwise it is returned as it is.
func (s *Source) Token(ctx context.Context) (string, error) {
	if err := s.lock.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer s.lock.Release(1)
	if err := s.ensure(ctx); err != nil {
		return "", err
	}
	if s.current.expired(s.options.Now()) && s.current.token != s.renewalTried {
		s.renewalTried = s.current.token
		// If the renewal fails, the old token is sent. The failure is reported when
		// the service refuses the old token.
		if renewed, err := s.renew(ctx, s.current.token); err == nil {
			s.accept(renewed)
		} else if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	return s.current.token, nil
}

// Renew returns a token other than the one that the service refused, or a CannotRenewError. Concurrent callers share one renewal.
func (s *Source) Renew(ctx context.Context, refused string) (string, error) {
	before := s.failures.Load()
	if err := s.lock.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer s.lock.Release(1)
	if err := s.ensure(ctx); err != nil {
		return "", err
	}
	if s.current.token != refused {
		return s.current.token, nil
	}
	// A renewal of this token that failed while the caller waited counts as the caller's own.
	if s.failures.Load() != before && s.failedToken == refused {
		return "", s.failure
	}
	renewed, err := s.renew(ctx, refused)
	if err != nil {
		if ctx.Err() == nil {
			s.failedToken, s.failure = refused, err
			s.failures.Add(1)
		}
		return "", err
	}
	s.accept(renewed)
	return renewed.token, nil
}

// Description has the facts about the token for an address that may be shown.
type Description struct {
	// From is the place that the token comes from, such as `environment RESELLER_TOKEN` or `keyring`.
	From string
	// Binding says which addresses a token of the environment serves. It is empty for other tokens.
	Binding string
	// Claims.OK is false if there is no token yet or the token is not a JWT.
	Claims Claims
	// Expires is the time in the token's claim or in the response to the login, zero if unknown.
	Expires time.Time
	// Expired reports whether Expires is past by this machine's clock.
	Expired bool
	// Renewable reports whether a refused or expired token can be replaced.
	Renewable bool
}

// Describe looks the token up and describes it. It never calls the service.
func (s *Source) Describe(ctx context.Context) (Description, error) {
	if err := s.lock.Acquire(ctx, 1); err != nil {
		return Description{}, err
	}
	defer s.lock.Release(1)
	found := s.current
	if found.token == "" {
		var err error
		if found, err = s.lookup(ctx); err != nil {
			return Description{}, err
		}
	}
	binding := ""
	switch {
	case found.kind != sourceEnvironment && found.kind != sourceLogin:
	case s.options.BoundTo != "":
		binding = "bound to " + s.options.BoundTo
	default:
		binding = "not bound by RESELLER_TOKEN_HOST"
	}
	return Description{
		From:      found.from,
		Binding:   binding,
		Claims:    ParseClaims(found.token),
		Expires:   found.expires,
		Expired:   found.expired(s.options.Now()),
		Renewable: found.kind == sourceCommand || s.canLogIn(found),
	}, nil
}

func (s *Source) ensure(ctx context.Context) error {
	if s.current.token != "" {
		return nil
	}
	found, err := s.lookup(ctx)
	if err != nil {
		return err
	}
	if found.token == "" {
		if found, err = s.logIn(ctx, found); err != nil {
			return err
		}
	}
	if found.kind == sourceCommand || found.kind == sourceLogin {
		s.accept(found)
	} else {
		s.current = found
	}
	return nil
}

// accept makes a token that was just issued the current one. If that is expired already, the clock of this machine is wrong, and
// another renewal would not help.
func (s *Source) accept(issued heldToken) {
	s.current = issued
	if issued.expired(s.options.Now()) {
		s.renewalTried = issued.token
	}
}

func (s *Source) renew(ctx context.Context, refused string) (heldToken, error) {
	var renewed heldToken
	var err error
	switch s.current.kind {
	case sourceCommand:
		renewed, err = s.fromCommand(ctx)
	case sourceStore:
		renewed, err = s.renewStored(ctx, refused)
	default:
		renewed, err = s.logIn(ctx, s.current)
	}
	if err == nil && renewed.token == refused {
		err = &errdefs.CannotRenewError{Details: errdefs.Details{Message: fmt.Sprintf("%s returned the refused token again", renewed.from)}}
	}
	return renewed, err
}

// Replaced returns the token in the store if it is no longer the refused one, else "": another command has logged in meanwhile,
// which may have ended the refused token.
func (s *Source) Replaced(ctx context.Context, refused string) string {
	if s.lock.Acquire(ctx, 1) != nil {
		return ""
	}
	defer s.lock.Release(1)
	if s.current.kind != sourceStore {
		return ""
	}
	defer s.options.Stores.LockLogin(ctx, s.options.Profile, s.options.Origin)() // a login may be under way
	entry, store, err := s.options.Stores.Find(ctx, s.options.Profile, s.options.Origin)
	if err != nil || entry.Token == refused {
		return ""
	}
	s.current = fromStore(entry, store)
	return s.current.token
}

// renewStored returns the token in the store if it is no longer the refused one. Otherwise it logs in again. Commands do this one
// after the other, so that all get the token of one login.
func (s *Source) renewStored(ctx context.Context, refused string) (heldToken, error) {
	defer s.options.Stores.LockLogin(ctx, s.options.Profile, s.options.Origin)()
	stored := s.current
	entry, store, err := s.options.Stores.Find(ctx, s.options.Profile, s.options.Origin)
	switch {
	case ctx.Err() != nil:
		return heldToken{}, ctx.Err()
	case err == nil:
		stored = fromStore(entry, store)
	case errors.Is(err, secret.ErrNotFound):
		stored.entry = secret.Entry{} // after a logout the remembered login is not used
	}
	if stored.token != "" && stored.token != refused {
		if !stored.expired(s.options.Now()) || !s.canLogIn(stored) {
			return stored, nil
		}
	}
	return s.logIn(ctx, stored)
}

// logIn gets a new token by a login, with the user name and password that were remembered with the old token, which the new one
// replaces in its store, else with those of the environment.
func (s *Source) logIn(ctx context.Context, old heldToken) (heldToken, error) {
	if !s.canLogIn(old) {
		err := &errdefs.CannotRenewError{Details: errdefs.Details{
			Message: fmt.Sprintf("the token (%s) can't be renewed", old.from),
			Hint:    "run `reseller auth login`; after a login with --username and --remember, tokens are renewed automatically",
		}}
		if old.kind == sourceEnvironment {
			err.Hint = "set RESELLER_TOKEN to another token, or unset it and run `reseller auth login`"
		}
		return heldToken{}, err
	}
	username, password := s.options.Username, s.options.Password
	if old.entry.HasLogin() {
		username, password = old.entry.Username, old.entry.Password
	}
	token, expires, err := s.options.Login(ctx, username, password)
	if err != nil {
		return heldToken{}, fmt.Errorf("login: %w", err)
	}
	if token, err = Clean(token); err != nil {
		return heldToken{}, &errdefs.TokenError{Details: errdefs.Details{Message: "login: the response " + err.Error()}}
	}
	issued := heldToken{kind: sourceLogin, from: FromLogin, token: token}
	issued.expires = Expiry(token, expires)
	if old.entry.HasLogin() {
		issued.kind, issued.from, issued.store = sourceStore, old.from, old.store
		issued.entry = secret.Entry{Token: token, Expires: issued.expires, Username: username, Password: password}
		// The token is good even if it can't be stored, as on a read-only disk or in a locked keyring.
		_ = old.store.Put(ctx, s.options.Profile, s.options.Origin, issued.entry)
	}
	return issued, nil
}

func (s *Source) canLogIn(old heldToken) bool {
	inEnvironment := s.options.Username != "" && s.options.Password != ""
	return s.options.Login != nil && (inEnvironment || old.entry.HasLogin())
}
