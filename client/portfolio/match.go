package portfolio

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// Match returns the index in Customers of the customer that a row means, or -1 if there is none, so that the customer would be
// created. A row that gives an account_id means that account; without one, the account with its external_account_identifier;
// without that, the one with its name, e-mail, phone and postal code together. A campaign_id says which customer of an account
// with several campaigns is meant. If the row means several customers, or an account or a campaign that is not held, the row is
// invalid, and Match returns the field and the fault, and if only the campaign is not clear, the first customer of the account.
func (h *Current) Match(m *Model, w *Desired) (at int, field, fault string) {
	firsts := h.meant(m, w)
	switch {
	case len(firsts) == 1:
		return h.matchCampaign(firsts[0], w)
	case w.AccountID != 0:
		return -1, fieldAccount, fmt.Sprintf("the service does not list account %d", w.AccountID)
	case len(firsts) == 0:
		return -1, "", ""
	}
	ids := h.accountsOf(firsts)
	if identifier := w.identifier(); identifier != "" {
		return -1, fieldIdentifier, SeveralAccounts(identifier, ids) + giveAccount
	}
	return -1, "", fmt.Sprintf("%d accounts have this name, e-mail, phone and postal code (%s)", len(ids), IDsText(ids)) + giveAccount
}

func (h *Current) accountsOf(customers []int) (ids []int64) {
	for _, at := range customers {
		ids = append(ids, h.Customers[at].Account)
	}
	return ids
}

// sharing says which accounts have an identifier, leaving out deactivated ones. It is empty if fewer than two have.
func (h *Current) sharing(identifier string) string {
	isDeactivated := func(at int) bool { return AccountStatus(h.Customers[at].listed()) == StatusDeactivated }
	same := slices.DeleteFunc(slices.Clone(h.byIdentifier[schema.FoldText(identifier)]), isDeactivated)
	if len(same) < 2 {
		return ""
	}
	return SeveralAccounts(identifier, h.accountsOf(same))
}

// What a row gives that does not tell which account or campaign it means.
const (
	giveAccount  = ": give account_id"
	giveCampaign = ": give campaign_id"
	sayCampaign  = ": a file for `reseller apply` can say it by campaign_id"
)

// meant returns the first customer of each account that a row means, by its values or as they were before they were repaired.
func (h *Current) meant(m *Model, w *Desired) []int {
	if w.AccountID != 0 {
		if first, ok := h.byAccount[w.AccountID]; ok {
			return []int{first}
		}
		return nil
	}
	given := func(name string) string { return w.Fields[name].Text() }
	original := func(name string) string { return cmp.Or(w.Original[name], given(name)) }
	if identifier := w.identifier(); identifier != "" {
		if found := h.byIdentifier[schema.FoldText(identifier)]; found != nil {
			return found
		}
		return h.byIdentifier[schema.FoldText(original(fieldIdentifier))]
	}
	for _, text := range []func(name string) string{given, original} {
		key := m.contactOf(func(f *schema.Field) string { return text(f.Name) })
		if found := h.byContact[key]; found != nil && key != "" {
			return found
		}
	}
	return nil
}

func (w *Desired) text(f *schema.Field) string { return w.Fields[f.Name].Text() }

func (w *Desired) identifier() string { return schema.TrimSpace(w.Fields[fieldIdentifier].Text()) }

// matchCampaign returns the index of the customer of an account that a row means. first is the first customer of the account.
func (h *Current) matchCampaign(first int, w *Desired) (at int, field, fault string) {
	same := h.sameAccount(first)
	for i := range same {
		c := &same[i]
		isOne := c.Campaign == w.CampaignID || c.Campaign == 0 && slices.Contains(c.Campaigns, w.CampaignID)
		if w.CampaignID != 0 && isOne {
			return first + i, "", ""
		}
	}
	account, campaigns := same[0].Account, campaignsOf(same)
	switch {
	case w.CampaignID == 0 && w.needsCampaign() && len(campaigns) > 1:
		return first, fieldCampaign, severalCampaigns(account, campaigns) + giveCampaign
	case w.CampaignID == 0:
		return first, "", ""
	case len(campaigns) == 0:
		return -1, fieldCampaign, fmt.Sprintf("the service shows no campaign of account %d, so not %d", account, w.CampaignID)
	}
	return -1, fieldCampaign, fmt.Sprintf("account %d has the %s %s, and not %d", account, phrase.Noun(len(campaigns), "campaign", "campaigns"), IDsText(campaigns), w.CampaignID)
}

