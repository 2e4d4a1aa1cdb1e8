package customers

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/output"
)

type onboardOptions struct {
	readFlags
	repeat []string
	file   bulkcmd.FileFlags
}

// The steps that can't be looked up, or only if they were made.
const (
	stepCredentials = "credentials"
	stepPlan        = "plan"
)

// NewOnboard returns the command `onboard`.
func NewOnboard(f *cli.Frame) *cobra.Command { return newOnboard(f, runOnboard) }

func newOnboard(f *cli.Frame, run func(context.Context, *cli.Frame, *onboardOptions) error) *cobra.Command {
	o := &onboardOptions{}
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
			"Credentials are sent at 10 calls per minute unless --rate is given.\n\n" +
			"--results writes the customers whose account exists, with account_id, campaign_id, iam_credentials_id, task_id and\n" +
			"rank_ids (one for each keyword, separated by ;), and the outcome of each step: account_state, credentials_state,\n" +
			"notes_state, plan_state and keywords_state. --dry-run prints one record for each customer in every format, since later\n" +
			"requests need ids that earlier ones return.",
		Example: "reseller onboard --example yaml\n" +
			"reseller onboard --server mock --file examples/customers.csv --dry-run\n" +
			"reseller onboard --server mock --file examples/customers.csv --results onboarded.csv",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !o.file.Given() {
				return &cli.UsageError{Message: "missing: --file", Hint: "`reseller onboard --example csv` prints a file to start from"}
			}
			if err := o.check(); err != nil {
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
	o.file.AddTo(c, f.Session)
	f.Flags.AddResendSent(c)
	o.file.AddUpdateExisting(c)
	o.file.AddAllowSimilar(c)
	_ = c.RegisterFlagCompletionFunc("repeat", cobra.FixedCompletions([]string{stepCredentials, stepPlan}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runOnboard(ctx context.Context, f *cli.Frame, o *onboardOptions) error {
	defaults, err := credentialsDefaults(f.Session)
	if err != nil {
		return err
	}
	r := newOnboarding(f, &o.file, o.keywords(f.Session))
	r.repeat = o.repeat
	sch := o.newCustomers(f.Session, r.model)
	l := bulkcmd.Command{
		New: func(*client.Client) loads.Load {
			return loads.Load{Schema: sch, Operation: bulk.Operation{Name: "onboard"}}
		},
		Defaults: defaults, JobKey: o.jobKey(),
		Steps: &bulkcmd.Steps{Make: r.steps, Advice: r.advice, Columns: previewColumns, Plan: previewRecord},
	}
	r.similar = o.file.RefuseSimilar(f.Session, f.Outcome, &l)
	return bulkcmd.Run(ctx, f, &o.file, l)
}

// previewColumns are the columns of a dry run, which prints a record for each
// customer.
var previewColumns = []output.Column{
	{Name: "line"}, {Name: "account_name", Title: true}, {Name: "external_account_identifier"}, {Name: "account", Needed: true},
	{Name: "account_id"}, {Name: "campaign_id"}, {Name: "credentials", Needed: true}, {Name: "notes", Needed: true},
	{Name: "plan", Needed: true}, {Name: "keywords_send", Needed: true}, {Name: "keywords_present"}, {Name: "keywords_differ"},
	{Name: "account_differs", Needed: true},
}

// previewRecord returns what a load would do with a customer.
func previewRecord(p bulk.RowPreview) record.Record {
	words := map[string]string{bulk.Absent: "create", bulk.Present: "exists", bulk.Differs: "exists"}
	var differs []string
	for _, change := range p.Changes {
		differs = append(differs, fmt.Sprintf("%s: %s, not %s", change.Field, safetext.Quote(change.From), safetext.Quote(change.To)))
	}
	account, credentials, keywords := cmp.Or(words[p.First.State], p.First.State), stepState(p.Steps[1]), p.Steps[4]
	if credentials == bulk.Present { // those of an account that exists are kept, whatever they are
		credentials = portfolio.ActionKeep
	}
	var fields []record.Pair
	for i, v := range []record.Value{
		record.Integer(int64(p.Line)), record.Quote(p.Values["account_name"]), record.Quote(p.Values["external_account_identifier"]), record.Quote(account),
		p.First.Fields.Get("account_id"), p.First.Fields.Get("campaign_id"),
		record.Quote(credentials), record.Quote(stepState(p.Steps[2])), record.Quote(stepState(p.Steps[3])),
		record.Integer(int64(keywords[bulk.Absent])), record.Integer(int64(keywords[bulk.Present])), record.Integer(int64(keywords[bulk.Differs])),
		record.Quote(strings.Join(differs, "; ")),
	} {
		if v == nil {
			v = record.Value("null")
		}
		fields = append(fields, record.Pair{Name: previewColumns[i].Name, Value: v})
	}
	return record.Of(fields...)
}

// stepState returns what a load would do in a step with one write, or an empty text if
// the customer does not have the step.
func stepState(items map[string]int) string {
	for state := range items {
		if state == bulk.Absent {
			return "send"
		}
		return state
	}
	return ""
}
