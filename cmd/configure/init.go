package configure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/phrase"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/config"
	"reseller/config/endpoint"
	"reseller/config/errdefs"
	"reseller/config/token"
	"reseller/output/encode"
)

type TokenStorer func(ctx context.Context, f *cli.Frame, settings *config.Settings, url, token string) error

func newInitCmd(f *cli.Frame, storeToken TokenStorer) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Create or change a profile",
		Long: `Create a profile in the configuration file. Its values come from --base-url, --server, --output, --timeout,
--retries and --rate. If none of them is given, the command asks for server, address and token on the
terminal, tries both at the service, and stores the token in the keyring.

The profile is the one that --profile names, else the active profile; the first one of a file becomes active.
If it exists, only the given values are changed, after a question unless --yes is given.`,
		Example: `reseller config init --base-url https://api.example.com --yes
reseller config init --profile trial --server mock --yes
reseller config init --profile ci --base-url https://api.example.com -o json --timeout 2m --yes`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return initialize(c.Context(), f, storeToken) },
	}
}

func initialize(ctx context.Context, f *cli.Frame, storeToken TokenStorer) error {
	settings, err := f.SettingsToEdit()
	if err != nil {
		return err
	}
	profiles, name := settings.Profiles(), settings.Profile()
	values := map[string]string{}
	for _, key := range config.Keys {
		if value := settings.Get(key.Name); value.Origin.Kind == config.FromFlag {
			values[key.Name] = value.Text
		}
	}
	if len(values) == 0 && !f.CanFill() {
		return cli.Usagef("no values given, and no terminal to ask for them").Hinted("use --base-url URL or --server mock")
	}
	exists := slices.Contains(profiles, name)
	if exists {
		question := fmt.Sprintf("profile %s already exists in %s; change it?", name, settings.Path())
		if err := f.Prompt.Confirm(question); err != nil {
			return err
		}
	}
	var given answer
	if len(values) == 0 {
		if given, err = askSettings(ctx, f.Session, f.Prompt, name); err != nil {
			return err
		}
		values = given.values
	}
	if f.Flags.DryRun {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if err := checkValue(f.Session, key, values[key]); err != nil {
				return err
			}
		}
		f.Note("profile %s would be written to %s", name, settings.Path())
		return nil
	}
	if err := settings.Init(ctx, values); err != nil {
		return err
	}
	f.Note("profile %s was written to %s", name, settings.Path())
	if !exists && len(profiles) > 0 {
		f.Note("to make it the active profile, run `reseller config use %s`", name)
	}
	if given.token != "" {
		if err := storeToken(ctx, f, settings, given.url, given.token); err != nil {
			if noKeyring := (*errdefs.KeyringError)(nil); errors.As(err, &noKeyring) {
				err = cli.WithHint(err, "to store the token in a file, run `reseller auth login --insecure-storage`")
			}
			return err
		}
	}
	if values["server"] == "mock" || given.token != "" {
		f.Note("next, try `reseller accounts list`; `reseller help` shows what else there is")
		return nil
	}
	f.Note("next, store a token with `reseller auth login` and check the setup with `reseller doctor`")
	return nil
}

type answer struct {
	values map[string]string // by the keys of the configuration
	url    string            // the address to try, empty for the built-in mock
	token  string            // empty if the user gave none, or one that must not be stored
}

// askSettings asks for the keys that most profiles need and for a token, and tries both. If that
// fails, the user can go back to the form, or have the profile written without the token.
func askSettings(ctx context.Context, session *cli.Session, prompt *cli.Prompt, name string) (answer, error) {
	server := &form.Field{Name: "server", Help: "server to use; the mock needs no address and no token, and is good for trying commands", Flag: "--server", Placeholder: "SERVER", Words: []string{"production", "sandbox", "mock"}}
	isMock := func() bool { return server.Value == "mock" }
	address := &form.Field{Name: "address", Help: "address of the service, such as https://api.example.com", Flag: "--base-url", Placeholder: "URL", Hidden: isMock}
	address.Check = func(text string) error {
		_, err := endpoint.Normalize(text, session.Flags.AllowHTTP)
		return err
	}
	secret := &form.Field{Name: "token", Help: "token for the service, which is not shown; leave it empty to store one later", Secret: true, Optional: true, Hidden: isMock, Check: token.Check}
	output := &form.Field{Name: "output", Help: "output format of all commands: " + phrase.Or(encode.RecordNames()) + " (default table)", Flag: "--output", Optional: true, Check: func(text string) error { return checkValue(session, "output", text) }}
	fm := &form.Form{Title: "Profile " + name, Fields: []*form.Field{server, address, secret}, Optional: []*form.Field{output}, Send: "try it and write the profile"}
	for {
		if err := prompt.Fill(ctx, fm); err != nil {
			return answer{}, err
		}
		given := answer{values: map[string]string{"server": server.Value}}
		if output.Value != "" {
			given.values["output"] = output.Value
		}
		if isMock() {
			return given, nil
		}
		given.token = strings.TrimSpace(secret.Value)
		var err error
		if given.url, err = endpoint.Normalize(address.Value, session.Flags.AllowHTTP); err != nil {
			return given, err
		}
		key := map[string]string{"production": "base_url", "sandbox": "sandbox_url"}[server.Value]
		given.values[key] = given.url
		if session.Flags.DryRun {
			return given, nil
		}
		err = session.Probe(ctx, given.url, given.token)
		if err == nil || ctx.Err() != nil {
			return given, err
		}
		session.ReportFailure(err)
		given.token = ""
		err = prompt.Confirm("Write the profile all the same, without the token?")
		if !errors.Is(err, cli.ErrDeclined) {
			return given, err
		}
	}
}
