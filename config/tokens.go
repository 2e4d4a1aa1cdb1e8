package config

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"reseller/client/trust"
	"reseller/config/endpoint"
	"reseller/config/errdefs"
	"reseller/config/token"
)

const tokenCommandTimeout = time.Minute

const maxTokenFile = 1 << 20

// Tokens returns the source of tokens for an address. noteOverride is told of a variable that overrides the token of the profile.
// Both functions may be nil.
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
		Token: s.env.Get("RESELLER_TOKEN"), Username: s.env.Get("RESELLER_USERNAME"), Password: s.env.Get("RESELLER_PASSWORD"),
	}
	if program := s.tokenProgram(); program.Text != "" {
		if options.CommandSkipped = s.tokenSkipped(program, origin); options.CommandSkipped == "" {
			options.Command, options.CommandName = program.Text, program.Origin.of(program.Key)
		}
		if program.Key == "token_file" {
			options.Run = func(_ context.Context, path string) (string, error) {
				content, err := trust.ReadFile(path, s.env.home(), maxTokenFile)
				return string(content), err
			}
		}
	}
	return options, s.bindToHost(&options)
}

// tokenProgram returns the setting that gives tokens: token_file or token_command, whichever overrides the other, and
// token_file if both are from the same place. The path of a profile's token_file is relative to the configuration file.
func (s *Settings) tokenProgram() Setting {
	file, command := s.lookup("token_file"), s.lookup("token_command")
	if file.Text == "" || command.Text != "" && command.Origin.Kind > file.Origin.Kind {
		return Setting{"token_command", command}
	}
	if file.Origin.Kind == FromProfile && !filepath.IsAbs(file.Text) {
		file.Text = filepath.Join(filepath.Dir(s.path), file.Text)
	}
	return Setting{"token_file", file}
}

// bindToHost lets the token of the environment, or its means to get one, serve only the host in RESELLER_TOKEN_HOST if that is set.
func (s *Settings) bindToHost(options *token.Options) error {
	const variable = "RESELLER_TOKEN_HOST"
	host := s.env.Get(variable)
	if host == "" {
		return nil
	}
	serves, err := endpoint.IsOf(options.Origin, host)
	if err != nil {
		return errdefs.Invalidf("%s: %v", variable, err)
	}
	options.BoundTo = host
	for _, name := range []string{"RESELLER_TOKEN", "RESELLER_TOKEN_FILE", "RESELLER_TOKEN_COMMAND", "RESELLER_USERNAME", "RESELLER_PASSWORD"} {
		if s.env.Get(name) != "" && !serves && options.WrongHost == nil {
			options.WrongHost = errdefs.Invalidf("%s is for %s only (%s), not for %s", name, host, variable, options.Origin).
				Hinted(fmt.Sprintf("unset %s to use another token, or set %s to this host if you trust it", name, variable))
		}
	}
	return nil
}

// HasUnboundToken reports whether the environment has a token that serves every address, or the means to get one.
func (s *Settings) HasUnboundToken() bool {
	return cmp.Or(s.env.Get("RESELLER_TOKEN"), s.env.Get("RESELLER_TOKEN_FILE"), s.env.Get("RESELLER_TOKEN_COMMAND"), s.env.Get("RESELLER_PASSWORD")) != ""
}

// tokenSkipped returns why a token_command or token_file does not serve an origin, "" if it does. One of the profile serves the
// origin that was recorded with it or, without such a record, those of the addresses of the profile.
func (s *Settings) tokenSkipped(program Setting, origin string) string {
	if program.Origin.Kind != FromProfile {
		return ""
	}
	addresses := []string{s.ofProfile(keyFor(program.Key))}
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
	return fmt.Sprintf("%s was skipped: it was set up for %s; to use it here, run `reseller config set %s VALUE` with this address",
		program.Origin.of(program.Key), served, program.Key)
}
