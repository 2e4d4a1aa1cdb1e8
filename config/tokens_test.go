package config

import (
	"context"
	"strings"
	"testing"
	"time"

	"reseller/config/errdefs"
	"reseller/config/secret"
	"reseller/config/token"
)

// getToken returns the token for an address. A token_command prints "command", a
// login returns "login".
func getToken(t *testing.T, s *Settings, address string) (string, error) {
	t.Helper()
	options, err := s.tokenOptions(address, func(context.Context, string, string) (string, time.Time, error) {
		return "login", time.Time{}, nil
	})
	if err != nil {
		return "", err
	}
	options.Run = func(context.Context, string) (string, error) { return "command", nil }
	return token.NewSource(options).Token(t.Context())
}

func wantToken(t *testing.T, s *Settings, address, want string) {
	t.Helper()
	got, err := getToken(t, s, address)
	if err != nil || got != want {
		t.Errorf("got token %q and error %v, want %q", got, err, want)
	}
}

func TestTokenOfTheEnvironment(t *testing.T) {
	f := newFixture(t)
	f.env["RESELLER_USERNAME"], f.env["RESELLER_PASSWORD"] = "me", "hunter2"
	wantToken(t, f.load(), api, "login")
	f.writeFile("profiles: {default: {base_url: '" + api + "', token_command: x}}")
	wantToken(t, f.load(), api, "command")
	f.env["RESELLER_TOKEN"] = "env"
	wantToken(t, f.load(), api, "env")
	f.env["RESELLER_TOKEN"] = ""
	wantToken(t, f.load(), api, "command")
	_, err := f.load().Tokens("nonsense", nil, nil)
	wantError[*errdefs.InvalidError](t, err)
}

func TestTokenHost(t *testing.T) {
	for name, variables := range map[string][]string{
		"token": {"RESELLER_TOKEN"}, "token command": {"RESELLER_TOKEN_COMMAND"}, "login": {"RESELLER_USERNAME", "RESELLER_PASSWORD"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			for _, variable := range variables {
				f.env[variable] = "x"
			}
			f.env["RESELLER_TOKEN_HOST"] = "api.example.com"
			if _, err := getToken(t, f.load(), api); err != nil {
				t.Errorf("at the host: got %v", err)
			}
			_, err := getToken(t, f.load(), "https://other.example.com")
			wantError[*errdefs.InvalidError](t, err, variables[0], "RESELLER_TOKEN_HOST", "https://other.example.com:443")
			f.env["RESELLER_TOKEN_HOST"] = "https://api.example.com"
			_, err = f.load().Tokens(api, nil, nil)
			wantError[*errdefs.InvalidError](t, err, "RESELLER_TOKEN_HOST")
		})
	}
	f := newFixture(t)
	f.put(f.load(), true, api, secret.Entry{Token: "stored"})
	f.env["RESELLER_TOKEN_HOST"] = "other.example.com"
	wantToken(t, f.load(), api, "stored")
}

func TestStoredTokensServeTheirOriginOnly(t *testing.T) {
	f := newFixture(t)
	f.writeFile("profiles: {default: , other: }")
	for name, insecure := range map[string]bool{"keyring": false, "file": true} {
		t.Run(name, func(t *testing.T) {
			f.put(f.load(), insecure, api, secret.Entry{Token: "t", Username: "me", Password: "hunter2"})
			wantToken(t, f.load(), api+":443/v1/", "t")
			for _, address := range []string{
				"http://api.example.com", api + ":8443", "https://example.com", "http://api.example.com:443",
			} {
				_, err := getToken(t, f.load(), address)
				wantError[*errdefs.TokenError](t, err)
			}
			_, err := getToken(t, f.load("profile=other"), api)
			wantError[*errdefs.TokenError](t, err, "profile other")
		})
	}
}

func TestTokenCommandServesItsOriginOnly(t *testing.T) {
	const other = "https://other.example.com"
	wantSkipped := func(t *testing.T, f *fixture, address string) {
		t.Helper()
		_, err := getToken(t, f.load(), address)
		wantError[*errdefs.TokenError](t, err,
			"token_command of profile default was skipped", "config set token_command")
	}
	set := func(t *testing.T, f *fixture, key, value string) {
		t.Helper()
		noError(t, f.load().Set(t.Context(), key, value))
	}
	t.Run("by hand", func(t *testing.T) {
		f := newFixture(t)
		f.writeFile("profiles: {default: {base_url: '" + api + "', sandbox_url: 'https://s.example.com', token_command: x}}")
		wantToken(t, f.load(), api, "command")
		wantToken(t, f.load(), "https://s.example.com:443/v1", "command")
		wantSkipped(t, f, other)
		f.env["RESELLER_SANDBOX_URL"] = other
		wantSkipped(t, f, other)
	})
	t.Run("set with an address", func(t *testing.T) {
		f := newFixture(t)
		f.env["RESELLER_BASE_URL"] = api + "/v1"
		set(t, f, "token_command", "x")
		wantToken(t, f.load(), api, "command")
		wantSkipped(t, f, other)
		f.env["RESELLER_BASE_URL"] = other
		set(t, f, "base_url", other)
		wantSkipped(t, f, other)
		set(t, f, "token_command", "x")
		wantToken(t, f.load(), other, "command")
		wantSkipped(t, f, api)
		set(t, f, "token_command", "")
		if raw := readFile(t, f.path()); strings.Contains(raw, "token_command") {
			t.Errorf("got %q, want no token_command in the file", raw)
		}
	})
	t.Run("set without an address", func(t *testing.T) {
		f := newFixture(t)
		set(t, f, "token_command", "x")
		wantSkipped(t, f, api)
		set(t, f, "base_url", api)
		wantToken(t, f.load(), api, "command")
	})
	t.Run("environment", func(t *testing.T) {
		f := newFixture(t)
		f.env["RESELLER_TOKEN_COMMAND"] = "x"
		wantToken(t, f.load(), api, "command")
		wantToken(t, f.load(), other, "command")
	})
}

// TestTokenProgram: token_file and token_command override each other by where they are from.
func TestTokenProgram(t *testing.T) {
	f := newFixture(t)
	want := func(key, origin string) {
		t.Helper()
		if got := f.load().tokenProgram(); got.Key != key || got.Origin.String() != origin {
			t.Errorf("got %s from %q, want %s from %q", got.Key, got.Origin, key, origin)
		}
	}
	f.writeFile("profiles: {default: {token_command: x, token_file: y}}")
	want("token_file", "profile default")
	f.env["RESELLER_TOKEN_COMMAND"] = "x"
	want("token_command", "environment RESELLER_TOKEN_COMMAND")
	f.env["RESELLER_TOKEN_FILE"] = "y"
	want("token_file", "environment RESELLER_TOKEN_FILE")
}
