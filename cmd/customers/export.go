// Package customers has the commands that work on whole customers, with a record for each: its account, keywords,
// notes and plan.
package customers

import (
	"context"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/lookup"
	"reseller/output"
)

type exportOptions struct {
	accounts []int64 // empty for all
	fan      fanout.Flags
	finder   *lookup.Finder // has found the accounts
}

// NewExport returns the command `export`.
func NewExport(f *cli.Factory) *cobra.Command { return newExport(f, nil) }

func newExport(f *cli.Factory, runF func(*exportOptions) error) *cobra.Command {
	o := &exportOptions{}
	var accounts []string
	var all bool
	c := &cobra.Command{
		Use:   "export",
		Short: "Export the customers: accounts, keywords, notes and plans",
		Long: "Export what the service holds, one record for each customer: account_id, campaign_id, status, the fields of\n" +
			"`reseller accounts create`, the keywords and the notes of the campaign, and the plan that is attached to it. The\n" +
			"customers are in the order of account_id, their keywords in the order of their texts, so that two exports of the\n" +
			"same customers are the same. Of keywords that differ in case and white space at most, a campaign has one. Fields that the\n" +
			"service does not show are left out. Credentials can't be read, so no export has them.\n\n" +
			"In yaml, each customer is a document, and a comment names the server and the reseller. An active target keyword is written as its text, any other keyword as an\n" +
			"object with keyword, type and status. In formats with cells, keywords are separated by ;, each as text or text|type,\n" +
			"if that says all about them; otherwise the cell has them as JSON.\n\n" +
			"The accounts and the keywords are read as lists, the notes and plans of each customer one by one, in parallel\n" +
			"(--concurrency). A customer of which a part can't be read is left out: the error is printed, the others continue,\n" +
			"and the exit code is 3.",
		Example: "reseller export --server mock --output-file customers.yaml\n" +
			"reseller export --server mock --account 1 --account 2 -o ndjson\n" +
			"reseller export --server mock -o csv --columns account_id,account_name,keywords",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case all && len(accounts) > 0:
				return cli.Usagef("--all exports every customer and can't be used with --account")
			case f.Flags.Raw:
				return cli.Usagef("--raw prints one response unchanged, and a customer comes from several")
			}
			if err := o.fan.Check(f); err != nil {
				return err
			}
			var err error
			o.finder = lookup.New(f)
			if o.accounts, err = o.finder.Accounts(c.Context(), "--account", accounts...); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			return runExport(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringArrayVar(&accounts, "account", nil, "`ID` or name of an account to export (repeatable)")
	c.Flags().BoolVar(&all, "all", false, "export every customer of the reseller, which is the default")
	o.fan.AddCallsTo(c)
	f.Flags.AddSummaryFile(c)
	return f.SetCompletionResource(c, portfolio.New().Resource())
}

func runExport(ctx context.Context, f *cli.Factory, o *exportOptions) error {
	model := portfolio.New()
	shape := shapeOf(model)
	origin, err := originOf(ctx, f)
	if err != nil {
		return err
	}
	shape.Comment = originPrefix + origin
	out, err := f.Output(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	c, err := f.Client()
	if err != nil {
		return err
	}
	held, err := loads.ReadLists(ctx, c, model, loads.ListOptions{Accounts: o.accounts, Keywords: true})
	isListed := func(id int64) bool {
		return slices.ContainsFunc(held.Customers, func(c portfolio.HeldCustomer) bool { return c.Account == id && (c.Listed != nil || c.InVersion1) })
	}
	if err == nil && o.finder.Replace(ctx, lookup.Account, o.accounts, isListed) {
		held, err = loads.ReadLists(ctx, c, model, loads.ListOptions{Accounts: o.accounts, Keywords: true})
	}
	if err != nil {
		return err
	}
	if held.StrayKeywords > 0 {
		f.Note("%s of campaigns that the list of accounts does not show: not exported", phrase.Count(held.StrayKeywords, "keyword", "keywords"))
	}
	r := &reading{Held: held, model: model, inCells: f.Flags.JQ == "" && !out.Format.WholeRecords(), severalPlans: make([]string, len(held.Customers))}
	return fanout.Export(ctx, f, r.fanOut(o.fan), out, func(list iter.Seq2[record.Record, error]) error {
		err := out.Records(ctx, list)
		r.noteLeftOut(f)
		return err
	})
}

// shapeOf returns how customers are printed.
func shapeOf(model *portfolio.Model) output.Shape {
	shape := cli.Shape(model.Resource(), false)
	shape.Documents = true
	return shape
}
