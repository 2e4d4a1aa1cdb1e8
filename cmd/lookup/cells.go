package lookup

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"reseller/client/bulk/rows"
	"reseller/client/names"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// References returns what finds the accounts and campaigns that the cells of a file name in other words than by a number. The
// lists are read once, when the first such cell is found.
func (x *Finder) References(ctx context.Context) *rows.References {
	var accounts, campaigns names.Index
	read := func(index *names.Index, list func(context.Context) (names.List, error)) error {
		if *index != nil {
			return nil
		}
		all, err := list(ctx)
		*index = all.Index()
		return err
	}
	return &rows.References{Find: func(field, text string, account int64) (int64, string, error) {
		ref, err := names.Parse(text)
		if err != nil {
			return 0, afterText(err.Error(), text), nil
		}
		if ref.Prefix == schema.PrefixID {
			return ref.ID, "", nil
		}
		if err := read(&accounts, x.ReadAccounts); err != nil {
			return 0, "", err
		}
		found, w := accounts.Meant(ref), wanted{argument: field, text: text, ref: ref, kind: Account}
		if field == "campaign_id" {
			if err := read(&campaigns, x.ReadCampaigns); err != nil {
				return 0, "", err
			}
			w.kind = Campaign
			ofAccounts := x.campaigns.Of(found.IDs()...)
			if found = campaigns.Meant(ref); len(found) == 0 {
				found = ofAccounts
			}
			if account != 0 {
				found, w.where = found.Of(account), " of "+accountWords([]int64{account})
			}
		}
		id, err := w.only(found, nil)
		switch usage := (*cli.UsageError)(nil); {
		case errors.As(err, &usage):
			return 0, afterText(strings.TrimPrefix(usage.Message, field+": "), text), nil
		case err != nil:
			return 0, "names no " + w.kind + w.where, nil
		}
		return id, "", nil
	}}
}

// afterText returns what a sentence says of the text that it begins with.
func afterText(sentence, text string) string {
	return strings.TrimPrefix(sentence, strconv.Quote(text)+" ")
}
