// Package auth holds the commands for the token: where it comes from, keeping
// one, and forgetting it.
package auth

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
)

// New makes `reseller auth`.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("auth", "Keep, show and forget the token",
		newLoginCmd(f, nil), newStatusCmd(f), newLogoutCmd(f), newTokenCmd(f))
}

// A place is an address and the profile whose token serves it.
type place struct {
	settings *config.Settings
	address  config.Address
	origin   string // empty for the mock inside the command
}

// find tells the address in force.
func find(f *cli.Factory) (place, error) {
	settings, err := f.Settings()
	if err != nil {
		return place{}, err
	}
	p := place{settings: settings}
	if p.address, err = settings.Address(); err != nil || p.address.Embedded {
		return p, err
	}
	p.origin, err = config.OriginOf(p.address.URL)
	return p, err
}

// beats names what gives a token before the store is asked.
func (p place) beats(f *cli.Factory) []string {
	var found []string
	if token, _ := f.Env("RESELLER_TOKEN"); token != "" {
		found = append(found, "RESELLER_TOKEN")
	}
	if command := p.settings.Get("token_command"); command.Text != "" {
		found = append(found, "token_command ("+command.Origin.String()+")")
	}
	return found
}
