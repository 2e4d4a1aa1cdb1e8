package loads

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// KeywordChanges gives keywords the status of their rows, and the type if a row has one. A row
// names its keyword by rank_id, or else by account, campaign and text, as
// portfolio.FindKeyword finds it. Keywords that are as their rows say are present.
func KeywordChanges(c *client.Client) Load {
	l := KeywordUpdates(c, UpdateOptions{})
	l.Schema.Identity = keywordChangeIdentity
	l.Operation.Results = nil
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		held := heldKeywords{}
		return bulk.SnapshotFunc(held.compare), held.read(ctx, c, r.List)
	}
	return l
}

func keywordChangeIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	if rank := v.Get("rank_id"); rank != nil {
		return append(id, rows.JoinKey("rank", rank.Text())...), content
	}
	id, _ = keywordIdentity(v, id, nil)
	return id, content
}

// heldKeywords are the keywords of the service that the rows may mean, by the number of the row.
type heldKeywords map[int][]portfolio.Keyword

func (h heldKeywords) read(ctx context.Context, c *client.Client, snapshot *bulk.ListSnapshot) error {
	m := portfolio.New()
	var id []byte
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return err
		}
		byText, ok := snapshot.Row(string(appendKeywordID(id[:0], rec.Get("account_id"), rec.Get("campaign_id"), rec.Get("keyword"))))
		if ok {
			h[byText] = append(h[byText], m.NewKeyword(rec))
		}
		if byID, ok := snapshot.Row(string(rows.JoinKey("rank", rec.Get("rank_id").Text()))); ok {
			h[byID] = append(h[byID], m.NewKeyword(rec))
		}
	}
	return nil
}

// compare adds to a row the rank_id of its keyword, and the type if the row has none. A keyword that
// the list does not show yet can't be changed; if it was added, it is active. A type that the service does not show
// differs only for a row that names its keyword by rank_id, as those rows do that were found to differ before.
func (h heldKeywords) compare(_ context.Context, row *rows.Row) (bulk.Outcome, error) {
	list := h[row.Ordinal]
	status, kind := row.Values.Get("status").Text(), row.Values.Get("keyword_type").Text()
	activate := schema.Keywords.Field("status").Enum[0]
	k := portfolio.FindKeyword(list, row.Values.Get("keyword").Text(), status == activate)
	if row.Values.Get("rank_id") != nil && len(list) > 0 {
		k = &list[0]
	}
	switch {
	case k == nil && status == activate:
		return bulk.Outcome{State: bulk.Present}, nil
	case k == nil:
		return bulk.Outcome{State: bulk.Unknown, Message: "the service does not list the keyword"}, nil
	case k.Active() == (status == activate) && (kind == "" || kind == k.Type || k.Type == "" && row.Values.Get("rank_id") == nil):
		return bulk.Outcome{State: bulk.Present}, nil
	case kind == "" && k.Type == "":
		return bulk.Outcome{State: bulk.Refused, Message: "the service does not show its type, which would be lost: give it"}, nil
	case kind == "":
		row.Values.Set("keyword_type", record.Quote(k.Type))
	}
	row.Values.Set("rank_id", record.Integer(k.RankID))
	return bulk.Outcome{State: bulk.Absent}, nil
}
