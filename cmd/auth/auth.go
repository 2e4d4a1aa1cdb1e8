// Package auth has the commands that store, show and remove the token with
// which commands call the service.
package auth

import (
	"reseller/cmd/cli"
	"reseller/config"
	"reseller/config/endpoint"
)

var New = cli.Group("auth", "Log in, log out and show the token",
	cli.Commands{"login": newLoginCmd, "status": newStatusCmd, "logout": newLogoutCmd, "token": newTokenCmd})

// A target is the address that a command calls and the profile whose token is
// used there.
type target struct {
	settings *config.Settings
	address  config.Address
	origin   string // scheme, host and port; empty for the built-in mock
}

func findTarget(session *cli.Session) (target, error) {
	settings, err := session.Settings()
	if err != nil {
		return target{}, err
	}
	t := target{settings: settings}
	if t.address, err = session.Address(); err != nil || t.address.BuiltInMock {
		return t, err
	}
	t.origin, err = endpoint.Origin(t.address.URL)
	return t, err
}

// overrides names the settings that give a token before the stores are asked.
func (t target) overrides(session *cli.Session) []string {
	var names []string
	if session.Var("RESELLER_TOKEN") != "" {
		names = append(names, "RESELLER_TOKEN")
	}
	for _, key := range []string{"token_file", "token_command"} {
		if program := t.settings.Get(key); program.Text != "" {
			names = append(names, key+" ("+program.Origin.String()+")")
		}
	}
	return names
}
