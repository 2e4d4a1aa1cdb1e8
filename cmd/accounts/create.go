package accounts

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/cmd/cli"
)

type createOptions struct {
	version version
	fields  *cli.FieldFlags
	file    cli.FileFlags
}

func newCreateCmd(f *cli.Factory, runF func(*createOptions) error) *cobra.Command {
	o := &createOptions{}
	c := &cobra.Command{
		Use:   "create",
		Short: "Create an account and its campaign",
		Long: "Create an account, and with it a campaign, from flags, or many from a file. On a terminal a form asks for\n" +
			"required fields that are missing.\n\n" +
			"From flags the account is sent as given: the service does not notice that it has it already. If the answer\n" +
			"is lost, the account is looked for by its external_account_identifier before anything is said about it.",
		Example: "reseller accounts create --server mock --account-name 'Harbour Bikes' --phone 555-0100 --email ada@example.com \\\n" +
			"  --first-name Ada --last-name Quist --address-1 '1 Quay Street' --city Portland --state OR --postal 97201 \\\n" +
			"  --country-code US --website-url https://bikes.example.com --external-account-identifier crm-1001\n" +
			"reseller accounts create --example csv",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if runF != nil {
				return runF(o)
			}
			return runCreate(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	o.version.addTo(c)
	o.fields = cli.AddFieldFlags(c, client.Create, &client.AccountsV2, &client.AccountsV1)
	o.file.AddTo(c, f)
	return c
}

func runCreate(ctx context.Context, f *cli.Factory, o *createOptions) error {
	res := o.version.resource()
	op := o.version.pick(&client.OpAccountsV1Create, &client.OpAccountsV2Create)
	values, err := o.fields.Values(f, res, client.Create, false)
	if err != nil {
		return err
	}
	if o.file.Given() {
		return f.Load(ctx, &o.file, cli.Load{
			Op: op, Res: res, Use: client.Create, Constants: values, Identity: bulk.AccountIdentity,
			Body: func(rows []bulk.Row) client.Call { return client.Call{Op: op, Body: res.Body(rows[0].Values)} },
		})
	}
	if err := f.Complete(ctx, res, values); err != nil {
		return err
	}
	return f.Send(ctx, cli.Write{
		Call:   client.Call{Op: op, Body: res.Body(values)},
		Settle: func(ctx context.Context) (cli.Found, record.Record, error) { return findCreated(ctx, f, values) },
	})
}

// findCreated looks for an account whose create had no answer, by its
// identifier, else by name, e-mail, phone and postal code together.
func findCreated(ctx context.Context, f *cli.Factory, values client.Values) (cli.Found, record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return cli.Unclear, record.Record{}, err
	}
	identifier := values["external_account_identifier"]
	if identifier.Kind() == record.Object {
		identifier = identifier.Get("field_value")
	}
	var found []record.Record
	for rec, err := range c.AccountsV1(ctx) {
		if err != nil {
			return cli.Unclear, record.Record{}, err
		}
		same := identifier.Text() != "" && rec.Get("external_account_identifier.field_value").Text() == identifier.Text()
		if identifier.Text() == "" {
			same = rec.Get("account_name").Text() == values["account_name"].Text() && rec.Get("email").Text() == values["email"].Text() &&
				rec.Get("phone_number").Text() == values["phone"].Text() && rec.Get("zip").Text() == values["postal"].Text()
		}
		if same {
			found = append(found, rec.Clone())
		}
	}
	switch len(found) {
	case 0:
		return cli.Absent, record.Record{}, nil
	case 1:
		return cli.Present, cli.Pick(found[0], "account_id", "campaign_id"), nil
	}
	return cli.Unclear, record.Record{}, nil
}
