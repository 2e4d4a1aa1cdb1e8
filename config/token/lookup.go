package token

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"reseller/config/errdefs"
	"reseller/config/secret"
)

type sourceKind int

const (
	sourceNone sourceKind = iota
	sourceEnvironment
	sourceCommand
	sourceStore
	sourceLogin
)

// FromLogin describes a token of a login with the environment's user name and password.
const FromLogin = "login with RESELLER_USERNAME and RESELLER_PASSWORD"

type heldToken struct {
	kind    sourceKind
	from    string // the place, for messages
	token   string
	expires time.Time
	entry   secret.Entry // set if kind is sourceStore, like store
	store   secret.Store
}

func (h heldToken) expired(now time.Time) bool { return !h.expires.IsZero() && !now.Before(h.expires) }

// lookup returns the token of the first source that has one, an empty one if only a login is left, which needs the service.
func (s *Source) lookup(ctx context.Context) (heldToken, error) {
	if s.options.WrongHost != nil {
		return heldToken{}, s.options.WrongHost
	}
	if s.options.Token != "" {
		s.noteOverride(ctx)
		return fromEnvironment(s.options.Token)
	}
	if s.options.Command != "" {
		return s.fromCommand(ctx)
	}
	entry, store, err := s.options.Stores.Find(ctx, s.options.Profile, s.options.Origin)
	var noKeyring *errdefs.KeyringError
	switch {
	case err == nil:
		return fromStore(entry, store), nil
	case errors.Is(err, secret.ErrNotFound):
	case !errors.As(err, &noKeyring):
		return heldToken{}, err
	}
	if s.canLogIn(heldToken{}) {
		return heldToken{kind: sourceLogin, from: FromLogin}, nil
	}
	return heldToken{}, s.noToken(noKeyring)
}

// noteOverride notes that the token of the environment is used in place of another one, of the token_command or a store.
func (s *Source) noteOverride(ctx context.Context) {
	if s.options.NoteOverride == nil {
		return
	}
	if s.options.Command == "" {
		entry, _, err := s.options.Stores.Find(ctx, s.options.Profile, s.options.Origin)
		if err != nil || entry.Token == strings.TrimSpace(s.options.Token) {
			return
		}
	}
	s.options.NoteOverride("RESELLER_TOKEN", "token")
}

func fromEnvironment(raw string) (heldToken, error) {
	token, err := Clean(raw)
	if err != nil {
		return heldToken{}, errdefs.Invalidf("RESELLER_TOKEN %v", err)
	}
	return heldToken{
		kind: sourceEnvironment, from: "environment RESELLER_TOKEN",
		token: token, expires: ParseClaims(token).Expires,
	}, nil
}

func fromStore(entry secret.Entry, store secret.Store) heldToken {
	return heldToken{
		kind: sourceStore, from: store.String(),
		token: entry.Token, expires: cmp.Or(ParseClaims(entry.Token).Expires, entry.Expires), entry: entry, store: store,
	}
}

func (s *Source) fromCommand(ctx context.Context) (heldToken, error) {
	name, timeout := s.options.CommandName, s.options.CommandTimeout
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	out, err := s.options.Run(limited, s.options.Command)
	switch {
	case ctx.Err() != nil:
		return heldToken{}, fmt.Errorf("%s: %w", name, ctx.Err())
	case limited.Err() != nil:
		return heldToken{}, &errdefs.TokenError{Details: errdefs.Details{Message: fmt.Sprintf("%s printed no token within %v", name, timeout)}}
	case err != nil:
		return heldToken{}, &errdefs.TokenError{Details: errdefs.Details{Message: fmt.Sprintf("%s failed: %v", name, err), Err: err}}
	}
	token, err := Clean(strings.TrimSpace(out))
	if err != nil {
		return heldToken{}, &errdefs.TokenError{Details: errdefs.Details{Message: fmt.Sprintf("%s: its text %v", name, err)}}
	}
	return heldToken{
		kind: sourceCommand, from: name,
		token: token, expires: ParseClaims(token).Expires,
	}, nil
}

// noToken is the error when no source has a token. noKeyring is the error of the keyring, or nil.
func (s *Source) noToken(noKeyring *errdefs.KeyringError) error {
	err := &errdefs.TokenError{Details: errdefs.Details{
		Message: fmt.Sprintf("no token for %s in profile %s", s.options.Origin, s.options.Profile),
		Hint:    "run `reseller auth login`, or set RESELLER_TOKEN",
	}}
	if noKeyring != nil {
		err.Hint = "set RESELLER_TOKEN, or run `reseller auth login --insecure-storage`"
		err.Message += fmt.Sprintf(" (%s)", noKeyring.Message)
		err.Err = noKeyring
	}
	username, password := s.options.Username != "", s.options.Password != ""
	switch {
	case username && !password:
		err.Hint += "; RESELLER_USERNAME is set, but RESELLER_PASSWORD is not"
	case password && !username:
		err.Hint += "; RESELLER_PASSWORD is set, but RESELLER_USERNAME is not"
	}
	if s.options.CommandSkipped != "" {
		err.Hint += "; " + s.options.CommandSkipped
	}
	return err
}
