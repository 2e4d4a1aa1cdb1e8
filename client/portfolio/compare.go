package portfolio

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// Options are what a comparison prunes: what the service holds and the file does not name.
type Options struct {
	PruneAccounts bool // deactivate the active accounts that no row matches
	PruneKeywords bool // deactivate the active keywords of a customer that its list does not name
	NoValidate    bool // permit postal codes that are none of the country of their account
	Strict        bool // do not restore what a spreadsheet has lost of numbers
	AllowSimilar  bool // permit new accounts that seem to be one with another identifier, and rows that give an account that of another one
	AllowRename   bool // permit rows whose identifier, name and e-mail all differ from those of the account with their account_id
	// KeepExisting keeps the fields and the status of the accounts that the service holds. What it does not show does not differ
	// then, and a row that does not tell which campaign of its account it means is no fault, but Unclear.
	KeepExisting  bool
	ListUnmanaged bool // list the accounts that no row matches and that stay active
	// PruneOnly are, by rank_id, the only keywords that may be deactivated although no entry of a list means them; nil for
	// all. A job that is resumed has no others.
	PruneOnly map[int64]bool
	IsLate    record.LateFunc // that of client.Client; nil if no list can be late
	// OnRestored is called for a value that is Restored, with the line of its row; nil if nobody is told.
	OnRestored func(line int, name string, v record.Value)
	// Place returns words for the place of a row whose line is given: in a workbook or a folder it is not the line alone.
	Place func(line int) string
}

// A Comparison compares the customers of a file with those that the service holds.
type Comparison struct {
	m *Model
	h *Current
	o Options

	matched []bool                 // by customer of h: a row means it, if only an invalid one
	said    map[int64][]*statement // by account, for accounts with several customers
	pruned  Pruned
	similar Similar // its accounts are added when they are asked for
}

// NewComparison returns a comparison with what the service holds, which Current.Index has indexed.
func NewComparison(m *Model, h *Current, o Options) *Comparison {
	if o.IsLate == nil || o.KeepExisting {
		o.IsLate = record.NeverLate
	}
	return &Comparison{m: m, h: h, o: o, matched: make([]bool, len(h.Customers)), said: map[int64][]*statement{}, similar: Similar{Place: o.Place}}
}

// See notes what a row says. All rows of a file are seen before the first is added, so that rows that contradict each other are
// all invalid, whatever else is wrong with them.
func (c *Comparison) See(w *Desired) {
	row := Claim{Line: w.Line}
	at, _, fault := c.h.Match(c.m, w)
	if at >= 0 && (fault == "" || c.o.KeepExisting) {
		c.similar.claim(customerAt(at), row)
	}
	if firsts := c.h.meant(c.m, w); len(firsts) == 1 {
		current := &c.h.Customers[max(at, firsts[0])]
		row.Account = current.Account
		if len(c.h.sameAccount(firsts[0])) > 1 {
			c.said[row.Account] = append(c.said[row.Account], w.statement(c.differences(w, current)))
		}
	}
	c.similar.See(row, w.text)
}

// customerAt is what the rows claim that mean a customer.
func customerAt(at int) string { return fmt.Sprint("customer\x00", at) }

