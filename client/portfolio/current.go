package portfolio

import (
	"cmp"
	"fmt"
	"slices"

	"reseller/client/record"
	"reseller/client/schema"
)

// Current is what the service holds of the reseller's customers, as far as it was read.
type Current struct {
	Customers     []CurrentCustomer // by account, then campaign, once Index was called
	StrayKeywords int               // the keywords of accounts of Customers that are in a campaign of none of them
	// CampaignsUnread is the error of a list of campaigns that was to be read and that the service refused, or that lacks ids. Customers then
	// has one campaign of each account.
	CampaignsUnread error

	byAccount    map[int64]int // the first customer of each account
	byIdentifier map[string][]int
	byContact    map[string][]int
}

// A CurrentCustomer is what the service holds of one customer, which is a campaign of an account. An account with
// several campaigns is several customers with the same Listed and Identifier.
type CurrentCustomer struct {
	Account    int64
	Campaign   int64          // 0 if the lists show none, or not which one
	Listed     record.Value   // the account in the list of version 2; nil if that list lacks it
	ListedV1   record.Value   // the account in the list of version 1, kept only if Listed is nil
	InVersion1 bool           // whether the list of version 1 has the account
	Identifier record.Value   // what Identifier returns for the account in the list of version 1; nil if that list does not show it
	Campaigns  []int64        // all campaigns of the account; nil if they were not read
	Keywords   []Keyword      // of Campaign, in the order of SortKeywords; nil if they were not read, empty if there are none
	Notes      record.Value   // nil if they were not read
	Plans      []record.Value // the plans that are attached to Campaign
	PlansRead  bool           // whether Plans was read
	Unread     error          // why the notes or the plans can't be read; nil if they can
	// KeywordsUnread says why Keywords is nil although the keywords were read; nil if nothing speaks against them.
	KeywordsUnread error
	// Unlisted says that this machine has created the account by other values than a row has, and that no list shows it yet.
	Unlisted error
}

// Has reports whether a list shows an account, once Index was called.
func (h *Current) Has(account int64) bool {
	_, ok := h.byAccount[account]
	return ok
}

// AddUnlisted adds a customer whose account no list shows yet. The account has these values; if other says that it has others, only
// those of its identity are known. The caller calls Index.
func (h *Current) AddUnlisted(account, campaign int64, values schema.Values, other error) {
	c := CurrentCustomer{Account: account, Campaign: campaign, InVersion1: true, Unlisted: other}
	identity := schema.AccountsV2.Only(fieldIdentifier)
	if values[fieldIdentifier] == nil {
		identity = schema.AccountsV2.For(schema.Identity)
	}
	if other == nil {
		c.Listed = record.Value(schema.AccountsV2.Body(values))
	} else {
		c.ListedV1 = record.Value(identity.Body(values))
	}
	h.Customers = append(h.Customers, c)
}

// A NotShownError says that the service does not show what has to be compared. No reading has failed.
type NotShownError struct{ What string }

func (e *NotShownError) Error() string { return e.What }

// A Keyword is a keyword that the service holds. There may be hundreds of thousands, so it is small.
type Keyword struct {
	RankID int64
	Text   string
	Type   string // the type as the service shows it; empty if it does not
	Status string // activate or deactivate, or whatever else the service shows; empty if it shows nothing
	// Other has what the service shows of the other fields that a write of a keyword may have, by their names in writes, nil if
	// there are none.
	Other schema.Values
}

// Value returns the value of a field other than the keyword's text and its ids, nil if the service does not show it.
func (k *Keyword) Value(f *schema.Field) record.Value {
	text := ""
	switch f.ReadName() {
	case memberType:
		text = k.Type
	case memberStatus:
		text = k.Status
	default:
		return k.Other[f.Name]
	}
	if text == "" {
		return nil
	}
	return record.Quote(text)
}

