package portfolio

import (
	"cmp"
	"iter"
	"slices"

	"reseller/client/schema"
)

// A Plan is what has to change for one customer, so that the service holds what the file says. If nothing has to
// change, only the first fields are set.
type Plan struct {
	Line       int    // of the file; 0 for a customer that is pruned
	Customer   string // the name of the account
	Identifier string
	Account    int64 // 0 for a customer that is created
	Campaign   int64 // 0 if it is not known
	// OneOfSeveral says that the account has other campaigns, which are customers of their own.
	OneOfSeveral bool
	At           int // the index in Current.Customers, -1 for a customer that is created

	Kept []string // the fields that the file says otherwise than the service and that can't be updated
	// Create has the values of the account to create, all that a create requires among them; nil if the account exists.
	Create schema.Values
	// Update has exactly the values that an update sends besides the account_id, with attributes and managers whole;
	// nil if no field differs.
	Update schema.Values
	// Status is the change of the account's status, ActionDeactivate or ActionReactivate; empty if it has the status. A created
	// account may be deactivated.
	Status string
	// Notes has the texts that differ; nil if none does.
	Notes schema.Values
	// Attach has the plan to attach, nil if there is none to attach.
	Attach         schema.Values
	AddKeywords    []PlannedKeyword
	HeldKeywords   []int64          // the rank_id of each of Desired.Keywords, 0 for one to add; nil if no keywords are compared
	ChangeKeywords []PlannedKeyword // of keywords that the campaign holds; with pruning, those of no list among them

	// Changes has a row for each change, in the order in which apply makes them, but for the fields of Create: see All.
	Changes []Change
	// Doubled are the active keywords of the campaign that are the same but for case and white space. Nothing is sent for them.
	Doubled []Double
	// Sharing says which active accounts have the identifier of this one, empty if no other has it.
	Sharing string
	// Unread says why some of what the file says could not be compared: its notes, plan or keywords. The other
	// changes are complete. It is nil in most plans.
	Unread error
	// InDoubt says what this machine has sent that may or may not be stored, and that no list shows: a plan or credentials. It is nil in
	// most plans.
	InDoubt error
	// Other says why a row may mean another customer than the account with its identifier, empty if it does not seem so.
	Other string
	// Deactivated says that the account of a new customer exists and is deactivated, empty if not.
	Deactivated string
	// Unclear says why it is not known which campaign of the account the row means, empty if it is.
	Unclear string
}

// A Double is a keyword that a campaign has more than once.
type Double struct {
	Text    string
	RankIDs []int64
}

// A PlannedKeyword is a keyword to add or to change, with the type and the status that it gets. One that is added deactivated is
// deactivated once it is there.
type PlannedKeyword struct {
	Item   int    // the index in Desired.Keywords; -1 for a keyword that is pruned, or that the campaign has more than once
	RankID int64  // 0 for one that is added
	Text   string // as the service holds it
	Type   string
	Active bool
	Pruned bool // no entry of the list names the keyword
}

// A Change is one row of what a plan changes.
type Change struct {
	Action string // one of the Action constants
	Object string // one of the Object constants
	Field  string // a field of the object, or the text of a keyword; empty for an account that is created
	From   string // what the service holds
	To     string // what it will hold
	IsLate bool   // the list shows To, and may be late: nobody knows what the service holds
}

// All iterates over Changes, with the fields of an account that is created behind its row. These take no memory of their own.
func (p *Plan) All() iter.Seq[*Change] {
	return func(yield func(*Change) bool) {
		for i := range p.Changes {
			c := &p.Changes[i]
			if !yield(c) {
				return
			}
			if c.Action != ActionCreate {
				continue
			}
			for _, f := range schema.AccountsV2.Having(schema.Create) {
				text := string(plainText(p.Create[f.Name]))
				if text != "" && !yield(&Change{Action: ActionAdd, Object: ObjectAccount, Field: f.Name, To: text}) {
					return
				}
			}
		}
	}
}

// The actions of changes.
const (
	ActionCreate     = "create"
	ActionUpdate     = "update"
	ActionAdd        = "add"
	ActionDeactivate = "deactivate"
	ActionReactivate = "reactivate"
	ActionAttach     = "attach"
	// ActionKeep is what stays as it is, although the file says something else or nothing: a field that can't be updated, a
	// plan, credentials.
	ActionKeep = "keep"
)

// The objects of changes.
const (
	ObjectAccount     = "account"
	ObjectCredentials = "credentials"
	ObjectNotes       = "notes"
	ObjectPlan        = "plan"
	ObjectKeyword     = "keyword"
	ObjectCampaign    = "campaign"
)

// Unknown says why not all is known of what has to change, nil if it is.
func (p *Plan) Unknown() error { return cmp.Or(p.Unread, p.InDoubt) }

// IsUnread reports whether not all that the file says could be compared.
func (p *Plan) IsUnread() bool { return p.Unread != nil || p.Unclear != "" }

// HasChanges reports whether anything has to be sent for the customer. What is kept is no change.
func (p *Plan) HasChanges() bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Action != ActionKeep })
}

// Differs reports whether the service holds something else than the file says. A field that can't be updated differs.
func (p *Plan) Differs() bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Action != ActionKeep || c.Object == ObjectAccount })
}

// Outcome returns the action that happens to the customer as a whole: create, update, deactivate or keep. An account that is
// deactivated counts as that, whatever else is updated.
func (p *Plan) Outcome() string {
	switch {
	case p.Create != nil:
		return ActionCreate
	case p.Status == ActionDeactivate:
		return ActionDeactivate
	case p.HasChanges():
		return ActionUpdate
	}
	return ActionKeep
}

// Pruned is what a comparison prunes.
type Pruned struct {
	Accounts []Plan // of the accounts that no row matched, in the order of Current.Customers
	Keywords int    // the keywords that ChangeKeywords of the plans deactivates because no list names them
	// What stays active although the file does not name it: accounts that no row matched, which Unmanaged has if they are to
	// be listed, and keywords of customers with a list.
	UnmanagedAccounts, UnmanagedKeywords int
	// The campaigns that no row names of accounts that one does, and the keywords that are active in them, if they were read.
	UnmanagedCampaigns, KeywordsOfCampaigns int
	Unmanaged                               []Plan
	ActiveAccounts                          int // the accounts that are held and active
	ActiveKeywords                          int // the keywords that are held and active in the campaigns whose keywords are pruned
}
