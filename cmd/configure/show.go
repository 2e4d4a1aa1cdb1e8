package configure

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/config"
)

func newGetCmd(f *cli.Frame) *cobra.Command {
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
		RunE:              func(_ *cobra.Command, args []string) error { return get(f.Session, f.Output, args[0]) },
	}
	key := keyField()
	key.Words = append(key.Words, "profile")
	return f.Prompt.Arguments(c, key)
}

func get(session *cli.Session, to *cli.Output, name string) error {
	settings, err := session.Settings()
	if err != nil {
		return err
	}
	if name != "profile" {
		key, err := config.LookupKey(name)
		if err = cmp.Or(err, settings.CheckKey(key)); err != nil {
			return err
		}
	}
	return to.Line(settings.Get(name).Text)
}

func newListCmd(f *cli.Frame) *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List all keys with their values and origins",
		Long: `List all keys with their current values and where each value comes from: a flag, an environment variable,
the profile or the default. Tokens and passwords are not shown.`,
		Example: `reseller config list
reseller config list --server mock -o json
reseller config list --columns key,origin -o csv`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return list(c.Context(), f.Session, f.Output) },
	}
	f.Flags.AddSelection(c)
	return f.SetPrinted(c, []listed{})
}

type listed struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

func list(ctx context.Context, session *cli.Session, to *cli.Output) error {
	settings, err := session.Settings()
	if err != nil {
		return err
	}
	var recs []record.Record
	for _, setting := range settings.All() {
		recs = append(recs, cli.RecordOf(listed{setting.Key, setting.Text, setting.Origin.String()}))
	}
	return to.PrintRecords(ctx, "settings", false, []string{"key", "value", "origin"}, recs...)
}

func newPathCmd(f *cli.Frame) *cobra.Command {
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
			return f.Output.Line(settings.Path())
		},
	}
}
