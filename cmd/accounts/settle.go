package accounts

import (
	"context"
	"slices"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/cli"
)

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

// findUpdated reads back whether the account holds what an update without an
// answer had sent.
func findUpdated(ctx context.Context, f *cli.Factory, v version, id int64, values client.Values) (cli.Found, record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return cli.Unclear, record.Record{}, err
	}
	call := client.Call{Op: v.pick(&client.OpAccountsV1Get, &client.OpAccountsV2Get)}
	rec, err := c.Record(ctx, call.WithID("account_id", id))
	if err != nil {
		return cli.Unclear, record.Record{}, err
	}
	if sent := values["external_account_identifier"]; sent != nil {
		held, err := heldIdentifier(ctx, c, id)
		if err != nil {
			return cli.Unclear, record.Record{}, err
		}
		if held.Kind() == record.Missing {
			return cli.Unclear, record.Record{}, nil
		}
		rec = rec.With(record.Pair{Name: "external_account_identifier", Value: held})
	}
	found := cli.Present
	for name, sent := range values {
		switch same, shown := sameValue(v.resource().Field(name), sent, rec); {
		case name == "account_id" || same:
		case !shown:
			return cli.Unclear, record.Record{}, nil
		default:
			found = cli.Absent
		}
	}
	if found == cli.Absent {
		return found, record.Record{}, nil
	}
	return found, cli.Pick(rec, "account_id", "campaign_id", "status"), nil
}

// heldIdentifier is the identifier of an account, which the list of version 1
// alone shows.
func heldIdentifier(ctx context.Context, c *client.Client, id int64) (record.Value, error) {
	for rec, err := range c.AccountsV1(ctx) {
		if err != nil {
			return nil, err
		}
		if n, ok := rec.Get("account_id").Int64(); ok && n == id {
			return append(record.Value(nil), rec.Get("external_account_identifier")...), nil
		}
	}
	return nil, nil
}

// sameValue tells whether a record shows what was sent for a field, under any
// of the field's names, and whether it shows the field at all.
func sameValue(field *client.Field, sent record.Value, rec record.Record) (same, shown bool) {
	for _, path := range append([]string{field.ReadName(), field.Name}, field.Aliases...) {
		held := rec.Get(path)
		switch {
		case held == nil:
			continue
		case field.Type == client.Attributes:
			return slices.Equal(pairs(held), pairs(sent)), true
		case held.Kind() == record.Object && sent.Kind() == record.Object:
			return pair(held) == pair(sent), true
		case held.Kind() == record.Object:
			return held.Get("field_value").Text() == sent.Text(), true
		}
		return held.Text() == sent.Text(), true
	}
	return sent.Text() == "", false
}

func pairs(list record.Value) [][2]string {
	var out [][2]string
	for item := range list.Elements() {
		out = append(out, pair(item))
	}
	return out
}

func pair(v record.Value) [2]string {
	return [2]string{v.Get("field_name").Text(), v.Get("field_value").Text()}
}
