package loads

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// AccountUpdates updates accounts: each row is compared with what the service holds, and only the fields that differ are sent.
func AccountUpdates(c *client.Client, o UpdateOptions) Load {
	return accountUpdates(c, o, &schema.OpAccountsV2Update, &schema.AccountsV2, &schema.OpAccountsV2List)
}

// AccountUpdatesV1 is AccountUpdates through version 1 of the service's interface.
func AccountUpdatesV1(c *client.Client, o UpdateOptions) Load {
	return accountUpdates(c, o, &schema.OpAccountsV1Update, &schema.AccountsV1, &schema.OpAccountsV1List)
}

func accountUpdates(c *client.Client, o UpdateOptions, op *schema.Operation, res *schema.Resource, list *schema.Operation) Load {
	l := newSingleLoad(c, op, res, schema.Update, nil)
	// The status in the response is that of the call, not that of the account, which a column of the file has.
	l.Operation.Results = slices.DeleteFunc(l.Operation.Results, func(name string) bool { return name == "status" })
	l.Schema.Identity = func(v rows.Values, id, content []byte) ([]byte, []byte) {
		return v.Get("account_id").AppendText(id), AppendAccount(content, v)
	}
	l.Schema.IsDoubtful = func(row *rows.Row) bool {
		return row.Values.Get(fieldIdentifier) != nil || row.Values.Get("account_name") != nil && row.Values.Get("email") != nil
	}
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		a := &remoteAccounts{accounts: map[string]record.Record{}, o: o, res: res, dryRun: r.DryRun, isLate: lateness(c, r.Verifying), mayLack: mayLack(c, "account"), reconciling: r.Reconciling, sendUnchanged: o.SendUnchanged && !r.Reconciling}
		if list != &schema.OpAccountsV1List {
			a.readIdentifiers = sync.OnceValue(func() error { return addIdentifiers(ctx, c, a.accounts, a.addHolder) })
		}
		if r.Fault != nil {
			*r.Fault, a.holders = a.takes, map[string]int64{}
			var err error
			if a.similar, err = similarRows(r.Rows); err != nil {
				return nil, err
			}
		}
		err := eachListed(ctx, c, list, func(rec record.Record) {
			id := rec.Get("account_id").Text()
			a.addHolder(rec)
			if a.similar != nil {
				holder, _ := IDsOf(rec)
				a.similar.Add(holder, textsOf(rec))
			}
			a.hidesSome = a.hidesSome || id == ""
			if _, ok := r.List.Row(id); ok {
				a.accounts[id] = rec.Clone()
			}
		})
		return bulk.SnapshotFunc(a.compare), err
	}
	return l
}

type remoteAccounts struct {
	o             UpdateOptions
	res           *schema.Resource
	dryRun        bool
	isLate        record.LateFunc
	mayLack       func() bool
	reconciling   bool
	sendUnchanged bool // send fields that do not differ, too
	accounts      map[string]record.Record
	hidesSome     bool // the list does not show the id of an account
	// Version 2 does not show identifiers. When the first row with an identifier comes, they are read from the list of version 1.
	readIdentifiers func() error
	// For a check of the rows: by an identifier, as it is compared, an account that has it.
	holders map[string]int64
	similar *portfolio.Similar
}

func (a *remoteAccounts) addHolder(rec record.Record) {
	if external, _ := accountKeys(rec); external != nil && a.holders != nil {
		a.holders[string(external)], _ = IDsOf(rec)
	}
}

// takes returns the fault of a row that makes its account the customer of another one, or gives it the identifier that another one
// has or gets.
func (a *remoteAccounts) takes(row *rows.Row) (rows.Fault, error) {
	id, v, claim := row.Values.Get("account_id"), row.Values.Get(fieldIdentifier), claimOf(row)
	if fault := a.similar.Fault(claim, textsIn(row), textsOf(a.accounts[id.Text()])); fault.Reason != "" {
		return faultOf(fault), nil
	}
	identifier := portfolio.IdentifierText(v)
	if identifier != "" && a.readIdentifiers != nil {
		if err := a.readIdentifiers(); err != nil {
			return rows.Fault{}, err
		}
	}
	if identifier == "" || portfolio.IsCurrent(a.res, fieldIdentifier, v, a.accounts[id.Text()]) {
		return rows.Fault{}, nil
	}
	if held, isHeld := a.holders[string(externalKey(identifier))]; isHeld && held != claim.Account {
		return faultOf(portfolio.TakenIdentifier(identifier, held)), nil
	}
	return faultOf(a.similar.SameIdentifier(identifier, claim)), nil
}

