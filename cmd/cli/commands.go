package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/client/schema"
)

// A Frame has the values that commands need; each uses some of them. They are made in this order.
type Frame struct {
	*Session
	Output  *Output
	Prompt  *Prompt
	Outcome *Outcome
}

func NewFrame(streams Streams, version string) *Frame {
	s := &Session{Streams: streams, Context: context.Background(), Version: version, noted: map[string]bool{}, completionResources: map[*cobra.Command]*schema.Resource{}, printed: map[*cobra.Command][]any{}}
	return &Frame{s, &Output{s: s}, &Prompt{s: s}, &Outcome{s: s}}
}

type Commands map[string]func(*Frame) *cobra.Command

func Group(use, short string, commands Commands) func(*Frame) *cobra.Command {
	return func(f *Frame) *cobra.Command {
		g := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, RunE: GroupRun}
		f.AddCommands(g, commands)
		return g
	}
}

// AddCommands adds to a group the command that the next word of the command line names, or all commands if it names none.
// Making all takes longer than a short command runs.
func (f *Frame) AddCommands(g *cobra.Command, commands Commands) {
	if len(f.Words) > 0 && commands[f.Words[0]] != nil {
		commands, f.Words = Commands{f.Words[0]: commands[f.Words[0]]}, f.Words[1:]
	} else {
		f.Words = nil
	}
	for _, newCmd := range commands {
		c := newCmd(f)
		c.Flags().SortFlags = false // the help has them in the order in which they were added
		g.AddCommand(c)
	}
}

// synonyms has for words that people try what they mean: the first whose command the group has.
var synonyms = map[string][]string{
	"customers": {"accounts list"},
	"clients":   {"accounts list"},
	"login":     {"auth login"},
	"logout":    {"auth logout"},
	"whoami":    {"auth status"},
	"status":    {"auth status"},
	"import":    {"onboard"},
	"show":      {"get", "accounts get"},
	"view":      {"get", "show", "accounts get"},
	"describe":  {"get", "show", "accounts get"},
	"find":      {"list --search TEXT", "accounts list --search TEXT"},
	"search":    {"list --search TEXT", "accounts list --search TEXT"},
	"ls":        {"list", "accounts list"},
	"new":       {"create", "add", "accounts create"},
	"edit":      {"update", "set", "accounts update"},
	"delete":    {"remove", "logout", "status ID --deactivate", "accounts status ID --deactivate"},
	"remove":    {"delete", "logout", "status ID --deactivate", "accounts status ID --deactivate"},
}

// GroupRun runs a group without a subcommand: it prints the help of the group, or
// suggests a subcommand for an unknown word.
func GroupRun(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	err := &UsageError{Message: fmt.Sprintf("unknown command %q for %q", args[0], c.CommandPath())}
	subcommands := Subcommands(c)
	near := Suggest(args[0], subcommands)
	for _, meant := range synonyms[args[0]] {
		if name, _, _ := strings.Cut(meant, " "); slices.Contains(subcommands, name) {
			near = meant
			break
		}
	}
	if near != "" {
		err.Hint = fmt.Sprintf("did you mean `%s %s`?", c.CommandPath(), near)
	} else {
		if c.Name() == "auth" || MayBeSecret(args[0]) {
			err.Message = fmt.Sprintf("unknown command for %q", c.CommandPath())
		}
		err.Hint = fmt.Sprintf("`%s --help` lists the commands", c.CommandPath())
	}
	return err
}

func Subcommands(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// MayBeSecret reports whether an unknown word may be a token or a password that the user gave in the wrong place: it is not
// written like a command.
func MayBeSecret(word string) bool {
	return len(word) > 24 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") != ""
}

// FlagError turns an error of the flag parser into a usage error that suggests a flag. If the flag is that of an unknown
// command, the error is about the command.
func FlagError(c *cobra.Command, err error) error {
	if words := c.Flags().Args(); c.HasSubCommands() && len(words) > 0 {
		return GroupRun(c, words)
	}
	usage := &UsageError{Message: err.Error(), Hint: fmt.Sprintf("`%s --help` shows the flags", c.CommandPath())}
	unknown, isUnknown := errors.AsType[*pflag.NotExistError](err)
	isShort := isUnknown && strings.HasPrefix(unknown.Error(), "unknown shorthand")
	invalid, isInvalid := errors.AsType[*pflag.InvalidValueError](err)
	_, isNoNumber := errors.AsType[*strconv.NumError](err)
	switch {
	case isInvalid && invalid.GetFlag().Value.Type() == "bool":
		usage.Message = fmt.Sprintf("--%s takes no value but true or false", invalid.GetFlag().Name) // which may be a token or a password
	case isInvalid && isNoNumber:
		usage.Message = fmt.Sprintf("--%s: %q is not a whole number", invalid.GetFlag().Name, invalid.GetValue())
	case isShort && secretHint(c) != "":
		usage.Message = fmt.Sprintf("unknown shorthand flag: -%s", unknown.GetSpecifiedName()) // the rest of the word may be a password
		usage.Hint = secretHint(c)
	case isShort && unknown.GetSpecifiedName() == "f" && c.Flags().Lookup("limit") != nil:
		usage.Hint = "-o FORMAT sets the output format"
	case isShort:
		usage.Hint = "put values that begin with a dash after `--`: " + c.CommandPath() + " … -- -VALUE"
	case isUnknown && unknown.GetSpecifiedName() != "file": // no other flag reads one
		var names []string
		c.Flags().VisitAll(func(flag *pflag.Flag) {
			if !flag.Hidden {
				names = append(names, flag.Name)
			}
		})
		if near := Suggest(strings.TrimLeft(unknown.GetSpecifiedName(), "-"), names); near != "" {
			usage.Hint = fmt.Sprintf("did you mean --%s?", near)
		}
	}
	return usage
}