// Add returns what has to change for a customer, or the faults for which the row is invalid. The customers of a file are
// added in their order, each once, invalid ones too: what they match is not pruned.
func (c *Comparison) Add(w *Desired) (Plan, []Fault) {
	at, field, fault := c.h.Match(c.m, w)
	unclear := ""
	if c.o.KeepExisting { // the rows have no ids
		fault = strings.TrimSuffix(strings.TrimSuffix(fault, giveAccount), giveCampaign)
		if field == fieldCampaign {
			unclear, fault = fault+sayCampaign, ""
		}
	}
	if fault != "" {
		for _, first := range c.h.meant(c.m, w) { // the accounts that the row may mean are not pruned
			for i := range c.h.sameAccount(first) {
				c.matched[first+i] = true
			}
		}
		return Plan{}, []Fault{{field, fault, true}}
	}
	if at < 0 {
		return c.create(w)
	}
	current := &c.h.Customers[at]
	c.matched[at] = true
	if other := c.similar.other(customerAt(at), Claim{Line: w.Line}); other != "" {
		return Plan{}, []Fault{{Reason: fmt.Sprintf("matches account %d, as %s does", current.Account, other)}}
	}
	p := c.planFor(at)
	p.Line, p.Campaign, p.Unclear, p.Sharing = w.Line, cmp.Or(current.Campaign, w.CampaignID), unclear, c.h.sharing(p.Identifier)
	if c.o.KeepExisting {
		p.Deactivated = Deactivated(current.listed())
	}
	if current.Listed == nil && current.Unlisted == nil && !c.o.KeepExisting {
		p.Unread = &NotShownError{"it is not in the accounts list of version 2"}
		return p, nil
	}
	differing := c.differences(w, current)
	if len(differing) > 0 && current.Unlisted != nil && !c.o.KeepExisting {
		p.Unread, differing = current.Unlisted, nil
	}
	if fault := renames(differing, &p, fieldIdentifier); fault != "" && !c.o.AllowRename {
		advice := "--allow-rename changes them"
		if c.o.KeepExisting {
			advice = "leave account_id out for a new customer"
		}
		return Plan{}, []Fault{{fieldAccount, fault + ": " + advice, true}}
	}
	if w.AccountID == 0 && !c.o.AllowRename && current.Unlisted == nil {
		p.Other = renames(differing, &p, "phone")
	}
	if len(differing) > 0 {
		if fault := c.isSimilar(w, current); fault.Reason != "" {
			return Plan{}, []Fault{fault}
		}
	}
	says, repeated, field, fault := c.agree(w.Line, current.Account)
	if fault != "" {
		return Plan{}, []Fault{{Field: field, Reason: fault}}
	}
	if fault := c.compareAccount(&p, w, current, differing, repeated); fault.Reason != "" {
		return p, []Fault{fault} // which shows what the fault is about
	}
	if w.Credentials != nil { // which are sent with new accounts only, and are not shown
		p.change(ActionKeep, ObjectCredentials, fieldUsername, "", w.Credentials[fieldUsername].Text())
	}
	var faults []Fault
	if unclear != "" {
		// nothing of a campaign is compared
	} else if w.needsCampaign() && p.Campaign == 0 {
		p.Unread = &NotShownError{noCampaign(current.Account)}
	} else {
		c.compareNotes(&p, w, current)
		c.comparePlan(&p, w, current)
		faults = c.compareKeywords(&p, w, current)
	}
	if faults = append(w.invalidChanges(&p), faults...); faults != nil {
		return Plan{}, faults
	}
	says.isSent = true
	return p, nil
}

// renames says that a row differs from its account in name, e-mail and a third field, as another customer does; else it is empty.
func renames(differing []difference, p *Plan, third string) string {
	for _, name := range []string{third, fieldName, fieldEmail} {
		if !slices.ContainsFunc(differing, func(d difference) bool { return d.name == name }) {
			return ""
		}
	}
	return fmt.Sprintf("account %d is %s, of which %s, %s and %s all differ", p.Account, safetext.Quote(p.Customer), third, fieldName, fieldEmail)
}

// isSimilar returns the fault of a row whose values should not be those of a new account, if current is nil, or of current: the
// service holds this customer in another account, or another row makes one.
func (c *Comparison) isSimilar(w *Desired, current *CurrentCustomer) Fault {
	if c.o.AllowSimilar {
		return Fault{}
	}
	if c.similar.accounts == nil {
		for first := 0; first < len(c.h.Customers); {
			c.similar.Add(c.h.Customers[first].Account, c.h.Customers[first].text())
			first += len(c.h.sameAccount(first))
		}
	}
	if current == nil {
		return c.similar.Fault(Claim{Line: w.Line}, w.text, nil)
	}
	return c.similar.Fault(Claim{w.Line, current.Account}, w.text, current.text())
}

func (w *Desired) invalidChanges(p *Plan) []Fault {
	var faults []Fault
	for i := range p.Changes {
		if reason := w.Invalid[p.Changes[i].Field]; reason != "" {
			faults = append(faults, Fault{Field: p.Changes[i].Field, Reason: reason})
		}
	}
	return faults
}

func (c *Comparison) planFor(at int) Plan {
	current := &c.h.Customers[at]
	listed := current.listed()
	return Plan{
		At: at, Account: current.Account, Campaign: current.Campaign,
		Customer: listed.Get(fieldName).Text(), Identifier: IdentifierText(current.identifier(listed)), OneOfSeveral: len(c.h.sameAccount(c.h.byAccount[current.Account])) > 1,
	}
}

func (p *Plan) change(action, object, field, from, to string) {
	isLate := from == to && from != "" && action != ActionKeep
	if isLate {
		from = "" // what this machine has changed the field to since is not kept
	}
	p.Changes = append(p.Changes, Change{action, object, field, from, to, isLate})
}

