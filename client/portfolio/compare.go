package portfolio

// Options are what a comparison prunes: what the service holds and the file does not name.
type Options struct {
	PruneAccounts bool // deactivate the active accounts that no row matches
	PruneKeywords bool // deactivate the active keywords of a customer that its list does not name
}

// A Comparison compares the customers of a file with those that the service holds.
type Comparison struct {
	m *Model
	h *Held
	o Options
}

// NewComparison returns a comparison with what the service holds, which Held.Index has indexed.
func NewComparison(m *Model, h *Held, o Options) *Comparison { return &Comparison{m: m, h: h, o: o} }

// Add returns what has to change for a customer, or the fault for which the row is invalid: field is the field at fault,
// empty if it is the row as a whole. The customers of a file are added in their order, each once, invalid ones too.
func (c *Comparison) Add(w *Wanted) (p Plan, field, fault string) { panic("not yet") }

// Match returns the index in Customers of the customer that a row means, or -1 if there is none and the customer would
// be created. field and fault are those of a row that means several, or an account that is not held.
func (h *Held) Match(m *Model, w *Wanted) (at int, field, fault string) { panic("not yet") }

// A Limit is how much may be pruned: so many, or so many percent of what is held and active.
type Limit struct {
	N       int
	Percent bool
}

// ParseLimit returns the limit that N or N% means.
func ParseLimit(text string) (Limit, error) { panic("not yet") }

// Pruned is what a comparison prunes.
type Pruned struct {
	Accounts       []Plan // of the accounts that no row matched, in the order of Held.Customers
	Keywords       int    // the keywords that ChangeKeywords of the plans deactivates because no list names them
	ActiveAccounts int    // the accounts that are held and active
	ActiveKeywords int    // the keywords that are held and active in the campaigns whose keywords are pruned
}

// Prune returns what is pruned, when all customers were added. The error says what exceeds the limit.
func (c *Comparison) Prune(limit Limit) (Pruned, error) { panic("not yet") }
