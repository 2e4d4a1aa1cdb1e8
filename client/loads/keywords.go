package loads

import (
	"context"
	"encoding/json"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
)

// Keywords adds keywords, many of one campaign in a call. Those that a campaign
// has already are recognised by their text, whatever its case and spacing, and
// are not sent.
func Keywords(c *client.Client) Load {
	var sizes bodySizes
	request := func(rows []bulk.Row, converge bool) client.Call {
		if converge {
			return activateCall(rows)
		}
		body := KeywordBody{sizes: &sizes}
		for i := range rows {
			body.Add(&rows[i])
		}
		return body.Call()
	}
	return Load{
		Schema:  bulk.Spec{Resource: &schema.Keywords, Use: schema.Create, Check: true, Identity: bulk.KeywordIdentity},
		Request: request,
		Operation: bulk.Op{
			Name: schema.OpKeywordsCreate.ID, Key: []string{"account_id", "campaign_id"}, Campaigns: true,
			Gives: []string{"account_id", "campaign_id", "rank_id"},
			Begin: func() bulk.Body { return &keywordBatch{KeywordBody{sizes: &sizes}, c} },
			Bring: func(rows []bulk.Row) bulk.Send { return sendItems(c, activateCall(rows), rows) },
			Look: func(ctx context.Context, r bulk.Reading) (bulk.View, error) {
				return keywordSnapshot(ctx, c, r.Holdings)
			},
		},
	}
}

// keywordSnapshot reads which keywords of the file the service holds.
func keywordSnapshot(ctx context.Context, c *client.Client, snapshot *bulk.Holdings) (bulk.View, error) {
	snapshot.Names = []string{"rank_id"}
	var id []byte
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return nil, err
		}
		rankID, _ := rec.Get("rank_id").Int64()
		id = bulk.AppendKeywordID(id[:0], rec.Get("account_id"), rec.Get("campaign_id"), rec.Get("keyword"))
		snapshot.See(bulk.Shown{ID: id, Same: KeywordType(rec), Off: rec.Get("status").Text() == "0", IDs: []int64{rankID}})
	}
	return snapshot, nil
}

// KeywordType returns the type of a keyword, which reads call type and writes
// keyword_type.
func KeywordType(rec record.Record) string {
	if text := rec.Get("type").Text(); text != "" {
		return text
	}
	return rec.Get("keyword_type").Text()
}

// activateCall is the call that activates existing keywords and gives them the
// types of the rows, which have their rank_id from the snapshot.
func activateCall(rows []bulk.Row) client.Call {
	changes := make([]client.KeywordChange, len(rows))
	for i, row := range rows {
		id, _ := row.Values.Get("rank_id").Int64()
		changes[i] = client.KeywordChange{RankID: id, Status: "activate", KeywordType: row.Values.Get("keyword_type").Text()}
	}
	return KeywordUpdateCall(changes)
}

// KeywordUpdateCall is the call that makes the changes.
func KeywordUpdateCall(changes []client.KeywordChange) client.Call {
	body, _ := json.Marshal(map[string]any{"keywords": changes}) // plain structs can't fail
	return client.Call{Op: &schema.OpKeywordsUpdate, Body: body}
}

// A KeywordBody is the body of a call that adds keywords to one campaign.
type KeywordBody struct {
	text  []byte
	sizes *bodySizes
}

// bodySizes are what the bodies of one load know of each other, to allocate
// about as much as a body will need: a slice that grows is copied.
type bodySizes struct {
	last int // bytes of the body that was last sent
	open int // bodies that rows are still added to
}

// maxReserved is how many bytes all open bodies may reserve before they hold
// anything.
const maxReserved = 1 << 20

// Begin writes what is the same for all keywords of the call.
func (b *KeywordBody) Begin(account, campaign record.Value) {
	if b.sizes == nil {
		b.sizes = &bodySizes{}
	}
	b.sizes.open++
	head := schema.Keywords.Body(schema.Values{"account_id": account, "campaign_id": campaign})
	b.text = append(make([]byte, 0, min(b.sizes.last, maxReserved/b.sizes.open)), head[:len(head)-1]...)
	b.text = append(b.text, `,"keywords":[`...)
}

// Add adds the keyword of a row.
func (b *KeywordBody) Add(row *bulk.Row) {
	if b.text == nil {
		b.Begin(row.Values.Get("account_id"), row.Values.Get("campaign_id"))
	}
	b.AddKeyword(row.Values.Get("keyword"), row.Values.Get("keyword_type"))
}

// AddKeyword adds a keyword.
func (b *KeywordBody) AddKeyword(text, keywordType record.Value) {
	b.text = append(append(b.text, `{"keyword":`...), text...)
	b.text = append(append(append(b.text, `,"keyword_type":`...), keywordType...), "},"...)
}

// Call returns the call. The body is used no more.
func (b *KeywordBody) Call() client.Call {
	b.text[len(b.text)-1] = ']' // in place of the last comma
	b.text = append(b.text, '}')
	b.sizes.open--
	b.sizes.last = len(b.text) + len(b.text)/16
	return client.Call{Op: &schema.OpKeywordsCreate, Body: b.text}
}

// A keywordBatch is a KeywordBody whose call the client makes.
type keywordBatch struct {
	KeywordBody
	c *client.Client
}

func (b *keywordBatch) Send() bulk.Send { return sendBatch(b.c, b.Call()) }
