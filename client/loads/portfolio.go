package loads

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"

	"reseller/client"
	"reseller/client/crash"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// ListOptions say what ReadLists reads besides the accounts.
type ListOptions struct {
	Accounts []int64 // read the customers of these accounts only; all if it is empty
	Keywords bool    // read the keywords
	// Campaigns reads the list of campaigns, too: the list of accounts may show one of several, or none.
	Campaigns    bool
	OnlyVersion1 bool // do not read the list of accounts of version 2
	MayLackV2    bool // the service may refuse the list of version 2
}

// ReadLists reads what the lists of the service show of its customers. It returns an error if a list can't be read to
// its end, so that no customer and no keyword is missing from what it returns. The notes and the plans are in no list:
// see ReadDetails.
func ReadLists(ctx context.Context, c *client.Client, m *portfolio.Model, o ListOptions) (*portfolio.Current, error) {
	h, err := readLists(ctx, c, m, o)
	if errors.As(err, new(*client.UnreadableError)) { // one was cut, and another attempt may read it whole
		h, err = readLists(ctx, c, m, o)
	}
	return h, err
}

func readLists(ctx context.Context, c *client.Client, m *portfolio.Model, o ListOptions) (*portfolio.Current, error) {
	h := &portfolio.Current{}
	if !o.OnlyVersion1 {
		if err := readAccounts(ctx, c, h, o.Accounts); err != nil && !(o.MayLackV2 && IsRefused(err)) {
			return nil, err
		}
	}
	if err := readIdentifiers(ctx, c, h, len(o.Accounts) == 0); err != nil {
		return nil, err
	}
	if o.Campaigns {
		lacksCampaign := slices.ContainsFunc(h.Customers, func(c portfolio.CurrentCustomer) bool { return c.Campaign == 0 })
		err := ReadCampaigns(ctx, c, h)
		if h.CampaignsUnread = cmp.Or(err, h.CampaignsUnread); err != nil && (lacksCampaign || !IsRefused(err)) {
			return nil, err
		}
		for _, customer := range slices.Clone(h.Customers) {
			for _, id := range customer.Campaigns {
				if other := customer; customer.Campaign != 0 && id != customer.Campaign {
					other.Campaign = id
					h.Customers = append(h.Customers, other)
				}
			}
		}
		sortByAccount(h)
	}
	if o.Keywords {
		if err := readKeywords(ctx, c, m, h); err != nil {
			return nil, err
		}
	}
	h.Index(m)
	return h, nil
}

// readAccounts reads the customers from the list of version 2. An account that the list lacks is a customer of which
// nothing else is known. The customers are sorted by account.
func readAccounts(ctx context.Context, c *client.Client, h *portfolio.Current, selected []int64) error {
	isWanted := map[int64]bool{} // true until the account was listed
	for _, id := range selected {
		isWanted[id] = true
	}
	err := eachListed(ctx, c, &schema.OpAccountsV2List, func(rec record.Record) {
		account, campaign := IDsOf(rec)
		if _, ok := isWanted[account]; ok || len(selected) == 0 {
			isWanted[account] = false
			h.Customers = append(h.Customers, portfolio.CurrentCustomer{Account: account, Campaign: campaign, Listed: bytes.Clone(rec.Raw())})
		}
	})
	for id, missing := range isWanted {
		if missing {
			h.Customers = append(h.Customers, portfolio.CurrentCustomer{Account: id})
		}
	}
	sortByAccount(h)
	return err
}

