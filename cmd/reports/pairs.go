package reports

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// A pair is a campaign and its account.
type pair struct {
	account, campaign int64
	broken            error // why it can't be asked for
	absent            bool  // the campaigns list does not have the one id that is known
}

// front are the fields that a row of many reports begins with.
func (p pair) front() []record.Pair {
	return []record.Pair{
		{Name: "account_id", Value: record.Value(cli.IDText(p.account))},
		{Name: "campaign_id", Value: record.Value(cli.IDText(p.campaign))},
	}
}

// named tells whether the user named exactly one pair, so that there is
// nothing to look up and no row that needs to say what it belongs to.
func (o *options) named() bool {
	return o.input.Path == "" && len(o.accounts) == 1 && len(o.campaigns) == 1
}

// pairs are what to report on, in the order of the file or of the campaigns
// list. What was named and the list does not have fails, and the others go on.
func (o *options) pairs(ctx context.Context, f *cli.Factory) ([]pair, error) {
	if o.named() {
		return []pair{{account: o.accounts[0], campaign: o.campaigns[0]}}, nil
	}
	if o.input.Path != "" {
		return o.filePairs(ctx, f)
	}
	var pairs []pair
	had := map[pair]bool{}
	accounts, campaigns := map[int64]bool{}, map[int64]bool{}
	for p, err := range listed(ctx, f) {
		if err != nil {
			return nil, err
		}
		accounts[p.account] = accounts[p.account] || p.hasAccount
		campaigns[p.campaign] = campaigns[p.campaign] || p.hasCampaign
		if len(o.accounts) > 0 && !(p.hasAccount && slices.Contains(o.accounts, p.account)) ||
			len(o.campaigns) > 0 && !(p.hasCampaign && slices.Contains(o.campaigns, p.campaign)) {
			continue
		}
		if p.broken != nil || !had[p.pair] {
			had[p.pair] = true
			pairs = append(pairs, p.pair)
		}
	}
	pairs = append(o.absent(accounts, campaigns), pairs...)
	if len(pairs) == 0 && !o.all {
		return nil, notListed(errors.New("none of the named campaigns belongs to one of the named accounts"))
	}
	return pairs, nil
}

// A listing is an item of the campaigns list; one that lacks an id is broken.
type listing struct {
	pair
	hasAccount, hasCampaign bool
}

// listed walks the campaigns list.
func listed(ctx context.Context, f *cli.Factory) iter.Seq2[listing, error] {
	return func(yield func(listing, error) bool) {
		c, err := f.Client()
		if err != nil {
			yield(listing{}, err)
			return
		}
		for rec, err := range c.Campaigns(ctx) {
			var p listing
			p.account, p.hasAccount = rec.Get("account_id").Int64()
			p.campaign, p.hasCampaign = rec.Get("campaign_id").Int64()
			if err == nil && !(p.hasAccount && p.hasCampaign) {
				p.broken = incomplete(rec.Raw().AppendCompact(nil))
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// incomplete is a campaign that is wanted and can't be asked for.
func incomplete(raw []byte) error {
	return &client.UnreadableError{
		Operation: schema.OpCampaignsList.Name(), Action: schema.OpCampaignsList.Title, HTTPStatus: 200,
		Err: errors.New("a campaign has no account_id or no campaign_id: " + string(raw[:min(len(raw), 80)])),
	}
}

// absent are what was named and the campaigns list does not have. They come
// first: there is nothing to wait for.
func (o *options) absent(accounts, campaigns map[int64]bool) []pair {
	var absent []pair
	for _, id := range o.accounts {
		if !accounts[id] {
			absent = append(absent, pair{account: id}.unlisted(fmt.Sprintf("account %d", id)))
		}
	}
	for _, id := range o.campaigns {
		if !campaigns[id] {
			absent = append(absent, pair{campaign: id}.unlisted(fmt.Sprintf("campaign %d", id)))
		}
	}
	return absent
}

// unlisted is a pair of whose ids the one known, which is what, is not in the
// campaigns list.
func (p pair) unlisted(what string) pair {
	p.broken, p.absent = notListed(errors.New(what+" is not in the campaigns list")), true
	return p
}

func notListed(err error) error {
	return &cli.ExitError{Code: cli.ExitNotFound, Err: err, Hint: "`reseller campaigns list` shows the campaigns and their accounts"}
}
