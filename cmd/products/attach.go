package products

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type attachOptions struct{ fields *resource.FieldFlags }

func newAttachCmd(f *cli.Factory, runF func(*attachOptions) error) *cobra.Command {
	o := &attachOptions{}
	c := &cobra.Command{
		Use:   "attach",
		Short: "Attach a service plan to a campaign",
		Long: "Attach a service plan to a campaign. The service makes tasks and an invoice of it, each time that it is\n" +
			"asked, so this asks first. If the answer is lost, the list of plans is read before anything is said about it.",
		Example: "reseller products plans attach --server mock --account 2 --campaign 102 --plan 3 --yes\n" +
			"reseller products plans attach --server mock --account 2 --campaign 102 --plan 3 --dry-run",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if runF != nil {
				return runF(o)
			}
			return runAttach(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	o.fields = resource.AddFieldFlags(c, schema.Create, &schema.Plans)
	c.Flags().BoolVar(&f.Flags.NoValidate, "no-validate", false, "leave the checking of values to the service")
	return f.SetCompletionResource(c, &schema.PlanAttached)
}

func runAttach(ctx context.Context, f *cli.Factory, o *attachOptions) error {
	values, err := o.fields.Values(f, &schema.Plans, schema.Create, false)
	if err != nil {
		return err
	}
	if err := resource.FillRequired(ctx, f, &schema.Plans, values); err != nil {
		return err
	}
	if err := f.Confirm(ctx, fmt.Sprintf("Attach service plan %s to campaign %s of account %s, with its tasks and its invoice?",
		values["service_plan_id"].Text(), values["campaign_id"].Text(), values["account_id"].Text())); err != nil {
		return err
	}
	body := schema.Plans.Body(values)
	return resource.Send(ctx, f, resource.Write{
		Call: client.Call{Op: &schema.OpPlansAttach, Body: body},
		ReadBack: func(ctx context.Context) (resource.Presence, record.Record, error) {
			return findAttached(ctx, f, values, body)
		},
	})
}

// findAttached reads back whether the plans of the campaign show the plan as
// attached. A plan that the list shows otherwise, or not at all, tells nothing.
func findAttached(ctx context.Context, f *cli.Factory, values schema.Values, body []byte) (resource.Presence, record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return resource.Ambiguous, record.Record{}, err
	}
	if shown, err := showsAttached(ctx, c, values); err != nil || !shown {
		return resource.Ambiguous, record.Record{}, err
	}
	sent, err := record.Parse(body)
	return resource.Present, sent, err
}

// Attaching is how rows attach plans. That a campaign's list does not show a
// plan as attached proves nothing.
func Attaching() bulkcmd.Load {
	op := &schema.OpPlansAttach
	return bulkcmd.Load{
		Op: op, Res: &schema.Plans, Use: schema.Create, Identity: bulk.Whole, Gives: []string{"task_id"}, OneByOne: true, Unproven: true,
		Body: func(rows []bulk.Row) client.Call {
			return client.Call{Op: op, Body: schema.Plans.Body(rows[0].Values.Map())}
		},
		Look: func(_ context.Context, c *client.Client, _ bulk.Reading) (bulk.View, error) {
			return bulk.ViewFunc(func(ctx context.Context, row *bulk.Row) (bulk.Outcome, error) {
				return LookForPlan(ctx, c, row.Values.Map())
			}), nil
		},
	}
}

// LookForPlan reads whether a campaign's list shows a plan as attached. A list
// that is refused stops nothing else.
func LookForPlan(ctx context.Context, c *client.Client, values schema.Values) (bulk.Outcome, error) {
	shown, err := showsAttached(ctx, c, values)
	var refusal *client.Error
	switch {
	case shown:
		return bulk.Outcome{State: bulk.Present}, nil
	case err == nil:
		return bulk.Outcome{State: bulk.Unknown, Message: "the list of plans does not show it as attached"}, nil
	case errors.As(err, &refusal) && refusal.HTTPStatus < 500 && refusal.HTTPStatus != http.StatusTooManyRequests && cli.ExitCode(err) != cli.ExitAuth:
		return bulk.Outcome{State: bulk.Unknown, HTTPStatus: refusal.HTTPStatus, Message: "reading the plans: " + err.Error()}, nil
	}
	return bulk.Outcome{}, err
}

func showsAttached(ctx context.Context, c *client.Client, values schema.Values) (bool, error) {
	account, okAccount := values["account_id"].Int64()
	campaign, okCampaign := values["campaign_id"].Int64()
	plan, okPlan := values["service_plan_id"].Int64()
	if !okAccount || !okCampaign || !okPlan {
		return false, nil
	}
	shown := false
	for rec, err := range c.Plans(ctx, account, campaign) {
		if err != nil {
			return false, err
		}
		id, ok := rec.Get("service_plan_id").Int64()
		shown = shown || ok && id == plan && attached(rec)
	}
	return shown, nil
}

// attached tells whether an item of the list is a plan that the campaign has,
// and not one that it could have.
func attached(rec record.Record) bool {
	if rec.Get("attached_date").Text() != "" {
		return true
	}
	switch strings.ToLower(rec.Get("status").Text()) {
	case "attached", "active", "activated", "1", "true":
		return true
	}
	return false
}
