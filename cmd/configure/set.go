package configure

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
)

func newSetCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Set a key of the profile",
		Long: `Set a key of the current profile in the configuration file. An empty value removes the key. The file and the
profile are created if they don't exist. token_command and token_file are bound to the current address
(scheme, host and port): they give no token for another address until they are set again there.`,
		Example: `reseller config set base_url https://api.example.com
reseller config set timeout 2m
reseller config set server mock --profile trial`,
		ValidArgsFunction: completeKeys,
		RunE:              func(c *cobra.Command, args []string) error { return set(c.Context(), f, args[0], args[1]) },
	}
	key := keyField()
	return f.Arguments(c, key, valueField(f, key))
}

func set(ctx context.Context, f *cli.Factory, key, value string) error {
	settings, err := f.SettingsToEdit()
	if err != nil {
		return err
	}
	if f.Flags.DryRun {
		if err := checkValue(f, key, value); err != nil {
			return err
		}
		f.Note("%s of profile %s would be changed in %s", key, settings.Profile(), settings.Path())
		return nil
	}
	if err := settings.Set(ctx, key, value); err != nil {
		return err
	}
	verb := "set"
	if value == "" {
		verb = "removed"
	}
	f.Note("%s of profile %s was %s in %s", key, settings.Profile(), verb, settings.Path())
	if origin := settings.Get(key).Origin; origin.Kind == config.FromEnvironment {
		f.Note("%s is set and overrides it", origin.Name)
	}
	return nil
}

func newUseCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "use PROFILE",
		Short: "Change the active profile",
		Long: `Make a profile of the configuration file the active profile. Commands use it unless --profile or
RESELLER_PROFILE names another one. Without PROFILE, you pick one on a terminal; otherwise, the error lists the
profiles.`,
		Example: "reseller config use default",
		Args:    profileArg(f),
		RunE:    func(c *cobra.Command, args []string) error { return use(c.Context(), f, args[0]) },
	}
	return f.Arguments(c, profileField(f))
}

// profileArg checks the argument PROFILE. The error for a missing one lists the profiles.
func profileArg(f *cli.Factory) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		err := cli.ExactArgs("PROFILE")(c, args)
		if len(args) > 0 {
			return err
		}
		if settings, loadErr := f.SettingsToEdit(); loadErr == nil && len(settings.Profiles()) > 0 {
			return &cli.UsageError{Message: err.Error(), Hint: "profiles: " + strings.Join(settings.Profiles(), ", ")}
		}
		return err
	}
}

func use(ctx context.Context, f *cli.Factory, profile string) error {
	settings, err := f.SettingsToEdit()
	if err != nil {
		return err
	}
	if f.Flags.DryRun {
		f.Note("profile %s would become the active profile in %s", profile, settings.Path())
		return nil
	}
	if err := settings.Use(ctx, profile); err != nil {
		return err
	}
	f.Note("profile %s is now the active profile in %s", profile, settings.Path())
	if other, _ := f.Env("RESELLER_PROFILE"); other != "" && other != profile {
		f.Note("RESELLER_PROFILE is set and overrides it")
	}
	return nil
}
