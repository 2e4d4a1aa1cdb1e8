package meta

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"reseller/client/nearest"
	"reseller/cmd/cli"
)

// Help returns the command `reseller help`, for cobra.Command.SetHelpCommand.
func Help(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND... | TOPIC]",
		Short: "Show the help of a command or a topic",
		Long: `Show the help of a command, as --help does, or of a topic:

  environment   environment variables and the keys of the configuration
  formatting    output formats, --columns, --sort, --jq and --raw
  exit-codes    the meaning of the exit codes
  files         the files that --file reads, and how to resume a load`,
		Example: `reseller help accounts create
reseller help exit-codes`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				for _, t := range topics() {
					switch {
					case t.name == args[0] && len(args) > 1:
						return cli.Usagef("the topic %s takes no arguments, got %q", t.name, args[1])
					case t.name == args[0]:
						return f.Text(func(w io.Writer) error {
							_, err := io.WriteString(w, t.text())
							return err
						})
					}
				}
			}
			about, err := findCommand(c.Root(), args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// findCommand returns the command that words name, starting at c.
func findCommand(c *cobra.Command, words []string) (*cobra.Command, error) {
	for _, word := range words {
		next := child(c, word)
		if next != nil {
			c = next
			continue
		}
		names := subcommands(c)
		err := &cli.UsageError{Message: fmt.Sprintf("no help topic or command %q", word)}
		if c.HasParent() {
			err.Message = fmt.Sprintf("unknown command %q of `%s`", word, c.CommandPath())
		} else {
			for _, t := range topics() {
				names = append(names, t.name)
			}
		}
		if near := nearest.Name(word, names); near != "" {
			err.Hint = fmt.Sprintf("did you mean %s?", near)
		}
		return nil, err
	}
	return c, nil
}

func child(c *cobra.Command, word string) *cobra.Command {
	for _, sub := range c.Commands() {
		if sub.Name() == word || sub.HasAlias(word) {
			return sub
		}
	}
	return nil
}

func subcommands(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

func completeHelp(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	about, err := findCommand(c.Root(), args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var words []string
	for _, sub := range about.Commands() {
		if sub.IsAvailableCommand() {
			words = append(words, sub.Name()+"\t"+sub.Short)
		}
	}
	if len(args) == 0 {
		for _, t := range topics() {
			words = append(words, t.name+"\ttopic")
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
