package configure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/safetext"
	"reseller/cmd/cli"
	"reseller/config"
)

func newInitCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "init",
		Short: "Create or change a profile",
		Long: `Create a profile in the configuration file. Its values come from --base-url, --server, --output, --timeout,
--retries and --rate. If none of them is given, the command asks for the values on the terminal.

The profile is the one that --profile names, else the active profile. The first profile of a file becomes
the active profile. If the profile exists, the command changes only the given values, and asks first
unless --yes is given.`,
		Example: `reseller config init --base-url https://api.example.com --yes
reseller config init --profile trial --server mock --yes
reseller config init --profile ci --base-url https://api.example.com -o json --timeout 2m --yes`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return initialize(c.Context(), f) },
	}
	c.Flags().SortFlags = false
	return c
}

func initialize(ctx context.Context, f *cli.Factory) error {
	if err := f.Flags.Check(); err != nil {
		return err
	}
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
	if len(values) == 0 && !f.CanAsk() {
		return &cli.UsageError{
			Message: "no values given, and no terminal to ask for them",
			Hint:    "use --base-url URL or --server mock",
		}
	}
	exists := slices.Contains(profiles, name)
	if exists {
		question := fmt.Sprintf("profile %s already exists in %s; change it?", name, settings.Path())
		if err := f.Confirm(ctx, question); err != nil {
			return err
		}
	}
	if len(values) == 0 {
		if values, err = askValues(ctx, f); err != nil {
			return err
		}
	}
	if f.Flags.DryRun {
		for key, value := range values {
			if err := checkValue(f, key, value); err != nil {
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
	if values["server"] != "mock" {
		f.Note("next, store a token with `reseller auth login` and check the setup with `reseller doctor`")
	}
	return nil
}

// askValues asks for the keys that most profiles need. An empty answer leaves a key
// out.
func askValues(ctx context.Context, f *cli.Factory) (map[string]string, error) {
	values := map[string]string{}
	questions := []string{"base_url", "sandbox_url", "server", "output"}
	for _, name := range questions {
		key, err := config.LookupKey(name)
		if err != nil {
			return nil, err
		}
		answer, err := askKey(ctx, f, key)
		if err != nil {
			return nil, err
		}
		if answer != "" {
			values[name] = answer
		}
	}
	return values, nil
}

// askKey asks for the value of a key until it is valid.
func askKey(ctx context.Context, f *cli.Factory, key config.Key) (string, error) {
	question := key.Help
	if len(key.Values) > 0 {
		question += " (" + strings.Join(key.Values, "/") + ")"
	}
	if key.Default != "" {
		question += " [" + key.Default + "]"
	}
	for {
		answer, err := f.Ask(ctx, key.Name+", "+question+": ")
		if err != nil {
			return "", err
		}
		answer = strings.TrimSpace(answer)
		if err = checkValue(f, key.Name, answer); err == nil {
			return answer, nil
		}
		fmt.Fprintf(f.Err, "  %s\n", safetext.Escape(err.Error()))
	}
}
