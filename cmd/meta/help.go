package meta

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/phrase"
	"reseller/cmd/cli"
	"reseller/output/encode"
)

const guideWord = "guide"

func Help(session *cli.Session, to *cli.Output) *cobra.Command {
	var table [][2]string
	for _, t := range topics() {
		table = append(table, [2]string{t.name, t.title})
	}
	table = append(table, [2]string{guideWord + " NAME", "a guide; without NAME, the list of all guides"})
	var man string
	var markdown, isSchema bool
	c := &cobra.Command{
		Use:   "help [COMMAND... | TOPIC]",
		Short: "Show the help of a command or a topic",
		Long: "Show the help of a command, as --help does, or of a topic:\n\n" + cli.Rows(table) + `
With --man, manual pages of all commands and topics are written to a folder, for man. With --markdown, the help of all
commands and topics is one page of Markdown. With --json-schema, the JSON Schema of what -o json prints has a definition
for each command, such as accounts.list, and those of the summary (--summary-file), the error on stderr and the dry-run.
Records of the service may lack fields that it names and have others; what the program makes has these and no others.`,
		Example: `reseller help accounts create
reseller help exit-codes
reseller help guide spreadsheets
reseller help --man man
reseller help --markdown --output-file reference.md
reseller help --json-schema --output-file reseller.schema.json`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if markdown && isSchema || man != "" && (markdown || isSchema) {
				return cli.Usagef("--man, --markdown and --json-schema can't be used together")
			}
			isMan := c.Flags().Changed("man")
			if (isMan || markdown || isSchema) && len(args) > 0 {
				return cli.Usagef("--man, --markdown and --json-schema are about all commands: they take no command, got %q", args[0])
			}
			if isSchema {
				return to.Text(string(encode.AppendJSON(nil, cli.RecordOf(JSONSchema(session, c.Root())).Raw(), 0)) + "\n")
			}
			if isMan {
				return writeManPages(session, c.Root(), man)
			}
			if markdown {
				var text strings.Builder
				visit(c.Root(), func(c *cobra.Command) {
					fmt.Fprintf(&text, "## %s\n\n```text\n%s```\n\n", c.CommandPath(), cli.HelpText(c))
				})
				for _, t := range topics() {
					fmt.Fprintf(&text, "## %s\n\n```text\n%s```\n\n", t.title, t.filled(c.Root()))
				}
				return to.Text(text.String())
			}
			text, err := topicText(to, c.Root(), args)
			if err != nil {
				return err
			}
			if text != "" {
				return to.Text(text)
			}
			about, err := findCommand(c.Root(), args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
	c.Flags().StringVar(&man, "man", "", "write the manual pages of all commands and topics to the folder `DIR`")
	c.Flags().BoolVar(&markdown, "markdown", false, "print the help of all commands as one page of Markdown")
	c.Flags().BoolVar(&isSchema, "json-schema", false, "print the JSON Schema of the outputs of all commands")
	return c
}

// visit calls do with a command and with those below it that the help shows.
func visit(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			visit(sub, do)
		}
	}
}

// topicText returns the text of the topic that words name, and none if they name a command.
func topicText(to *cli.Output, root *cobra.Command, words []string) (string, error) {
	if len(words) == 0 {
		return "", nil
	}
	if words[0] == guideWord {
		return guideText(to, words[1:])
	}
	for _, t := range topics() {
		switch {
		case t.name == words[0] && len(words) > 1:
			return "", cli.Usagef("the topic %s takes no arguments, got %q", t.name, words[1])
		case t.name == words[0]:
			return to.Fit(t.filled(root)), nil
		}
	}
	return "", nil
}

func guideText(to *cli.Output, words []string) (string, error) {
	if len(words) > 1 {
		return "", cli.Usagef("a guide takes no arguments, got %q", words[1])
	}
	var names []string
	var table [][2]string
	for _, g := range guides() {
		if len(words) == 1 && words[0] == g.name {
			return fitGuide(to, g.text), nil
		}
		names, table = append(names, g.name), append(table, [2]string{g.name, g.title})
	}
	if len(words) == 0 {
		return "The guides, each of which `reseller help guide NAME` shows:\n\n" + cli.Rows(table), nil
	}
	return "", cli.Usagef("no guide %q", words[0]).Hinted(cmp.Or(cli.DidYouMean(words[0], names), "`reseller help guide` lists the guides"))
}

// fitGuide fits the paragraphs of a guide to the terminal. Code, which users copy, and tables stay as they are.
func fitGuide(to *cli.Output, text string) string {
	const fence = "```"
	parts := strings.Split(text, fence)
	for i := 0; i < len(parts); i += 2 {
		paragraphs := strings.SplitAfter(parts[i], "\n\n")
		for j, paragraph := range paragraphs {
			if !strings.HasPrefix(paragraph, "|") {
				paragraphs[j] = to.Fit(paragraph)
			}
		}
		parts[i] = strings.Join(paragraphs, "")
	}
	return strings.Join(parts, fence)
}

func findCommand(c *cobra.Command, words []string) (*cobra.Command, error) {
	for _, word := range words {
		subs := c.Commands()
		if i := slices.IndexFunc(subs, func(sub *cobra.Command) bool { return sub.Name() == word || sub.HasAlias(word) }); i >= 0 {
			c = subs[i]
			continue
		}
		names := cli.Subcommands(c)
		err := &cli.UsageError{Message: fmt.Sprintf("no help topic or command %q", word)}
		if c.HasParent() {
			err.Message = fmt.Sprintf("unknown command %q of `%s`", word, c.CommandPath())
		} else {
			for _, t := range topics() {
				names = append(names, t.name)
			}
			names = append(names, guideWord)
		}
		isGuide := slices.ContainsFunc(guides(), func(g page) bool { return g.name == word })
		if err.Hint = cli.DidYouMean(word, names); isGuide {
			err.Hint = fmt.Sprintf("`reseller help %s %s` shows the guide", guideWord, word)
		} else if err.Hint == "" && cli.MayBeSecret(word) {
			err.Message = "no such help topic or command"
		}
		return nil, err
	}
	return c, nil
}

func completeHelp(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 1 && args[0] == guideWord {
		return phrase.Each(guides(), func(g page) string { return g.name + "\t" + g.title }), cobra.ShellCompDirectiveNoFileComp
	}
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
		words = append(words, guideWord+"\ttopic")
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
