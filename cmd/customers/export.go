// Package customers has the commands that work on whole customers, with a record for each: its account, keywords,
// notes and plan.
package customers

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/trust"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/lookup"
	"reseller/output"
	"reseller/output/encode"
	"reseller/output/page"
)

type exportOptions struct {
	accounts []int64 // empty for all
	fan      fanout.Flags
	finder   *lookup.Finder // has found the accounts
	dir      string         // of a file for each customer; empty for one output
}

// NewExport returns the command `export`.
func NewExport(f *cli.Factory) *cobra.Command { return newExport(f, runExport) }

func newExport(f *cli.Factory, run func(context.Context, *cli.Factory, *exportOptions) error) *cobra.Command {
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
			"--output-dir DIR writes a file for each customer, in yaml unless -o says otherwise, which --file DIR of `reseller diff`\n" +
			"and `reseller apply` reads. Its name has the name of the account, its id and that of the campaign. Other files of the\n" +
			"folder stay as they are, also those of an earlier export.\n\n" +
			"The accounts and the keywords are read as lists, the notes and plans of each customer one by one, in parallel\n" +
			"(--concurrency). A customer of which a part can't be read is left out: the error is printed, the others continue,\n" +
			"and the exit code is 3.",
		Example: "reseller export --server mock --output-file customers.yaml\n" +
			"reseller export --server mock --output-dir customers\n" +
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
			if c.Flags().Changed("output-dir") {
				if err := o.checkDir(f); err != nil {
					return err
				}
			}
			if err := o.fan.Check(f); err != nil {
				return err
			}
			var err error
			o.finder = lookup.New(f)
			if o.accounts, err = o.finder.Accounts(c.Context(), "--account", accounts...); err != nil {
				return err
			}
			return run(c.Context(), f, o)
		},
	}
	c.Flags().StringArrayVar(&accounts, "account", nil, "`ID` or name of an account to export (repeatable)")
	c.Flags().BoolVar(&all, "all", false, "export every customer of the reseller, which is the default")
	c.Flags().StringVar(&o.dir, "output-dir", "", "write a file for each customer to the folder `DIR`")
	_ = c.MarkFlagDirname("output-dir")
	o.fan.AddCallsTo(c)
	f.Flags.AddSummaryFile(c)
	return f.SetCompletionResource(c, portfolio.New().Resource())
}

func runExport(ctx context.Context, f *cli.Factory, o *exportOptions) error {
	model := portfolio.New()
	shape := cli.Shape(model.Resource(), false)
	shape.Documents = true
	origin, err := originOf(ctx, f)
	if err != nil {
		return err
	}
	shape.Comment = originPrefix + origin
	format, err := f.Format()
	if err != nil {
		return err
	}
	out, err := o.output(f, shape)
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
	r := &reading{Held: held, model: model, inCells: !format.WholeRecords(), severalPlans: make([]string, len(held.Customers))}
	fan := &fanout.FanOut{Flags: o.fan, Calls: len(r.Customers)}
	fan.Call = func(ctx context.Context, c *client.Client, i int, give func(record.Record) error) error {
		rec, err := r.customer(ctx, c, i)
		if err != nil {
			return fmt.Errorf("account %d: %w", r.Customers[i].Account, err)
		}
		return give(rec)
	}
	return fanout.Export(ctx, f, fan, out, func(list iter.Seq2[record.Record, error]) error {
		defer r.noteLeftOut(f)
		if o.dir != "" {
			return o.writeFiles(ctx, f, shape, list)
		}
		return out.Records(ctx, list)
	})
}

// checkDir checks the flags that are used with --output-dir, and sets the format to yaml unless there is one.
func (o *exportOptions) checkDir(f *cli.Factory) error {
	if err := f.CheckOutputDir(o.dir, "writes a file for each customer, so it can't be used with --output-file"); err != nil {
		return err
	}
	f.Flags.Output = cmp.Or(f.Flags.Output, string(encode.YAML))
	format, err := f.Format()
	switch {
	case f.Flags.JQ != "":
		return cli.Usagef("--output-dir writes customers, so it can't be used with --jq")
	case err == nil && format.Kind() == encode.KindReading:
		return cli.Usagef("--output-dir: no command reads customers from %s: use -o yaml, json, ndjson, csv, tsv or xlsx", format)
	}
	return err
}

// output opens the output, to which nothing is written if there is a folder for the files.
func (o *exportOptions) output(f *cli.Factory, shape output.Shape) (*cli.Out, error) {
	if o.dir == "" {
		return f.Output(shape)
	}
	out, err := f.TextOutput()
	if err == nil {
		err = out.Check(shape)
	}
	if err == nil {
		err = trust.MakeFolder(o.dir, 0o777)
	}
	return out, err
}

// writeFiles writes each customer to a file of its own.
func (o *exportOptions) writeFiles(ctx context.Context, f *cli.Factory, shape output.Shape, list iter.Seq2[record.Record, error]) error {
	n := 0
	for rec, err := range list {
		if err == nil {
			err = o.writeFile(ctx, f, shape, rec)
		}
		if err != nil {
			return err
		}
		n++
	}
	f.Note("%s written to %s", phrase.Count(n, "file was", "files were"), o.dir)
	return nil
}

func (o *exportOptions) writeFile(ctx context.Context, f *cli.Factory, shape output.Shape, rec record.Record) error {
	account, _ := rec.Get("account_id").Int64()
	campaign, _ := rec.Get("campaign_id").Int64()
	f.Flags.OutputFile = filepath.Join(o.dir, page.FileName(rec.Get("account_name").Text(), f.Flags.Output, account, campaign))
	return f.WriteOutput(shape, func(out *cli.Out) error { return out.Record(ctx, rec) })
}
