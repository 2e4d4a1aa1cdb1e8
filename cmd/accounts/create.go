package accounts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/columns"
	"reseller/client/bulk/decode"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

type createOptions struct {
	version version
	fields  *resource.FieldFlags
	file    bulkcmd.FileFlags
}

func newCreateCmd(f *cli.Frame) *cobra.Command {
	o := &createOptions{}
	c := &cobra.Command{
		Use:   "create",
		Short: "Create an account and its campaign",
		Long: "Create an account with its campaign from flags, or many from a file. On a terminal, a form asks for missing fields.\n\n" +
			"From flags, the account is always created: the service does not detect duplicates. If the response is lost, the\n" +
			"account is looked up by its external_account_identifier. With --account, a second campaign for that account is made\n" +
			"instead, with the fields that the account has; files can't make second campaigns.\n\n" +
			"From a file, accounts that exist are present and not created again. They are recognized by\n" +
			"external_account_identifier, or without one by name, e-mail, phone and postal code together; those that differ from\n" +
			"the row are counted, named in a dry run, and --results has what the service shows. A row is invalid if several accounts\n" +
			"have its identifier, or if another one has its name, e-mail and phone; --allow-similar permits both, and creates the second.\n" +
			"An interrupted load goes on with the same command, on another machine too.",
		Example: "reseller accounts create --server mock --account-name 'Harbour Bikes' --phone 555-0100 --email ada@example.com \\\n" +
			"  --first-name Ada --last-name Quist --address-1 '1 Quay Street' --city Portland --state OR --postal 97201 \\\n" +
			"  --country-code US --website-url https://bikes.example.com --external-account-identifier crm-3001\n" +
			"reseller accounts create --example csv",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.Again(func() error { return runCreate(c.Context(), f, o) })
		},
	}
	o.version.addTo(c)
	o.fields = resource.AddFieldFlags(c, schema.Create, &schema.AccountsV2, &schema.AccountsV1)
	o.file.AddTo(c, f.Session, decode.Tables...)
	o.file.AddNoSkipExisting(c)
	bulkcmd.AddAllowSimilar(c, &o.file.AllowSimilar)
	return f.SetCompletionResource(c, &schema.AccountCreated)
}

func runCreate(ctx context.Context, f *cli.Frame, o *createOptions) error {
	res, op := o.version.resource, o.version.create
	values, err := o.fields.Values(ctx, f.Session, res, schema.Create)
	if err != nil {
		return err
	}
	if o.file.Given() {
		l := bulkcmd.Command{New: o.version.accounts, Constants: values}
		o.file.RefuseSimilar(f.Session, f.Outcome, &l)
		return nameOnboard(bulkcmd.Run(ctx, f, &o.file, l), &o.file.InputFlags)
	}
	isSecond := values["account_id"] != nil
	if isSecond {
		if err := completeCampaign(ctx, f.Session, o.fields.Names, values); err != nil {
			return err
		}
	}
	if err := resource.FillRequired(ctx, f.Session, f.Prompt, op, res, values, nil); err != nil {
		return err
	}
	w := resource.Write{Call: client.Call{Op: op, Body: res.Body(values)}, Names: o.fields.Names}
	if !isSecond { // otherwise the account exists, whatever the outcome of the call
		w.Rows, w.Load = []schema.Values{values}, o.version.accounts(nil)
		w.ReadBack = func(ctx context.Context, c *client.Client) (bulk.Outcome, error) {
			return loads.FindAccount(ctx, c, values)
		}
	}
	return resource.Send(ctx, f.Session, f.Output, w)
}

// completeCampaign completes the values of a create with an account_id, which makes a second campaign for the account. The
// service requires the fields of the account and keeps its own, so that they are read and sent as they are. Another value of a
// field would be lost: it is refused.
func completeCampaign(ctx context.Context, session *cli.Session, finder *lookup.Finder, values schema.Values) error {
	id, _ := values["account_id"].Int64()
	rec, err := resource.One(ctx, session, client.Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", id))
	if err != nil {
		return finder.NotFound(ctx, err)
	}
	list, err := finder.List(ctx, lookup.Account) // only this list shows the external identifier
	if err != nil {
		return err
	}
	var refused, missing []string
	for _, field := range schema.AccountsV2.Without("account_id").Having(schema.Create) {
		text := rec.Get(field.ReadName()).Text()
		if field.Name == "external_account_identifier" {
			text = list.Find(id).Identifier
		}
		text, _ = field.Repair(text, "", false)
		given := values[field.Name]
		switch {
		case given != nil && (!field.Has(schema.Required) || text != "" && schema.FoldText(given.Text()) != schema.FoldText(text)):
			refused = append(refused, resource.FlagName(field))
		case given != nil || !field.Has(schema.Required):
		case text == "" && !field.Has(schema.EmptyIfAbsent):
			missing = append(missing, resource.FlagName(field))
		default:
			values[field.Name] = record.Quote(text)
		}
	}
	switch {
	case refused != nil:
		return cli.Usagef("%s: a second campaign for account %s takes no other fields than the account has", strings.Join(refused, ", "), list.Find(id)).
			Hinted(fmt.Sprintf("leave them out; `reseller accounts update %d` changes the fields of the account, and without --account a new customer is created", id))
	case missing != nil:
		return &cli.UsageError{Message: "missing: " + strings.Join(missing, ", "), Hint: "the call needs what the service does not show of the account"}
	}
	return nil
}

// nameOnboard says of the error about an unknown column that onboard has it, if it does.
func nameOnboard(err error, in *bulkcmd.InputFlags) error {
	invalid := decode.AsError(err)
	for i := 0; invalid != nil && i < len(invalid.Issues); i++ {
		column := invalid.Issues[i].Column
		for _, f := range portfolio.New().Resource().Fields {
			isColumn := func(name string) bool { return columns.Fold(name) == columns.Fold(column) }
			if schema.AccountsV2.Field(f.Name) == nil && slices.ContainsFunc(append(f.Headings(), f.Name), isColumn) {
				invalid.Hint = "`reseller onboard --file " + in.SameFile(nil) + "` has the column " + column + "; " + invalid.Hint
				return err
			}
		}
	}
	return err
}
