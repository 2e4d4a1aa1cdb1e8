package loads

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// KeywordUpdates changes keywords, many in a call. They keep the values of fields that a row lacks. Rows that change nothing are
// not sent.
func KeywordUpdates(c *client.Client, o UpdateOptions) Load {
	request := func(batch []rows.Row) client.Call { return updateCall(batch) }
	l := newLoad(c, &schema.OpKeywordsUpdate, &schema.Keywords, schema.Update, request, sendItems)
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		k, err := readRemoteKeywords(ctx, c, r)
		return k.updates(o, r.Reconciling), err
	}
	return l
}

// updateCall returns the call that gives keywords the values of their rows, and the others. The snapshot has put the rank_id of each
// keyword into its row.
func updateCall(batch []rows.Row, others ...rows.Value) client.Call {
	changes := make([]schema.Values, len(batch))
	for i, row := range batch {
		changes[i] = row.Values.Map()
		for _, v := range others {
			changes[i][v.Name] = v.JSON
		}
	}
	return KeywordUpdateCall(changes)
}

// KeywordUpdateCall is the call that makes the changes.
func KeywordUpdateCall(changes []schema.Values) client.Call {
	res := schema.Keywords.For(schema.Update)
	slices.Reverse(res.Fields) // the id last, as the contract shows a change
	list := make([]record.Value, len(changes))
	for i, change := range changes {
		list[i] = record.Value(res.Body(change))
	}
	return listCall(&schema.OpKeywordsUpdate, "keywords", list)
}

// FindKeywordUpdates is FindChanges for updates of keywords. With deletes, keywords that do not exist have the values, too.
func FindKeywordUpdates(ctx context.Context, c *client.Client, changes []schema.Values, deletes bool) (bulk.Outcome, error) {
	out, err := FindChanges(ctx, &schema.Keywords, func(ctx context.Context, id int64) (record.Record, error) {
		rec, err := c.Record(ctx, client.Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", id))
		if deletes && errors.Is(err, client.ErrNotFound) {
			return record.Of(record.Pair{Name: "status", Value: record.Quote("deactivate")}), nil
		}
		return rec, err
	}, changes...)
	out.Result = record.Of( // as each item of a response
		record.Pair{Name: "status_code", Value: record.Integer(http.StatusOK)},
		record.Pair{Name: "status_message", Value: record.Quote("success")},
	)
	return out, err
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
		case ok && item.Failed():
			outcomes[i].State, outcomes[i].HTTPStatus, outcomes[i].Message = bulk.Refused, max(response.HTTPStatus, int(item.StatusCode)), string(item.StatusMessage)
		case !ok || item.StatusCode == 0:
			outcomes[i] = bulk.Outcome{State: bulk.Unknown, HTTPStatus: response.HTTPStatus, Message: "the response does not report its outcome"}
		case item.ContradictsItself():
			outcomes[i] = bulk.Outcome{State: bulk.Unknown, HTTPStatus: response.HTTPStatus, Message: fmt.Sprintf("the response says %d and %s of it", item.StatusCode, safetext.Quote(string(item.StatusMessage)))}
		}
	}
	return outcomes, nil
}

func sendItems(c *client.Client, call client.Call, batch []rows.Row) bulk.Call {
	return send(c, call, func(response *client.Response) ([]bulk.Outcome, error) { return keywordOutcomes(batch, response) })
}

// KeywordDeletes deletes keywords, many in a call. The service deactivates them, so
// keywords that its list shows with status 0 are present, and are not sent.
func KeywordDeletes(c *client.Client) Load {
	l := newLoad(c, &schema.OpKeywordsDelete, &schema.KeywordsDelete, schema.Create, func(batch []rows.Row) client.Call {
		ids := make([]record.Value, len(batch))
		for i, row := range batch {
			ids[i] = row.Values.Get("rank_id")
		}
		return KeywordDeleteCall(ids)
	}, sendItems)
	l.Schema.ReadOnly, l.Operation.Changes, l.Operation.Sets = true, true, rows.Value{Name: "status", JSON: record.Quote("deactivate")}
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		k, err := readRemoteKeywords(ctx, c, r)
		return k.deletes(r.Reconciling), err
	}
	return l
}

// KeywordDeleteCall is the call that deletes the keywords with these ids.
func KeywordDeleteCall(ids []record.Value) client.Call {
	return listCall(&schema.OpKeywordsDelete, "rank_id", ids)
}

func listCall(op *schema.Operation, member string, list []record.Value) client.Call {
	return client.Call{Op: op, Body: []byte(record.Of(record.Pair{Name: member, Value: record.ArrayOf(list...)}).Raw())}
}