// IsActive is Active of a keyword of the list of keywords.
func IsActive(keyword record.Record) bool {
	return schema.Keywords.Field(fieldStatus).Word(keyword.Get(fieldStatus).Text()) != keywordDeactivated
}

// Active reports whether a keyword is active: whether the service does not show it as deactivated.
func (k *Keyword) Active() bool { return k.Status != keywordDeactivated }

// Unshown returns the name of what a file says of each keyword and the service does not show of this one, empty if it shows all.
func (k *Keyword) Unshown() string {
	switch {
	case k.Status == "":
		return memberStatus
	case k.Type == "":
		return memberType
	}
	return ""
}

// Index sorts the customers, of which it keeps one if a list shows it repeatedly, and prepares Match. It is called when Customers is
// complete.
func (h *Current) Index(m *Model) {
	slices.SortStableFunc(h.Customers, func(a, b CurrentCustomer) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Campaign, b.Campaign))
	})
	h.Customers = slices.CompactFunc(h.Customers, func(a, b CurrentCustomer) bool { return a.Account == b.Account && a.Campaign == b.Campaign })
	h.byAccount, h.byIdentifier, h.byContact = map[int64]int{}, map[string][]int{}, map[string][]int{}
	for i := range h.Customers {
		c := &h.Customers[i]
		if _, ok := h.byAccount[c.Account]; ok {
			continue
		}
		h.byAccount[c.Account] = i
		if identifier := schema.FoldText(c.identifier(c.listed()).Text()); identifier != "" {
			h.byIdentifier[identifier] = append(h.byIdentifier[identifier], i)
		}
		if key := m.contactOf(c.text()); key != "" {
			h.byContact[key] = append(h.byContact[key], i)
		}
	}
}

// IDs are the ids of a customer, 0 if they are not known.
type IDs struct{ Account, Campaign int64 }

// IDs returns the ids of the customers, in their order.
func (h *Current) IDs() []IDs {
	ids := make([]IDs, len(h.Customers))
	for i := range h.Customers {
		ids[i] = IDs{h.Customers[i].Account, h.Customers[i].Campaign}
	}
	return ids
}

// ContactFields are the fields that together identify an account without an identifier.
func ContactFields() []*schema.Field {
	return schema.AccountsV2.Without(fieldIdentifier).Having(schema.Identity)
}

// contactOf returns the contact of an account whose fields have the texts that text returns, empty if one of them is.
func (m *Model) contactOf(text func(*schema.Field) string) string {
	return keyOf(m.contact, func(f *schema.Field) string { return Comparable(f, text(f)) })
}

// listed returns the account in the list of version 2, or in that of version 1 if that of version 2 lacks it. It has no
// fields if both do.
func (c *CurrentCustomer) listed() record.Record {
	if c.Listed == nil {
		return recordOf(c.ListedV1)
	}
	return recordOf(c.Listed)
}

func (c *CurrentCustomer) value(f *schema.Field, listed record.Record) record.Value {
	if f.Name == fieldIdentifier {
		return c.identifier(listed)
	}
	return valueIn(f, listed)
}

func (c *CurrentCustomer) text() func(*schema.Field) string {
	listed := c.listed()
	return func(f *schema.Field) string { return c.value(f, listed).Text() }
}

func (c *CurrentCustomer) hasPlan(id record.Value) bool {
	return slices.ContainsFunc(c.Plans, func(plan record.Value) bool { return plan.Get(fieldPlan).Text() == id.Text() })
}

// Name returns the name of the account.
func (c *CurrentCustomer) Name() string { return c.listed().Get(fieldName).Text() }

// recordOf returns the record in an object that the service sent. It has no fields if v is nil.
func recordOf(v record.Value) record.Record {
	rec, _ := record.Parse(v) // of nil, a record without fields
	return rec
}

func (c *CurrentCustomer) identifier(listed record.Record) record.Value {
	if c.Identifier != nil {
		return c.Identifier
	}
	return Identifier(listed)
}