func (c *Comparison) create(w *Desired) (Plan, []Fault) {
	if faults := w.InvalidFaults(); faults != nil {
		return Plan{}, faults
	}
	values, missing := c.m.NewAccount(w)
	if len(missing) > 0 {
		return Plan{}, []Fault{{Reason: fmt.Sprintf("missing: %s; the row means no customer that the service holds, by account_id, by its identifier or by name, e-mail, phone and postal code together, and creating one requires them", strings.Join(missing, ", "))}}
	}
	p := Plan{
		At: -1, Line: w.Line, Campaign: w.CampaignID, Create: values, Notes: w.Notes,
		Customer: values[fieldName].Text(), Identifier: values[fieldIdentifier].Text(),
	}
	if fault := cmp.Or(c.isSimilar(w, nil), c.takesIdentifier(w, Claim{Line: w.Line})); fault.Reason != "" {
		return Plan{}, []Fault{fault}
	}
	p.change(ActionCreate, ObjectAccount, "", "", "")
	if w.Status == StatusDeactivated {
		p.Status = ActionDeactivate
		p.change(ActionDeactivate, ObjectAccount, fieldStatus, StatusActive, StatusDeactivated)
	}
	if w.Credentials != nil {
		p.change(ActionAdd, ObjectCredentials, fieldUsername, "", w.Credentials[fieldUsername].Text())
	}
	for _, f := range c.m.notes {
		if v := w.Notes[f.Name]; v != nil {
			p.change(ActionUpdate, ObjectNotes, f.Name, "", v.Text())
		}
	}
	c.comparePlan(&p, w, &CurrentCustomer{PlansRead: true}) // a new campaign has none
	for i := range w.Keywords {
		p.addKeyword(w, i)
	}
	return p, nil
}

// NewAccount returns what creates the account of a row, and the names of what is missing for that.
func (m *Model) NewAccount(w *Desired) (values schema.Values, missing []string) {
	values = schema.Values{}
	send, list := maps.Clone(w.Fields), w.Fields["attributes"]
	for _, name := range slices.Sorted(maps.Keys(send)) {
		if attribute, ok := strings.CutPrefix(name, AttributesPrefix); ok {
			list = schema.AddAttribute(list, attribute, send[name].Text())
			send["attributes"] = list
		}
	}
	for _, f := range m.account[frontFields:] {
		v := send[f.Name]
		switch empty := v.Kind() == record.Missing || v.Kind() == record.String && schema.TrimSpace(v.Text()) == ""; {
		case !empty:
			values[f.Name] = v
		case f.Has(schema.EmptyIfAbsent):
			values[f.Name] = record.Value(`""`)
		case f.Has(schema.Required):
			missing = append(missing, f.Name)
		}
	}
	return values, missing
}

// A difference is a value of a row's account that the service does not hold.
type difference struct {
	name     string       // of the field, or of a single attribute
	from     record.Value // what the service shows; nil if it shows nothing
	isUpdate bool         // the field can be updated
}

// differences returns the values of a row's account that the service does not hold, or does not show, its status among them. An
// account counts as active, and a field as empty, where the service does not show it.
func (c *Comparison) differences(w *Desired, current *CurrentCustomer) []difference {
	listed := current.listed()
	for _, name := range slices.Sorted(maps.Keys(w.Fields)) {
		v := Restored(name, w.Fields[name], w.Original[name], listed)
		if v.Text() != w.Fields[name].Text() && !c.o.NoValidate && !c.o.Strict {
			w.Fields[name] = v
			if c.o.OnRestored != nil {
				c.o.OnRestored(w.Line, name, v)
			}
		}
	}
	var differing []difference
	for _, f := range c.m.account[frontFields:] {
		_, isShown := CurrentValue(&f, listed)
		if whole := listed.Get(wholeOf(f.Name)); whole.Kind() == record.Object && !whole.HasElements() { // as without a manager
			isShown = true
		}
		isAbsent := f.Has(schema.EmptyIfAbsent) && w.Fields[f.Name].Text() == "" // in a row for a create
		if c.o.KeepExisting && (!isShown && f.Name != fieldIdentifier && current.Unlisted == nil || isAbsent) {
			continue
		}
		for _, name := range w.namesOf(&f) {
			from := listed.Get(name) // a single attribute
			if name == f.Name {
				from = current.value(&f, listed)
			}
			agrees := (isShown || f.Name == fieldIdentifier || w.Fields[name].Text() == "") && w.agrees(&f, name, w.Fields[name], from)
			if Differs(c.o.IsLate, agrees, name, w.Fields[name], from, listed) {
				differing = append(differing, difference{name, from, f.Has(schema.Update)})
			}
		}
	}
	status := record.Quote(AccountStatus(listed))
	isHeld := EqualCell(w.Status, status) || w.Status == cmp.Or(status.Text(), StatusActive)
	if w.Status != "" && c.o.IsLate.Differs(isHeld, fieldAccount, record.Integer(current.Account), fieldStatus, record.Quote(StatusChanges[w.Status]), record.Quote(StatusChanges[status.Text()])) {
		differing = append(differing, difference{name: fieldStatus, from: status})
	}
	return differing
}

