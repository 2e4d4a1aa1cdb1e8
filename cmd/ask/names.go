package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"reseller/client/names"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/cmd/lookup"
)

// maxKeywords is how many keywords a list has at most from which the user picks one.
const maxKeywords = 100_000

// Account returns the field of the argument ACCOUNT_ID. The user picks one of the accounts of the reseller.
func Account(f *cli.Factory) *form.Field {
	return id("ACCOUNT_ID", "the account", Accounts(lookup.New(f)))
}

// Campaign returns the field of the argument CAMPAIGN_ID. The user picks one of the campaigns of the reseller, or of the
// account, if one is given.
func Campaign(f *cli.Factory, account ...int64) *form.Field {
	return id("CAMPAIGN_ID", "the campaign", Campaigns(lookup.New(f), func(string) string {
		if len(account) == 0 {
			return ""
		}
		return strconv.FormatInt(account[0], 10)
	}))
}

// Keyword returns the field of the argument RANK_ID. The user picks one of the keywords of the reseller that the function of
// selection accepts; it may return none, which accepts all.
func Keyword(f *cli.Factory, selection func() (func(record.Record) bool, error)) *form.Field {
	return id("RANK_ID", "the keyword", func(ctx context.Context, _ string) ([]form.Choice, error) {
		c, err := f.Client()
		if err != nil {
			return nil, err
		}
		isSelected, err := selection()
		if err != nil {
			return nil, err
		}
		var list []form.Choice
		for rec, err := range c.Keywords(ctx) {
			if err != nil {
				return nil, err
			}
			if isSelected != nil && !isSelected(rec) {
				continue
			}
			if len(list) == maxKeywords {
				return nil, fmt.Errorf("there are more than %d keywords", maxKeywords)
			}
			text := phrase.With(rec.Get("rank_id").Text(), rec.Get("keyword").Text(), "campaign "+rec.Get("campaign_id").Text())
			list = append(list, form.Choice{Value: rec.Get("rank_id").Text(), Text: text})
		}
		return list, nil
	})
}

// id returns the field of an argument that is an id, which the user picks from a list or types.
func id(name, help string, list func(context.Context, string) ([]form.Choice, error)) *form.Field {
	field := Argument(name, help)
	field.Choices, field.Check = list, func(text string) error {
		_, err := cli.IDs(name, []string{text})
		return err
	}
	return field
}

// Flag makes the field of an argument that of a flag, such as --account ID.
func Flag(field *form.Field, name string) *form.Field {
	field.Name, field.Flag, field.Placeholder = name, name, "ID"
	return field
}

// Accounts returns the accounts from which the user picks one.
func Accounts(finder *lookup.Finder) func(ctx context.Context, after string) ([]form.Choice, error) {
	return func(ctx context.Context, _ string) ([]form.Choice, error) {
		list, err := finder.List(ctx, lookup.Account)
		return choicesOf(list, "accounts", err)
	}
}

// CredentialTypes returns the types of credentials from which the user picks one.
func CredentialTypes(context.Context, string) ([]form.Choice, error) {
	var list []form.Choice
	for _, t := range schema.CredentialTypes {
		list = append(list, form.Choice{Value: t.ID, Text: fmt.Sprintf("%s (%s)", t.ID, t.Name)})
	}
	return list, nil
}

// Campaigns returns the campaigns from which the user picks one: those of the account whose id account returns, or all if
// that is no id. account gets the value of the field before.
func Campaigns(finder *lookup.Finder, account func(after string) string) func(ctx context.Context, after string) ([]form.Choice, error) {
	return func(ctx context.Context, after string) ([]form.Choice, error) {
		list, err := finder.List(ctx, lookup.Campaign)
		if id, err := strconv.ParseInt(account(after), 10, 64); err == nil {
			list = list.Of(id)
		}
		return choicesOf(list, "campaigns", err)
	}
}

// choicesOf returns the choices of a list, unless it could not be read or is empty. what is in it.
func choicesOf(list names.List, what string, err error) ([]form.Choice, error) {
	if list = list.Distinct(); err != nil || len(list) == 0 {
		return nil, cmp.Or(err, errors.New("there are no "+what))
	}
	found := make([]form.Choice, len(list))
	for i, e := range list {
		found[i] = form.Choice{Value: strconv.FormatInt(e.ID, 10), Text: e.String()}
	}
	return found, nil
}
