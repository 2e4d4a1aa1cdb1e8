package reports

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"reseller/client"
	"reseller/cmd/cli"
)

// A pair is a campaign and its account.
type pair struct {
	account, campaign int64
	broken            error // why it can't be asked for
}

// named tells whether the user named exactly one pair, so that there is
// nothing to look up and no row that needs to say what it belongs to.
func (o *options) named() bool { return len(o.accounts) == 1 && len(o.campaigns) == 1 }

// pairs are what to report on, in the order of the campaigns list. What the
// user named and the list does not have is an error.
func (o *options) pairs(ctx context.Context, f *cli.Factory) ([]pair, error) {
	if o.named() {
		return []pair{{account: o.accounts[0], campaign: o.campaigns[0]}}, nil
	}
	c, err := f.Client()
	if err != nil {
		return nil, err
	}
	var pairs []pair
	had := map[pair]bool{}
	accounts, campaigns := map[int64]bool{}, map[int64]bool{}
	for rec, err := range c.Campaigns(ctx) {
		if err != nil {
			return nil, err
		}
		account, hasAccount := rec.Get("account_id").Int64()
		campaign, hasCampaign := rec.Get("campaign_id").Int64()
		accounts[account] = accounts[account] || hasAccount
		campaigns[campaign] = campaigns[campaign] || hasCampaign
		p := pair{account: account, campaign: campaign}
		switch {
		case hasAccount && len(o.accounts) > 0 && !slices.Contains(o.accounts, account),
			hasCampaign && len(o.campaigns) > 0 && !slices.Contains(o.campaigns, campaign),
			!hasAccount && len(o.accounts) > 0, !hasCampaign && len(o.campaigns) > 0:
		case !hasAccount || !hasCampaign:
			pairs = append(pairs, pair{broken: incomplete(rec.Raw().AppendCompact(nil))})
		case !had[p]:
			had[p] = true
			pairs = append(pairs, p)
		}
	}
	return pairs, o.missing(accounts, campaigns, len(pairs))
}

// incomplete is a campaign that is wanted and can't be asked for.
func incomplete(raw []byte) error {
	return &client.UnreadableError{
		Operation: client.OpCampaignsList.Name(), What: client.OpCampaignsList.Title, HTTPStatus: 200,
		Err: errors.New("a campaign has no account_id or no campaign_id: " + string(raw[:min(len(raw), 80)])),
	}
}

// missing names what the campaigns list does not have of what was named.
func (o *options) missing(accounts, campaigns map[int64]bool, found int) error {
	var absent []string
	for _, id := range o.accounts {
		if !accounts[id] {
			absent = append(absent, fmt.Sprintf("account %d", id))
		}
	}
	for _, id := range o.campaigns {
		if !campaigns[id] {
			absent = append(absent, fmt.Sprintf("campaign %d", id))
		}
	}
	if len(absent) == 0 && (found > 0 || o.all) {
		return nil
	}
	err := errors.New("not in the campaigns list: " + strings.Join(absent, ", "))
	if len(absent) == 0 {
		err = errors.New("none of the named campaigns belongs to one of the named accounts")
	}
	return &cli.CodedError{Code: cli.ExitNotFound, Err: err, Hint: "`reseller campaigns list` shows the campaigns and their accounts"}
}
