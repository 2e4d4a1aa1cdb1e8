package config

import (
	"fmt"
	"strings"
	"time"

	"reseller/config/endpoint"
	"reseller/config/errdefs"
	"reseller/config/token"
)

// tokenCommandTimeout is how long a token_command may run.
const tokenCommandTimeout = time.Minute

// Tokens returns the source of tokens for an address. noteOverride is called if a variable gives the
// token, which is what the profile has, too. Both functions may be nil.
func (s *Settings) Tokens(address string, login token.LoginFunc, noteOverride func(variable, what string)) (*token.Source, error) {
	options, err := s.tokenOptions(address, login)
	if err != nil {
		return nil, err
	}
	if options.BoundTo == "" {
		options.NoteOverride = noteOverride
	}
	return token.NewSource(options), nil
}

func (s *Settings) tokenOptions(address string, login token.LoginFunc) (token.Options, error) {
	origin, err := endpoint.Origin(address)
	if err != nil {
		return token.Options{}, err
	}
	options := token.Options{
		Origin: origin, Profile: s.profile, Stores: s.stores, Login: login, Now: time.Now,
		Run: token.RunCommand, CommandTimeout: tokenCommandTimeout,
	}
	options.Token, _ = s.env.get("RESELLER_TOKEN")
	options.Username, _ = s.env.get("RESELLER_USERNAME")
	options.Password, _ = s.env.get("RESELLER_PASSWORD")
	if command := s.lookup("token_command"); command.Text != "" {
		if options.CommandSkipped = s.tokenCommandSkipped(command, origin); options.CommandSkipped == "" {
			options.Command, options.CommandName = command.Text, command.Origin.of("token_command")
		}
	}
	return options, s.bindToHost(&options)
}

// bindToHost has the token of the environment, or what the environment says of how to
// get one, serve only the host that RESELLER_TOKEN_HOST names, if it names one.
func (s *Settings) bindToHost(options *token.Options) error {
	const variable = "RESELLER_TOKEN_HOST"
	host, ok := s.env.get(variable)
	if !ok {
		return nil
	}
	serves, err := endpoint.IsOf(options.Origin, host)
	if err != nil {
		return errdefs.Invalidf("%s: %v", variable, err)
	}
	options.BoundTo = host
	for _, name := range []string{"RESELLER_TOKEN", "RESELLER_TOKEN_COMMAND", "RESELLER_USERNAME", "RESELLER_PASSWORD"} {
		if _, given := s.env.get(name); given && !serves && options.WrongHost == nil {
			options.WrongHost = &errdefs.InvalidError{
				Message: fmt.Sprintf("%s is for %s only (%s), not for %s", name, host, variable, options.Origin),
				Hint:    fmt.Sprintf("unset %s to use another token, or set %s to this host if you trust it", name, variable),
			}
		}
	}
	return nil
}

// HasUnboundToken reports whether the environment has a token, or what gets one, that
// serves every address.
func (s *Settings) HasUnboundToken() bool {
	for _, name := range []string{"RESELLER_TOKEN", "RESELLER_TOKEN_COMMAND", "RESELLER_PASSWORD"} {
		if _, ok := s.env.get(name); ok {
			return true
		}
	}
	return false
}

// tokenCommandSkipped returns why a token_command does not serve an origin, or an
// empty string if it does. A token_command from the environment serves every
// origin, like RESELLER_TOKEN, unless RESELLER_TOKEN_HOST is set. A token_command from the profile serves the origin
// that was recorded with it or, without such a record, those of the profile's
// addresses.
func (s *Settings) tokenCommandSkipped(command Value, origin string) string {
	if command.Origin.Kind != FromProfile {
		return ""
	}
	addresses := []string{s.ofProfile(keyTokenCommandFor)}
	if addresses[0] == "" {
		addresses = []string{s.ofProfile("base_url"), s.ofProfile("sandbox_url"), s.ofProfile("mock_url")}
	}
	var origins []string
	for _, address := range addresses {
		other, err := endpoint.Origin(address)
		if err == nil && other == origin {
			return ""
		}
		if err == nil {
			origins = append(origins, other)
		}
	}
	served := "no address"
	if len(origins) > 0 {
		served = strings.Join(origins, ", ")
	}
	return fmt.Sprintf("%s was skipped: it was set up for %s; to use it here, run `reseller config set token_command` with this address",
		command.Origin.of("token_command"), served)
}
