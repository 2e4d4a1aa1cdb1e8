package accounts

import (
	"context"
	"slices"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

// findCreated looks for an account whose create had no answer, by its
// identifier, else by name, e-mail, phone and postal code together. One of the
// same identifier with another name or e-mail may have been there before.
func findCreated(ctx context.Context, f *cli.Factory, values schema.Values) (resource.Presence, record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return resource.Ambiguous, record.Record{}, err
	}
	identifier := keyOf(values["external_account_identifier"])
	agrees := func(rec record.Record, name string, shown ...string) bool {
		return either(rec, shown...) == values[name].Text()
	}
	var found []record.Record
	other := false
	for rec, err := range c.AccountsV1(ctx) {
		switch {
		case err != nil:
			return resource.Ambiguous, record.Record{}, err
		case identifier == "":
			if agrees(rec, "account_name", "account_name") && agrees(rec, "email", "email") && agrees(rec, "phone", "phone_number", "phone") && agrees(rec, "postal", "zip", "postal") {
				found = append(found, rec.Clone())
			}
		case keyOf(rec.Get("external_account_identifier")) == identifier:
			found = append(found, rec.Clone())
			for _, name := range []string{"account_name", "email"} {
				other = other || rec.Get(name) != nil && !agrees(rec, name, name)
			}
		}
	}
	switch {
	case len(found) == 0:
		return resource.Absent, record.Record{}, nil
	case len(found) == 1 && !other:
		return resource.Present, cli.Pick(found[0], "account_id", "campaign_id"), nil
	}
	return resource.Ambiguous, record.Record{}, nil
}

// findUpdated reads back whether the account holds what an update without an
// answer had sent.
func findUpdated(ctx context.Context, f *cli.Factory, v version, id int64, values schema.Values) (resource.Presence, record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return resource.Ambiguous, record.Record{}, err
	}
	call := client.Call{Op: v.pick(&schema.OpAccountsV1Get, &schema.OpAccountsV2Get)}
	rec, err := c.Record(ctx, call.WithID("account_id", id))
	if err != nil {
		return resource.Ambiguous, record.Record{}, err
	}
	if sent := values["external_account_identifier"]; sent != nil {
		held, err := heldIdentifier(ctx, c, id)
		if err != nil {
			return resource.Ambiguous, record.Record{}, err
		}
		if held.Kind() == record.Missing {
			return resource.Ambiguous, record.Record{}, nil
		}
		rec = rec.Prepend(record.Pair{Name: "external_account_identifier", Value: held})
	}
	found := resource.Present
	for name, sent := range values {
		field := v.resource().Field(name)
		switch held, shown := shownAs(field, rec); {
		case name == "account_id" || !shown && sent.Text() == "":
		case !shown:
			return resource.Ambiguous, record.Record{}, nil
		case !sameValue(field, sent, held):
			found = resource.Absent
		}
	}
	if found == resource.Absent {
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

// shownAs is what a record shows of a field, under any of the field's names,
// and whether it shows it at all.
func shownAs(field *schema.Field, rec record.Record) (record.Value, bool) {
	for _, path := range append([]string{field.ReadName(), field.Name}, field.Aliases...) {
		if held := rec.Get(path); held != nil {
			return held, true
		}
	}
	return nil, false
}

// sameValue tells whether what was sent for a field is what the service holds,
// however it writes that.
func sameValue(field *schema.Field, sent, held record.Value) bool {
	switch {
	case field.Type == schema.Attributes:
		return slices.Equal(pairs(held), pairs(sent))
	case held.Kind() == record.Object && sent.Kind() == record.Object:
		return pair(held) == pair(sent)
	case held.Kind() == record.Object:
		return held.Get("field_value").Text() == sent.Text()
	}
	return held.Text() == sent.Text()
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