// KeywordChanges gives keywords the status of their rows, and the type if a row has one. A row names its keyword by rank_id,
// or else by account, campaign and text, as portfolio.FindKeyword finds it. Keywords that are as their rows say are present.
func KeywordChanges(c *client.Client) Load {
	l := KeywordUpdates(c, UpdateOptions{})
	l.Schema.Identity = keywordChangeIdentity
	l.Operation.Results = nil
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		held, isLate := heldKeywords{}, lateness(c, r.Verifying)
		return bulk.SnapshotFunc(func(_ context.Context, row *rows.Row) (bulk.Outcome, error) { return held.outcome(row, isLate), nil }), held.read(ctx, c, r.List)
	}
	return l
}

// UnchangedKeyword names the rank_id in a row of KeywordChanges that was found to agree, 0 if there is no keyword yet.
const UnchangedKeyword = "unchanged_rank_id"

func keywordChangeIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	for _, name := range []string{"rank_id", UnchangedKeyword} {
		if rank, ok := v.Get(name).Int64(); ok && rank != 0 {
			return v.Get(name).AppendText(id), content // as in other loads that change keywords
		}
	}
	return appendKeywordID(id, v.Get("account_id"), v.Get("campaign_id"), v.Get("keyword")), content
}

// heldKeywords are the keywords of the service that the rows may mean, by the number of the row.
type heldKeywords map[int][]portfolio.Keyword

func (h heldKeywords) read(ctx context.Context, c *client.Client, snapshot *bulk.ListSnapshot) error {
	m := portfolio.New()
	var id []byte
	return eachListed(ctx, c, &schema.OpKeywordsList, func(rec record.Record) {
		byText, ok := snapshot.Row(string(appendKeywordID(id[:0], rec.Get("account_id"), rec.Get("campaign_id"), rec.Get("keyword"))))
		if ok {
			h[byText] = append(h[byText], m.NewKeyword(rec))
		}
		if byID, ok := snapshot.Row(rec.Get("rank_id").Text()); ok {
			h[byID] = append(h[byID], m.NewKeyword(rec))
		}
	})
}

// outcome adds to a row that is to be sent the rank_id of its keyword, and what the row lacks of the fields that an update must have.
//   - A keyword that the list does not show is unknown, or present if it is to be active: it was just added so.
//   - A field that the service does not show differs only if the row has a rank_id, as rows have that were found to differ before.
func (h heldKeywords) outcome(row *rows.Row, isLate record.LateFunc) bulk.Outcome {
	list, status := h[row.Ordinal], schema.Keywords.Field("status")
	isActive, byID := row.Values.Get(status.Name).Text() == status.Enum[0], row.Values.Get("rank_id") != nil
	k := portfolio.FindKeyword(list, row.Values.Get("keyword").Text(), row.Values.Get("keyword_type").Text(), isActive)
	if byID && len(list) > 0 {
		k = &list[0]
	}
	switch {
	case k == nil && isActive:
		return bulk.Outcome{State: bulk.Present}
	case k == nil:
		return bulk.Outcome{State: bulk.Unknown, Message: "the service does not list the keyword"}
	}
	id := record.Integer(k.RankID)
	differs, lost := isLate.Differs(k.Active() == isActive, "rank_id", id, status.Name, row.Values.Get(status.Name), k.Value(status)), error(nil)
	missing := schema.Values{"rank_id": id}
	for _, f := range schema.Keywords.Without("rank_id", "status").Having(schema.Update) {
		given, shown := row.Values.Get(f.Name), k.Value(f)
		switch {
		case given != nil:
			agrees := shown == nil && !byID || portfolio.Agrees(f, given, shown)
			differs = isLate.Differs(agrees, "rank_id", id, f.Name, given, shown) || differs
		case f.Has(schema.Key) && shown == nil:
			lost = fmt.Errorf("the service does not show its %s, which would be lost: give it", f.ReadName())
		case f.Has(schema.Key) && isLate("rank_id", id, f.Name, shown, false):
			lost = portfolio.LateError{What: f.ReadName() + " of the keyword", Instead: "give it"}
		case f.Has(schema.Key):
			missing[f.Name] = shown
		}
	}
	switch {
	case !differs:
		return bulk.Outcome{State: bulk.Present}
	case lost != nil:
		return bulk.Outcome{State: bulk.Refused, Message: lost.Error()}
	}
	for name, v := range missing {
		row.Values.Set(name, v)
	}
	return bulk.Outcome{State: bulk.Absent}
}
