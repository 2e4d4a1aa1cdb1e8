package loads

import (
	"context"
	"fmt"
	"hash/maphash"
	"net/http"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// remoteKeywords holds the remote values of the keywords of the file. There may be millions
// of keywords, so each text is stored once, or as a hash.
type remoteKeywords struct {
	isLate   record.LateFunc
	mayLack  func() bool
	changes  []*schema.Field
	readOnly []*schema.Field
	exists   []bool         // by the number of the row
	hides    bool           // the list does not show the id of a keyword
	values   []uint32       // for each row and each field of changes, the index of the value in words
	cells    []uint32       // for each row and each field of readOnly, the hash of the cell that a list prints; 0 if it has none
	titles   []record.Value // by the number of the row, the text of the keyword; nil unless a dry run needs it
	seed     maphash.Seed
	texts    []string
	indexes  map[string]uint32 // of each word in words
	folded   []byte            // the memory in which hash folds a text
}

// readRemoteKeywords reads the keywords of the rows. A row whose rank_id is that of another keyword than its other cells name, as in a
// sheet of which one column was sorted, is faulty.
func readRemoteKeywords(ctx context.Context, c *client.Client, r bulk.SnapshotRequest) (*remoteKeywords, error) {
	k := &remoteKeywords{
		isLate: lateness(c, r.Verifying), mayLack: mayLack(c, "keyword"), seed: maphash.MakeSeed(), texts: []string{""}, indexes: map[string]uint32{"": 0},
		changes:  schema.Keywords.Without("rank_id").Having(schema.Update),
		readOnly: slices.DeleteFunc(schema.Keywords.Having(schema.Read), func(f *schema.Field) bool { return f.Has(schema.Update) }),
	}
	rowCount := r.Rows.Len()
	if r.DryRun {
		k.titles = make([]record.Value, rowCount)
	}
	k.exists, k.values, k.cells = make([]bool, rowCount), make([]uint32, rowCount*len(k.changes)), make([]uint32, rowCount*len(k.readOnly))
	if r.Fault != nil {
		*r.Fault = k.fault
	}
	return k, eachListed(ctx, c, &schema.OpKeywordsList, func(rec record.Record) {
		row, ok := r.List.Row(rec.Get("rank_id").Text())
		if k.hides = k.hides || rec.Get("rank_id").Text() == ""; !ok {
			return
		}
		if k.exists[row] = true; k.titles != nil {
			k.titles[row] = slices.Clone(rec.Get("keyword"))
		}
		for i, field := range k.changes {
			shown, _ := portfolio.CurrentValue(field, rec)
			v, _ := field.FromText(field.Word(shown.Text()), true) // empty if the service does not show the field
			k.values[row*len(k.changes)+i] = k.indexOf(v.Text())
		}
		for i, field := range k.readOnly {
			if v := rec.Get(field.ReadName()); v != nil {
				k.cells[row*len(k.readOnly)+i] = k.hash(field, portfolio.CellText(v))
			}
		}
	})
}

// fault returns the fault of a row that names another keyword. The text of a keyword may differ in case and white space.
func (k *remoteKeywords) fault(row *rows.Row) (fault rows.Fault, err error) {
	for _, f := range k.edited(row) {
		if f.Has(schema.Identity) {
			id := row.Values.Get("rank_id").Text()
			return rows.Fault{Column: f.Name, Reason: fmt.Sprintf(
				"the %s of rank_id %s is not %s: `reseller keywords get %[2]s` shows it", f.Name, id, safetext.Quote(row.ReadOnly[f.Name]))}, nil
		}
	}
	return fault, nil
}

func (k *remoteKeywords) indexOf(text string) uint32 {
	n, ok := k.indexes[text]
	if !ok {
		n = uint32(len(k.texts))
		k.texts, k.indexes[text] = append(k.texts, text), n
	}
	return n
}

// hash returns the hash of a cell, whose case counts in no text.
func (k *remoteKeywords) hash(f *schema.Field, cell string) uint32 {
	k.folded = append(k.folded[:0], strings.TrimSpace(cell)...) // the cells of a file are trimmed, too
	if f.Type == schema.Text {
		k.folded = schema.AppendFolded(k.folded, 0)
	}
	return uint32(maphash.Bytes(k.seed, k.folded))
}

// updates returns the snapshot for updates. It adds to a row the remote values of fields that it lacks. A row without
// differences is present; with SendUnchanged, it is sent, too.
func (k *remoteKeywords) updates(o UpdateOptions, isReconciling bool) bulk.SnapshotFunc {
	return func(_ context.Context, row *rows.Row) (bulk.Outcome, error) {
		n := row.Ordinal
		exists, changed, edited := k.exists[n], k.changed(row), k.edited(row)
		for i := 0; i < len(edited) && o.OnReadOnly != nil; i++ {
			o.OnReadOnly(row, edited[i].Name)
		}
		given := row.Values // without what is set below
		held := func(name string) (string, bool) {
			isNamed := func(f *schema.Field) bool { return f.Name == name }
			at := slices.IndexFunc(k.changes, isNamed)
			if at < 0 || !exists || given.Get(name) != nil {
				return "", slices.ContainsFunc(edited, isNamed)
			}
			return k.texts[k.values[n*len(k.changes)+at]], true // of an empty cell
		}
		if exists && changed == nil && (!o.SendUnchanged || isReconciling) {
			return bulk.Outcome{State: stateOfUnchanged(edited != nil, isReconciling), Held: held}, nil
		}
		for i, field := range k.changes {
			switch {
			case !field.Has(schema.Key) || row.Values.Get(field.Name) != nil:
			case k.isLate("rank_id", row.Values.Get("rank_id"), field.Name, record.Quote(k.remote(row, i)), false):
				late := portfolio.LateError{What: field.ReadName() + " of the keyword", Instead: "give both status and type"}
				return bulk.Outcome{State: bulk.Refused, Message: late.Error()}, nil
			case k.remote(row, i) != "":
				row.Values.Set(field.Name, record.Quote(k.remote(row, i)))
			case !exists:
				return k.missing(row), nil
			default:
				return bulk.Outcome{State: bulk.Refused, Message: "the service does not show its status or type, which would be lost: give both"}, nil
			}
		}
		out := k.toSend(row, changed)
		if out.Held = held; !exists {
			out.Message = "the list of keywords does not show the keyword"
		}
		return out, nil
	}
}

// deletes returns the snapshot for deletes. A keyword that the list does not show is refused before it is sent; after it was
// sent, it is deleted.
func (k *remoteKeywords) deletes(isReconciling bool) bulk.SnapshotFunc {
	const active, deleted = "activate", "deactivate"
	field := slices.IndexFunc(k.changes, func(f *schema.Field) bool { return f.Name == "status" })
	return func(_ context.Context, row *rows.Row) (bulk.Outcome, error) {
		exists, status := k.exists[row.Ordinal], k.remote(row, field)
		afterwards := rows.TextsIn(map[string]string{"status": "0"}) // a row may show that the keyword was active
		switch {
		case !k.differs(row, field, record.Quote(deleted)), !exists && isReconciling && !k.hides:
			return bulk.Outcome{State: bulk.Present, Held: afterwards}, nil
		case !exists:
			return k.missing(row), nil
		case status != active && isReconciling:
			return bulk.Outcome{State: bulk.Unknown, Message: "the service does not show its status"}, nil
		}
		out := k.toSend(row, []bulk.Change{{Field: "status", From: status, To: deleted}})
		out.Held = afterwards
		return out, nil
	}
}

func (k *remoteKeywords) missing(row *rows.Row) bulk.Outcome {
	if k.hides {
		return bulk.Outcome{State: bulk.Unknown, Message: "the service shows keywords without their rank_id, and none with " + row.Values.Get("rank_id").Text()}
	}
	if k.mayLack() {
		return bulk.Outcome{State: bulk.Unknown, Message: "the service does not list keyword " + row.Values.Get("rank_id").Text()}
	}
	return bulk.Outcome{State: bulk.Refused, HTTPStatus: http.StatusNotFound, Message: "the keyword does not exist"}
}

func (k *remoteKeywords) toSend(row *rows.Row, changed []bulk.Change) bulk.Outcome {
	out := bulk.Outcome{State: bulk.Absent}
	if k.titles != nil {
		out.Title, out.Changes = record.Pair{Name: "keyword", Value: k.titles[row.Ordinal]}, changed
	}
	return out
}

func (k *remoteKeywords) changed(row *rows.Row) []bulk.Change {
	var out []bulk.Change
	for i, field := range k.changes {
		if given := row.Values.Get(field.Name); given != nil && k.differs(row, i, given) {
			out = append(out, bulk.Change{Field: field.Name, From: k.remote(row, i), To: given.Text()})
		}
	}
	return out
}

func (k *remoteKeywords) differs(row *rows.Row, field int, want record.Value) bool {
	shown, other := k.remote(row, field), record.Value(nil)
	agrees := want.Text() == shown
	if !agrees {
		other = record.Quote(shown)
	}
	return k.isLate.Differs(agrees, "rank_id", row.Values.Get("rank_id"), k.changes[field].Name, want, other)
}

func (k *remoteKeywords) remote(row *rows.Row, field int) string {
	return k.texts[k.values[row.Ordinal*len(k.changes)+field]]
}

// edited returns the columns that can't be changed and in which a row differs from the remote value of its keyword. A keyword that the
// service does not fully show is not another one.
func (k *remoteKeywords) edited(row *rows.Row) (edited []*schema.Field) {
	if !k.exists[row.Ordinal] || row.ReadOnly == nil {
		return nil
	}
	cells := k.cells[row.Ordinal*len(k.readOnly):]
	for i, f := range k.readOnly {
		text := strings.TrimSpace(row.ReadOnly[f.Name])
		if text == "" || cells[i] == 0 && f.Has(schema.Identity) || k.hash(f, portfolio.PrintedAs(text)) == cells[i] || k.hash(f, portfolio.PrintedAs(safetext.FormulaUnsafe(text))) == cells[i] {
			continue
		}
		edited = append(edited, f)
	}
	return edited
}
