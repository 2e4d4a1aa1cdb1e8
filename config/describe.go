package config

import (
	"context"
	"time"
)

// Description is what may be told of the token for an address.
type Description struct {
	// From is the place, such as `environment RESELLER_TOKEN`, `keyring`,
	// `file PATH` or `token_command of profile default`.
	From string
	// Claims are the token's own; OK is false where there is no token yet or
	// it is no JWT.
	Claims Claims
	// Expires is by the claims or as the login told, zero where nobody knows.
	Expires time.Time
	// Expired says that Expires is past by this machine's clock.
	Expired bool
	// Renewable says that a refused or expired token can be replaced.
	Renewable bool
}

// Describe tells where the token comes from. It reads the store or runs the
// token_command, but never asks the service for anything.
func (t *TokenSource) Describe(ctx context.Context) (Description, error) {
	if err := t.take(ctx); err != nil {
		return Description{}, err
	}
	defer t.leave()
	found := t.held
	if found.token == "" {
		var err error
		if found, err = t.find(ctx); err != nil {
			return Description{}, err
		}
	}
	return Description{
		From:      found.from,
		Claims:    ReadClaims(found.token),
		Expires:   found.expires,
		Expired:   found.expired(t.settings.now()),
		Renewable: found.kind == byCommand || t.canLogIn(found),
	}, nil
}