func campaignsOf(same []CurrentCustomer) []int64 {
	var campaigns []int64
	for i := range same {
		campaigns = append(campaigns, same[i].Campaigns...)
		if id := same[i].Campaign; id != 0 {
			campaigns = append(campaigns, id)
		}
	}
	slices.Sort(campaigns)
	return slices.Compact(campaigns)
}

// OnlyCampaign returns the only campaign that the lists show of an account with one customer, or why there is no such campaign.
func (c *CurrentCustomer) OnlyCampaign() (campaign int64, reason string) {
	switch campaigns := campaignsOf([]CurrentCustomer{*c}); len(campaigns) {
	case 0:
		return 0, noCampaign(c.Account)
	case 1:
		return campaigns[0], ""
	default:
		return 0, severalCampaigns(c.Account, campaigns) + sayCampaign
	}
}

func noCampaign(account int64) string {
	return fmt.Sprintf("the service shows no campaign of account %d yet", account)
}

func severalCampaigns(account int64, campaigns []int64) string {
	return fmt.Sprintf("account %d has %d campaigns (%s), so it is unclear which one to use", account, len(campaigns), IDsText(campaigns))
}

func (w *Desired) needsCampaign() bool {
	return w.HasKeywords || w.Notes != nil || w.Plan != nil
}

func (h *Current) sameAccount(first int) []CurrentCustomer {
	end := first + 1
	for end < len(h.Customers) && h.Customers[end].Account == h.Customers[first].Account {
		end++
	}
	return h.Customers[first:end]
}

const maxListed = 5

// IDsText returns the first few ids as a text, separated by commas.
func IDsText(ids []int64) string {
	return phrase.First(phrase.Each(ids, func(id int64) string { return strconv.FormatInt(id, 10) }), maxListed)
}

// Similar are the accounts that the service holds, and the rows of a file, by what tells that another account is, or becomes, the
// same customer: name, e-mail and phone. Case and white space do not count. The zero value has neither.
type Similar struct {
	Place    func(line int) string // see Options
	accounts map[string]similarAccount
	rows     map[string][]Claim
}

// A Claim is a row that says something of its account, which is 0 for a new one.
type Claim struct {
	Line    int
	Account int64
}

func (s *Similar) claim(what string, row Claim) {
	if s.rows == nil {
		s.rows = map[string][]Claim{}
	}
	s.rows[what] = append(s.rows[what], row)
}

// other returns words for the place of the first row of another account that claims the same as a row, empty if there is none.
func (s *Similar) other(what string, row Claim) string {
	for _, o := range s.rows[what] {
		if o.Line != row.Line && (o.Account == 0 || o.Account != row.Account) {
			return s.Place(o.Line)
		}
	}
	return ""
}

// See notes what a row says of its account, whose fields have the texts that text returns. All rows are seen before the first Fault.
func (s *Similar) See(row Claim, text func(*schema.Field) string) {
	for _, key := range []string{similarKey(text), schema.FoldText(text(schema.AccountsV2.Field(fieldIdentifier)))} {
		if key != "" {
			s.claim(key, row)
		}
	}
}

// SameIdentifier returns the fault of a row that gives its account the identifier that another row gives another one.
func (s *Similar) SameIdentifier(identifier string, row Claim) Fault {
	if other := s.other(schema.FoldText(identifier), row); other != "" {
		return Fault{Field: fieldIdentifier, Reason: fmt.Sprintf("%s is that of %s, too", safetext.Quote(identifier), other)}
	}
	return Fault{}
}

type similarAccount struct {
	id         int64
	identifier string
}

// Add adds an account whose fields have the texts that text returns.
func (s *Similar) Add(id int64, text func(*schema.Field) string) {
	if s.accounts == nil {
		s.accounts = map[string]similarAccount{}
	}
	s.accounts[similarKey(text)] = similarAccount{id, text(schema.AccountsV2.Field(fieldIdentifier))}
}

// Fault returns why a row should not create an account, or change it, so that its fields have the texts that text returns: the
// service holds this customer in another account, or another row makes one. held returns the texts of an account that exists; it is
// nil for a new one. The reason is empty if there is no such account.
func (s *Similar) Fault(row Claim, text, held func(*schema.Field) string) Fault {
	key := similarKey(text)
	found, ok := s.accounts[key]
	switch other := s.other(key, row); {
	case key == "" || held != nil && similarKey(held) == key || !ok && other == "":
		return Fault{}
	case !ok:
		return Fault{Reason: other + " has the same account_name, email and phone: --allow-similar sends both"}
	case held != nil:
		return Fault{fieldAccount, fmt.Sprintf("account %d has this account_name, email and phone: --allow-similar permits it", found.id), true}
	}
	under := "no external_account_identifier"
	if found.identifier != "" {
		under = "the external_account_identifier " + safetext.Quote(found.identifier)
	}
	return Fault{fieldIdentifier, fmt.Sprintf("account %d has the same account_name, email and phone, and %s: --allow-similar creates another account", found.id, under), true}
}

