package loads

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/client/schema"
)

// AccountUpdates updates accounts: each row is compared with what the service
// holds, and only the fields that differ are sent.
func AccountUpdates(c *client.Client, o UpdateOptions) Load {
	return accountUpdates(c, o, &schema.OpAccountsV2Update, &schema.AccountsV2, &schema.OpAccountsV2List)
}

// AccountUpdatesV1 is AccountUpdates through version 1 of the service's
// interface.
func AccountUpdatesV1(c *client.Client, o UpdateOptions) Load {
	return accountUpdates(c, o, &schema.OpAccountsV1Update, &schema.AccountsV1, &schema.OpAccountsV1List)
}

func accountUpdates(c *client.Client, o UpdateOptions, op *schema.Operation, res *schema.Resource, list *schema.Operation) Load {
	l := newSingleLoad(c, op, rows.Schema{Resource: res, Use: schema.Update, ReadOnly: true, Identity: rows.ByField("account_id")}, bodyOf(res))
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		a := &remoteAccounts{o: o, res: res, dryRun: r.DryRun, sendUnchanged: o.SendUnchanged && !r.Reconciling}
		if list != &schema.OpAccountsV1List {
			a.readIdentifiers = sync.OnceValues(func() (map[string]string, error) { return identifiers(ctx, c, a.accounts) })
		}
		var err error
		a.accounts, err = accountsByID(c.List(ctx, client.Call{Op: list}), r.List)
		return bulk.SnapshotFunc(a.compare), err
	}
	return l
}

// remoteAccounts are the accounts of the file as the service holds them.
type remoteAccounts struct {
	o             UpdateOptions
	res           *schema.Resource
	dryRun        bool
	sendUnchanged bool // send fields that do not differ, too
	accounts      map[string]record.Record
	// Version 2 does not show identifiers. When the first row with an identifier comes,
	// they are read from the list of version 1.
	readIdentifiers func() (map[string]string, error)
	identifiers     map[string]string
}

// accountsByID returns the accounts of the file as a list shows them.
func accountsByID(list iter.Seq2[record.Record, error], snapshot *bulk.ListSnapshot) (map[string]record.Record, error) {
	found := map[string]record.Record{}
	for rec, err := range list {
		if err != nil {
			return nil, err
		}
		id := rec.Get("account_id").Text()
		if _, ok := snapshot.Row(id); ok {
			found[id] = rec.Clone()
		}
	}
	return found, nil
}

// identifiers returns the external_account_identifier of the file's accounts.
func identifiers(ctx context.Context, c *client.Client, known map[string]record.Record) (map[string]string, error) {
	found := map[string]string{}
	for rec, err := range c.AccountsV1(ctx) {
		if err != nil {
			return nil, err
		}
		id := rec.Get("account_id").Text()
		if _, ok := known[id]; ok {
			found[id] = externalID(rec.Get("external_account_identifier"))
		}
	}
	return found, nil
}

// compare removes from the row the values that the service holds already. A row without
// differences is present.
func (a *remoteAccounts) compare(_ context.Context, row *rows.Row) (bulk.Outcome, error) {
	id := row.Values.Get("account_id")
	rec, ok := a.accounts[id.Text()]
	switch {
	case !ok && !a.sendUnchanged: // a response of 404 would stop the load for all other rows
		return bulk.Outcome{State: bulk.Refused, HTTPStatus: http.StatusNotFound, Message: "the account does not exist"}, nil
	case !ok:
		rec = record.Of()
	}
	if row.Values.Get("external_account_identifier") != nil && a.readIdentifiers != nil {
		var err error
		if a.identifiers, err = a.readIdentifiers(); err != nil {
			return bulk.Outcome{}, err
		}
	}
	if !a.o.SendUnchanged {
		undoRepairs(row, func(name string, text record.Value) bool { return a.unchanged(rec, id.Text(), name, text) })
	}
	send, values := schema.Values{}, row.Values.Map()
	for name, v := range values {
		if name != "account_id" && (a.sendUnchanged || !a.unchanged(rec, id.Text(), name, v)) {
			send[name] = v
		}
	}
	if ok {
		a.reportReadOnly(row, rec)
	}
	if len(send) == 0 {
		return bulk.Outcome{State: bulk.Present, Result: rec}, nil
	}
	out := bulk.Outcome{State: bulk.Absent}
	if a.dryRun {
		out.Title = titleOf("account_name", rec)
		out.Changes = a.changes(rec, id.Text(), send)
	}
	if reason := mergePartial(send, values, rec); reason != "" {
		return bulk.Outcome{State: bulk.Refused, Message: reason}, nil
	}
	send["account_id"] = id
	row.Values = rows.FromMap(send)
	return out, nil
}