// Deactivated says that an account which should be new exists and is deactivated, empty if it is not.
func Deactivated(rec record.Record) string {
	if AccountStatus(rec) != StatusDeactivated {
		return ""
	}
	id := rec.Get(fieldAccount).Text()
	return fmt.Sprintf("account %s is deactivated, and stays so: `reseller accounts status %s --reactivate` reactivates it", id, id)
}

// Active reports whether the service shows the account of the customer as active.
func (c *CurrentCustomer) Active() bool { return AccountStatus(c.listed()) == StatusActive }

// The words for the status of an account.
const (
	StatusActive      = "active"
	StatusDeactivated = "deactivated"
)

// NewKeyword returns a keyword of the list of keywords.
func (m *Model) NewKeyword(rec record.Record) (k Keyword) {
	k.RankID, _ = rec.Get("rank_id").Int64()
	for i := range m.keyword {
		f := &m.keyword[i]
		switch v := valueIn(f, rec); f.ReadName() {
		case memberText:
			k.Text = v.Text()
		case memberType:
			k.Type = f.Word(v.Text())
		case memberStatus:
			k.Status = f.Word(v.Text())
		default:
			if v == nil {
				continue
			}
			if k.Other == nil {
				k.Other = schema.Values{}
			}
			k.Other[f.Name] = slices.Clone(v)
		}
	}
	return k
}

// keywordType returns the type of a keyword that a text means, without memory of its own then.
func keywordType(text string) string { return schema.Keywords.Field("keyword_type").Word(text) }

// SortKeywords sorts the keywords of a campaign by their texts, and those with the same text by what is preferred (see Distinct).
func SortKeywords(list []Keyword) {
	slices.SortFunc(list, func(a, b Keyword) int { return cmp.Or(cmp.Compare(a.Text, b.Text), preferred(&a, &b)) })
}

// preferred compares two keywords with the same folded text, of which a customer has one: one that is active comes first,
// so that no second one is made active, then the one with the lowest rank_id.
func preferred(a, b *Keyword) int {
	return cmp.Or(isFirst(a.Active(), b.Active()), cmp.Compare(a.RankID, b.RankID))
}

// isFirst compares two values of which a true one comes first.
func isFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Distinct returns the keywords of a campaign without those whose text differs from that of another one in case and white space
// only. Of several such keywords it keeps an active one, and among these the one with the lowest rank_id. The order stays.
func Distinct(list []Keyword) []Keyword {
	best := make(map[string]int, len(list))
	for i := range list {
		folded := schema.FoldText(list[i].Text)
		if at, ok := best[folded]; !ok || preferred(&list[i], &list[at]) < 0 {
			best[folded] = i
		}
	}
	if len(best) == len(list) {
		return list
	}
	out := make([]Keyword, 0, len(best))
	for i := range list {
		if best[schema.FoldText(list[i].Text)] == i {
			out = append(out, list[i])
		}
	}
	return out
}

// FindKeyword returns the keyword of a campaign that an entry of a file means, nil if there is none. Of several whose texts
// differ in case and white space only it is an active one, among these one with the type, then the one with exactly this text,
// and else the one with the lowest rank_id. active says whether the entry is active: for one that is deactivated it does not matter which
// are active, since afterwards none is.
func FindKeyword(list []Keyword, text, kind string, active bool) *Keyword {
	meant, _, _ := matchKeywords([]DesiredKeyword{{Text: text, Type: kind, Active: active}}, "", list)
	return meant[0]
}

// compareMeant compares two keywords that an entry of a file may mean. It means the first; see FindKeyword.
func compareMeant(text, kind string, active bool, a, b *Keyword) int {
	exact := isFirst(schema.TrimSpace(a.Text) == text, schema.TrimSpace(b.Text) == text)
	if !active {
		return cmp.Or(exact, cmp.Compare(a.RankID, b.RankID))
	}
	return cmp.Or(isFirst(a.Active(), b.Active()), isFirst(a.Type == kind, b.Type == kind), exact, preferred(a, b))
}
