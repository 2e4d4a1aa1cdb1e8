package accounts

import (
	"context"
	"fmt"
	"strings"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

// completeCampaign completes the values of a create with an account_id, which makes a second campaign for the account. The
// service requires the fields of the account and keeps its own, so that they are read and sent as they are. Another value of a
// field would be lost: it is refused.
func completeCampaign(ctx context.Context, f *cli.Factory, finder *lookup.Finder, values schema.Values) error {
	id, _ := values["account_id"].Int64()
	c, err := f.Client()
	if err != nil {
		return err
	}
	rec, err := c.Record(ctx, client.Call{Op: &schema.OpAccountsV2Get}.WithID("account_id", id))
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
		text, _ = field.Repair(text, "")
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
		return &cli.UsageError{
			Message: fmt.Sprintf("%s: a second campaign for account %s takes no other fields than the account has", strings.Join(refused, ", "), list.Find(id)),
			Hint:    fmt.Sprintf("leave them out; `reseller accounts update %d` changes the fields of the account, and without --account a new customer is created", id),
		}
	case missing != nil:
		return &cli.UsageError{Message: "missing: " + strings.Join(missing, ", "), Hint: "the call needs what the service does not show of the account"}
	}
	return nil
}
