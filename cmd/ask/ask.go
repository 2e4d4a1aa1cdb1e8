// Package ask asks on a terminal for the arguments and flags that a command can't do without.
package ask

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/cmd/form"
)

// Arguments declares the arguments that a command needs, in their order. On a terminal, a form asks for those that are
// missing: those without which c.Args reports an error. Without a terminal, it is reported. If c.Args is nil, exactly
// these arguments are needed.
func Arguments(f *cli.Factory, c *cobra.Command, fields ...*form.Field) *cobra.Command {
	if c.Args == nil {
		names := make([]string, len(fields))
		for i, field := range fields {
			names[i] = field.Name
		}
		c.Args = cli.ExactArgs(names...)
	}
	check, run := c.Args, c.RunE
	lacks := func(c *cobra.Command, args []string) bool {
		return len(args) < len(fields) && f.CanFill() && check(c, args) != nil
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if lacks(c, args) {
			return nil
		}
		return check(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if lacks(c, args) {
			for i, arg := range args { // by which the choices of the others may differ
				fields[i].Value = arg
			}
			values, err := Missing(c, f, fields[len(args):]...)
			if err != nil {
				return err
			}
			args = slices.Concat(args, values)
		}
		return run(c, args)
	}
	return c
}

// Missing returns the values of arguments or flags that are missing, for which a form asks; only those of optional fields may
// be empty. Without a terminal that can show a form, it returns none.
func Missing(c *cobra.Command, f *cli.Factory, fields ...*form.Field) ([]string, error) {
	if !f.CanFill() {
		return nil, nil
	}
	send := strings.ToLower(c.Short[:1]) + c.Short[1:]
	if err := f.Fill(c.Context(), &form.Form{Title: c.Short, Send: send, Fields: fields}); err != nil {
		return nil, err
	}
	values := make([]string, len(fields))
	for i, field := range fields {
		values[i] = field.Value
	}
	return values, nil
}

// Argument returns the field of an argument. name is its word in the usage line.
func Argument(name, help string) *form.Field {
	return &form.Field{Name: name, Placeholder: name, Help: help}
}
