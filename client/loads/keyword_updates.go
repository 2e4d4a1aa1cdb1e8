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
	"reseller/client/schema"
)

// KeywordUpdates changes the status and the type of keywords, many in a call. If a row
// lacks one of the two, the keyword keeps it. Rows that change nothing are not sent. check may be nil.
func KeywordUpdates(c *client.Client, o UpdateOptions, check *KeywordCheck) Load {
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
				k, err := check.snapshot(ctx, c, r)
				return k.updates(o, r.Reconciling), err
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
	return send(c, call, func(response *client.Response) ([]bulk.Outcome, error) { return keywordOutcomes(batch, response) })
}
