package keywords

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// loadNew adds the keywords in a file.
func loadNew(ctx context.Context, f *cli.Factory, o *addOptions, constants client.Values) error {
	load := Adding()
	load.Constants = constants
	return f.Load(ctx, &o.file, load)
}

// Adding is how rows become keywords, those left out that the service holds.
func Adding() cli.Load {
	return cli.Load{
		Op: &client.OpKeywordsCreate, Res: &client.Keywords, Use: client.Create, Identity: bulk.KeywordIdentity,
		Key: func(dst []byte, row bulk.Row) []byte {
			return row.Values.Get("campaign_id").AppendText(append(row.Values.Get("account_id").AppendText(dst), '/'))
		},
		Campaigns: true,
		Body: func(rows []bulk.Row) client.Call {
			return addCall(rows[0].Values.Get("account_id"), rows[0].Values.Get("campaign_id"), func(yield func(text, keywordType record.Value) bool) {
				for _, row := range rows {
					if !yield(row.Values.Get("keyword"), row.Values.Get("keyword_type")) {
						return
					}
				}
			})
		},
		Look:  lookForKeywords,
		Gives: []string{"account_id", "campaign_id", "rank_id"},
		Bring: func(rows []bulk.Row) client.Call {
			list := make([]client.KeywordChange, len(rows))
			for i, row := range rows {
				id, _ := row.Values.Get("rank_id").Int64()
				list[i] = client.KeywordChange{RankID: id, Status: "activate", KeywordType: row.Values.Get("keyword_type").Text()}
			}
			return changeCall(list)
		},
		BringItems: items,
	}
}

// lookForKeywords reads which of the file's keywords the service holds.
func lookForKeywords(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error) {
	r.Holdings.Names = []string{"rank_id"}
	var id []byte
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return nil, err
		}
		rankID, _ := rec.Get("rank_id").Int64()
		id = bulk.AppendKeywordID(id[:0], rec.Get("account_id"), rec.Get("campaign_id"), rec.Get("keyword"))
		r.Holdings.See(bulk.Shown{ID: id, Same: typeOf(rec), Off: rec.Get("status").Text() == "0", IDs: []int64{rankID}})
	}
	return r.Holdings, nil
}
