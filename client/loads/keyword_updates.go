package loads

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// KeywordUpdates changes the status and the type of keywords, many in a call. If a row
// lacks one of the two, the keyword keeps it. Rows that change nothing are not sent.
func KeywordUpdates(c *client.Client, o UpdateOptions) Load {
	request := func(batch []rows.Row, _ bool) client.Call {
		changes := make([]schema.Values, len(batch))
		for i, row := range batch {
			changes[i] = row.Values.Map()
		}
		return KeywordUpdateCall(changes)
	}
	return Load{
		client:  c,
		Schema:  rows.Schema{Resource: &schema.Keywords, Use: schema.Update, Validate: true, ReadOnly: true, Identity: rows.IdentityOf(&schema.Keywords, schema.Update)},
		Request: request,
		Operation: bulk.Operation{
			Name: schema.OpKeywordsUpdate.ID, Key: []string{}, Results: responseFields(&schema.OpKeywordsUpdate), Idempotent: true,
			Encode: bulk.EncodeRows(func(batch []rows.Row) bulk.Call { return sendItems(c, request(batch, false), batch) }),
			Snapshot: func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
				k := newRemoteKeywords(o, r)
				return bulk.SnapshotFunc(k.compare), k.read(ctx, c, r.List)
			},
		},
	}
}

// KeywordUpdateCall is the call that makes the changes.
func KeywordUpdateCall(changes []schema.Values) client.Call {
	res := schema.Keywords.For(schema.Update)
	slices.Reverse(res.Fields) // the id last, as the contract shows a change
	body := []byte(`{"keywords":[`)
	for i, change := range changes {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, res.Body(change)...)
	}
	return client.Call{Op: &schema.OpKeywordsUpdate, Body: append(body, "]}"...)}
}

// keywordMissing is the outcome of a row whose keyword the service does not have.
var keywordMissing = bulk.Outcome{State: bulk.Refused, HTTPStatus: http.StatusNotFound, Message: "the keyword does not exist"}

// remoteKeywords holds the remote values of the keywords of the file. There may be millions
// of keywords, so each text is stored once, or as a hash.
type remoteKeywords struct {
	o             UpdateOptions
	sendUnchanged bool // send rows that change nothing, too
	changes       []*schema.Field
	readOnly      []*schema.Field
	exists        []bool         // by the number of the row
	values        []uint32       // for each row and each field of changes, the index of the value in words
	cells         []uint32       // for each row and each field of readOnly, the hash of the cell that a list prints
	titles        []record.Value // by the number of the row, the text of the keyword; nil unless a dry run needs it
	seed          maphash.Seed
	texts         []string
	indexes       map[string]uint32 // of each word in words
}

func newRemoteKeywords(o UpdateOptions, r bulk.SnapshotRequest) *remoteKeywords {
	k := &remoteKeywords{
		o: o, sendUnchanged: o.SendUnchanged && !r.Reconciling, seed: maphash.MakeSeed(), texts: []string{""}, indexes: map[string]uint32{"": 0},
		changes:  schema.Keywords.Without("rank_id").Having(schema.Update),
		readOnly: slices.DeleteFunc(schema.Keywords.Having(schema.Read), func(f *schema.Field) bool { return f.Has(schema.Update) }),
	}
	rowCount := r.List.Rows()
	if r.DryRun {
		k.titles = make([]record.Value, rowCount)
	}
	k.exists, k.values, k.cells = make([]bool, rowCount), make([]uint32, rowCount*len(k.changes)), make([]uint32, rowCount*len(k.readOnly))
	return k
}

func (k *remoteKeywords) read(ctx context.Context, c *client.Client, snapshot *bulk.ListSnapshot) error {
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return err
		}
		row, ok := snapshot.Row(rec.Get("rank_id").Text())
		if !ok {
			continue
		}
		if k.exists[row] = true; k.titles != nil {
			k.titles[row] = slices.Clone(rec.Get("keyword"))
		}
		for i, field := range k.changes {
			v, _ := keywordValue(field, rec) // empty if the service does not show the field
			k.values[row*len(k.changes)+i] = k.indexOf(v.Text())
		}
		for i, field := range k.readOnly {
			k.cells[row*len(k.readOnly)+i] = k.hash(strings.TrimSpace(portfolio.CellText(rec.Get(field.ReadName())))) // the cells of a file are trimmed, too
		}
	}
	return nil
}

// indexOf returns the index of a word in words, to which it adds a new one.
func (k *remoteKeywords) indexOf(text string) uint32 {
	n, ok := k.indexes[text]
	if !ok {
		n = uint32(len(k.texts))
		k.texts, k.indexes[text] = append(k.texts, text), n
	}
	return n
}

func (k *remoteKeywords) hash(cell string) uint32 { return uint32(maphash.String(k.seed, cell)) }

// compare adds to a row the remote values of fields that it lacks. A row without
// differences is present.
func (k *remoteKeywords) compare(_ context.Context, row *rows.Row) (bulk.Outcome, error) {
	n := row.Ordinal
	exists, changed := k.exists[n], k.changed(row)
	if exists {
		k.reportReadOnly(row, k.cells[n*len(k.readOnly):])
	}
	if exists && changed == nil && !k.sendUnchanged {
		return bulk.Outcome{State: bulk.Present}, nil
	}
	out := bulk.Outcome{State: bulk.Absent}
	if k.titles != nil {
		out.Title, out.Changes = record.Pair{Name: "keyword", Value: k.titles[n]}, changed
	}
	for i, field := range k.changes {
		switch {
		case !field.Has(schema.Key) || row.Values.Get(field.Name) != nil:
		case k.remote(row, i) != "":
			row.Values.Set(field.Name, record.Quote(k.remote(row, i)))
		case !exists:
			return keywordMissing, nil
		default:
			return bulk.Outcome{State: bulk.Refused, Message: "the service does not show its status or type, which would be lost: give both"}, nil
		}
	}
	return out, nil
}