// StatusChanges are the actions that give an account a status.
var StatusChanges = map[string]string{StatusActive: ActionReactivate, StatusDeactivated: ActionDeactivate}

// compareAccount adds what differs of an account to a plan, without what an earlier row of the account has repeated. A
// field that can't be updated is kept. It returns the fault of a row that would make the service lose what it does not show.
func (c *Comparison) compareAccount(p *Plan, w *Desired, current *CurrentCustomer, differing []difference, repeated map[string]bool) Fault {
	listed := current.listed()
	send := schema.Values{}
	for _, d := range differing {
		from, to := string(plainText(d.from)), string(plainText(w.Fields[d.name]))
		switch {
		case repeated[wholeOf(d.name)]:
		case d.name == fieldStatus && !c.o.KeepExisting:
			p.Status = StatusChanges[w.Status]
			p.change(p.Status, ObjectAccount, fieldStatus, from, w.Status)
		case d.isUpdate && !c.o.KeepExisting:
			send[d.name] = w.Fields[d.name]
			p.change(ActionUpdate, ObjectAccount, d.name, from, to)
		default:
			p.Kept = append(p.Kept, d.name)
			if current.Unlisted == nil {
				p.change(ActionKeep, ObjectAccount, d.name, from, to)
			}
		}
	}
	if len(send) > 0 {
		if field, err := MergePartial(send, w.Fields, listed, c.o.IsLate, InFile); err != nil {
			return Fault{Field: field, Reason: err.Error()}
		}
		if err := CheckPostal(send, listed); err != nil && !c.o.NoValidate {
			return Fault{Field: FieldPostal, Reason: err.Error()}
		}
		if send[fieldIdentifier] != nil {
			if fault := c.takesIdentifier(w, Claim{w.Line, p.Account}); fault.Reason != "" {
				return fault
			}
		}
		p.Update = send
	}
	return Fault{}
}

func (w *Desired) namesOf(f *schema.Field) []string {
	var names []string
	if w.Fields[f.Name] != nil {
		names = []string{f.Name}
	}
	if f.Type != schema.Attributes {
		return names
	}
	for _, name := range slices.Sorted(maps.Keys(w.Fields)) {
		if strings.HasPrefix(name, f.Name+".") {
			names = append(names, name)
		}
	}
	return names
}

// agrees reports whether a value of a row is what the service shows for its field, in the form of the file before repairs or
// after them.
func (w *Desired) agrees(f *schema.Field, name string, v, from record.Value) bool {
	original, repaired := w.Original[name]
	return Agrees(f, v, from) || repaired && Agrees(f, record.Quote(original), from)
}

func (c *Comparison) compareNotes(p *Plan, w *Desired, current *CurrentCustomer) {
	if w.Notes == nil {
		return
	}
	if current.Notes == nil {
		p.Unread = cmp.Or(p.Unread, current.Unread, errors.New("the notes were not read"))
		return
	}
	notes := recordOf(current.Notes)
	for _, f := range c.m.notes {
		v, from := w.Notes[f.Name], notes.Get(f.Name)
		agrees := (from != nil || c.o.KeepExisting) && w.agrees(&f, f.Name, v, from)
		if v != nil && c.o.IsLate.Differs(agrees, fieldCampaign, record.Integer(p.Campaign), f.Name, v, from) {
			if p.Notes == nil {
				p.Notes = schema.Values{}
			}
			p.Notes[f.Name] = v
			p.change(ActionUpdate, ObjectNotes, f.Name, from.Text(), v.Text())
		}
	}
}

func (c *Comparison) comparePlan(p *Plan, w *Desired, current *CurrentCustomer) {
	if w.Plan == nil {
		return
	}
	desired := w.Plan[fieldPlan]
	original, repaired := w.Original[fieldPlan]
	switch has := current.hasPlan(desired) || repaired && current.hasPlan(record.Quote(original)); {
	case !has && !current.PlansRead:
		p.Unread = cmp.Or(p.Unread, current.Unread, errors.New("the plans were not read"))
		return
	case !has:
		p.Attach = w.Plan
		p.change(ActionAttach, ObjectPlan, fieldPlan, "", desired.Text())
		for _, plan := range current.Plans {
			stays := plan.Get(fieldPlan).Text()
			p.change(ActionKeep, ObjectPlan, fieldPlan, stays, stays)
		}
		return
	}
	for _, f := range c.m.plan { // a plan that is attached can't be changed
		for _, plan := range current.Plans {
			if v, from := w.Plan[f.Name], plan.Get(f.ReadName()); v != nil && f.Name != fieldPlan && plan.Get(fieldPlan).Text() == desired.Text() && !w.agrees(&f, f.Name, v, from) {
				p.change(ActionKeep, ObjectPlan, f.Name, from.Text(), v.Text())
			}
		}
	}
}
