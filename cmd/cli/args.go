package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/schema"
)

// NoArgs is the check of commands without arguments. The error repeats none: it may be a token or a password.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := &UsageError{Message: fmt.Sprintf("`%s` takes no arguments", c.CommandPath()), Hint: secretHint(c)}
	has := func(flag string) bool { return c.Flags().Lookup(flag) != nil }
	needs := func(flag string) bool { return has(flag) && c.Flags().Lookup(flag).Annotations[Essential] != nil }
	switch {
	case err.Hint != "":
	case c.Name() == "list" && has("search") && !needs("campaign"):
		err.Hint = fmt.Sprintf("`%s --search TEXT` finds records", c.CommandPath())
	case has("campaign"):
		err.Hint = fmt.Sprintf("`%s --campaign ID` selects a campaign", c.CommandPath())
	case has("file"):
		err.Hint = fmt.Sprintf("`%s --file FILE` reads a file", c.CommandPath())
	case has("account"):
		err.Hint = fmt.Sprintf("`%s --account ID` selects an account", c.CommandPath())
	}
	return err
}

// secretHint says how to pass a command its token or password. It is empty if the command takes none.
func secretHint(c *cobra.Command) string {
	for _, way := range [...][2]string{{"token", "with-token"}, {"password", "password-stdin"}} {
		if c.Flags().Lookup(way[1]) != nil {
			return fmt.Sprintf("pass the %s on stdin with --%s, since other users can see the command line", way[0], way[1])
		}
	}
	return ""
}

// Args checks that a command has the arguments with these names, and at most as many as most, or any number if that is negative.
func Args(most int, names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		err := &UsageError{Hint: "usage: " + c.UseLine()}
		switch {
		case len(args) < len(names):
			err.Message = "missing: " + strings.Join(names[len(args):], ", ")
		case most >= 0 && len(args) > most:
			err.Message = "too many arguments: " + strconv.Quote(args[most])
		default:
			return nil
		}
		return err
	}
}

func IDs(name string, args []string) ([]int64, error) {
	ids := make([]int64, len(args))
	for i, arg := range args {
		id, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || !schema.IsID(arg) {
			return nil, Usagef("%s: %q is not a whole number", name, arg)
		}
		ids[i] = id
	}
	return ids, nil
}

func Distinct(ids []int64) (each []int64) {
	for _, id := range ids {
		if !slices.Contains(each, id) {
			each = append(each, id)
		}
	}
	return each
}