// changed returns the fields that the row changes.
func (k *remoteKeywords) changed(row *rows.Row) []bulk.Change {
	var out []bulk.Change
	for i, field := range k.changes {
		if given := row.Values.Get(field.Name); given != nil && given.Text() != k.remote(row, i) {
			out = append(out, bulk.Change{Field: field.Name, From: k.remote(row, i), To: given.Text()})
		}
	}
	return out
}

// remote returns the value that the service holds for a field of changes.
func (k *remoteKeywords) remote(row *rows.Row, field int) string {
	return k.texts[k.values[row.Ordinal*len(k.changes)+field]]
}

// reportReadOnly calls OnReadOnly for each cell of a row that differs from the remote value
// in a column that an update can't change. cells has the hashes of the remote values.
func (k *remoteKeywords) reportReadOnly(row *rows.Row, cells []uint32) {
	for i, field := range k.readOnly {
		text := strings.TrimSpace(row.ReadOnly[field.Name])
		if text == "" || k.hash(portfolio.PrintedAs(text)) == cells[i] || k.hash(portfolio.PrintedAs(safetext.FormulaUnsafe(text))) == cells[i] {
			continue
		}
		if k.o.OnReadOnly != nil {
			k.o.OnReadOnly(row.Line, field.Name)
		}
	}
}

// keywordValue returns the value of a field in a record, in the form in which an update
// sends it.
func keywordValue(field *schema.Field, rec record.Record) (record.Value, error) {
	v, shown := portfolio.HeldValue(field, rec)
	if !shown {
		return nil, errors.New("is missing")
	}
	return field.FromText(v.Text(), true)
}

// FindKeywordUpdates reads whether keywords have the values of an update. If only some
// have, the outcome is Differs.
func FindKeywordUpdates(ctx context.Context, c *client.Client, changes []schema.Values) (bulk.Outcome, error) {
	n := 0
	var last record.Record
	for _, want := range changes {
		id, _ := want["rank_id"].Int64()
		rec, err := c.Record(ctx, client.Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", id))
		if err != nil {
			return bulk.Outcome{}, err
		}
		switch stateOfUpdate(schema.Keywords.Without("rank_id").Having(schema.Update), want, rec) {
		case bulk.Unknown:
			return bulk.Outcome{State: bulk.Unknown}, nil
		case bulk.Present:
			n++
			last = itemSucceeded(want["rank_id"])
		}
	}
	return outcomeOf(n, len(changes), last), nil
}

// itemSucceeded returns an item of a response for a keyword that was changed.
func itemSucceeded(rankID record.Value) record.Record {
	return record.Of(
		record.Pair{Name: "rank_id", Value: rankID},
		record.Pair{Name: "status_code", Value: record.Integer(http.StatusOK)},
		record.Pair{Name: "status_message", Value: record.Quote("success")},
	)
}

// outcomeOf returns the outcome of a write if n of its parts, of which there are all, were
// found.
func outcomeOf(n, all int, result record.Record) bulk.Outcome {
	switch n {
	case 0:
		return bulk.Outcome{State: bulk.Absent}
	case all:
		return bulk.Outcome{State: bulk.Present, Result: result}
	}
	return bulk.Outcome{State: bulk.Differs}
}

// keywordOutcomes returns the outcome of each row from the items of a response, which
// may report failures although the call succeeded.
func keywordOutcomes(batch []rows.Row, response *client.Response) ([]bulk.Outcome, error) {
	items, err := client.KeywordItems(client.Call{Op: &schema.OpKeywordsUpdate}, response)
	if refusal := (*client.Error)(nil); err != nil && !errors.As(err, &refusal) {
		return nil, err
	}
	byID := map[string]client.ItemError{}
	for _, item := range items {
		byID[strconv.FormatInt(int64(item.RankID), 10)] = item
	}
	outcomes := make([]bulk.Outcome, len(batch))
	for i, row := range batch {
		item, ok := byID[row.Values.Get("rank_id").Text()]
		outcomes[i] = bulk.Outcome{State: bulk.Sent, HTTPStatus: response.HTTPStatus, Result: record.Of(
			record.Pair{Name: "status_code", Value: record.Integer(int64(item.StatusCode))},
			record.Pair{Name: "status_message", Value: record.Quote(string(item.StatusMessage))},
		)}
		switch {
		case !ok && len(items) == 0:
			outcomes[i].Result = record.Record{}
		case ok && item.StatusCode != 0 && item.StatusCode != http.StatusOK:
			outcomes[i].State, outcomes[i].HTTPStatus = bulk.Refused, int(item.StatusCode)
			outcomes[i].Message = fmt.Sprint(item.StatusMessage)
		case !ok || item.StatusCode == 0:
			outcomes[i] = bulk.Outcome{State: bulk.Unknown, HTTPStatus: response.HTTPStatus, Message: "the response does not report its outcome"}
		}
	}
	return outcomes, nil
}

// sendItems sends a call whose response has an item for each row.
func sendItems(c *client.Client, call client.Call, batch []rows.Row) bulk.Call {
	batch = rows.Clone(batch...)
	return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
		call.OnSend = onSend
		response, err := c.Do(ctx, call)
		if err != nil {
			return nil, err
		}
		return keywordOutcomes(batch, response)
	}
}
