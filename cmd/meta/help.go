package meta

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"reseller/client/nearest"
	"reseller/cmd/cli"
)

// Help makes `reseller help`, for cobra.Command.SetHelpCommand.
func Help(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND... | TOPIC]",
		Short: "Show the help of a command or a topic",
		Long: `Show the help of a command, as --help does, or of a topic:

  environment   the keys of the configuration and the variables that beat them
  formatting    what -o, --columns, --sort, --jq and --raw do
  exit-codes    what the exit code says
  files         what --file reads, and how a load can be continued`,
		Example: `reseller help accounts create
reseller help exit-codes`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				for _, t := range topics() {
					switch {
					case t.name == args[0] && len(args) > 1:
						return cli.Usagef("the topic %s takes no more words, got %q", t.name, args[1])
					case t.name == args[0]:
						return f.Text(func(w io.Writer) error {
							_, err := io.WriteString(w, t.text())
							return err
						})
					}
				}
			}
			about, err := lookUp(c.Root(), args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// lookUp walks down the tree to the command that the words name.
func lookUp(c *cobra.Command, words []string) (*cobra.Command, error) {
	for _, word := range words {
		next := child(c, word)
		if next != nil {
			c = next
			continue
		}
		names := subcommands(c)
		err := &cli.UsageError{Message: fmt.Sprintf("there is no help on %q", word)}
		if c.HasParent() {
			err.Message = fmt.Sprintf("`%s` has no command %q", c.CommandPath(), word)
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
	about, err := lookUp(c.Root(), args)
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
