package lookup

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"reseller/cmd/cli"
	"reseller/cmd/form"
)

func PickAccount(session *cli.Session) *form.Field {
	return cli.IDField("ACCOUNT_ID", "the account", New(session).Choices(Account, ""))
}

// PickCampaign returns the field of the argument CAMPAIGN_ID. The user picks one of the campaigns of the reseller, or of the
// account, if one is given.
func PickCampaign(session *cli.Session, account ...int64) *form.Field {
	owner := ""
	if len(account) > 0 {
		owner = strconv.FormatInt(account[0], 10)
	}
	return cli.IDField("CAMPAIGN_ID", "the campaign", New(session).Choices(Campaign, owner))
}

// Choices returns the accounts or the campaigns of which the user picks one: the campaigns of the account whose id the field
// before has, or else owner is, and all if neither is an id.
func (x *Finder) Choices(kind, owner string) func(ctx context.Context, before string) ([]form.Choice, error) {
	return func(ctx context.Context, before string) ([]form.Choice, error) {
		list, err := x.List(ctx, kind)
		if id, err := strconv.ParseInt(cmp.Or(before, owner), 10, 64); err == nil {
			list = list.Of(id)
		}
		if list = list.Distinct(); err != nil || len(list) == 0 {
			return nil, cmp.Or(err, errors.New("there are no "+kind+"s"))
		}
		found := make([]form.Choice, len(list))
		for i, e := range list {
			found[i] = form.Choice{Value: strconv.FormatInt(e.ID, 10), Text: e.String()}
		}
		return found, nil
	}
}
