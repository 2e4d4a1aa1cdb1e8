package customers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

type onboardOptions struct {
	compareFlags
	repeat []string
	file   bulkcmd.FileFlags
}

func NewOnboard(f *cli.Frame) *cobra.Command {
	o := &onboardOptions{compareFlags: compareFlags{onlyNew: true}}
	c := &cobra.Command{
		Use:   "onboard",
		Short: "Onboard customers from a file, with credentials and keywords",
		Long: "Onboard a customer for each row of a workbook, csv or tsv file, or for each document of yaml, json or ndjson: create the\n" +
			"account, store its credentials, update the notes of its campaign, attach a plan and add keywords. Steps without values\n" +
			"are skipped. The columns are those of `reseller accounts create --file` and these: keywords (separated by ; or by\n" +
			"--keyword-separator, each as text or text|type), credentials.credentials_types_id, .reseller_account_id, .username,\n" +
			".password and .note, writer_instructions, additional_instructions and service_plan_id.\n\n" +
			"The load is a job that records each step: if it is interrupted, run the same command again or `reseller jobs resume`\n" +
			"to resume it, and nothing is written twice. For an account that already exists, its fields are compared, its notes are\n" +
			"updated, missing keywords are added, and its credentials, which the service does not show, stay as they are. The\n" +
			"service can't tell whether it has a plan that is not listed as attached: one that this machine has sent counts as\n" +
			"present until --resend-sent is given; another one, or one that another machine has sent, is reported as unknown (exit\n" +
			"code 3). --repeat sends credentials and plans. A row is invalid if an account has its name, e-mail and phone under\n" +
			"another identifier, or if several accounts have its identifier; --allow-similar permits it. A failed customer does not\n" +
			"stop the others.\n" +
			"On a terminal it asks first, unless --yes or the variable CI is set, or the service is the built-in mock.\n" +
			"Credentials are sent at 10 calls per minute unless --rate is given.\n\n" +
			"--results writes the customers whose account exists, with account_id, campaign_id, iam_credentials_id, task_id and\n" +
			"rank_ids (one for each keyword, separated by ;), and the outcome of each step: account_state, credentials_state,\n" +
			"notes_state, plan_state and keywords_state. --dry-run prints what would be done as `reseller diff` does, and = before\n" +
			"what differs and stays as it is.",
		Example: "reseller onboard --example yaml\n" +
			"reseller onboard --server mock --file examples/customers.csv --dry-run\n" +
			"reseller onboard --server mock --file examples/customers.csv --results onboarded.csv",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !o.file.Given() {
				return &cli.UsageError{Message: "missing: --file", Hint: "`reseller onboard --example csv` prints a file to start from"}
			}
			if err := o.readFlags.check(); err != nil {
				return err
			}
			for _, step := range o.repeat {
				if step != stepCredentials && step != stepPlan {
					return cli.Usagef("--repeat: %q is neither credentials nor plan", step)
				}
			}
			return runOnboard(c.Context(), f, o)
		},
	}
	o.addTo(c)
	c.Flags().StringSliceVar(&o.repeat, "repeat", nil, "also run `STEPS` for accounts that already existed: credentials or plan (repeatable)")
	o.file.AddTo(c, f.Session, decode.Tables...)
	f.Flags.AddResendSent(c)
	o.file.AddUpdateExisting(c)
	bulkcmd.AddAllowSimilar(c, &o.allowSimilar)
	cli.Offer(c, "repeat", stepCredentials, stepPlan)
	return c
}

