package customers

import (
	"fmt"
	"slices"
	"testing"

	"reseller/client/bulk/columns"
	"reseller/client/portfolio"
)

// TestColumnNamesAreDistinct checks that no name and no synonym of a column means two fields
// of a customer.
func TestColumnNamesAreDistinct(t *testing.T) {
	fields := map[string]string{}
	for _, f := range portfolio.FileResource().Fields {
		for _, name := range slices.Concat([]string{f.Name, f.ReadName()}, f.Aliases, f.Headings()) {
			if before, ok := fields[columns.Fold(name)]; ok && before != f.Name {
				t.Errorf("got %q for both %s and %s, want one field", name, before, f.Name)
			}
			fields[columns.Fold(name)] = f.Name
		}
	}
}

func TestChoose(t *testing.T) {
	for _, test := range []struct {
		who    customer
		listed []int64
		want   int64
		why    string
	}{
		{customer{account: 1, campaign: 5}, nil, 5, ""},
		{customer{account: 1, campaign: 5}, []int64{5}, 5, ""},
		{customer{account: 1}, []int64{6}, 6, ""},
		{customer{account: 1, campaign: 5}, []int64{6}, 5, "account 1 has 2 campaigns (5, 6), so it is unclear which one to use: a file for `reseller apply` can say it by campaign_id"},
		{customer{account: 1}, []int64{7, 6}, 0, "account 1 has 2 campaigns (6, 7), so it is unclear which one to use: a file for `reseller apply` can say it by campaign_id"},
		{customer{account: 1}, nil, 0, "the service shows no campaign of account 1 yet"},
		{customer{campaign: 5}, nil, 5, "the service does not show the id of its account yet"},
	} {
		t.Run(fmt.Sprintf("account %d, campaign %d, listed %v", test.who.account, test.who.campaign, test.listed), func(t *testing.T) {
			c, m := test.who, portfolio.New()
			current := &portfolio.Current{Customers: []portfolio.CurrentCustomer{{Account: 2, Campaign: 9}, {Account: c.account, Campaign: c.campaign, Campaigns: test.listed}}}
			current.Index(m)
			if why := c.chooseCampaign(m, current); why != test.why || c.campaign != test.want {
				t.Errorf("got campaign %d, %q, want %d, %q", c.campaign, why, test.want, test.why)
			}
		})
	}
}
