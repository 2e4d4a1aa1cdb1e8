package accounts

import (
	"cmp"
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
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

// loadUpdates updates the accounts in a file: each row is compared with what
// the service holds, and only the fields that differ are sent.
func loadUpdates(ctx context.Context, f *cli.Factory, o *updateOptions, constants schema.Values) error {
	res := o.version.resource()
	op := o.version.pick(&schema.OpAccountsV1Update, &schema.OpAccountsV2Update)
	if pairs, err := o.fields.Attributes(); err != nil || len(pairs) > 0 {
		return cmp.Or(err, cli.Usagef("--attribute and --file can't be given together: a column attributes.NAME sets one of each row"))
	}
	return bulkcmd.RunLoad(ctx, f, &o.file, bulkcmd.Load{
		Op: op, Res: res, Use: schema.Update, Constants: constants, Identity: bulk.UpdateIdentity("account_id"),
		Body: func(rows []bulk.Row) client.Call { return client.Call{Op: op, Body: res.Body(rows[0].Values.Map())} },
		Look: func(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error) {
			h := &held{f: f, res: res, all: o.file.SendAll && !r.Settling}
			if !o.version.one() {
				h.readIdentifiers = sync.OnceValues(func() (map[string]string, error) { return identifiers(ctx, c, r.Holdings) })
			}
			list := client.Call{Op: o.version.pick(&schema.OpAccountsV1List, &schema.OpAccountsV2List)}
			var err error
			h.accounts, err = byID(c.List(ctx, list), r.Holdings)
			return bulk.ViewFunc(h.compare), err
		},
	})
}

// held are the accounts as the service has them.
type held struct {
	f        *cli.Factory
	res      *schema.Resource
	all      bool // send what does not differ, too
	accounts map[string]record.Record
	// Version 2 does not show identifiers: the list of version 1 is read for
	// them when the first row has one.
	readIdentifiers func() (map[string]string, error)
	identifiers     map[string]string
}

// byID are the accounts of the file, as a list shows them.
func byID(list iter.Seq2[record.Record, error], wanted *bulk.Holdings) (map[string]record.Record, error) {
	accounts := map[string]record.Record{}
	for rec, err := range list {
		if err != nil {
			return nil, err
		}
		id := rec.Get("account_id").Text()
		if _, ok := wanted.Row(id); ok {
			accounts[id] = rec.Clone()
		}
	}
	return accounts, nil
}

func identifiers(ctx context.Context, c *client.Client, wanted *bulk.Holdings) (map[string]string, error) {
	held := map[string]string{}
	for rec, err := range c.AccountsV1(ctx) {
		if err != nil {
			return nil, err
		}
		id := rec.Get("account_id").Text()
		if _, ok := wanted.Row(id); ok {
			held[id] = keyOf(rec.Get("external_account_identifier"))
		}
	}
	return held, nil
}

// compare leaves in the row what is to be sent; a row without differences is
// present.
func (h *held) compare(_ context.Context, row *bulk.Row) (bulk.Outcome, error) {
	id := row.Values.Get("account_id")
	rec, ok := h.accounts[id.Text()]
	switch {
	case !ok && !h.all: // an answer of 404 would stop the load for all other rows
		return bulk.Outcome{State: bulk.Refused, HTTPStatus: http.StatusNotFound, Message: "not found among the accounts of the service"}, nil
	case !ok:
		rec, _ = record.Parse([]byte("{}"))
	}
	if row.Values.Get("external_account_identifier") != nil && h.readIdentifiers != nil {
		var err error
		if h.identifiers, err = h.readIdentifiers(); err != nil {
			return bulk.Outcome{}, err
		}
	}
	send, values := schema.Values{}, row.Values.Map()
	for name, v := range values {
		if name != "account_id" && (h.all || !h.same(rec, id.Text(), name, v)) {
			send[name] = v
		}
	}
	if ok {
		h.tellReadOnly(row, rec)
	}
	if len(send) == 0 {
		return bulk.Outcome{State: bulk.Present, Result: rec}, nil
	}
	if why := h.whole(send, values, rec); why != "" {
		return bulk.Outcome{State: bulk.Refused, Message: why}, nil
	}
	send["account_id"] = id
	row.Values = bulk.ValuesOf(send)
	return bulk.Outcome{State: bulk.Absent}, nil
}

// same tells whether the service holds a value already. What it does not show
// is printed as an empty cell, so an empty value changes nothing there.
func (h *held) same(rec record.Record, id, name string, v record.Value) bool {
	switch {
	case name == "external_account_identifier" && h.identifiers != nil:
		return cli.EqualCell(v.Text(), record.Quote(h.identifiers[id]))
	case strings.HasPrefix(name, "attributes."):
		return cli.EqualCell(v.Text(), rec.Get(name))
	}
	field := h.res.Field(name)
	present, shown := shownAs(field, rec)
	switch {
	case !shown || present.Kind() == record.Null:
		return v.Text() == "" || v.Kind() == record.Array && len(pairs(v)) == 0 || v.Kind() == record.Object && pair(v) == [2]string{}
	case field.Type == schema.Attributes || field.Type == schema.Pair:
		return sameValue(field, v, present)
	}
	return cli.EqualCell(v.Text(), present)
}

// whole completes what goes as a whole: the list of attributes and both halves
// of a manager. It returns why that can't be done.
func (h *held) whole(send, row schema.Values, rec record.Record) string {
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
			switch kept := rec.Get(half[1]); {
			case row[half[1]] != nil:
				send[half[1]] = row[half[1]]
			case kept != nil && kept.Kind() != record.Null:
				send[half[1]] = record.Quote(kept.Text())
			case kept == nil && rec.Get(object).Kind() != record.Null:
				return fmt.Sprintf("the service does not show the account's %s, which would be lost: give both %s and %s", half[1], half[0], half[1])
			}
		}
	}
	return ""
}

// tellReadOnly tells of an edited column that an update can't change, with the
// command that can.
func (h *held) tellReadOnly(row *bulk.Row, rec record.Record) {
	for _, name := range slices.Sorted(maps.Keys(row.Extra)) {
		text, path := row.Extra[name], strings.TrimPrefix(name, ".")
		present := rec.Get(path)
		if field := h.res.Field(name); field != nil && present == nil {
			present = rec.Get(field.ReadName())
		}
		isStatus := name == "status" || name == "active"
		if text == "" || cli.EqualCell(text, present) || isStatus && statusWord(text) == statusOf(rec) {
			continue
		}
		advice := "nothing changes it"
		if isStatus {
			advice = "`reseller accounts status` changes it"
		}
		h.f.NoteOnce(name, "line %d: %s was edited, but an update can't change it: %s", row.Line, name, advice)
	}
}
