package bulkcmd

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
)

// InputFlags are the flags of commands that take --file.
type InputFlags struct {
	Path string

	format, example string
	mapping         []string
}

// Given reports whether the command reads a file or prints an example of one.
func (in *InputFlags) Given() bool { return in.Path != "" || in.example != "" }

// AddTo adds the flags to a command.
func (in *InputFlags) AddTo(c *cobra.Command, formats ...string) {
	c.PreRunE = in.checkPath
	flags := c.Flags()
	flags.StringVar(&in.Path, "file", "", "read rows from `FILE`, or from stdin if FILE is -")
	flags.StringVar(&in.format, "input-format", "", "`FORMAT` of the file: "+cli.OrList(formats)+" (default: by the file name)")
	flags.StringArrayVar(&in.mapping, "map", nil, "read a column as another field: `COLUMN=FIELD` (repeatable)")
	flags.StringVar(&in.example, "example", "", "print a sample file in this `FORMAT`: "+cli.OrList(rows.TemplateFormats))
	_ = c.RegisterFlagCompletionFunc("input-format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("example", cobra.FixedCompletions(rows.TemplateFormats, cobra.ShellCompDirectiveNoFileComp))
}

// checkPath rejects an empty path, such as that of an unset variable: the command
// would run without a file.
func (in *InputFlags) checkPath(c *cobra.Command, _ []string) error {
	if in.Path == "" && c.Flags().Changed("file") {
		return cli.Usagef("--file: the path is empty")
	}
	return nil
}

// Example prints an example file if --example asks for one.
func (in *InputFlags) Example(f *cli.Factory, res *schema.Resource, use schema.Use) (shown bool, err error) {
	if in.example == "" {
		return false, nil
	}
	return true, f.Written(func(w io.Writer) error { return rows.WriteTemplate(res, use, in.example, w) })
}

// Rows returns the rows of the file. Constants are values of all rows. Duplicates are
// reported and omitted, and an invalid row is an error.
func (in *InputFlags) Rows(ctx context.Context, f *cli.Factory, spec rows.Schema, constants schema.Values) ([]rows.Row, error) {
	source, err := in.open(ctx, f, spec, constants)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }()
	if err := validate(ctx, f, source, "", nil); err != nil {
		return nil, err
	}
	var all []rows.Row
	for row, err := range source.All() {
		if err != nil {
			return nil, err
		}
		all = append(all, rows.Clone(*row)...)
	}
	if len(all) == 0 {
		f.Note("%s has no rows", in.Path)
	}
	return all, nil
}

// open opens the file. Constants are values of all rows.
func (in *InputFlags) open(ctx context.Context, f *cli.Factory, spec rows.Schema, constants schema.Values) (*rows.Source, error) {
	for flag, path := range map[string]string{"--output-file": f.Flags.OutputFile, "--chart-file": f.Flags.ChartFile} {
		if output.SameFile(path, in.Path) {
			return nil, cli.Usagef("%s and --file name the same file", flag)
		}
	}
	spec.Map, spec.Constants = map[string]string{}, map[string]string{}
	for _, pair := range in.mapping {
		column, field, ok := strings.Cut(pair, "=")
		if !ok || column == "" || field == "" {
			return nil, cli.Usagef("--map: %q is not COLUMN=FIELD", pair)
		}
		if other, twice := spec.Map[column]; twice && other != field {
			return nil, cli.Usagef("--map: %q is mapped to both %s and %s", column, other, field)
		}
		spec.Map[column] = field
	}
	for name, v := range constants {
		spec.Constants[name] = v.Text()
	}
	return cli.WithContext(ctx, func() (*rows.Source, error) {
		return rows.Open(decode.Options{Path: in.Path, Stdin: f.In, Format: in.format}, spec)
	})
}
