package customers

import (
	"testing"

	"reseller/client/portfolio"
)

func TestUnmanaged(t *testing.T) {
	for _, c := range []struct {
		accounts, keywords, campaigns, inCampaigns int
		want                                       string
	}{
		{0, 0, 0, 0, ""},
		{0, 0, 1, 0, "not in the file: 1 more campaign of its accounts"},
		{0, 1, 2, 3, "not in the file: 1 keyword (`--prune keywords`); 2 more campaigns of its accounts, with 3 keywords"},
		{1, 0, 0, 0, "not in the file: 1 account (`--prune accounts`)"},
		{2, 0, 0, 0, "not in the file: 2 accounts (`--prune accounts`)"},
		{0, 1, 0, 0, "not in the file: 1 keyword (`--prune keywords`)"},
		{1, 2, 0, 0, "not in the file: 1 account, 2 keywords (`--prune accounts,keywords`)"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := unmanaged(&portfolio.Pruned{UnmanagedAccounts: c.accounts, UnmanagedKeywords: c.keywords, UnmanagedCampaigns: c.campaigns, KeywordsOfCampaigns: c.inCampaigns}, &pruneFlags{}); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
