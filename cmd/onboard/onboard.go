// Package onboard has the command that makes customers out of the rows of a
// file: account, credentials, notes, plan and keywords.
package onboard

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/loads"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

type options struct {
	kind   string // of keywords that name none
	repeat []string
	file   bulkcmd.FileFlags
}

// The steps that can't be read back, or not for sure.
const (
	credentials = "credentials"
	plan        = "plan"
)

// New makes the command.
func New(f *cli.Factory) *cobra.Command { return newCmd(f, nil) }

func newCmd(f *cli.Factory, runF func(*options) error) *cobra.Command {
	o := &options{}
	c := &cobra.Command{
		Use:   "onboard",
		Short: "Make customers out of a file: account, credentials, notes, plan and keywords",
		Long: "Make a customer of each row of a csv or tsv file, or of each document of a yaml, json or ndjson file: create\n" +
			"the account, store its credentials, write the notes of its campaign, attach a plan and add keywords. What a\n" +
			"row leaves empty is left out. The columns are those of `reseller accounts create --file`, and: keywords, set\n" +
			"apart by ; where text|interest sets the type; credentials.credentials_types_id, .reseller_account_id,\n" +
			".username, .password and .note; writer_instructions and additional_instructions; service_plan_id.\n\n" +
			"The load is a job that journals each step: interrupted or killed, the same command or `reseller jobs resume`\n" +
			"goes on where it stopped, and nothing is written twice. An account that the service holds already is gone\n" +
			"on with: its notes are compared, its missing keywords added. Whether it has its credentials, and a plan that\n" +
			"its list does not show as attached, can't be known: they are told as unknown (exit code 3) and sent only\n" +
			"with --repeat. A customer that fails stops no other. Credentials go at 10 a minute unless --rate says\n" +
			"otherwise.\n\n" +
			"--results writes every customer whose account is there, with account_id, campaign_id, iam_credentials_id,\n" +
			"task_id and rank_ids (a place for each of its keywords, set apart by ;), and what became of each step:\n" +
			"account_state, credentials_state, notes_state, plan_state, keywords_state. --dry-run shows the plan in every\n" +
			"format, a record a customer: later requests need ids that the first ones give.",
		Example: "reseller onboard --example yaml\n" +
			"reseller onboard --server mock --file examples/customers.csv --dry-run\n" +
			"reseller onboard --server mock --file examples/customers.csv --results onboarded.csv",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case !o.file.Given():
				return &cli.UsageError{Message: "missing: --file", Hint: "`reseller onboard --example csv` prints a file to start from"}
			case !slices.Contains(kinds(), o.kind):
				return cli.Usagef("--type: %q is neither target nor interest", o.kind)
			}
			for _, step := range o.repeat {
				if step != credentials && step != plan {
					return cli.Usagef("--repeat: %q is neither credentials nor plan", step)
				}
			}
			if runF != nil {
				return runF(o)
			}
			return run(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.kind, "type", "target", "type of keywords that name none: target or interest")
	c.Flags().StringSliceVar(&o.repeat, "repeat", nil, "send these for accounts that were there before, too: credentials, plan or both")
	o.file.AddTo(c, f)
	o.file.AddUpdateExisting(c)
	o.file.AddResendUnknown(c)
	fixed := func(name string, words []string) {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	fixed("type", kinds())
	fixed("repeat", []string{credentials, plan})
	return c
}

// kinds are the types of keywords.
func kinds() []string { return schema.Keywords.Field("keyword_type").Enum }

func run(ctx context.Context, f *cli.Factory, o *options) error {
	configured, err := bulkcmd.CredentialsDefaults(f)
	if err != nil {
		return err
	}
	limit, err := bulkcmd.CredentialsLimit(f)
	if err != nil {
		return err
	}
	defaults := schema.Values{}
	for name, v := range configured {
		defaults[CredentialsColumn(name)] = v
	}
	w := &work{f: f, o: o, limit: limit, customers: map[int]*customer{}, kept: map[string]int{}}
	rows := loads.Accounts(nil).Schema
	rows.Resource = customerResource()
	rows.Also = func(row bulk.Values) (field, reason string) { return check(row, o.kind) }
	return bulkcmd.Run(ctx, f, &o.file, bulkcmd.Load{
		New: func(*client.Client) loads.Load {
			return loads.Load{Schema: rows, Operation: bulk.Op{Name: "onboard"}}
		},
		Defaults: defaults, JobKey: []string{"--type=" + o.kind},
		Steps: &bulkcmd.Steps{Make: w.steps, Advice: w.advice, Columns: planColumns, Plan: planned},
	})
}
