package configure

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
)

type setOptions struct{ key, value string }

func newSetCmd(f *cli.Factory) *cobra.Command {
	o := &setOptions{}
	c := &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Change a key of the profile",
		Long: `Change one key of the profile in the configuration file; an empty value removes the key. File and profile are
made where they are missing. token_command is bound to the address in force (scheme, host and port): it
serves no other until it is set again.`,
		Example: `reseller config set base_url https://api.example.com
reseller config set timeout 2m
reseller config set server mock --profile trial`,
		Args:              cli.ExactArgs("KEY", "VALUE"),
		ValidArgsFunction: completeKeys,
		RunE: func(c *cobra.Command, args []string) error {
			o.key, o.value = args[0], args[1]
			return set(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	return c
}

func set(ctx context.Context, f *cli.Factory, o *setOptions) error {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	settings, err := f.SettingsToEdit()
	if err != nil {
		return err
	}
	if f.Flags.DryRun {
		if err := check(f, o.key, o.value); err != nil {
			return err
		}
		f.Note("%s of profile %s would be changed in %s", o.key, settings.Profile(), settings.Path())
		return nil
	}
	if err := settings.Set(ctx, o.key, o.value); err != nil {
		return err
	}
	verb := "set"
	if o.value == "" {
		verb = "removed"
	}
	f.Note("%s of profile %s is %s in %s", o.key, settings.Profile(), verb, settings.Path())
	if value := settings.Get(o.key); value.Origin.Source == config.FromEnvironment {
		f.Note("%s is set and beats it", value.Origin.Name)
	}
	return nil
}
