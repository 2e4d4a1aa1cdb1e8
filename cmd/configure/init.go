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
		Short: "Make a profile",
		Long: `Make a profile in the configuration file: of what is given by --base-url, --server, --output, --timeout,
--retries and --rate, or, where nothing is given, of the answers to a few questions on the terminal. The
profile is the one that --profile names, else the active one; the first profile of a file becomes the
active one. Of a profile that is there already, only what is given changes, and only after a question or
with --yes.`,
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
		if value := settings.Get(key.Name); value.Origin.Source == config.FromFlag {
			values[key.Name] = value.Text
		}
	}
	if len(values) == 0 && !f.CanAsk() {
		return &cli.UsageError{
			Message: "nothing is given to write, and nobody is there to ask",
			Hint:    "give --base-url URL, or --server mock",
		}
	}
	there := slices.Contains(profiles, name)
	if there {
		question := fmt.Sprintf("profile %s is in %s already; change it?", name, settings.Path())
		if err := f.Confirm(ctx, question); err != nil {
			return err
		}
	}
	if len(values) == 0 {
		if values, err = ask(ctx, f); err != nil {
			return err
		}
	}
	if f.Flags.DryRun {
		for key, value := range values {
			if err := check(f, key, value); err != nil {
				return err
			}
		}
		f.Note("profile %s would be written to %s", name, settings.Path())
		return nil
	}
	if err := settings.Init(ctx, values); err != nil {
		return err
	}
	f.Note("profile %s is written to %s", name, settings.Path())
	if !there && len(profiles) > 0 {
		f.Note("`reseller config use %s` makes it the active one", name)
	}
	if values["server"] != "mock" {
		f.Note("`reseller auth login` keeps a token for it, `reseller doctor` checks it")
	}
	return nil
}

// ask asks for what most profiles need; an empty answer leaves a key out.
func ask(ctx context.Context, f *cli.Factory) (map[string]string, error) {
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
		if err = check(f, key.Name, answer); err == nil {
			return answer, nil
		}
		fmt.Fprintf(f.Err, "  %s\n", safetext.Escape(err.Error()))
	}
}
