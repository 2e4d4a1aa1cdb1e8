package portfolio

import (
	"reseller/client/schema"
)

// Wanted is what a file says of one customer. What the file does not say is the zero value.
type Wanted struct {
	Line       int // of the file; the caller sets it
	AccountID  int64
	CampaignID int64
	Fields     schema.Values // of accounts create, without account_id
	Status     string        // active, deactivated or empty
	Keywords   []WantedKeyword
	// HasKeywords says that the customer has a list of keywords, which may be empty.
	HasKeywords bool
	// KeywordType is the type of keywords that are added and whose type the file does not say.
	KeywordType string
	Notes       schema.Values // nil if not given
	Plan        schema.Values // nil if not given
	// Credentials has no password, which Wanted must not hold in memory: the caller takes it from the row when it is
	// sent. nil if not given.
	Credentials schema.Values
	// Original are the texts in the file of the values that were repaired when the file was read, by the name of the
	// field; the caller sets it. If the service holds such a text, the field does not differ.
	Original map[string]string
}

// A WantedKeyword is a keyword of a customer's list.
type WantedKeyword struct {
	Text   string
	Type   string // empty if the file does not say it: a new keyword gets Wanted.KeywordType, a held one keeps its own
	Active bool   // false only if the file says so
}

// Wanted returns what the values of a row say of a customer. keywordType is the type of new keywords whose type the
// row does not say. If the row is invalid, it returns the field and the reason.
func (m *Model) Wanted(values schema.Values, keywordType string) (w *Wanted, field, reason string) {
	panic("not yet")
}
