package customers

import (
	"cmp"
	"context"
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
	return f.SetPrinted(c, preview{})
}

func runOnboard(ctx context.Context, f *cli.Frame, o *onboardOptions) error {
	l := newCustomerLoad(f, &o.compareFlags, &o.file)
	l.repeat = o.repeat
	err := l.run(ctx, f, o.newCustomers(f.Session, l.model), bulk.Operation{Name: "onboard"}, bulkcmd.Command{
		Steps: &bulkcmd.Steps{Preview: l.preview, Columns: previewColumns},
		Prepare: func(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (bulkcmd.Prepared, error) {
			p, err := bulkcmd.Prepared{}, l.prepare(ctx, c, source, resumes)
			l.comparison.noteDoubts(f.Session)
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
	lacksColumn := func(issue decode.Issue) bool { return issue.Reason == rows.NoColumn }
	if invalid := decode.AsError(err); invalid != nil && invalid.Hint == "" && slices.ContainsFunc(invalid.Issues, lacksColumn) {
		invalid.Hint = "if these customers exist, `reseller apply --file " + sameFile(&o.file.InputFlags) + "` needs only their identifiers and what is to be changed or added"
	}
	return err
}

var previewColumns = []output.Column{
	{Name: "line"}, {Name: "account_name", Title: true, Needed: true}, {Name: "external_account_identifier"}, {Name: "account", Needed: true},
	{Name: "account_id"}, {Name: "campaign_id"}, {Name: "credentials", Needed: true}, {Name: "notes", Needed: true},
	{Name: "plan", Needed: true}, {Name: "keywords_send", Needed: true}, {Name: "keywords_present"}, {Name: "keywords_differ"},
	{Name: "account_differs", Needed: true},
}

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

func (l *customerLoad) preview(ctx context.Context, source *rows.Source, steps []bulk.Step, each func(rec record.Record, state string, sends bool)) error {
	for row, err := range source.Valid() {
		if err != nil {
			return err
		}
		c, first := l.customerOf(*row), l.state(row.Ordinal, stepAccount, 0)
		c.created = first == job.StateUnknown || first == job.StateSent
		p := cmp.Or(c.compared, &portfolio.Plan{Unclear: "its account is not known"})
		c.account, c.campaign = p.Account, p.Campaign
		var all, differs []string
		words, n := map[string]string{}, map[string]int{} // by the steps, and by the steps with the states
		for _, step := range steps {
			for item, values := range step.Items(*row) {
				if len(all) > 0 && all[0] == bulk.Refused {
					break
				}
				state, err := l.previewItem(ctx, p, row, &step, item, values)
				if err != nil {
					return err
				}
				words[step.Label] = cmp.Or(map[string]string{bulk.Absent: "send", bulk.Present: step.PresentWord}[state], state)
				n[step.Label+state]++
				all = append(all, state)
			}
		}
		for _, change := range p.Changes {
			if change.Action == portfolio.ActionKeep && change.Object == portfolio.ObjectAccount {
				differs = append(differs, bulk.Change{Field: change.Field, From: change.From, To: change.To}.String())
			}
		}
		account := cmp.Or(map[string]string{bulk.Absent: portfolio.ActionCreate, bulk.Unknown: bulk.Unknown, bulk.Refused: bulk.Refused}[all[0]], "exists")
		file, _, line := source.Locate(row.Line)
		each(cli.RecordOf(preview{
			file, line, row.Values.Get("account_name").Text(), row.Values.Get("external_account_identifier").Text(), account, cli.OrNull(c.account), cli.OrNull(c.campaign),
			words[stepCredentials], words[stepNotes], words[stepPlan], n[stepKeywords+bulk.Absent], n[stepKeywords+bulk.Present], n[stepKeywords+bulk.Differs], strings.Join(differs, "; "),
		}), slices.MaxFunc(all, func(a, b string) int { return slices.Index(bySeverity, a) - slices.Index(bySeverity, b) }), slices.Contains(all, bulk.Absent))
	}
	return nil
}

// bySeverity are the states of the parts of a customer, which counts by the last one that a part has, as job.Table.RollUp does.
var bySeverity = []string{bulk.Present, bulk.Absent, bulk.Differs, bulk.Unknown, bulk.Refused}

// previewItem returns the state of an item that a step has for a row. What earlier runs of the job know of it goes before what the
// service shows, since what was sent or refused is not sent again. What may have been sent is looked up, if the service shows it.
func (l *customerLoad) previewItem(ctx context.Context, p *portfolio.Plan, row *rows.Row, step *bulk.Step, item int, values rows.Values) (state string, err error) {
	earlier := l.state(row.Ordinal, step.Label, item)
	switch {
	case earlier == job.StateSent:
		return bulk.Present, nil
	case earlier.Succeeded(), earlier == job.StateRefused:
		return earlier.String(), nil
	}
	isKnown, out := step.Label != stepAccount, bulk.Outcome{State: bulk.Unknown}
	switch {
	case !isKnown, p.IsUnread():
	case step.Label == stepKeywords:
		isDifferent := slices.ContainsFunc(p.ChangeKeywords, func(k portfolio.PlannedKeyword) bool { return k.Item == item })
		out.State = map[bool]string{false: bulk.Present, true: bulk.Differs}[isDifferent]
		if isDifferent && l.file.UpdateExisting || slices.ContainsFunc(p.AddKeywords, func(k portfolio.PlannedKeyword) bool { return k.Item == item }) {
			out.State = bulk.Absent
		}
	case p.Create != nil:
		out.State = bulk.Absent
	case step.Recall != nil && (step.Recalls == nil || step.Recalls(row.Ordinal)):
		out, isKnown, err = step.Recall(ctx, &rows.Row{Ordinal: row.Ordinal, Line: row.Line, Values: values})
	default:
		isKnown = false
	}
	if !isKnown && err == nil {
		out = step.Guard(row.Ordinal)
	}
	if earlier.IsUnfinished() && earlier != job.StatePending && out.State == bulk.Absent && step.Unverifiable() && !l.file.ResendUnknown {
		out.State = bulk.Unknown
	}
	return out.State, err
}
