package configure

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/config"
)

func newGetCmd(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "get KEY",
		Short: "Print the value of a key",
		Long: `Print the value in force of a key, or of "profile", on one line; the line is empty where there is no value.
Flags and environment variables count: ` + "`reseller config list`" + ` shows where each value comes from.`,
		Example: `reseller config get timeout
reseller config get server --server mock
reseller config get profile`,
		Args: cli.ExactArgs("KEY"),
		ValidArgsFunction: func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completeKeys(c, args, word)
		},
		RunE: func(_ *cobra.Command, args []string) error { return get(f, args[0]) },
	}
}

func get(f *cli.Factory, name string) error {
	if name != "profile" {
		if _, err := config.LookupKey(name); err != nil {
			return err
		}
	}
	settings, err := f.Settings()
	if err != nil {
		return err
	}
	for _, setting := range settings.All() {
		if setting.Key == name {
			return f.Line(setting.Text)
		}
	}
	return nil
}

func newListCmd(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Show every key with its value and where it comes from",
		Long: `Show every key with the value in force and where it comes from: a flag, an environment variable, the profile
or the default. No token or password is shown.`,
		Example: `reseller config list
reseller config list --server mock -o json
reseller config list --columns key,origin -o csv`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return list(c.Context(), f) },
	}
}

func list(ctx context.Context, f *cli.Factory) error {
	settings, err := f.Settings()
	if err != nil {
		return err
	}
	var recs []record.Record
	for _, setting := range settings.All() {
		recs = append(recs, cli.RecordOf(struct {
			Key    string `json:"key"`
			Value  string `json:"value"`
			Origin string `json:"origin"`
		}{setting.Key, setting.Text, setting.Origin.String()}))
	}
	return f.PrintRecords(ctx, false, []string{"key", "value", "origin"}, recs...)
}

func newPathCmd(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print the path of the configuration file",
		Long: `Print the path of the configuration file, whether or not it exists: RESELLER_CONFIG, else a file in the user's
configuration folder.`,
		Example: "reseller config path",
		Args:    cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			// A broken file is all the more reason to ask where it is.
			settings, err := f.SettingsToEdit()
			if settings == nil {
				return err
			}
			if settings.Path() == "" {
				return &cli.UsageError{
					Message: "there is no place for a configuration file: HOME is not set",
					Hint:    "set RESELLER_CONFIG to the path of a file",
				}
			}
			return f.Line(settings.Path())
		},
	}
}
