package configure

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

func newUseCmd(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "use PROFILE",
		Short: "Make a profile the active one",
		Long: `Make a profile of the configuration file the active one, which commands use that are given no --profile and
no RESELLER_PROFILE.`,
		Example:           "reseller config use default",
		Args:              cli.ExactArgs("PROFILE"),
		ValidArgsFunction: completeProfiles(f),
		RunE:              func(c *cobra.Command, args []string) error { return use(c.Context(), f, args[0]) },
	}
}

func use(ctx context.Context, f *cli.Factory, profile string) error {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	settings, err := f.SettingsToEdit()
	if err != nil {
		return err
	}
	if f.Flags.DryRun {
		f.Note("profile %s would become the active one in %s", profile, settings.Path())
		return nil
	}
	if err := settings.Use(ctx, profile); err != nil {
		return err
	}
	f.Note("profile %s is the active one in %s", profile, settings.Path())
	if other, _ := f.Env("RESELLER_PROFILE"); other != "" && other != profile {
		f.Note("RESELLER_PROFILE is set and beats it")
	}
	return nil
}