// similarFields are ContactFields but the postal code.
var similarFields = sync.OnceValue(func() []*schema.Field {
	return slices.DeleteFunc(ContactFields(), func(f *schema.Field) bool { return f.Content == schema.PostalCode })
})

// similarKey returns similarFields as one text, empty if one of them is.
func similarKey(text func(*schema.Field) string) string {
	return keyOf(similarFields(), func(f *schema.Field) string { return schema.FoldText(text(f)) })
}

// keyOf returns the texts of fields as one text, empty if one of them is.
func keyOf(fields []*schema.Field, text func(*schema.Field) string) string {
	key := ""
	for _, f := range fields {
		part := text(f)
		if part == "" {
			return ""
		}
		key += part + "\x00"
	}
	return key
}

// TakenIdentifier returns the fault of a row that gives its account the identifier that another account has.
func TakenIdentifier(identifier string, other int64) Fault {
	return Fault{fieldIdentifier, fmt.Sprintf("%s is that of account %d: --allow-similar permits it", safetext.Quote(identifier), other), true}
}

// SeveralAccounts says that several accounts have an identifier.
func SeveralAccounts(identifier string, ids []int64) string {
	return fmt.Sprintf("%s is that of %d accounts (%s)", safetext.Quote(identifier), len(ids), IDsText(ids))
}

// A statement is what a row says of its account, by the names of what an update replaces as a whole (see wholeOf).
type statement struct {
	line   int
	values map[string]said
	isSent bool // the row is valid
}

type said struct {
	text    string
	differs bool // the service does not hold the value of the row's customer
}

// agree compares what a row says of its account with what the rows of other customers of the account say. It returns what the row
// says, and the names of what an earlier row says, too, so that it is sent once, or the field and the fault of a row that
// contradicts one. Halves of one thing, such as the name and the e-mail of a manager, must be in one row, since each
// update would replace the other half.
func (c *Comparison) agree(line int, account int64) (says *statement, repeated map[string]bool, field, fault string) {
	says, repeated = &statement{}, map[string]bool{}
	for _, s := range c.said[account] {
		if s.line == line {
			says = s
		}
	}
	for _, other := range c.said[account] {
		for _, name := range slices.Sorted(maps.Keys(says.values)) {
			own := says.values[name]
			switch theirs, ok := other.values[name]; {
			case !ok:
			case isSame(name, theirs.text, own.text):
				repeated[name] = repeated[name] || other.isSent
			case own.differs || theirs.differs: // else the service shows the account so for each of its campaigns
				return says, nil, name, fmt.Sprintf("%s contradicts %s, which says %s of the same account (%d)",
					safetext.Quote(own.text), c.o.Place(other.line), safetext.Quote(theirs.text), account)
			}
		}
	}
	return says, repeated, "", ""
}

// statement returns what a row says of its account. differing are the values that the service does not hold.
func (w *Desired) statement(differing []difference) *statement {
	says := &statement{line: w.Line, values: map[string]said{}}
	for _, name := range slices.Sorted(maps.Keys(w.Fields)) {
		v, whole := w.Fields[name], wholeOf(name)
		text := string(plainText(v))
		if v.Kind() == record.String {
			text = schema.TrimSpace(text)
		}
		if whole != name {
			text = phrase.List(says.values[whole].text, strings.TrimPrefix(name, whole+".")+"="+text)
		}
		says.values[whole] = said{text: text}
	}
	if w.Status != "" {
		says.values[fieldStatus] = said{text: w.Status}
	}
	for _, d := range differing {
		whole := wholeOf(d.name)
		says.values[whole] = said{says.values[whole].text, true}
	}
	return says
}

// takesIdentifier returns the fault of a row that gives its account the identifier that another one has or gets.
func (c *Comparison) takesIdentifier(w *Desired, row Claim) Fault {
	identifier := w.identifier()
	if identifier == "" || c.o.AllowSimilar {
		return Fault{}
	}
	for _, other := range c.h.byIdentifier[schema.FoldText(identifier)] {
		if c.h.Customers[other].Account != row.Account {
			return TakenIdentifier(identifier, c.h.Customers[other].Account)
		}
	}
	return c.similar.SameIdentifier(identifier, row)
}
