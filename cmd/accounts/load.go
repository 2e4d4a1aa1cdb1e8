package accounts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// loadUpdates updates the accounts in a file: each row is compared with what
// the service holds, and only the fields that differ are sent.
func loadUpdates(ctx context.Context, f *cli.Factory, o *updateOptions, constants client.Values) error {
	res := o.version.resource()
	op := o.version.pick(&client.OpAccountsV1Update, &client.OpAccountsV2Update)
	if pairs, err := o.fields.Attributes(); err != nil || len(pairs) > 0 {
		return cmp.Or(err, cli.Usagef("--attribute and --file can't be given together: a column attributes.NAME sets one of each row"))
	}
	return f.Load(ctx, &o.file, cli.Load{
		Op: op, Res: res, Use: client.Update, Constants: constants, Identity: bulk.UpdateIdentity("account_id"),
		Body: func(rows []bulk.Row) client.Call { return client.Call{Op: op, Body: res.Body(rows[0].Values)} },
		Look: func(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error) {
			h := &held{f: f, version: o.version, res: res, all: o.file.SendAll && !r.Settling, accounts: map[string]record.Record{}}
			return bulk.ViewFunc(h.compare), h.read(ctx, c, r.Holdings)
		},
	})
}

// held are the accounts as the service has them.
type held struct {
	f           *cli.Factory
	version     version
	res         *client.Resource
	all         bool // send what does not differ, too
	accounts    map[string]record.Record
	identifiers map[string]string
}

func (h *held) read(ctx context.Context, c *client.Client, wanted *bulk.Holdings) error {
	list := client.Call{Op: h.version.pick(&client.OpAccountsV1List, &client.OpAccountsV2List)}
	for rec, err := range c.List(ctx, list) {
		if err != nil {
			return err
		}
		id := rec.Get("account_id").Text()
		if _, ok := wanted.Row(id); ok {
			h.accounts[id] = rec.Clone()
		}
	}
	if h.version.one() {
		return nil
	}
	h.identifiers = map[string]string{}
	for rec, err := range c.AccountsV1(ctx) {
		if err != nil {
			return err
		}
		id := rec.Get("account_id").Text()
		if _, ok := wanted.Row(id); ok {
			h.identifiers[id] = heldKey(rec)
		}
	}
	return nil
}

// compare leaves in the row what is to be sent; a row without differences is
// present.
func (h *held) compare(_ context.Context, row *bulk.Row) (bulk.Outcome, error) {
	id := row.Values["account_id"]
	rec, ok := h.accounts[id.Text()]
	if !ok {
		rec, _ = record.Parse([]byte("{}")) // the service has the word on it
	}
	send := client.Values{}
	for name, v := range row.Values {
		if name != "account_id" && (h.all || !h.same(rec, id.Text(), name, v)) {
			send[name] = v
		}
	}
	if ok {
		h.tellReadOnly(row, rec)
	}
	if len(send) == 0 {
		return bulk.Outcome{State: bulk.Present}, nil
	}
	if why := h.whole(send, row.Values, rec); why != "" {
		return bulk.Outcome{State: bulk.Refused, Message: why}, nil
	}
	send["account_id"] = id
	row.Values = send
	return bulk.Outcome{State: bulk.Absent}, nil
}

// same tells whether the service holds a value already.
func (h *held) same(rec record.Record, id, name string, v record.Value) bool {
	switch {
	case name == "external_account_identifier" && h.identifiers != nil:
		return cli.SameCell(v.Text(), client.Quote(h.identifiers[id]))
	case strings.HasPrefix(name, "attributes."):
		present := rec.Get(name)
		return present != nil && cli.SameCell(v.Text(), present)
	}
	field := h.res.Field(name)
	for _, path := range append([]string{field.ReadName(), field.Name}, field.Aliases...) {
		if present := rec.Get(path); present != nil {
			return cli.SameCell(string(v.AppendText(nil)), present)
		}
	}
	return false
}

// whole completes what goes as a whole: the list of attributes and both halves
// of a manager. It returns why that can't be done.
func (h *held) whole(send, row client.Values, rec record.Record) string {
	list := rec.Get("attributes")
	for _, name := range slices.Sorted(maps.Keys(send)) {
		attribute, ok := strings.CutPrefix(name, "attributes.")
		if !ok {
			continue
		}
		if list.Kind() != record.Array && list.Kind() != record.Null {
			return "the service does not show the account's attributes, which would be lost: give them all in the column attributes"
		}
		list = client.AddAttribute(list, attribute, send[name].Text())
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
				send[half[1]] = client.Quote(kept.Text())
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
		if text == "" || cli.SameCell(text, present) {
			continue
		}
		advice := "nothing changes it"
		if name == "status" || name == "active" {
			advice = "`reseller accounts status` changes it"
		}
		h.f.NoteColumn(name, "line %d: %s was edited, but an update can't change it: %s", row.Line, name, advice)
	}
}
