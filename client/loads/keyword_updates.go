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
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// KeywordUpdates changes the status and the type of keywords, many in a call. If a row
// lacks one of the two, the keyword keeps it. Rows that change nothing are not sent.
func KeywordUpdates(c *client.Client, o UpdateOptions) Load {
	l := newLoad(c, &schema.OpKeywordsUpdate, &schema.Keywords, schema.Update, func(batch []rows.Row) client.Call {
		changes := make([]schema.Values, len(batch))
		for i, row := range batch {
			changes[i] = row.Values.Map()
		}
		return KeywordUpdateCall(changes)
	}, sendItems)
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		k, err := readRemoteKeywords(ctx, c, r)
		return k.updates(o, r.Reconciling), err
	}
	return l
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

// FindKeywordUpdates reads whether keywords have the values of an update. If only some have, the outcome is Differs. With
// deletes, keywords that do not exist have them, too.
func FindKeywordUpdates(ctx context.Context, c *client.Client, changes []schema.Values, deletes bool) (bulk.Outcome, error) {
	n := 0
	for _, want := range changes {
		id, _ := want["rank_id"].Int64()
		rec, err := c.Record(ctx, client.Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", id))
		state := stateOfUpdate(schema.Keywords.Without("rank_id").Having(schema.Update), want, rec)
		switch {
		case deletes && errors.Is(err, client.ErrNotFound), err == nil && state == bulk.Present:
			n++
		case err != nil:
			return bulk.Outcome{}, err
		case state == bulk.Unknown:
			return bulk.Outcome{State: bulk.Unknown}, nil
		}
	}
	return outcomeOf(n, len(changes), record.Of( // as an item of a response
		record.Pair{Name: "rank_id", Value: changes[len(changes)-1]["rank_id"]},
		record.Pair{Name: "status_code", Value: record.Integer(http.StatusOK)},
		record.Pair{Name: "status_message", Value: record.Quote("success")},
	)), nil
}

// outcomeOf returns the outcome of a write if n of its parts, of which there are all, were found.
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
	batch = rows.Clone(batch...)
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
	l.Schema.ReadOnly, l.Operation.Changes = true, true
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
