// Package configure has the commands that show and change the configuration file
// and its profiles.
package configure

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/config"
)

func New(f *cli.Frame, storeToken TokenStorer) *cobra.Command {
	g := cli.Group("config", "Show and change the configuration", cli.Commands{
		"init": func(f *cli.Frame) *cobra.Command { return newInitCmd(f, storeToken) },
		"get":  newGetCmd, "set": newSetCmd, "list": newListCmd, "path": newPathCmd, "use": newUseCmd,
	})(f)
	var keys [][2]string
	for _, key := range config.Keys {
		keys = append(keys, [2]string{key.Name, key.Help})
	}
	g.Long = "Show and change the configuration file. It holds profiles, which are named sets of keys. A flag overrides\n" +
		"the environment variable, which overrides the profile, which overrides the default. Tokens and passwords\n" +
		"are stored elsewhere, see `reseller auth login`.\n\nThe keys are:\n" + strings.TrimRight(cli.Rows(keys), "\n")
	return g
}

func checkValue(session *cli.Session, key, value string) error {
	settings, err := session.SettingsToEdit()
	if err == nil {
		_, err = settings.CheckValue(key, value)
	}
	return err
}

// completeKeys completes the first argument with the keys and the second one, of a command that has it, with
// the allowed words of that key.
func completeKeys(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var words []string
	switch {
	case len(args) == 0:
		for _, key := range config.Keys {
			words = append(words, key.Name+"\t"+key.Help)
		}
	case len(args) == 1 && strings.Contains(c.Use, "VALUE"):
		if key, err := config.LookupKey(args[0]); err == nil {
			words = slices.Clone(key.Values)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

func keyField() *form.Field {
	field := form.Argument("KEY", "the key of the configuration")
	for _, key := range config.Keys {
		field.Words = append(field.Words, key.Name)
	}
	return field
}

// valueField returns the field of the argument VALUE of a key. The user picks one of the words of the key, or types the
// value.
func valueField(session *cli.Session, key *form.Field) *form.Field {
	field := form.Argument("VALUE", "its new value")
	field.After, field.Check = key, func(text string) error { return checkValue(session, key.Value, text) }
	field.Choices = func(_ context.Context, name string) ([]form.Choice, error) {
		key, _ := config.LookupKey(name) // the key has been checked
		return form.ChoicesOf(key.Values), nil
	}
	return field
}

// profileField returns the field of the argument PROFILE. The user picks one of the profiles of the configuration file.
func profileField(session *cli.Session) *form.Field {
	field := form.Argument("PROFILE", "the profile")
	field.Choices = func(context.Context, string) ([]form.Choice, error) {
		settings, err := session.SettingsToEdit()
		if err == nil && len(settings.Profiles()) == 0 {
			err = errors.New("there are no profiles")
		}
		if err != nil {
			return nil, err
		}
		return form.ChoicesOf(settings.Profiles()), nil
	}
	return field
}
