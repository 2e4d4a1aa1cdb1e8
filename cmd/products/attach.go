package products

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

func newAttachCmd(f *cli.Frame) *cobra.Command {
	var fields *resource.FieldFlags
	c := &cobra.Command{
		Use:   "attach",
		Short: "Attach a service plan to a campaign",
		Long: "Attach a service plan to a campaign. The service creates tasks and an invoice for it each time, so the command asks\n" +
			"for confirmation. The question says if the campaign has the plan already; with --yes, it is attached without a look-up,\n" +
			"once more if the campaign has it. If the response is lost, the plans of the campaign are listed before the command\n" +
			"reports the outcome: a plan that it may have had before proves nothing.\n\n" +
			"This machine remembers what it has sent: the same plan is attached to the same campaign again only with --resend-sent.\n" +
			"If an earlier command was killed and the list does not show the plan, the outcome is unknown (exit code 3) and nothing\n" +
			"is sent. Another machine remembers nothing.",
		Example: "reseller products plans attach --server mock --account 2 --campaign 102 --plan 3 --yes\n" +
			"reseller products plans attach --server mock --account 2 --campaign 102 --plan 3 --dry-run",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.Again(func() error { return runAttach(c.Context(), f, fields) })
		},
	}
	fields = resource.AddFieldFlags(c, schema.Create, &schema.Plans)
	f.Flags.AddResendSent(c)
	f.Flags.AddSettleTime(c)
	c.Flags().BoolVar(&f.Flags.NoValidate, "no-validate", false, "do not validate values before sending them")
	return f.SetCompletionResource(c, &schema.PlanAttached)
}

func runAttach(ctx context.Context, f *cli.Frame, fields *resource.FieldFlags) error {
	values, err := fields.Values(ctx, f.Session, &schema.Plans, schema.Create)
	if err != nil {
		return err
	}
	if err := resource.FillRequired(ctx, f.Session, f.Prompt, &schema.OpPlansAttach, &schema.Plans, values, nil); err != nil {
		return err
	}
	once, before := resource.NewOnce(loads.Plans(nil, nil), values), math.MaxInt
	isSent, err := once.IsSent(ctx, f.Session)
	if err != nil {
		return err
	}
	if !isSent || f.Flags.DryRun {
		account, _ := values["account_id"].Int64()
		had := ""
		if f.Confirms() {
			if before = attachedBefore(ctx, f, values); before > 0 && before < math.MaxInt {
				had = " once more"
			}
		}
		if err := f.Prompt.ConfirmWrite(fmt.Sprintf("Attach service plan %s%s, with its tasks and its invoice, to campaign %s of %s",
			values["service_plan_id"].Text(), had, values["campaign_id"].Text(), fields.Names.Customers(ctx, account))); err != nil {
			return err
		}
	}
	body := schema.Plans.Body(values)
	return resource.Send(ctx, f.Session, f.Output, resource.Write{
		Call: client.Call{Op: &schema.OpPlansAttach, Body: body}, Once: once, Names: fields.Names,
		Before: before,
		ReadBack: func(ctx context.Context, c *client.Client) (bulk.Outcome, error) {
			out, err := loads.FindPlan(ctx, c, values)
			switch {
			case err == nil && out.State == bulk.Present:
				out.Result, err = record.Parse(body)
			case err == nil && out.HTTPStatus == 0: // the plans were read
				out.State = bulk.Absent
			}
			return out, err
		},
	})
}

// attachedBefore returns how often a campaign has a plan before it is attached, math.MaxInt if that can't be read.
func attachedBefore(ctx context.Context, f *cli.Frame, values schema.Values) int {
	ctx, cancel := context.WithTimeout(ctx, lookup.Patience)
	defer cancel()
	if c, err := f.Client(); err == nil {
		if out, err := loads.FindPlan(ctx, c, values); err == nil && out.HTTPStatus == 0 {
			return out.Count
		}
	}
	return math.MaxInt
}
