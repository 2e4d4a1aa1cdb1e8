package accounts

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

type updateOptions struct {
	version version
	id      []int64
	fields  *resource.FieldFlags
	file    bulkcmd.FileFlags
}

// createOnly are the fields that can't be updated. Their flags are hidden and give an error.
var createOnly = []string{"website_url", "country_code"}

func newUpdateCmd(f *cli.Frame) *cobra.Command {
	o := &updateOptions{}
	c := &cobra.Command{
		Use:   "update [ACCOUNT_ID]",
		Short: "Update fields of an account",
		Long: "Update an account. Only the given fields are sent; \"\" clears a field. To change one attribute, or only the name or the\n" +
			"e-mail address of a manager, the command reads the current values first and sends them too. With --file, rows are\n" +
			"compared with the accounts of the service, and only fields that differ are sent.\n" +
			"An interrupted load goes on with the same command, on another machine too.\n\n" +
			"website_url and country_code can't be updated.",
		Example: "reseller accounts update 1 --server mock --phone 555-0199\n" +
			"reseller accounts update 1 --server mock --attribute Industry=Cycling\n" +
			"reseller accounts list --server mock -o csv | reseller accounts update --server mock --file -",
		Args: cli.Args(1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			o.fields.Names = lookup.ForWrite(f.Session)
			if o.id, err = o.fields.Names.Accounts(c.Context(), "ACCOUNT_ID", args...); err != nil {
				return err
			}
			for _, field := range createOnly {
				if flag := cli.FlagName(field); c.Flags().Changed(flag) {
					return cli.Usagef("--%s: %s can't be updated after the account was created", flag, field)
				}
			}
			return runUpdate(c, f, o)
		},
	}
	o.version.addTo(c)
	o.fields = resource.AddFieldFlags(c, schema.Update, &schema.AccountsV2, &schema.AccountsV1)
	for _, field := range createOnly {
		c.Flags().String(cli.FlagName(field), "", "can't be updated")
		_ = c.Flags().MarkHidden(cli.FlagName(field))
	}
	o.file.AddTo(c, f.Session)
	o.file.AddUpdateFlags(c)
	bulkcmd.AddAllowSimilar(c, &o.file.AllowSimilar)
	return f.SetCompletionResource(c, &schema.StatusChanged)
}

func runUpdate(c *cobra.Command, f *cli.Frame, o *updateOptions) error {
	ctx := c.Context()
	res, get := o.version.resource, o.version.get
	values, err := o.fields.Values(ctx, f.Session, res, schema.Update)
	if err != nil {
		return err
	}
	if o.file.Given() {
		if c.Flags().Changed("attribute") {
			return cli.Usagef("--attribute and --file can't be used together: use a column attributes.NAME")
		}
		return loadUpdates(ctx, f, o, values)
	}
	ids, err := resource.Targets(c, f, o.fields.Names, res, lookup.PickAccount(f.Session), "give the id of an account, or --file", o.id, values, func(ctx context.Context, c *client.Client, id int64) (record.Record, error) {
		rec, err := c.Record(ctx, client.Call{Op: get}.WithID("account_id", id))
		if err == nil {
			list, _ := o.fields.Names.List(ctx, lookup.Account) // which shows the identifier
			rec = rec.Prepend(record.Pair{Name: "external_account_identifier", Value: record.Quote(list.Find(id).Identifier)})
		}
		return rec, err
	})
	if err != nil {
		return err
	}
	id := ids[0]
	if !o.file.AllowSimilar {
		err = o.fields.Names.RefuseTaken(ctx, id, values["external_account_identifier"])
	}
	if err == nil {
		err = mergePartial(ctx, f.Session, id, values)
	}
	if err != nil {
		return err
	}
	return resource.Send(ctx, f.Session, f.Output, resource.Write{
		Call: client.Call{Op: o.version.update, Body: res.Body(values), Subject: []string{strconv.FormatInt(id, 10)}}, Names: o.fields.Names,
		Rows: []schema.Values{values}, Load: o.version.updates(nil, loads.UpdateOptions{}),
		ReadBack: func(ctx context.Context, c *client.Client) (bulk.Outcome, error) {
			return loads.FindAccountUpdate(ctx, c, get, res, values)
		},
	})
}

func loadUpdates(ctx context.Context, f *cli.Frame, o *updateOptions, constants schema.Values) error {
	options := loads.UpdateOptions{SendUnchanged: o.file.SendAll, NoValidate: f.Flags.NoValidate, Strict: f.Flags.Strict, OnRestored: bulkcmd.OnRestored(f.Session, o.file.Place), OnReadOnly: o.file.OnReadOnly(f.Session, func(column string) string {
		if column == "status" || column == "active" {
			return "use `reseller accounts status --file " + o.file.SameFile(&schema.StatusChange) + "`"
		}
		return "it can't be changed"
	})}
	l := bulkcmd.Command{New: func(c *client.Client) loads.Load { return o.version.updates(c, options) }, Constants: constants}
	o.file.RefuseSimilar(f.Session, f.Outcome, &l)
	return bulkcmd.Run(ctx, f, &o.file, l)
}

// mergePartial completes the fields that an update replaces as a whole: the attributes if some of
// them are given, and a manager if one half of it is given. The present values are
// read first. A postal code of up to four digits, which may have lost a zero, gets it by the country of the account.
func mergePartial(ctx context.Context, session *cli.Session, id int64, values schema.Values) error {
	isShort := !session.Flags.NoValidate && schema.AccountsV2.Field(portfolio.FieldPostal).CheckPostal(values[portfolio.FieldPostal].Text(), "US") != nil
	var instead []string
	for _, half := range portfolio.Halves(values) {
		instead = append(instead, "give both --"+cli.FlagName(half[0])+" and --"+cli.FlagName(half[1]))
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(values)), func(name string) bool { return strings.HasPrefix(name, portfolio.AttributesPrefix) }) {
		instead = append(instead, "give the whole list with --attributes")
	}
	if isShort {
		instead = append(instead, "send the postal code as it is with --no-validate")
	}
	if instead == nil {
		return nil
	}
	c, err := session.Client()
	if err != nil {
		return err
	}
	rec, err := c.Record(ctx, client.Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", id))
	if err != nil {
		return resource.ReadBeforeUpdateError(err, strings.Join(instead, ", and "))
	}
	if isShort {
		given := values[portfolio.FieldPostal]
		values[portfolio.FieldPostal] = portfolio.Restored(portfolio.FieldPostal, given, "", rec)
		if values[portfolio.FieldPostal].Text() != given.Text() {
			session.Note("put back the leading zeros of the postal code: %s", values[portfolio.FieldPostal].Text())
		}
		if err := portfolio.CheckPostal(values, rec); err != nil {
			return cli.Usagef("--postal: %v", err)
		}
	}
	flags := portfolio.Words{Field: func(name string) string { return "--" + cli.FlagName(name) }, Attributes: "with --attributes"}
	_, err = portfolio.MergePartial(values, values, rec, c.IsLate, flags)
	return resource.CantKeepError(err)
}
