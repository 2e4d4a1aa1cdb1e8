package accounts

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

type statusOptions struct {
	ids                    []int64
	finder                 *lookup.Finder
	deactivate, reactivate bool
	word                   string
	file                   bulkcmd.FileFlags
}

func newStatusCmd(f *cli.Frame) *cobra.Command {
	o := &statusOptions{finder: lookup.New(f.Session)}
	c := &cobra.Command{
		Use:   "status ACCOUNT_ID...",
		Short: "Show, deactivate or reactivate accounts",
		Long: "Show the status of accounts, or change it. Deactivating an account stops the work on its campaigns, so the\n" +
			"command asks for confirmation. Reactivating it creates a reinstatement task for each of its campaigns. The service has no\n" +
			"call that tells what became of the task_id that it responds with, so the command does not wait for it; `reseller reports\n" +
			"workflows` shows the tasks of a campaign. With --file, accounts that have the status already are present and skipped.\n" +
			"An interrupted load goes on with the same command, on another machine too.",
		Example: "reseller accounts status 1 --server mock\n" +
			"reseller accounts status 1 --server mock --deactivate --yes\n" +
			"reseller accounts status 1 --server mock --reactivate",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && !o.file.Given() {
				return &cli.UsageError{Message: "missing: ACCOUNT_ID", Hint: "give the id of an account, or --file"}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if o.change() != "" {
				o.finder = lookup.ForWrite(f.Session)
			}
			o.finder.Partial = o.change() == ""
			var err error
			if o.ids, err = o.finder.Accounts(c.Context(), "ACCOUNT_ID", args...); err != nil {
				return err
			}
			return runStatus(c.Context(), f, o)
		},
	}
	c.Flags().BoolVar(&o.deactivate, "deactivate", false, "deactivate the accounts")
	c.Flags().BoolVar(&o.reactivate, "reactivate", false, "reactivate the accounts")
	c.Flags().StringVar(&o.word, "request-string", "", "send this `WORD` instead of deactivate or reactivate")
	o.file.AddTo(c, f.Session)
	o.file.Check = func() error {
		switch word := c.Flags().Changed("request-string"); {
		case o.deactivate && o.reactivate:
			return cli.Usagef("--deactivate and --reactivate can't be used together")
		case word && o.change() == "":
			return cli.Usagef("--request-string requires --deactivate or --reactivate")
		case word && o.word == "":
			return cli.Usagef("--request-string: the string is empty")
		}
		return nil
	}
	o.file.AddNoSkipExisting(c)
	return f.SetCompletionResource(f.Prompt.Arguments(c, lookup.PickAccount(f.Session)), &schema.StatusChanged)
}

func runStatus(ctx context.Context, f *cli.Frame, o *statusOptions) error {
	if o.file.Given() {
		return loadStatus(ctx, f, o)
	}
	word := cmp.Or(o.word, o.change())
	if word == "" {
		call := func(id int64) client.Call { return client.Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", id) }
		return resource.PrintByID(ctx, f, o.finder, lookup.Account, o.ids, &accountStatus, call, func(id int64, rec record.Record) (record.Record, error) {
			return record.Of(record.Pair{Name: "account_id", Value: record.Integer(id)}, record.Pair{Name: "status", Value: record.Quote(portfolio.AccountStatus(rec))}), nil
		})
	}
	if o.deactivate {
		if err := f.Prompt.ConfirmWrite("Deactivate " + o.finder.Customers(ctx, o.ids...)); err != nil {
			return err
		}
	}
	calls, changes := make([]client.Call, len(o.ids)), make([]schema.Values, len(o.ids))
	for i, id := range o.ids {
		changes[i] = schema.Values{"account_id": record.Integer(id), "status": record.Quote(o.change())}
		calls[i] = loads.StatusCall(schema.Values{"account_id": record.Integer(id), "status": record.Quote(word)})
	}
	if f.Flags.DryRun {
		for _, call := range calls {
			o.finder.Tell(ctx, "would "+o.change(), record.Value(call.Body))
		}
		resource.Write{Rows: changes, Load: loads.StatusChanges(nil, loads.StatusOptions{})}.NoteBusy(ctx, f.Session)
		return resource.DryRun(ctx, f.Session, f.Output, calls...)
	}
	fan, shape := &fanout.FanOut{Calls: len(calls), Writes: true}, cli.Shape(calls[0].Op.Response, len(calls) == 1)
	return resource.PrintEach(ctx, f, fan, shape, func(ctx context.Context, i int, raw io.Writer) (record.Record, error) {
		response, found, err := resource.Execute(ctx, f.Session, resource.Write{Call: calls[i], Names: o.finder, Rows: changes[i : i+1], Load: loads.StatusChanges(nil, loads.StatusOptions{}), ReadBack: func(ctx context.Context, c *client.Client) (bulk.Outcome, error) {
			return loads.FindStatus(ctx, c, o.ids[i], o.change())
		}}, raw)
		if err != nil {
			return found, o.finder.NotFound(ctx, err)
		}
		if response != nil {
			recs, err := resource.ResultRecords(calls[i], response)
			if err != nil {
				return record.Record{}, err
			}
			found = recs[0]
			o.finder.Tell(ctx, resource.Did(o.change(), response), record.Value(calls[i].Body))
		}
		return found, nil
	})
}

func (o *statusOptions) change() string {
	switch {
	case o.deactivate:
		return "deactivate"
	case o.reactivate:
		return "reactivate"
	}
	return ""
}

var accountStatus = schema.Resource{Name: "account", Fields: []schema.Field{
	{Name: "account_id", Type: schema.Int, Use: schema.Read | schema.DefaultColumn | schema.RecordID},
	{Name: "status", Use: schema.Read | schema.DefaultColumn},
}}

// loadStatus changes the status of the accounts in a file: to that of the flag, or to that of the column status.
func loadStatus(ctx context.Context, f *cli.Frame, o *statusOptions) error {
	constants := schema.Values{}
	if change := o.change(); change != "" {
		constants["status"] = record.Quote(change)
	} else {
		o.file.ListNeeds = "; a list of ids needs --deactivate or --reactivate"
	}
	var jobKey []string
	if o.word != "" {
		jobKey = []string{"--request-string=" + o.word}
	}
	return bulkcmd.Run(ctx, f, &o.file, bulkcmd.Command{
		New:       func(c *client.Client) loads.Load { return loads.StatusChanges(c, loads.StatusOptions{Word: o.word}) },
		Constants: constants, JobKey: jobKey,
		Verb: "Deactivate", IDField: "account_id",
		NeedsConfirm: func(row rows.Row) bool { return row.Values.Get("status").Text() == "deactivate" },
		Name:         func(ctx context.Context, ids []int64) string { return o.finder.Customers(ctx, ids...) },
	})
}
