package keywords

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
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
		Key: func(row bulk.Row) string {
			return row.Values["account_id"].Text() + "/" + row.Values["campaign_id"].Text()
		},
		Campaigns: true,
		Body: func(rows []bulk.Row) client.Call {
			keywords := make([]client.NewKeyword, len(rows))
			for i, row := range rows {
				keywords[i] = client.NewKeyword{Keyword: row.Values["keyword"].Text(), KeywordType: row.Values["keyword_type"].Text()}
			}
			return addCall(rows[0].Values, keywords)
		},
		Look:  lookForKeywords,
		Gives: []string{"account_id", "campaign_id", "rank_id"},
		Bring: func(rows []bulk.Row) client.Call {
			list := make([]client.KeywordChange, len(rows))
			for i, row := range rows {
				id, _ := row.Values["rank_id"].Int64()
				list[i] = client.KeywordChange{RankID: id, Status: "activate", KeywordType: row.Values["keyword_type"].Text()}
			}
			return changeCall(list)
		},
		BringItems: items,
	}
}

// lookForKeywords reads which of the file's keywords the service holds.
func lookForKeywords(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error) {
	r.Holdings.Names = []string{"rank_id"}
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return nil, err
		}
		rankID, _ := rec.Get("rank_id").Int64()
		r.Holdings.See(bulk.Shown{
			ID:   bulk.KeywordID(rec.Get("account_id").Text(), rec.Get("campaign_id").Text(), rec.Get("keyword").Text()),
			Same: typeOf(rec), Off: rec.Get("status").Text() == "0", IDs: []int64{rankID},
		})
	}
	return r.Holdings, nil
}
