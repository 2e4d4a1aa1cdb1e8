// Package ask asks on a terminal for the arguments and flags that a command can't do without.
package ask

import (
	"errors"
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
		c.Args = cli.ExactArgs(namesOf(fields)...)
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

// Missing returns the values of arguments or flags that are missing, for which a form asks. Without a terminal that can
// show a form, it returns none.
func Missing(c *cobra.Command, f *cli.Factory, fields ...*form.Field) ([]string, error) {
	if !f.CanFill() {
		return nil, nil
	}
	for _, field := range fields {
		field.Check = checkOf(field)
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

// MissingID is Missing for an argument that is an id.
func MissingID(c *cobra.Command, f *cli.Factory, field *form.Field) ([]int64, error) {
	values, err := Missing(c, f, field)
	if err != nil {
		return nil, err
	}
	return cli.IDs(field.Name, values)
}

// Argument returns the field of an argument. name is its word in the usage line.
func Argument(name, help string) *form.Field {
	return &form.Field{Name: name, Placeholder: name, Help: help}
}

// namesOf returns the names of fields.
func namesOf(fields []*form.Field) []string {
	list := make([]string, len(fields))
	for i, field := range fields {
		list[i] = field.Name
	}
	return list
}

// checkOf returns the check of a field: the empty text is wrong unless the field is optional, and any other passes the
// check that the field has.
func checkOf(field *form.Field) func(string) error {
	check := field.Check
	return func(text string) error {
		switch {
		case text == "" && field.Optional:
			return nil
		case text == "":
			return errors.New("this field is required")
		case check != nil:
			return check(text)
		}
		return nil
	}
}
