package loads

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/client/schema"
)

// KeywordDeletes deletes keywords, many in a call. The service deactivates them, so
// keywords that its list shows with status 0 are present, and are not sent. check may be nil.
func KeywordDeletes(c *client.Client, check *KeywordCheck) Load {
	l := newLoad(c, &schema.OpKeywordsDelete, &schema.KeywordsDelete, schema.Create, func(batch []rows.Row) client.Call {
		ids := make([]record.Value, len(batch))
		for i, row := range batch {
			ids[i] = row.Values.Get("rank_id")
		}
		return KeywordDeleteCall(ids)
	}, sendItems)
	l.Schema.ReadOnly = true
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		k, err := check.snapshot(ctx, c, r)
		return k.deletes(r.Reconciling), err
	}
	return l
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
