// Package configure has the commands that show and change the configuration file
// and its profiles.
package configure

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/ask"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/config"
	"reseller/config/endpoint"
)

// New returns the command group `reseller config`.
func New(f *cli.Factory, storeToken TokenStorer) *cobra.Command {
	g := cli.Group("config", "Show and change the configuration",
		newInitCmd(f, storeToken), newGetCmd(f), newSetCmd(f), newListCmd(f), newPathCmd(f), newUseCmd(f))
	var long strings.Builder
	long.WriteString("Show and change the configuration file. It holds profiles, which are named sets of keys. A flag overrides\n" +
		"the environment variable, which overrides the profile, which overrides the default. Tokens and passwords\n" +
		"are stored elsewhere, see `reseller auth login`.\n\nThe keys are:\n")
	for _, key := range config.Keys {
		long.WriteString("  " + key.Name + strings.Repeat(" ", max(1, 21-len(key.Name))) + key.Help + "\n")
	}
	g.Long = strings.TrimRight(long.String(), "\n")
	return g
}

// checkValue checks a value for a key without writing it.
func checkValue(f *cli.Factory, key, value string) error {
	if _, err := config.LookupKey(key); err != nil || value == "" {
		return err
	}
	if strings.HasSuffix(key, "_url") {
		_, err := endpoint.Normalize(value, f.Flags.AllowHTTP)
		return err
	}
	settings, err := config.LoadToEdit(config.Env{}, map[string]string{key: value})
	if err != nil {
		return err
	}
	return settings.Check()
}

// completeKeys completes the first argument with the keys and the second one with
// the allowed words of that key.
func completeKeys(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var words []string
	switch len(args) {
	case 0:
		for _, key := range config.Keys {
			words = append(words, key.Name+"\t"+key.Help)
		}
	case 1:
		if key, err := config.LookupKey(args[0]); err == nil {
			words = slices.Clone(key.Values)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// keyField returns the field of the argument KEY. The user picks one of the keys.
func keyField() *form.Field {
	field := ask.Argument("KEY", "the key of the configuration")
	for _, key := range config.Keys {
		field.Words = append(field.Words, key.Name)
	}
	return field
}

// valueField returns the field of the argument VALUE of a key. The user picks one of the words of the key, or types the
// value.
func valueField(f *cli.Factory, key *form.Field) *form.Field {
	field := ask.Argument("VALUE", "its new value")
	field.After, field.Check = key, func(text string) error { return checkValue(f, key.Value, text) }
	field.Choices = func(_ context.Context, name string) ([]form.Choice, error) {
		var found []form.Choice
		if key, err := config.LookupKey(name); err == nil {
			for _, word := range key.Values {
				found = append(found, form.Choice{Value: word, Text: word})
			}
		}
		return found, nil
	}
	return field
}

// profileField returns the field of the argument PROFILE. The user picks one of the profiles of the configuration file.
func profileField(f *cli.Factory) *form.Field {
	field := ask.Argument("PROFILE", "the profile")
	field.Choices = func(context.Context, string) ([]form.Choice, error) {
		settings, err := f.SettingsToEdit()
		if err != nil {
			return nil, err
		}
		if len(settings.Profiles()) == 0 {
			return nil, errors.New("there are no profiles")
		}
		var found []form.Choice
		for _, name := range settings.Profiles() {
			found = append(found, form.Choice{Value: name, Text: name})
		}
		return found, nil
	}
	return field
}

// completeProfiles completes the first argument with the names of the profiles.
func completeProfiles(f *cli.Factory) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		settings, err := f.SettingsToEdit()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return settings.Profiles(), cobra.ShellCompDirectiveNoFileComp
	}
}
