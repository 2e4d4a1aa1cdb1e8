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

// KeywordChanges gives keywords the status of their rows, and the type if a row has one. A row names its keyword by rank_id,
// or else by account, campaign and text, as portfolio.FindKeyword finds it. Keywords that are as their rows say are present.
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
		if byID, ok := snapshot.Row(string(rows.JoinKey("rank", rec.Get("rank_id").Text()))); ok {
			h[byID] = append(h[byID], m.NewKeyword(rec))
		}
	})
}

// compare adds to a row the rank_id of its keyword, and what the row lacks of the fields that an update must have.
//   - A keyword that the list does not show is unknown, or present if it is to be active: it was just added so.
//   - A field that the service does not show differs only if the row has a rank_id, as rows have that were found to differ before.
func (h heldKeywords) compare(_ context.Context, row *rows.Row) (bulk.Outcome, error) {
	list := h[row.Ordinal]
	words := schema.Keywords.Field("status").Enum
	isActive, byID := row.Values.Get("status").Text() == words[0], row.Values.Get("rank_id") != nil
	k := portfolio.FindKeyword(list, row.Values.Get("keyword").Text(), row.Values.Get("keyword_type").Text(), isActive)
	if byID && len(list) > 0 {
		k = &list[0]
	}
	switch {
	case k == nil && isActive:
		return bulk.Outcome{State: bulk.Present}, nil
	case k == nil:
		return bulk.Outcome{State: bulk.Unknown, Message: "the service does not list the keyword"}, nil
	}
	differs, lost := k.Active() != isActive, ""
	missing := schema.Values{"rank_id": record.Integer(k.RankID)}
	for _, f := range schema.Keywords.Without("rank_id", "status").Having(schema.Update) {
		given, shown := row.Values.Get(f.Name), k.Value(f)
		switch {
		case given != nil:
			differs = differs || (shown != nil || byID) && !portfolio.Agrees(f, given, shown)
		case f.Has(schema.Key) && shown == nil:
			lost = f.ReadName()
		case f.Has(schema.Key):
			missing[f.Name] = shown
		}
	}
	switch {
	case !differs:
		return bulk.Outcome{State: bulk.Present}, nil
	case lost != "":
		return bulk.Outcome{State: bulk.Refused, Message: "the service does not show its " + lost + ", which would be lost: give it"}, nil
	}
	for name, v := range missing {
		row.Values.Set(name, v)
	}
	return bulk.Outcome{State: bulk.Absent}, nil
}