// addIdentifiers adds to accounts, by their ids, the identifiers, which only the list of version 1 shows. It calls each with all
// records of that list.
func addIdentifiers(ctx context.Context, c *client.Client, accounts map[string]record.Record, each func(record.Record)) error {
	return eachListed(ctx, c, &schema.OpAccountsV1List, func(rec record.Record) {
		each(rec)
		id, identifier := rec.Get("account_id").Text(), slices.Clone(rec.Get(fieldIdentifier))
		if account, ok := accounts[id]; ok && identifier != nil {
			accounts[id] = account.Prepend(record.Pair{Name: fieldIdentifier, Value: identifier})
		}
	})
}

// compare removes from the row the values that the service holds already. A row without differences is present.
func (a *remoteAccounts) compare(_ context.Context, row *rows.Row) (bulk.Outcome, error) {
	id := row.Values.Get("account_id")
	if row.Values.Get(fieldIdentifier) != nil && a.readIdentifiers != nil {
		if err := a.readIdentifiers(); err != nil {
			return bulk.Outcome{}, err
		}
	}
	rec, ok := a.accounts[id.Text()]
	switch {
	case !ok && (a.o.UnlistedUnknown || a.hidesSome || a.mayLack()):
		return unlisted(id), nil
	case !ok && !a.sendUnchanged: // a response of 404 would stop the load for all other rows
		return bulk.Outcome{State: bulk.Refused, HTTPStatus: http.StatusNotFound, Message: "the account does not exist"}, nil
	case !ok:
		rec = record.Of()
	}
	if !a.o.SendUnchanged {
		undoRepairs(row, func(name string, v record.Value) bool {
			return !a.differs(name, v, rec)
		})
	}
	if !a.o.NoValidate && !a.o.Strict {
		a.restore(row, rec)
	}
	changed, values := schema.Values{}, row.Values.Map()
	for name, v := range values {
		if name != "account_id" && (a.sendUnchanged || a.differs(name, v, rec)) {
			changed[name] = v
		}
	}
	out, readOnly, isEdited := bulk.Outcome{State: bulk.Absent}, row.ReadOnly, false
	if ok {
		isEdited = a.reportReadOnly(row, rec)
		sent := maps.Clone(changed) // MergePartial joins the attributes in changed
		out.Held = func(name string) (string, bool) {
			v := a.valueOf(name, rec)
			return portfolio.CellText(v), sent[name] == nil && (v != nil || readOnly[name] != "")
		}
	}
	if len(changed) == 0 {
		out.State, out.Result = stateOfUnchanged(isEdited, a.reconciling), rec
		return out, nil
	}
	if a.dryRun {
		out.Title = titleOf("account_name", rec)
		out.Changes = a.changes(rec, changed)
	}
	if _, err := portfolio.MergePartial(changed, values, rec, a.isLate, portfolio.InFile); err != nil {
		return bulk.Outcome{State: bulk.Refused, Message: err.Error()}, nil
	}
	if err := portfolio.CheckPostal(changed, rec); err != nil && !a.o.NoValidate {
		return bulk.Outcome{State: bulk.Refused, Message: portfolio.FieldPostal + ": " + err.Error()}, nil
	}
	changed["account_id"] = id
	row.Values = rows.FromMap(changed)
	return out, nil
}

