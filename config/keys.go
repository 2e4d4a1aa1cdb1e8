package config

import (
	"fmt"
	"slices"
	"strings"

	"reseller/client/nearest"
	"reseller/config/errdefs"
	"reseller/output/encode"
)

type Key struct {
	Name    string // in the file and in `config set`
	Type    string // url, text, duration, integer, number or `one of`
	Help    string
	Default string
	Flag    string   // the flag that overrides the variable; empty if there is none
	Values  []string // the allowed words of Type `one of`

	check func(string) error
}

// Env returns the environment variable that overrides the profile.
func (k Key) Env() string { return "RESELLER_" + strings.ToUpper(k.Name) }

func (k Key) flagName() string { return strings.TrimPrefix(k.Flag, "--") }

// profileKey is the name of the chosen profile, which is a key of the file and not of a profile.
var profileKey = Key{Name: "profile", Flag: "--profile", Default: defaultProfile}

var servers = []string{"production", "sandbox", "mock"}

var Keys = []Key{
	{Name: "base_url", Type: "url", Flag: "--base-url", Help: "address of the production server"},
	{Name: "sandbox_url", Type: "url", Help: "address of the sandbox server"},
	{Name: "mock_url", Type: "url", Help: "address of a mock server; if it is not set, the built-in mock is used"},
	{Name: "server", Type: "one of", Flag: "--server", Default: "production", Values: servers, check: oneOf(servers), Help: "server to use"},
	{
		Name: "output", Type: "one of", Flag: "--output", Default: string(encode.Table), Values: encode.RecordNames(), Help: "output format",
		check: func(text string) error { return oneOf(encode.RecordNames())(strings.ToLower(text)) },
	},
	{Name: "token_command", Type: "text", Help: "shell command that prints a token; used only for the address it was set up for"},
	{Name: "token_file", Type: "text", Help: "file with a token, relative to the configuration file; used only for its address, as token_command"},
	{
		Name: "reseller_account_id", Type: "integer", Flag: "--reseller-account-id", check: checked(parseID),
		Help: "reseller account that new credentials belong to",
	},
	{
		Name: "timeout", Type: "duration", Flag: "--timeout", Default: "60s", check: checked(parseTimeout),
		Help: "time limit of a call; for lists, longest time without another record",
	},
	{
		Name: "retries", Type: "integer", Flag: "--retries", Default: "4", check: checked(parseRetries),
		Help: "number of retries of a failed call, 0 to 100",
	},
	{Name: "rate", Type: "number", Flag: "--rate", check: checked(parseRate), Help: "maximum number of requests per second"},
	{Name: "brand", Type: "text", Flag: "--brand", Help: "file with the brand of the pages of `reports summary`; relative to the configuration file"},
}

func LookupKey(name string) (Key, error) {
	for _, key := range Keys {
		if key.Name == name {
			return key, nil
		}
	}
	return Key{}, errdefs.Invalidf("unknown key %q", name).Hinted(keyHint(name))
}

func keyHint(name string) string {
	switch near := nearest.Name(name, keyNames()); {
	case name == "profile":
		return "to change the active profile, run `reseller config use PROFILE`"
	case slices.Contains(secretNames, name):
		return "the configuration file does not contain tokens or passwords: run `reseller auth login`"
	case near != "":
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "keys: " + strings.Join(keyNames(), ", ")
}

// secretNames are keys that people try to set.
var secretNames = []string{"token", "username", "password"}

func keyNames() []string {
	names := make([]string, len(Keys))
	for i, key := range Keys {
		names[i] = key.Name
	}
	return names
}
