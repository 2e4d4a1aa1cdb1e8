// Package gbp has the command on business profiles.
package gbp

import (
	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

func newCreateCmd(f *cli.Frame) *cobra.Command {
	var fields *resource.FieldFlags
	c := &cobra.Command{
		Use:   "create",
		Short: "Request access to a business profile",
		Long: "Request access to a business profile. The service creates a task for the request. Which fields it needs is not\n" +
			"documented, so only those that are given are sent.\n\n" +
			"A request can't be looked up: if the response is lost, the command can't tell whether the task was created. This machine\n" +
			"remembers what it has sent: the same request is sent again only with --resend-sent. Another machine remembers nothing.",
		Example: "reseller gbp create --server mock --ticket-id 7 --gpid 'TI 123' --nob 'Harbour Bikes' --address '1 Quay Street' \\\n" +
			"  --website-url https://bikes.example.com --access-confirmed\n" +
			"reseller gbp create --server mock --ticket-id 7 --gpid 'TI 123' --nob 'Harbour Bikes' --address '1 Quay Street' \\\n" +
			"  --website-url https://bikes.example.com --access-confirmed=false --dry-run",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.Again(func() error { return runCreate(c, f, fields) })
		},
	}
	fields = resource.AddFieldFlags(c, schema.Create, &schema.BusinessProfiles)
	f.Flags.AddResendSent(c)
	c.Flags().BoolVar(&f.Flags.NoValidate, "no-validate", false, "do not validate values before sending them")
	return f.SetCompletionResource(c, &schema.BusinessProfiles)
}

func runCreate(c *cobra.Command, f *cli.Frame, fields *resource.FieldFlags) error {
	ctx := c.Context()
	values, err := fields.Values(ctx, f.Session, &schema.BusinessProfiles, schema.Create)
	if err != nil {
		return err
	}
	if len(values) == 0 {
		if err := resource.AskAny(c, f.Session, f.Prompt, "", schema.BusinessProfiles.Having(schema.Create), values, "it may stay empty", record.Record{}); err != nil {
			return err
		}
	}
	if len(values) == 0 {
		return &cli.UsageError{Message: "nothing to send: no field was given", Hint: "give at least --gpid"}
	}
	return resource.Send(ctx, f.Session, f.Output, resource.Write{
		Call: client.Call{Op: &schema.OpGBPCreate, Body: schema.BusinessProfiles.Body(values)},
		Once: resource.NewOnce(loads.Load{Schema: rows.Schema{Resource: &schema.BusinessProfiles}, Operation: bulk.Operation{Name: schema.OpGBPCreate.ID}}, values),
	})
}

var New = cli.Group("gbp", "Manage access to business profiles", cli.Commands{"create": newCreateCmd})