func runOnboard(ctx context.Context, f *cli.Frame, o *onboardOptions) error {
	l := newCustomerLoad(f, &o.compareFlags, &o.file)
	l.repeat = o.repeat
	err := l.run(ctx, f, o.newCustomers(f.Session, l.model), bulk.Operation{Name: "onboard"}, bulkcmd.Command{
		Steps: &bulkcmd.Steps{},
		Prepare: func(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (bulkcmd.Prepared, error) {
			p, err := bulkcmd.Prepared{}, l.prepare(ctx, c, source, resumes)
			l.keepExisting()
			if err != nil || l.Flags.DryRun {
				return p, err
			}
			l.comparison.noteDoubts(f.Session)
			if f.Confirms() {
				p.Question, err = l.question(ctx, "Onboard them on")
			}
			for i := range l.comparison.plans { // the rows have what is created
				if plan := &l.comparison.plans[i]; plan.Create != nil {
					plan.Create, plan.Changes = schema.Values{}, nil
				}
			}
			p.Keep = l.decisions
			return p, err
		},
	})
	lacksColumn := func(issue decode.Issue) bool { return issue.Reason == rows.NoColumn }
	if invalid := decode.AsError(err); invalid != nil && invalid.Hint == "" && slices.ContainsFunc(invalid.Issues, lacksColumn) {
		invalid.Hint = "if these customers exist, `reseller apply --file " + sameFile(&o.file.InputFlags) + "` needs only their identifiers and what is to be changed or added"
	}
	return err
}

// errRefused says why a customer may be incomplete: the service has refused a step that the job does not send again.
var errRefused = errors.New("the service has refused")

// keepExisting shows keywords that exist and differ as kept, unless --update-existing is given, and leaves out those that no list names.
func (l *customerLoad) keepExisting() {
	for i := range l.comparison.plans {
		p := &l.comparison.plans[i]
		p.Changes = slices.DeleteFunc(p.Changes, func(change portfolio.Change) bool {
			return change.Action == portfolio.ActionKeep && change.Object == portfolio.ObjectKeyword && change.From == change.To
		})
		for n := range p.Changes {
			if c := &p.Changes[n]; c.Object == portfolio.ObjectKeyword && c.Action != portfolio.ActionAdd && !l.file.UpdateExisting {
				c.Action = portfolio.ActionKeep
			}
		}
	}
}

// settle asks the steps of a load whether it would send the credentials and plans, which the service may not show, and completes the
// changes of a dry run by their answers.
func (l *customerLoad) settle(ctx context.Context, source *rows.Source, steps []bulk.Step) error {
	var faulty []portfolio.Plan
	var remembered []string
	for row, err := range source.Valid() {
		if err != nil {
			return err
		}
		c, account := l.customerOf(*row), l.state(row.Ordinal, stepAccount, 0)
		p := c.compared
		if p == nil {
			faulty = append(faulty, portfolio.Plan{Line: row.Line, Customer: row.Values.Get("account_name").Text(), InDoubt: errors.New(l.guardAccount(row.Ordinal).Message)})
			continue
		}
		c.created, c.account, c.campaign = account == job.StateUnknown || account == job.StateSent, p.Account, p.Campaign
		if p.Unclear != "" && c.needsCampaign {
			p.Unread = cmp.Or(p.Unread, errors.New(p.Unclear))
		}
		if len(p.ChangeKeywords) > 0 && !l.file.UpdateExisting {
			p.Kept = append(p.Kept, portfolio.FieldKeywords)
		}
		for i := range steps {
			step := &steps[i]
			at := slices.IndexFunc(p.Changes, func(change portfolio.Change) bool {
				return change.Object == step.Label && (step.Label == stepCredentials || change.Action == portfolio.ActionAttach)
			})
			if at < 0 || p.Create != nil {
				continue
			}
			out, isKnown := bulk.Outcome{}, false
			if step.Recall != nil {
				if out, isKnown, err = step.Recall(ctx, &rows.Row{Ordinal: row.Ordinal, Line: row.Line, Values: step.Items(*row)[0]}); err != nil {
					return err
				}
			}
			if !isKnown {
				out = step.Guard(row.Ordinal)
			}
			switch told := fmt.Sprintf("%s: %s", step.Label, out.Message); {
			case out.State == bulk.Unknown:
				addDoubt(p, "%s", told)
			case out.Message != "":
				remembered = append(remembered, l.file.Place(row.Line)+": "+told)
			}
			switch isCredentials := step.Label == stepCredentials; {
			case out.State == bulk.Absent && isCredentials:
				p.Changes[at].Action = portfolio.ActionAdd
			case out.State == bulk.Present && isCredentials:
				p.Changes[at].Action = portfolio.ActionKeep
			case out.State != bulk.Absent:
				p.Changes = slices.Delete(p.Changes, at, at+1)
			}
		}
	}
	noteFirst(l.Session, remembered, "%d more were sent before")
	l.comparison.plans, l.comparison.pruned = append(l.comparison.plans, faulty...), portfolio.Pruned{}
	return nil
}
