package customers

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/output"
)

type onboardOptions struct {
	compareFlags
	repeat []string
	file   bulkcmd.FileFlags
}

var NewOnboard = cli.With(newOnboard, runOnboard)

func newOnboard(f *cli.Frame, run func(context.Context, *cli.Frame, *onboardOptions) error) *cobra.Command {
	o := &onboardOptions{compareFlags: compareFlags{onlyNew: true}}
	c := &cobra.Command{
		Use:   "onboard",
		Short: "Onboard customers from a file, with credentials and keywords",
		Long: "Onboard a customer for each row of a csv or tsv file, or for each document of a yaml, json or ndjson file: create the\n" +
			"account, store its credentials, update the notes of its campaign, attach a plan and add keywords. Steps without values\n" +
			"are skipped. The columns are those of `reseller accounts create --file` and these: keywords (separated by ; or by\n" +
			"--keyword-separator, each as text or text|type), credentials.credentials_types_id, .reseller_account_id, .username,\n" +
			".password and .note, writer_instructions, additional_instructions and service_plan_id.\n\n" +
			"The load is a job that records each step: if it is interrupted, run the same command again or `reseller jobs resume`\n" +
			"to resume it, and nothing is written twice. For an account that already exists, its fields and notes are compared,\n" +
			"missing keywords are added, and its credentials, which the service does not show, stay as they are. The service can't tell whether it has\n" +
			"a plan that is not listed as attached: one that this machine has sent counts as present until --resend-sent is given;\n" +
			"another one, or one that another machine has sent, is reported as unknown (exit code 3). --repeat sends credentials and\n" +
			"plans. A row is invalid if an account has its name, e-mail and phone under another identifier, or if several accounts\n" +
			"have its identifier; --allow-similar permits it. A failed customer does not stop the others.\n" +
			"On a terminal it asks first, unless --yes or the variable CI is set, or the service is the built-in mock.\n" +
			"Credentials are sent at 10 calls per minute unless --rate is given.\n\n" +
			"--results writes the customers whose account exists, with account_id, campaign_id, iam_credentials_id, task_id and\n" +
			"rank_ids (one for each keyword, separated by ;), and the outcome of each step: account_state, credentials_state,\n" +
			"notes_state, plan_state and keywords_state. --dry-run prints what would be done with each customer, but no requests,\n" +
			"since later ones need ids that earlier ones return.",
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
			return run(c.Context(), f, o)
		},
	}
	o.addTo(c)
	c.Flags().StringSliceVar(&o.repeat, "repeat", nil, "also run `STEPS` for accounts that already existed: credentials or plan (repeatable)")
	o.file.AddTo(c, f.Session, decode.Tables...)
	f.Flags.AddResendSent(c)
	o.file.AddUpdateExisting(c)
	bulkcmd.AddAllowSimilar(c, &o.allowSimilar)
	_ = c.RegisterFlagCompletionFunc("repeat", cobra.FixedCompletions([]string{stepCredentials, stepPlan}, cobra.ShellCompDirectiveNoFileComp))
	return f.SetPrinted(c, preview{})
}

