package config

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// sourceKind is where a token came from.
type sourceKind int

const (
	nowhere sourceKind = iota
	inEnvironment
	byCommand
	inStore
	byLogin
)

// held is a token, where it came from and what can replace it.
type held struct {
	kind    sourceKind
	from    string
	token   string
	expires time.Time
	entry   Entry // of inStore
	store   Store
}

func (h held) expired(now time.Time) bool { return !h.expires.IsZero() && !now.Before(h.expires) }

// find looks the sources through in their order. A login needs the service, so
// where a login is what is left, the token is left empty.
func (t *TokenSource) find(ctx context.Context) (held, error) {
	if raw, ok := t.settings.env.get("RESELLER_TOKEN"); ok {
		return tokenInEnvironment(raw)
	}
	command := t.settings.value("token_command")
	var passedOver string
	if command.Text != "" {
		if passedOver = t.settings.commandElsewhere(command, t.origin); passedOver == "" {
			return t.fromCommand(ctx)
		}
	}
	entry, store, err := t.settings.stored(ctx, t.origin)
	var ring *KeyringError
	switch {
	case err == nil:
		return heldOf(entry, store), nil
	case errors.Is(err, errNotStored):
	case !errors.As(err, &ring):
		return held{}, err
	}
	if t.canLogIn(held{}) {
		return held{kind: byLogin, from: loginPlace}, nil
	}
	return held{}, t.settings.noToken(t.origin, passedOver, ring)
}

const loginPlace = "login with RESELLER_USERNAME and RESELLER_PASSWORD"

func tokenInEnvironment(raw string) (held, error) {
	token, err := CleanToken(raw)
	if err != nil {
		return held{}, &Error{Message: "RESELLER_TOKEN " + err.Error()}
	}
	return held{
		kind: inEnvironment, from: "environment RESELLER_TOKEN",
		token: token, expires: ReadClaims(token).Expires,
	}, nil
}

func heldOf(entry Entry, store Store) held {
	h := held{kind: inStore, from: store.String(), token: entry.Token, expires: entry.Expires, entry: entry, store: store}
	if claimed := ReadClaims(entry.Token).Expires; !claimed.IsZero() {
		h.expires = claimed
	}
	return h
}

// fromCommand runs the token_command.
func (t *TokenSource) fromCommand(ctx context.Context) (held, error) {
	command := t.settings.value("token_command")
	name := command.Origin.of("token_command")
	limited, cancel := context.WithTimeout(ctx, t.settings.commandLimit)
	defer cancel()
	out, err := t.run(limited, command.Text)
	switch {
	case ctx.Err() != nil:
		return held{}, fmt.Errorf("%s: %w", name, ctx.Err())
	case limited.Err() != nil:
		return held{}, &TokenError{Message: fmt.Sprintf("%s gave no token within %v", name, t.settings.commandLimit)}
	case err != nil:
		return held{}, &TokenError{Message: fmt.Sprintf("%s failed: %v", name, err), Err: err}
	}
	token, err := CleanToken(strings.TrimSpace(out))
	if err != nil {
		return held{}, &TokenError{Message: fmt.Sprintf("%s: its output %v", name, err)}
	}
	return held{
		kind: byCommand, from: name,
		token: token, expires: ReadClaims(token).Expires,
	}, nil
}

// commandElsewhere says why a token_command does not serve an origin, or
// nothing where it does. One from the environment comes with the call, like
// RESELLER_TOKEN, and serves whatever address is in force.
func (s *Settings) commandElsewhere(command Value, origin string) string {
	if command.Origin.Source != FromProfile {
		return ""
	}
	places := []string{s.own(boundTo)}
	if places[0] == "" {
		places = []string{s.own("base_url"), s.own("sandbox_url"), s.own("mock_url")}
	}
	var known []string
	for _, place := range places {
		if SameOrigin(place, origin) {
			return ""
		}
		if bound, err := OriginOf(place); err == nil {
			known = append(known, bound)
		}
	}
	setUp := "no address"
	if len(known) > 0 {
		setUp = strings.Join(known, ", ")
	}
	return fmt.Sprintf("%s was passed over: it was set up for %s; `reseller config set token_command` with this address in force sets it up anew",
		command.Origin.of("token_command"), setUp)
}

func (s *Settings) noToken(origin, passedOver string, ring *KeyringError) error {
	err := &NoTokenError{
		Message: fmt.Sprintf("no token for %s in profile %s", origin, s.profile),
		Hint:    "run `reseller auth login`, or set RESELLER_TOKEN",
	}
	if ring != nil {
		err.Hint = "set RESELLER_TOKEN, or run `reseller auth login --insecure-storage`"
		err.Message += fmt.Sprintf(" (the keyring can't be asked: %s)", strings.TrimPrefix(ring.Message, "no keyring: "))
		err.Err = ring
	}
	_, user := s.env.get("RESELLER_USERNAME")
	_, password := s.env.get("RESELLER_PASSWORD")
	switch {
	case user && !password:
		err.Hint += "; RESELLER_USERNAME is set and RESELLER_PASSWORD is not"
	case password && !user:
		err.Hint += "; RESELLER_PASSWORD is set and RESELLER_USERNAME is not"
	}
	if passedOver != "" {
		err.Hint += "; " + passedOver
	}
	return err
}

// tokenPlace tells where a token would come from, as far as that can be told
// without an address and without asking the keyring.
func (s *Settings) tokenPlace() Value {
	if _, ok := s.env.get("RESELLER_TOKEN"); ok {
		return Value{"(hidden)", Origin{FromEnvironment, "RESELLER_TOKEN"}}
	}
	if command := s.value("token_command"); command.Text != "" {
		return Value{"printed by token_command", command.Origin}
	}
	if doc, err := s.credentials().read(); err == nil {
		for _, e := range doc.Entries {
			if e.Profile == s.profile {
				return Value{"(hidden)", Origin{FromFile, s.credentials().path}}
			}
		}
	}
	if _, user := s.env.get("RESELLER_USERNAME"); user {
		if _, password := s.env.get("RESELLER_PASSWORD"); password {
			return Value{"keyring, else " + loginPlace, Origin{FromEnvironment, "RESELLER_USERNAME"}}
		}
	}
	return Value{"keyring", Origin{}}
}