func (a *remoteAccounts) restore(row *rows.Row, rec record.Record) {
	written := map[string]string{}
	for _, cell := range row.Repaired {
		written[cell.Field] = cell.Text
	}
	for _, v := range row.Values {
		restored := portfolio.Restored(v.Name, v.JSON, written[v.Name], rec)
		if restored.Text() == v.JSON.Text() {
			continue
		}
		row.Values.Set(v.Name, restored)
		if a.o.OnRestored != nil {
			a.o.OnRestored(row.Line, v.Name, restored)
		}
	}
}

// unlisted is the outcome of a row whose account the service does not list, if another job may just have created it.
func unlisted(account record.Value) bulk.Outcome {
	message := "the service does not list account " + account.Text()
	if id, _ := account.Int64(); id == 0 {
		message = "the service does not show the id of its account yet"
	}
	return bulk.Outcome{State: bulk.Unknown, Message: message}
}

func (a *remoteAccounts) changes(rec record.Record, changed schema.Values) []bulk.Change {
	var out []bulk.Change
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		out = append(out, bulk.Change{Field: name, From: portfolio.CellText(a.valueOf(name, rec)), To: portfolio.CellText(changed[name])})
	}
	return out
}

func (a *remoteAccounts) differs(name string, v record.Value, rec record.Record) bool {
	return portfolio.Differs(a.isLate, portfolio.IsCurrent(a.res, name, v, rec), name, v, a.valueOf(name, rec), rec)
}

// valueOf returns what a record shows of a column, nil if it shows nothing.
func (a *remoteAccounts) valueOf(column string, rec record.Record) record.Value {
	name := strings.TrimPrefix(column, ".")
	field, remote := a.res.Field(name), rec.Get(name)
	if field == nil {
		return remote
	}
	if remote, _ = portfolio.CurrentValue(field, rec); field.Type == schema.Text && remote.Kind() == record.Object { // as version 1 shows an identifier
		return record.Quote(portfolio.IdentifierText(remote))
	}
	return remote
}

func titleOf(field string, rec record.Record) record.Pair {
	return record.Pair{Name: field, Value: slices.Clone(rec.Get(field))}
}

// stateOfUnchanged returns the state of a row without a change. One that is edited in a column that an update can't change differs,
// unless it is read back after it was sent.
func stateOfUnchanged(isEdited, isReconciling bool) string {
	if isEdited && !isReconciling {
		return bulk.Differs
	}
	return bulk.Present
}

// reportReadOnly calls OnReadOnly for each cell of a row that differs from the remote value
// in a column that an update can't change, and reports whether one does.
func (a *remoteAccounts) reportReadOnly(row *rows.Row, rec record.Record) (isEdited bool) {
	for _, name := range slices.Sorted(maps.Keys(row.ReadOnly)) {
		text, remote := row.ReadOnly[name], a.valueOf(name, rec)
		same := portfolio.EqualCell(text, remote) || (name == "status" || name == "active") && portfolio.StatusWord(text) == portfolio.AccountStatus(rec)
		if field := a.res.Field(name); field != nil && !same { // such as the name of a country for its code
			v, _, err := field.Accept(text, "", true)
			same = err == nil && portfolio.Agrees(field, v, remote)
		}
		if text == "" || same {
			continue
		}
		isEdited = true
		if a.o.OnReadOnly != nil {
			a.o.OnReadOnly(row, name)
		}
	}
	return isEdited
}

// FindAccountUpdate is FindChanges for an update of an account. get is the operation that reads it in the version of the update.
func FindAccountUpdate(ctx context.Context, c *client.Client, get *schema.Operation, res *schema.Resource, values schema.Values) (bulk.Outcome, error) {
	out, err := FindChanges(ctx, res, func(ctx context.Context, id int64) (record.Record, error) {
		rec, err := c.Record(ctx, client.Call{Op: get}.WithID("account_id", id))
		if err != nil || values[fieldIdentifier] == nil {
			return rec, err
		}
		accounts := map[string]record.Record{strconv.FormatInt(id, 10): rec}
		err = addIdentifiers(ctx, c, accounts, func(record.Record) {})
		return accounts[strconv.FormatInt(id, 10)], err
	}, values)
	out.Result = out.Result.Only("account_id", "campaign_id", "status")
	return out, err
}
