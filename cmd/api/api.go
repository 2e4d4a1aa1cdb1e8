// Package api holds the command that calls any operation of the service.
package api

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type options struct {
	method, path string
	fields       []string
	jsonFields   []string
	query        []string
	input        string
}

var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// New makes `reseller api`.
func New(f *cli.Factory) *cobra.Command { return newCmd(f, nil) }

func newCmd(f *cli.Factory, runF func(*options) error) *cobra.Command {
	o := &options{}
	c := &cobra.Command{
		Use:   "api METHOD PATH",
		Short: "Call any operation and print its answer as it came",
		Long: `Call any operation of the service with the token of the address in force, and print the answer as it came,
an error's too; on a terminal its control characters are escaped. The exit code is that of every command:
by the HTTP status, and by what the answer says of itself. The path begins with one / and goes behind the
address in force. The login goes without a token, and its answer holds one.

The body is made of --field (strings) and --json-field (any JSON), or read with --input. It is checked to be
JSON before anything is sent. Reads are tried again like those of every command; a write only where it
surely was not carried out, and nothing is read back.`,
		Example: `reseller api GET /api/v2/accounts/1 --server mock
reseller api GET /api/v2/campaigns/notes --query campaign_id=101 --server mock --jq .data.writer_instructions
reseller api PUT /api/v1/accounts/status --json-field account_id=1 --field status=deactivate --server mock --dry-run`,
		Args: cli.ExactArgs("METHOD", "PATH"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return complete(args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			o.method, o.path = strings.ToUpper(args[0]), args[1]
			if runF != nil {
				return runF(o)
			}
			return run(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringArrayVar(&o.fields, "field", nil, "member of the body, a string: NAME=VALUE; may be given several times")
	c.Flags().StringArrayVar(&o.jsonFields, "json-field", nil, "member of the body, any JSON: NAME=JSON; may be given several times")
	c.Flags().StringArrayVar(&o.query, "query", nil, "parameter of the address: NAME=VALUE; may be given several times")
	c.Flags().StringVar(&o.input, "input", "", "file that holds the body, - for stdin")
	return c
}

// complete completes the method, and the path with those that are known.
func complete(args []string) []string {
	if len(args) == 0 {
		return methods
	}
	var paths []string
	for _, op := range schema.Operations() {
		if len(args) == 1 && op.Method == strings.ToUpper(args[0]) {
			paths = append(paths, op.Path+"\t"+op.Title)
		}
	}
	return paths
}

func run(ctx context.Context, f *cli.Factory, o *options) error {
	call, err := o.call(ctx, f)
	if err != nil {
		return err
	}
	if f.Flags.DryRun && call.Op.Writes() {
		return resource.DryRun(ctx, f, call)
	}
	flags := f.Flags
	switch {
	case flags.Output != "" && flags.Output != "json":
		return cli.Usagef("-o %s: the answer is printed as it came, which is JSON", flags.Output)
	case len(flags.Columns) > 0 || flags.Sort != "" || flags.NoHeader || flags.CSVSafe:
		return cli.Usagef("the answer is printed as it came, so --columns, --sort, --no-header and --csv-safe have nothing to work on")
	}
	out, err := f.Output(cli.Shape(nil, true))
	if err != nil {
		return err
	}
	defer out.Abort()
	c, err := f.Client()
	if err != nil {
		return err
	}
	seen := &head{keep: updatesKeywords(call)}
	if flags.JQ != "" {
		err = filtered(ctx, c, call, out, seen)
	} else {
		_, err = c.Raw(ctx, call, io.MultiWriter(out.Raw(), seen))
	}
	if err == nil {
		err = items(call, seen.Bytes())
	}
	if err == nil || flags.OutputFile == "" {
		if commitErr := out.Commit(); err == nil {
			err = commitErr
		}
	}
	return explained(call, err)
}

// filtered runs the jq expression on a good answer; a bad one is printed as it
// came.
func filtered(ctx context.Context, c *client.Client, call client.Call, out *cli.Out, seen io.Writer) error {
	var text bytes.Buffer
	_, err := c.Raw(ctx, call, io.MultiWriter(&text, seen))
	if err == nil && text.Len() > 0 {
		return out.Value(ctx, record.Value(bytes.TrimSpace(text.Bytes())))
	}
	if _, writeErr := io.Copy(out.Raw(), &text); writeErr != nil {
		return writeErr
	}
	return err
}

// explained adds to a write's error that it may have been carried out.
func explained(call client.Call, err error) error {
	if err == nil || !call.Op.Writes() || !client.Unknown(err) {
		return err
	}
	return &cli.ExitError{
		Code: cli.ExitCode(err), Err: err,
		Hint: "it may have been carried out: look at what the service holds before you send it again",
	}
}
