// Package api has the command that calls any operation of the service.
package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/cmd/resource"
	"reseller/output"
)

type options struct {
	method, path string
	fields       []string
	jsonFields   []string
	query        []string
	input        string
}

var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

func New(f *cli.Frame) *cobra.Command {
	o := &options{}
	c := &cobra.Command{
		Use:   "api METHOD PATH",
		Short: "Call any operation and print the response as received",
		Long: `Call any operation of the service and print the response as received, even if it is an error. PATH begins with
a single / and is appended to the current address. The request is sent with the token for this address, but for
the login operation, whose response contains a new token.

Build the body from --field (strings) and --json-field (any JSON), or read it with --input. It must be valid
JSON, or nothing is sent. Failed reads are retried as in all commands. A failed write is retried only if it was
certainly not carried out, and its outcome is not looked up.

A new --output-file can be read by its owner only, since responses may hold passwords. On a terminal, control
characters are escaped. The exit code is that of the HTTP status and of the errors that the response reports.`,
		Example: `reseller api GET /api/v2/accounts/1 --server mock
reseller api GET /api/v2/campaigns/notes --query campaign_id=101 --server mock --jq .data.writer_instructions
reseller api PUT /api/v1/accounts/status --json-field account_id=1 --field status=deactivate --server mock --dry-run`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return complete(args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			o.method, o.path = strings.ToUpper(args[0]), args[1]
			return run(c.Context(), f, o)
		},
	}
	c.Flags().StringArrayVar(&o.fields, "field", nil, "add a string to the body: `NAME=VALUE` (repeatable)")
	c.Flags().StringArrayVar(&o.jsonFields, "json-field", nil, "add any JSON to the body: `NAME=JSON` (repeatable)")
	c.Flags().StringArrayVar(&o.query, "query", nil, "add a query parameter to the path: `NAME=VALUE` (repeatable)")
	c.Flags().StringVar(&o.input, "input", "", "read the body from `FILE`, or from stdin if FILE is -")
	method := form.Argument("METHOD", "the HTTP method")
	method.Words = complete(nil)
	return f.Prompt.Arguments(f.SetPrinted(c, &schema.Resource{}, cli.Plan{}), method, form.Argument("PATH", "the path, such as /api/v2/accounts"))
}

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

func run(ctx context.Context, f *cli.Frame, o *options) error {
	call, err := o.call(ctx, f.Session)
	if err != nil {
		return err
	}
	if f.Flags.DryRun && call.Op.Writes() {
		return resource.DryRun(ctx, f.Session, f.Output, call)
	}
	flags := f.Flags
	switch {
	case flags.Output != "" && flags.Output != "json":
		return cli.Usagef("-o %s: the response is printed as received, which is JSON", flags.Output)
	case len(flags.Columns) > 0 || len(flags.Sort) > 0 || flags.NoHeader || flags.CSVSafe || flags.CSVBOM:
		return cli.Usagef("the response is printed as received, so --columns, --sort, --no-header, --csv-safe and --csv-bom can't be used")
	}
	openFile := output.OpenPrivate // the response may hold passwords
	if call.Op.Public {
		openFile = output.OpenSecret
	}
	out, err := f.Output.OpenText(openFile)
	if err != nil {
		return err
	}
	defer out.Abort()
	c, err := f.Client()
	if err != nil {
		return err
	}
	if flags.JQ != "" {
		err = printFiltered(ctx, c, call, out)
	} else {
		_, err = c.Raw(ctx, call, out.Raw())
	}
	if err == nil || flags.OutputFile == "" {
		err = cmp.Or(err, out.Commit())
	}
	if err != nil && call.Op.Writes() && client.OutcomeUnknown(err) {
		err = cli.WithHint(err, "the write may have been carried out: check the current data before you send it again")
	}
	return err
}

// A boundedBuffer is a buffer for a response that a jq program takes as a whole. It holds
// as much as one record may have.
type boundedBuffer struct{ bytes.Buffer }

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > client.MaxRecord {
		return 0, errTooLong
	}
	return b.Buffer.Write(p)
}

var errTooLong = &cli.ExitError{
	Code: cli.ExitFailed, Err: fmt.Errorf("the response is larger than %d MB, too large for --jq", client.MaxRecord>>20),
	Hint: "without --jq, a response of any size is printed as it arrives",
}

// printFiltered prints the result of the jq expression. The response of a failed
// call is printed as received.
func printFiltered(ctx context.Context, c *client.Client, call client.Call, out *cli.Out) error {
	var text boundedBuffer
	_, err := c.Raw(ctx, call, &text)
	if errors.Is(err, errTooLong) {
		return err
	}
	refusal := (*client.Error)(nil) // of some items of a call that succeeded
	if (err == nil || errors.As(err, &refusal) && len(refusal.Items) > 0) && text.Len() > 0 {
		return cmp.Or(cli.Unprinted(call, out.Value(ctx, record.Value(bytes.TrimSpace(text.Bytes())))), err)
	}
	if _, writeErr := text.WriteTo(out.Raw()); writeErr != nil {
		return writeErr
	}
	return err
}
