// Package complete has the completion of flags and arguments for shells.
package complete

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/cmd/cli"
	"reseller/output/encode"
)

const noFiles = cobra.ShellCompDirectiveNoFileComp

// Register registers completions for the flags and the arguments of all commands that have none of their own: by the name of the
// flag or argument, or else an empty one. Only values that the help calls a file or a folder are completed by names of files.
func Register(root *cobra.Command, session *cli.Session) {
	byFlag := map[string]cobra.CompletionFunc{
		"output": fixed(encode.Names()...), "server": fixed("production", "sandbox", "mock"), "color": fixed("auto", "always", "never"),
		"profile": profiles(session), "columns": columns(session), "sort": sortColumns(session), "where": func(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
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
		if _, ok := c.GetFlagCompletionFunc(flag.Name); ok || flag.NoOptDefVal != "" {
			return
		}
		complete := byFlag[flag.Name]
		switch word := cli.ValueWord(flag); {
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

func profiles(session *cli.Session) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		settings, err := session.SettingsToEdit()
		if err != nil {
			return nil, noFiles
		}
		return settings.Profiles(), noFiles
	}
}

func columns(session *cli.Session) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return cli.CompleteList(typed, append(session.ColumnsOf(c), "all"))
	}
}

func sortColumns(session *cli.Session) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		minus := ""
		if strings.HasPrefix(typed[strings.LastIndex(typed, ",")+1:], "-") {
			minus = "-"
		}
		names := session.ColumnsOf(c)
		for i := range names {
			names[i] = minus + names[i]
		}
		lists, _ := cli.CompleteList(typed, names)
		return lists, noFiles // cobra's script for fish can't leave the space out behind a word that begins with a dash
	}
}
