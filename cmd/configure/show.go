package configure

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/config"
)

func newGetCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "get KEY",
		Short: "Print the value of a key",
		Long: `Print the current value of a key, or of "profile", on one line. The line is empty if the key has no value.
Flags and environment variables are taken into account; to see where each value comes from, run
` + "`reseller config list`" + `.`,
		Example: `reseller config get timeout
reseller config get server --server mock
reseller config get profile`,
		ValidArgsFunction: completeKeys,
		RunE:              func(_ *cobra.Command, args []string) error { return get(f, args[0]) },
	}
	key := keyField()
	key.Words = append(key.Words, "profile")
	return f.Arguments(c, key)
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
	c := &cobra.Command{
		Use:   "list",
		Short: "List all keys with their values and origins",
		Long: `List all keys with their current values and where each value comes from: a flag, an environment variable,
the profile or the default. Tokens and passwords are not shown.`,
		Example: `reseller config list
reseller config list --server mock -o json
reseller config list --columns key,origin -o csv`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return list(c.Context(), f) },
	}
	f.Flags.AddSelection(c)
	return c
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
	return f.PrintRecords(ctx, "settings", false, []string{"key", "value", "origin"}, recs...)
}

func newPathCmd(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print the path of the configuration file",
		Long: `Print the path of the configuration file, whether or not the file exists. It is RESELLER_CONFIG if that is
set, else a file in the user's configuration folder.`,
		Example: "reseller config path",
		Args:    cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			// The path is known even if the file is broken.
			settings, err := f.SettingsToEdit()
			if settings == nil {
				return err
			}
			if err := settings.CheckPath(); err != nil {
				return err
			}
			return f.Line(settings.Path())
		},
	}
}
