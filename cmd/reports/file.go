package reports

import (
	"context"
	"errors"
	"fmt"

	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// spec is what a file of campaigns may hold: what `campaigns list` and
// --failures write is taken as it is.
var spec = bulk.Spec{
	Resource: &schema.Campaigns, Use: schema.Create, ReadOnly: true, Check: true,
	Rule: func(v bulk.Values) error {
		if v.Get("account_id") == nil && v.Get("campaign_id") == nil {
			return errors.New("has neither an account_id nor a campaign_id")
		}
		return nil
	},
}

// filePairs are the pairs that the file names, in its order, each once. A row
// is a pair, or one id with which the campaigns list is searched; one that is
// not there fails, and the others go on.
func (o *options) filePairs(ctx context.Context, f *cli.Factory) ([]pair, error) {
	constants := schema.Values{}
	if len(o.accounts) == 1 {
		constants["account_id"] = record.Value(cli.IDText(o.accounts[0]))
	}
	if len(o.campaigns) == 1 {
		constants["campaign_id"] = record.Value(cli.IDText(o.campaigns[0]))
	}
	rows, err := o.input.Rows(ctx, f, spec, constants)
	if err != nil {
		return nil, err
	}
	var pairs []pair
	had := map[pair]bool{}
	add := func(found ...pair) {
		for _, p := range found {
			if p.broken != nil || !had[p] {
				had[p] = true
				pairs = append(pairs, p)
			}
		}
	}
	var list *index
	for _, row := range rows {
		account, hasAccount := row.Values.Get("account_id").Int64()
		campaign, hasCampaign := row.Values.Get("campaign_id").Int64()
		if hasAccount && hasCampaign {
			add(pair{account: account, campaign: campaign})
			continue
		}
		if list == nil {
			if list, err = newIndex(ctx, f); err != nil {
				return nil, err
			}
		}
		found, what, id := list.accounts[account], "account", account
		if hasCampaign {
			found, what, id = list.campaigns[campaign], "campaign", campaign
		}
		if len(found) == 0 {
			add(pair{account: account, campaign: campaign}.unlisted(fmt.Sprintf("%s %d (line %d)", what, id, row.Line)))
		}
		add(found...)
	}
	return pairs, nil
}

// An index is the campaigns list by its ids.
type index struct{ accounts, campaigns map[int64][]pair }

func newIndex(ctx context.Context, f *cli.Factory) (*index, error) {
	list := &index{map[int64][]pair{}, map[int64][]pair{}}
	for p, err := range listed(ctx, f) {
		if err != nil {
			return nil, err
		}
		if p.hasAccount {
			list.accounts[p.account] = append(list.accounts[p.account], p.pair)
		}
		if p.hasCampaign {
			list.campaigns[p.campaign] = append(list.campaigns[p.campaign], p.pair)
		}
	}
	return list, nil
}
