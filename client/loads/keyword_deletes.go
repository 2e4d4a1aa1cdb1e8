package loads

import (
	"context"
	"slices"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/client/schema"
)

// KeywordDeletes deletes keywords, many in a call. The service deactivates them, so
// keywords that its list shows with status 0 are present, and are not sent. check may be nil.
func KeywordDeletes(c *client.Client, check *KeywordCheck) Load {
	request := func(batch []rows.Row, _ bool) client.Call {
		ids := make([]record.Value, len(batch))
		for i, row := range batch {
			ids[i] = row.Values.Get("rank_id")
		}
		return KeywordDeleteCall(ids)
	}
	return Load{
		client:  c,
		Schema:  rows.Schema{Resource: &schema.KeywordsDelete, Use: schema.Create, Validate: true, ReadOnly: true, Identity: rows.IdentityOf(&schema.KeywordsDelete, schema.Create)},
		Request: request,
		Operation: bulk.Operation{
			Name: schema.OpKeywordsDelete.ID, Key: []string{}, Results: responseFields(&schema.OpKeywordsDelete),
			Encode: bulk.EncodeRows(func(batch []rows.Row) bulk.Call { return sendItems(c, request(batch, false), batch) }),
			Snapshot: func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
				k, err := check.snapshot(ctx, c, r)
				return k.deletes(r.Reconciling), err
			},
		},
	}
}

// KeywordDeleteCall is the call that deletes the keywords with these ids.
func KeywordDeleteCall(ids []record.Value) client.Call {
	body := []byte(`{"rank_id":[`)
	for i, id := range ids {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, id...)
	}
	return client.Call{Op: &schema.OpKeywordsDelete, Body: append(body, "]}"...)}
}

// keywordStatus returns the status of a keyword in the words of updates, or "unknown" if
// the record does not show it.
func keywordStatus(rec record.Record) string {
	field := schema.Keywords.Field("status")
	v, err := keywordValue(field, rec)
	if i := slices.Index(field.Enum, v.Text()); err == nil && i >= 0 {
		return field.Enum[i] // which all rows share
	}
	return "unknown"
}

// FindKeywordDeletes reads whether keywords are deleted. If only some are, the outcome is
// Differs.
func FindKeywordDeletes(ctx context.Context, c *client.Client, ids []int64) (bulk.Outcome, error) {
	n := 0
	for _, id := range ids {
		rec, err := c.Record(ctx, client.Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", id))
		switch status := keywordStatus(rec); {
		case client.IsNotFound(err), err == nil && status == "deactivate":
			n++
		case err != nil:
			return bulk.Outcome{}, err
		case status != "activate":
			return bulk.Outcome{State: bulk.Unknown}, nil
		}
	}
	return outcomeOf(n, len(ids), itemSucceeded(record.Integer(ids[len(ids)-1]))), nil
}
