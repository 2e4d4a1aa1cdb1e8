package config

import (
	"fmt"
	"slices"
	"strings"
)

// Key is one key of a profile.
type Key struct {
	Name    string // in the file and in `config set`
	Type    string // url, text, duration, integer, number or one of
	Help    string
	Default string
	Env     string   // the variable that beats the profile
	Flag    string   // the flag that beats the variable, where there is one
	Values  []string // the words allowed, where they are few

	check func(string) error
}

// servers are the words of the key `server`.
var servers = []string{"production", "sandbox", "mock"}

var formats = []string{"table", "json", "ndjson", "csv", "tsv", "yaml", "markdown"}

// Keys are the keys of a profile, in the order in which they are shown.
var Keys = []Key{
	{
		Name: "base_url", Type: "url", Env: "RESELLER_BASE_URL", Flag: "--base-url",
		Help: "address of the production server",
	},
	{
		Name: "sandbox_url", Type: "url", Env: "RESELLER_SANDBOX_URL",
		Help: "address of the sandbox server",
	},
	{
		Name: "mock_url", Type: "url", Env: "RESELLER_MOCK_URL",
		Help: "address of a mock server; without one the mock runs inside the command",
	},
	{
		Name: "server", Type: "one of", Env: "RESELLER_SERVER", Flag: "--server",
		Default: "production", Values: servers, check: oneOf(servers),
		Help: "the server that commands talk to",
	},
	{
		Name: "output", Type: "one of", Env: "RESELLER_OUTPUT", Flag: "--output",
		Default: "table", Values: formats, check: oneOf(formats),
		Help: "the format of what commands print",
	},
	{
		Name: "token_command", Type: "text", Env: "RESELLER_TOKEN_COMMAND",
		Help: "a shell command that prints a token; it serves only the address it was set up for",
	},
	{
		Name: "reseller_account_id", Type: "integer", Env: "RESELLER_RESELLER_ACCOUNT_ID",
		Flag: "--reseller-account-id", check: checked(parseID),
		Help: "the reseller account that credentials belong to",
	},
	{
		Name: "timeout", Type: "duration", Env: "RESELLER_TIMEOUT", Flag: "--timeout",
		Default: "60s", check: checked(parseTimeout),
		Help: "how long a call may take, for lists the time between bytes",
	},
	{
		Name: "retries", Type: "integer", Env: "RESELLER_RETRIES", Flag: "--retries",
		Default: "4", check: checked(parseRetries),
		Help: "how often a call that failed is repeated, 0 to 100",
	},
	{
		Name: "rate", Type: "number", Env: "RESELLER_RATE", Flag: "--rate",
		check: checked(parseRate),
		Help:  "requests a second at most",
	},
}

// LookupKey finds a key by its name; the error of an unknown one names the
// nearest.
func LookupKey(name string) (Key, error) {
	for _, key := range Keys {
		if key.Name == name {
			return key, nil
		}
	}
	err := &Error{Message: fmt.Sprintf("%q is not a key of a profile", name)}
	switch near := nearest(name, keyNames()); {
	case name == "profile":
		err.Hint = "`reseller config use PROFILE` chooses the active profile"
	case slices.Contains(secretNames, name):
		err.Hint = secretsHint
	case near != "":
		err.Hint = fmt.Sprintf("did you mean %s?", near)
	default:
		err.Hint = "keys: " + strings.Join(keyNames(), ", ")
	}
	return Key{}, err
}

// secretNames are what people try to keep in the configuration file.
var secretNames = []string{"token", "username", "password"}

const secretsHint = "tokens and passwords are not kept in the configuration: run `reseller auth login`"

func keyNames() []string {
	names := make([]string, len(Keys))
	for i, key := range Keys {
		names[i] = key.Name
	}
	return names
}

// nearest is the candidate that takes the fewest edits to reach, if they are
// few enough for a slip of the fingers.
func nearest(word string, candidates []string) string {
	word = strings.ReplaceAll(strings.ToLower(word), "-", "_")
	best, least := "", max(2, len(word)/3)+1
	for _, candidate := range candidates {
		if d := distance(word, candidate); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// distance counts the bytes to insert, remove or replace to get from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