func runOnboard(ctx context.Context, f *cli.Frame, o *onboardOptions) error {
	l := newCustomerLoad(f, &o.compareFlags, &o.file)
	l.repeat = o.repeat
	return l.run(ctx, f, o.newCustomers(f.Session, l.model), bulk.Operation{Name: "onboard"}, bulkcmd.Command{
		Steps: &bulkcmd.Steps{Preview: l.preview, Columns: previewColumns},
		Prepare: func(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (bulkcmd.Prepared, error) {
			p, err := bulkcmd.Prepared{}, l.prepare(ctx, c, source, resumes)
			if err == nil && f.Confirms() {
				p.Question, err = l.question(ctx, "Onboard them on")
			}
			for i := 0; i < len(l.comparison.plans) && !l.Flags.DryRun; i++ { // the rows have what is created
				if plan := &l.comparison.plans[i]; plan.Create != nil {
					plan.Create, plan.Changes = schema.Values{}, nil
				}
			}
			p.Keep = l.decisions
			return p, err
		},
	})
}

// previewColumns are the columns of a dry run, which prints a record for each
// customer.
var previewColumns = []output.Column{
	{Name: "line"}, {Name: "account_name", Title: true, Needed: true}, {Name: "external_account_identifier"}, {Name: "account", Needed: true},
	{Name: "account_id"}, {Name: "campaign_id"}, {Name: "credentials", Needed: true}, {Name: "notes", Needed: true},
	{Name: "plan", Needed: true}, {Name: "keywords_send", Needed: true}, {Name: "keywords_present"}, {Name: "keywords_differ"},
	{Name: "account_differs", Needed: true},
}

// A preview is what onboard would do with a customer.
type preview struct {
	File            string `json:"file,omitempty"`
	Line            int    `json:"line"`
	AccountName     string `json:"account_name"`
	Identifier      string `json:"external_account_identifier"`
	Account         string `json:"account" enum:"create,exists,unknown,refused"`
	AccountID       *int64 `json:"account_id"`
	CampaignID      *int64 `json:"campaign_id"`
	Credentials     string `json:"credentials"`
	Notes           string `json:"notes"`
	Plan            string `json:"plan"`
	KeywordsSend    int    `json:"keywords_send"`
	KeywordsPresent int    `json:"keywords_present"`
	KeywordsDiffer  int    `json:"keywords_differ"`
	AccountDiffers  string `json:"account_differs"`
}

// previewSend is what a dry run says of a step that would be sent.
const previewSend = "send"

func (l *customerLoad) preview(ctx context.Context, source *rows.Source, steps []bulk.Step, each func(rec record.Record, state string)) error {
	for row, err := range source.Valid() {
		if err != nil {
			return err
		}
		c, account := l.customerOf(*row), "exists"
		isRefused := l.state(row.Ordinal, stepAccount, 0) == job.StateRefused
		c.created = l.state(row.Ordinal, stepAccount, 0).Succeeded()
		p := c.compared
		switch {
		case p == nil:
			p, account = &portfolio.Plan{Unclear: "its account is not known"}, bulk.Unknown
		case isRefused:
			account = bulk.Refused
		case p.Create != nil:
			account = portfolio.ActionCreate
		}
		c.account, c.campaign = p.Account, p.Campaign
		states := map[string]string{}
		for _, step := range steps[1:4] {
			if states[step.Label], err = l.previewStep(ctx, p, row, &step); err != nil {
				return err
			}
		}
		send, differ := len(p.AddKeywords), len(p.ChangeKeywords)
		present := len(l.desired(*row).Keywords) - send - differ
		if p.IsUnread() {
			send, differ, present = 0, 0, 0
		}
		var differs []string
		for _, change := range p.Changes {
			if change.Action == portfolio.ActionKeep && change.Object == portfolio.ObjectAccount {
				differs = append(differs, bulk.Change{Field: change.Field, From: change.From, To: change.To}.String())
			}
		}
		state := bulk.Present
		switch all := slices.Collect(maps.Values(states)); {
		case isRefused:
			state, states, send = bulk.Refused, nil, 0
		case p.Create != nil || send > 0 || slices.Contains(all, previewSend):
			state = bulk.Absent
		case p.IsUnread() || slices.Contains(all, bulk.Unknown):
			state = bulk.Unknown
		case differs != nil || differ > 0:
			state = bulk.Differs
		}
		file, _, line := source.Locate(row.Line)
		each(cli.RecordOf(preview{
			file, line, row.Values.Get("account_name").Text(), row.Values.Get("external_account_identifier").Text(), account, cli.OrNull(c.account), cli.OrNull(c.campaign),
			states[stepCredentials], states[stepNotes], states[stepPlan], send, present, differ, strings.Join(differs, "; "),
		}), state)
	}
	return nil
}

// previewStep returns what a load would do in a step with one write, or an empty text if
// the customer does not have the step.
func (l *customerLoad) previewStep(ctx context.Context, p *portfolio.Plan, row *rows.Row, step *bulk.Step) (string, error) {
	items := step.Items(*row)
	switch {
	case len(items) == 0:
		return "", nil
	case l.state(row.Ordinal, step.Label, 0).Succeeded():
		return cmp.Or(step.PresentWord, bulk.Present), nil
	case p.IsUnread():
		return bulk.Unknown, nil
	case p.Create != nil:
		return previewSend, nil
	}
	var out bulk.Outcome
	known, err := false, error(nil)
	if step.Recall != nil && (step.Recalls == nil || step.Recalls(row.Ordinal)) {
		out, known, err = step.Recall(ctx, &rows.Row{Ordinal: row.Ordinal, Line: row.Line, Values: items[0]})
	}
	if !known && err == nil {
		out = step.Guard(row.Ordinal)
	}
	words := map[string]string{bulk.Absent: previewSend, bulk.Present: step.PresentWord}
	return cmp.Or(words[out.State], out.State), err
}