// changes returns the fields of an account that an update changes, in the order of their
// names.
func (a *remoteAccounts) changes(rec record.Record, id string, send schema.Values) []bulk.Change {
	var out []bulk.Change
	for _, name := range slices.Sorted(maps.Keys(send)) {
		remote := rec.Get(name)
		switch field := a.res.Field(name); {
		case name == "external_account_identifier" && a.identifiers != nil:
			remote = record.Quote(a.identifiers[id])
		case field != nil:
			remote, _ = remoteValue(field, rec)
		}
		out = append(out, bulk.Change{Field: name, From: cellText(remote), To: cellText(send[name])})
	}
	return out
}

// titleOf returns a field that names a record, with its value.
func titleOf(field string, rec record.Record) record.Pair {
	return record.Pair{Name: field, Value: slices.Clone(rec.Get(field))}
}

// unchanged reports whether the service holds a value already. An empty value counts as
// unchanged if the service does not show the field: an exported list has an empty cell
// then.
func (a *remoteAccounts) unchanged(rec record.Record, id, name string, v record.Value) bool {
	switch {
	case name == "external_account_identifier" && a.identifiers != nil:
		return equalCell(v.Text(), record.Quote(a.identifiers[id]))
	case strings.HasPrefix(name, "attributes."):
		return equalCell(v.Text(), rec.Get(name))
	}
	field := a.res.Field(name)
	remote, shown := remoteValue(field, rec)
	switch {
	case !shown || remote.Kind() == record.Null:
		return v.Text() == "" || v.Kind() == record.Array && len(pairs(v)) == 0 || v.Kind() == record.Object && pair(v) == [2]string{}
	case field.Type == schema.Attributes || field.Type == schema.Pair:
		return equalValue(field, v, remote)
	}
	return equalCell(v.Text(), remote)
}

// mergePartial completes the values that an update replaces as a whole: the list of
// attributes, and the name and e-mail of a manager. It returns the reason if it can't,
// "" if it could.
func mergePartial(send, row schema.Values, rec record.Record) string {
	list := rec.Get("attributes")
	for _, name := range slices.Sorted(maps.Keys(send)) {
		attribute, ok := strings.CutPrefix(name, "attributes.")
		if !ok {
			continue
		}
		if list.Kind() != record.Array && list.Kind() != record.Null {
			return "the service does not show the account's attributes, which would be lost: give them all in the column attributes"
		}
		list = schema.AddAttribute(list, attribute, send[name].Text())
		send["attributes"] = list
		delete(send, name)
	}
	for _, object := range []string{"external_account_manager", "external_campaign_manager"} {
		for _, half := range [][2]string{{object + ".name", object + ".email"}, {object + ".email", object + ".name"}} {
			if send[half[0]] == nil || send[half[1]] != nil {
				continue
			}
			switch remote := rec.Get(half[1]); {
			case row[half[1]] != nil:
				send[half[1]] = row[half[1]]
			case remote != nil && remote.Kind() != record.Null:
				send[half[1]] = record.Quote(remote.Text())
			case remote == nil && rec.Get(object).Kind() != record.Null:
				return fmt.Sprintf("the service does not show the account's %s, which would be lost: give both %s and %s", half[1], half[0], half[1])
			}
		}
	}
	return ""
}