// readIdentifiers reads the identifiers of the customers. Only the list of version 1 shows them. An account that the list
// of version 2 lacks becomes a customer, if all are read.
func readIdentifiers(ctx context.Context, c *client.Client, h *portfolio.Current, all bool) error {
	var added []portfolio.CurrentCustomer
	err := eachListed(ctx, c, &schema.OpAccountsV1List, func(rec record.Record) {
		account, campaign := IDsOf(rec)
		customers := customersOf(h, account)
		if len(customers) == 0 && all {
			added = append(added, portfolio.CurrentCustomer{Account: account})
			customers = added[len(added)-1:]
		}
		for i := range customers {
			customer := &customers[i]
			if customer.InVersion1 = true; customer.Identifier == nil {
				customer.Identifier = portfolio.Identifier(rec)
			}
			if customer.Listed == nil {
				customer.ListedV1 = bytes.Clone(rec.Raw())
			}
			if len(customers) == 1 {
				customer.Campaign = cmp.Or(customer.Campaign, campaign)
			}
		}
	})
	h.Customers = append(h.Customers, added...)
	sortByAccount(h)
	return err
}

func sortByAccount(h *portfolio.Current) {
	slices.SortStableFunc(h.Customers, func(a, b portfolio.CurrentCustomer) int { return cmp.Compare(a.Account, b.Account) })
}

// ReadCampaigns reads the campaigns of the customers. A customer whose campaign the list of accounts does not show has
// the only campaign of its account.
func ReadCampaigns(ctx context.Context, c *client.Client, h *portfolio.Current) error {
	sortByAccount(h)
	err := eachListed(ctx, c, &schema.OpCampaignsList, func(rec record.Record) {
		account, campaign := IDsOf(rec)
		if account == 0 || campaign == 0 {
			h.CampaignsUnread = &portfolio.NotShownError{What: "the service does not show the account_id or the campaign_id of a campaign"}
		}
		customers := customersOf(h, account)
		for i := range customers {
			if listed := &customers[i].Campaigns; campaign != 0 && !slices.Contains(*listed, campaign) {
				*listed = append(*listed, campaign)
			}
		}
	})
	if err != nil {
		return err
	}
	for i := range h.Customers {
		customer := &h.Customers[i]
		if customer.Campaign == 0 && len(customer.Campaigns) == 1 {
			customer.Campaign = customer.Campaigns[0]
		}
		slices.Sort(customer.Campaigns)
	}
	return nil
}

// readKeywords reads the keywords of the campaigns of the customers. If the service does not show the campaign of a keyword,
// it may be in any campaign of its account, or of all if that is not shown either. The keywords of these are then not known, nor
// are those of a campaign of which the service shows a keyword without its text.
func readKeywords(ctx context.Context, c *client.Client, m *portfolio.Model, h *portfolio.Current) error {
	byCampaign := map[int64][]portfolio.Keyword{}
	for i := range h.Customers {
		byCampaign[h.Customers[i].Campaign] = []portfolio.Keyword{}
	}
	delete(byCampaign, 0)
	unplaced, textless := map[int64]error{}, map[int64]error{} // by account, 0 for all, and by campaign
	err := eachListed(ctx, c, &schema.OpKeywordsList, func(rec record.Record) {
		account, campaign := IDsOf(rec)
		text := rec.Get("keyword")
		if isTextless := text.Kind() <= record.Null; isTextless && campaign != 0 {
			textless[campaign] = notShown("text", "keyword "+rec.Get("rank_id").Text())
		} else if isTextless {
			unplaced[account] = notShown("text", "keyword "+rec.Get("rank_id").Text())
		} else if campaign == 0 {
			unplaced[account] = notShown("campaign", "the keyword "+safetext.Quote(text.Text()))
		} else if list, ok := byCampaign[campaign]; ok {
			if len(list) == cap(list) { // append would leave room for as many again
				list = append(make([]portfolio.Keyword, 0, len(list)+max(4, len(list)/4)), list...)
			}
			byCampaign[campaign] = append(list, m.NewKeyword(rec))
		} else if account == 0 || len(customersOf(h, account)) > 0 {
			h.StrayKeywords++
		}
	})
	if err != nil {
		return err
	}
	for _, list := range byCampaign {
		portfolio.SortKeywords(list)
	}
	for i := range h.Customers {
		customer := &h.Customers[i]
		if customer.KeywordsUnread = cmp.Or(unplaced[customer.Account], unplaced[0], textless[customer.Campaign]); customer.KeywordsUnread == nil {
			customer.Keywords = byCampaign[customer.Campaign]
		}
	}
	return nil
}

