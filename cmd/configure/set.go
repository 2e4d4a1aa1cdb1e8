package configure

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
)

func newSetCmd(f *cli.Frame) *cobra.Command {
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
		RunE:              func(c *cobra.Command, args []string) error { return set(c.Context(), f.Session, args[0], args[1]) },
	}
	key := keyField()
	return f.Prompt.Arguments(c, key, valueField(f.Session, key))
}

func set(ctx context.Context, session *cli.Session, key, value string) error {
	settings, err := session.SettingsToEdit()
	if err != nil {
		return err
	}
	if session.Flags.DryRun {
		if err := checkValue(session, key, value); err != nil {
			return err
		}
		session.Note("%s of profile %s would be changed in %s", key, settings.Profile(), settings.Path())
		return nil
	}
	if err := settings.Set(ctx, key, value); err != nil {
		return err
	}
	verb := "set"
	if value == "" {
		verb = "removed"
	}
	session.Note("%s of profile %s was %s in %s", key, settings.Profile(), verb, settings.Path())
	if origin := settings.Get(key).Origin; origin.Kind == config.FromEnvironment {
		session.Note("%s is set and overrides it", origin.Name)
	}
	return nil
}

func newUseCmd(f *cli.Frame) *cobra.Command {
	c := &cobra.Command{
		Use:   "use PROFILE",
		Short: "Change the active profile",
		Long: `Make a profile of the configuration file the active profile. Commands use it unless --profile or
RESELLER_PROFILE names another one. Without PROFILE, you pick one on a terminal; otherwise, the error lists the
profiles.`,
		Example: "reseller config use default",
		Args:    profileArg(f.Session),
		RunE:    func(c *cobra.Command, args []string) error { return use(c.Context(), f.Session, args[0]) },
	}
	return f.Prompt.Arguments(c, profileField(f.Session))
}

// profileArg checks the argument PROFILE. The error for a missing one lists the profiles.
func profileArg(session *cli.Session) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		err := cli.Args(1, "PROFILE")(c, args)
		if len(args) > 0 {
			return err
		}
		if settings, loadErr := session.SettingsToEdit(); loadErr == nil && len(settings.Profiles()) > 0 {
			return &cli.UsageError{Message: err.Error(), Hint: "profiles: " + strings.Join(settings.Profiles(), ", ")}
		}
		return err
	}
}

func use(ctx context.Context, session *cli.Session, profile string) error {
	settings, err := session.SettingsToEdit()
	if err != nil {
		return err
	}
	if session.Flags.DryRun {
		session.Note("profile %s would become the active profile in %s", profile, settings.Path())
		return nil
	}
	if err := settings.Use(ctx, profile); err != nil {
		return err
	}
	session.Note("profile %s is now the active profile in %s", profile, settings.Path())
	if other := session.Var("RESELLER_PROFILE"); other != "" && !strings.EqualFold(other, profile) {
		session.Note("RESELLER_PROFILE is set and overrides it")
	}
	return nil
}
