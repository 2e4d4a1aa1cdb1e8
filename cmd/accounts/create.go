package accounts

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type createOptions struct {
	version version
	fields  *resource.FieldFlags
	file    bulkcmd.FileFlags
}

func newCreateCmd(f *cli.Factory, runF func(*createOptions) error) *cobra.Command {
	o := &createOptions{}
	c := &cobra.Command{
		Use:   "create",
		Short: "Create an account and its campaign",
		Long: "Create an account, and with it a campaign, from flags, or many from a file. On a terminal a form asks for\n" +
			"required fields that are missing.\n\n" +
			"From flags the account is sent as given: the service does not notice that it has it already. If the answer\n" +
			"is lost, the account is looked for by its external_account_identifier before anything is said about it.\n\n" +
			"From a file, accounts that the service holds already are counted as present and not created again: recognised\n" +
			"by their external_account_identifier, else by name, e-mail, phone and postal code together. The load is a\n" +
			"job: interrupted or killed, the same command or `reseller jobs resume` goes on where it stopped.",
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
	o.fields = resource.AddFieldFlags(c, schema.Create, &schema.AccountsV2, &schema.AccountsV1)
	o.file.AddTo(c, f)
	o.file.AddNoSkipExisting(c)
	return c
}

func runCreate(ctx context.Context, f *cli.Factory, o *createOptions) error {
	res := o.version.resource()
	op := o.version.pick(&schema.OpAccountsV1Create, &schema.OpAccountsV2Create)
	values, err := o.fields.Values(f, res, schema.Create, false)
	if err != nil {
		return err
	}
	if o.file.Given() {
		load := creating(op, res)
		load.Constants = values
		return bulkcmd.RunLoad(ctx, f, &o.file, load)
	}
	if err := resource.FillRequired(ctx, f, res, values); err != nil {
		return err
	}
	w := resource.Write{Call: client.Call{Op: op, Body: res.Body(values)}}
	if values["account_id"] == nil { // else an account is there whatever became of the call
		w.ReadBack = func(ctx context.Context) (resource.Presence, record.Record, error) {
			return findCreated(ctx, f, values)
		}
	}
	return resource.Send(ctx, f, w)
}

// Creating is how rows become accounts.
func Creating() bulkcmd.Load { return creating(&schema.OpAccountsV2Create, &schema.AccountsV2) }

func creating(op *schema.Operation, res *schema.Resource) bulkcmd.Load {
	return bulkcmd.Load{
		Op: op, Res: res, Use: schema.Create, Identity: bulk.AccountIdentity,
		Body: func(rows []bulk.Row) client.Call { return client.Call{Op: op, Body: res.Body(rows[0].Values.Map())} },
		Look: lookForAccounts, Gives: []string{"account_id", "campaign_id"},
	}
}

// lookForAccounts reads which of the file's accounts the service holds. Only
// the list of version 1 shows the identifier.
func lookForAccounts(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error) {
	r.Holdings.Names, r.Holdings.Alone = []string{"account_id", "campaign_id"}, true
	for rec, err := range c.AccountsV1(ctx) {
		if err != nil {
			return nil, err
		}
		accountID, _ := rec.Get("account_id").Int64()
		campaignID, _ := rec.Get("campaign_id").Int64()
		shown := bulk.Shown{Any: true, IDs: []int64{accountID, campaignID}}
		if identifier := keyOf(rec.Get("external_account_identifier")); identifier != "" {
			shown.ID = bulk.ExternalID(identifier)
			r.Holdings.See(shown)
		}
		shown.ID = bulk.ContactID(rec.Get("account_name").Text(), rec.Get("email").Text(),
			either(rec, "phone_number", "phone"), either(rec, "zip", "postal"))
		r.Holdings.See(shown)
	}
	return r.Holdings, nil
}

// keyOf is an external_account_identifier, which version 1 has as an object.
func keyOf(v record.Value) string {
	if v.Kind() == record.Object {
		v = v.Get("field_value")
	}
	return v.Text()
}

// either is the field of the first name that the record carries.
func either(rec record.Record, names ...string) string {
	for _, name := range names {
		if v := rec.Get(name); v != nil {
			return v.Text()
		}
	}
	return ""
}
