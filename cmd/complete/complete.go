// Package complete has the completion of flags and arguments for shells.
package complete

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/client/phrase"
	"reseller/cmd/cli"
	"reseller/output/encode"
)

const noFiles = cobra.ShellCompDirectiveNoFileComp

// Register registers completions for the flags and the arguments of all commands: the words that a flag offers, or else by the
// name of the flag or argument, or else an empty one. Only values that the help calls a file or a folder are completed by names
// of files.
func Register(root *cobra.Command, session *cli.Session) {
	byFlag := map[string]cobra.CompletionFunc{
		"output": fixed(encode.Names()...), "server": fixed("production", "sandbox", "mock"), "color": fixed("auto", "always", "never"),
		"profile": profiles(session), "sort": sortColumns(session),
		"columns": list(func(c *cobra.Command) []string { return append(session.ColumnsOf(c), "all") }),
		"where": func(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return session.ColumnsOf(c), noFiles | cobra.ShellCompDirectiveNoSpace // the operator follows
		},
		"account": accounts(session), "campaign": campaigns(session),
	}
	byArgument := map[string]cobra.CompletionFunc{ // by the word for the argument
		"ACCOUNT_ID": accounts(session), "CAMPAIGN_ID": campaigns(session), "JOB": jobs(session), "PROFILE": profiles(session),
	}
	addTo(root, byFlag, byArgument, regexp.MustCompile(`[A-Z_]{3,}`))
}

func addTo(c *cobra.Command, byFlag, byArgument map[string]cobra.CompletionFunc, argument *regexp.Regexp) {
	c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		complete, words := byFlag[flag.Name], flag.Annotations[cli.Words]
		switch word := cli.ValueWord(flag); {
		case words != nil && flag.Value.Type() == "stringSlice":
			complete = list(func(*cobra.Command) []string { return words })
		case words != nil:
			complete = fixed(words...)
		case flag.NoOptDefVal != "":
			return
		case complete != nil:
		case word == "DIR":
			complete = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
		case word == "FILE":
			return
		default:
			complete = fixed()
		}
		_ = c.RegisterFlagCompletionFunc(flag.Name, complete)
	})
	if c.ValidArgsFunction == nil {
		c.ValidArgsFunction = fixed()
		if complete := byArgument[argument.FindString(c.Use)]; complete != nil {
			c.ValidArgsFunction = complete
		}
	}
	for _, sub := range c.Commands() {
		addTo(sub, byFlag, byArgument, argument)
	}
}

func fixed(words ...string) cobra.CompletionFunc { return cobra.FixedCompletions(words, noFiles) }

// list completes the last word of a list with commas.
func list(words func(*cobra.Command) []string) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		done := typed[:strings.LastIndex(typed, ",")+1]
		return phrase.Each(words(c), func(word string) string { return done + word }), noFiles | cobra.ShellCompDirectiveNoSpace
	}
}

func profiles(session *cli.Session) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		settings, err := session.SettingsToEdit()
		if err != nil {
			return nil, noFiles
		}
		return settings.Profiles(), noFiles
	}
}

func sortColumns(session *cli.Session) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		minus := ""
		if strings.HasPrefix(typed[strings.LastIndex(typed, ",")+1:], "-") {
			minus = "-"
		}
		lists, _ := list(func(c *cobra.Command) []string {
			return phrase.Each(session.ColumnsOf(c), func(name string) string { return minus + name })
		})(c, nil, typed)
		return lists, noFiles // cobra's script for fish can't leave the space out behind a word that begins with a dash
	}
}