// reportReadOnly calls OnReadOnly for each cell of a row that differs from the remote value
// in a column that an update can't change.
func (a *remoteAccounts) reportReadOnly(row *rows.Row, rec record.Record) {
	for _, name := range slices.Sorted(maps.Keys(row.ReadOnly)) {
		text, path := row.ReadOnly[name], strings.TrimPrefix(name, ".")
		remote := rec.Get(path)
		if field := a.res.Field(name); field != nil && remote == nil {
			remote = rec.Get(field.ReadName())
		}
		sameStatus := (name == "status" || name == "active") && normalizeStatus(text) == AccountStatus(rec)
		if text != "" && !equalCell(text, remote) && !sameStatus && a.o.OnReadOnly != nil {
			a.o.OnReadOnly(row.Line, name)
		}
	}
}

// FindAccountUpdate reads an account and finds out whether it has the values of an update.
// get is the operation that reads an account in the version of the update.
func FindAccountUpdate(ctx context.Context, c *client.Client, get *schema.Operation, res *schema.Resource, id int64, values schema.Values) (bulk.Outcome, error) {
	rec, err := c.Record(ctx, client.Call{Op: get}.WithID("account_id", id))
	if err != nil {
		return bulk.Outcome{}, err
	}
	if values["external_account_identifier"] != nil {
		remote, err := accountIdentifier(ctx, c, id)
		if err != nil || remote.Kind() == record.Missing {
			return bulk.Outcome{State: bulk.Unknown}, err
		}
		rec = rec.Prepend(record.Pair{Name: "external_account_identifier", Value: remote})
	}
	out := bulk.Outcome{State: bulk.Present, Result: rec.Only("account_id", "campaign_id", "status")}
	for name, sent := range values {
		field := res.Field(name)
		switch remote, shown := remoteValue(field, rec); {
		case name == "account_id" || !shown && sent.Text() == "":
		case !shown:
			return bulk.Outcome{State: bulk.Unknown}, nil
		case !equalValue(field, sent, remote):
			out = bulk.Outcome{State: bulk.Absent}
		}
	}
	return out, nil
}

// accountIdentifier returns the identifier of an account, which only the list
// of version 1 shows.
func accountIdentifier(ctx context.Context, c *client.Client, id int64) (record.Value, error) {
	for rec, err := range c.AccountsV1(ctx) {
		if err != nil {
			return nil, err
		}
		if n, ok := rec.Get("account_id").Int64(); ok && n == id {
			return slices.Clone(rec.Get("external_account_identifier")), nil
		}
	}
	return nil, nil
}

// remoteValue returns the value of a field in a record, under any of the field's names, and
// reports whether the record has the field.
func remoteValue(field *schema.Field, rec record.Record) (record.Value, bool) {
	for _, path := range append([]string{field.ReadName(), field.Name}, field.Aliases...) {
		if v := rec.Get(path); v != nil {
			return v, true
		}
	}
	return nil, false
}

// equalValue reports whether the value that was sent for a field is the value that the
// service holds, which may have another JSON type.
func equalValue(field *schema.Field, sent, remote record.Value) bool {
	switch {
	case field.Type == schema.Attributes:
		return slices.Equal(pairs(remote), pairs(sent))
	case remote.Kind() == record.Object && sent.Kind() == record.Object:
		return pair(remote) == pair(sent)
	case remote.Kind() == record.Object:
		return remote.Get("field_value").Text() == sent.Text()
	}
	return remote.Text() == sent.Text()
}

func pairs(list record.Value) [][2]string {
	var out [][2]string
	for item := range list.Elements() {
		out = append(out, pair(item))
	}
	return out
}

func pair(v record.Value) [2]string {
	return [2]string{v.Get("field_name").Text(), v.Get("field_value").Text()}
}