func notShown(what, of string) error {
	return &portfolio.NotShownError{What: "the service does not show the " + what + " of " + of}
}

// IDsOf returns the account and the campaign of a record or a row, 0 if it does not show them.
func IDsOf[T interface{ Get(string) record.Value }](of T) (account, campaign int64) {
	account, _ = of.Get("account_id").Int64()
	campaign, _ = of.Get("campaign_id").Int64()
	return account, campaign
}

// customersOf returns the customers of an account, in the memory of h, whose customers are sorted by account.
func customersOf(h *portfolio.Current, account int64) []portfolio.CurrentCustomer {
	first, _ := slices.BinarySearchFunc(h.Customers, account, func(c portfolio.CurrentCustomer, id int64) int { return cmp.Compare(c.Account, id) })
	last := first
	for last < len(h.Customers) && h.Customers[last].Account == account {
		last++
	}
	return h.Customers[first:last]
}

// A Need says what of a customer is in no list and has to be read.
type Need struct {
	Customer     int // the index of the customer, which has no other Need
	Notes, Plans bool
}

// ReadDetails reads what customers need, of so many at a time, and the list of keywords if that is needed. If the details of a
// customer can't be read, it is Unread. Only an error that every other call would get, too, or of the list, ends the reading and is
// returned.
func ReadDetails(parent context.Context, c *client.Client, m *portfolio.Model, h *portfolio.Current, needs []Need, keywords bool, concurrency int) error {
	group, ctx := errgroup.WithContext(parent)
	group.SetLimit(concurrency)
	start := func(read func() error) {
		group.Go(func() error {
			defer crash.Recover()
			return read()
		})
	}
	if keywords {
		start(func() error { return readKeywords(ctx, c, m, h) })
	}
	for _, need := range needs {
		if ctx.Err() != nil {
			break
		}
		start(func() error {
			customer := &h.Customers[need.Customer]
			notes, plans := ReadCustomer(ctx, c, customer, need)
			err := cmp.Or(notes, plans)
			if plans != nil && !errors.Is(plans, client.ErrNotOffered) {
				err = plans
			}
			if err != nil && ctx.Err() == nil && isOfOneCustomer(err) {
				customer.Unread, err = err, nil
			}
			return err
		})
	}
	return cmp.Or(group.Wait(), context.Cause(parent))
}

// ReadCustomer reads what is needed of one customer. A customer whose campaign is not known has none. If a part can't be read, the
// others are all the same. The error of a part that the service does not offer is client.ErrNotOffered.
func ReadCustomer(ctx context.Context, c *client.Client, customer *portfolio.CurrentCustomer, need Need) (notes, plans error) {
	if customer.Campaign == 0 {
		return nil, nil
	}
	if need.Notes {
		var rec record.Record
		if rec, notes = ReadNotes(ctx, c, customer.Campaign); notes == nil {
			customer.Notes = bytes.Clone(rec.Raw())
		}
	}
	if need.Plans && (notes == nil || errors.Is(notes, client.ErrNotOffered)) {
		var attached []record.Record
		attached, plans = AttachedPlans(ctx, c, customer.Account, customer.Campaign)
		for _, rec := range attached {
			customer.Plans = append(customer.Plans, rec.Raw())
		}
		customer.PlansRead = plans == nil
	}
	return notes, plans
}

// isOfOneCustomer reports whether an error of a reading says nothing about other readings.
func isOfOneCustomer(err error) bool {
	var refusal *client.Error
	if errors.As(err, &refusal) {
		return refusal.HTTPStatus != http.StatusUnauthorized
	}
	return !errors.As(err, new(*client.TokenSourceError)) && (errors.As(err, new(*client.NetworkError)) || errors.As(err, new(*portfolio.NotShownError)) ||
		errors.As(err, new(*client.UnreadableError)) || errors.As(err, new(*client.RedirectError)))
}
