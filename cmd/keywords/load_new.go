package keywords

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

// loadNew adds the keywords in a file.
func loadNew(ctx context.Context, f *cli.Factory, o *addOptions, constants schema.Values) error {
	load := Adding()
	load.Constants = constants
	return bulkcmd.RunLoad(ctx, f, &o.file, load)
}

// Adding is how rows become keywords, those left out that the service holds.
func Adding() bulkcmd.Load {
	bodies := newBodies()
	return bulkcmd.Load{
		Op: &schema.OpKeywordsCreate, Res: &schema.Keywords, Use: schema.Create, Identity: bulk.KeywordIdentity,
		Key:       []string{"account_id", "campaign_id"},
		Campaigns: true,
		Begin:     func() bulkcmd.CallBody { return &addBody{all: bodies} },
		Body: func(rows []bulk.Row) client.Call {
			body := addBody{all: bodies}
			for i := range rows {
				body.Add(&rows[i])
			}
			return body.Call()
		},
		Look:  lookForKeywords,
		Gives: []string{"account_id", "campaign_id", "rank_id"},
		Bring: func(rows []bulk.Row) client.Call {
			list := make([]schema.Values, len(rows))
			for i, row := range rows {
				list[i] = row.Values.Map()
				list[i]["status"] = record.Quote("activate")
			}
			return changeCall(list)
		},
		BringItems: items,
	}
}

// addBody is the body of a call for keywords of one account and campaign.
type addBody struct {
	text []byte
	all  *addBodies
}

// addBodies are those of one load.
type addBodies struct {
	fields []string // of each keyword
	last   int      // size of the last that was sent: what a body grows by is copied
	open   int
}

// newBodies makes bodies whose keywords have all fields that are not said once
// for all of them.
func newBodies() *addBodies {
	all := &addBodies{}
	for _, f := range schema.Keywords.For(schema.Create).Without("account_id", "campaign_id").Fields {
		all.fields = append(all.fields, f.Name)
	}
	return all
}

// room is what all open bodies may take before they hold anything.
const room = 1 << 20

// Add adds the keyword of a row.
func (b *addBody) Add(row *bulk.Row) {
	if b.text == nil {
		b.begin(row.Values.Get("account_id"), row.Values.Get("campaign_id"))
	}
	b.keyword(row.Values.Get)
}

func (b *addBody) begin(account, campaign record.Value) {
	b.all.open++
	head := schema.Keywords.Body(schema.Values{"account_id": account, "campaign_id": campaign})
	b.text = append(make([]byte, 0, min(b.all.last, room/b.all.open)), head[:len(head)-1]...)
	b.text = append(b.text, `,"keywords":[`...)
}

// keyword adds a keyword, of whose fields get gives the values.
func (b *addBody) keyword(get func(name string) record.Value) {
	b.text = append(b.text, '{')
	for _, name := range b.all.fields {
		if v := get(name); v != nil {
			b.text = append(append(append(b.text, '"'), name...), `":`...)
			b.text = append(append(b.text, v...), ',')
		}
	}
	b.text[len(b.text)-1] = '}' // in place of the last comma
	b.text = append(b.text, ',')
}

// Call is the call for what was added.
func (b *addBody) Call() client.Call {
	b.text[len(b.text)-1] = ']' // in place of the last comma
	b.text = append(b.text, '}')
	b.all.open--
	b.all.last = len(b.text) + len(b.text)/16
	return client.Call{Op: &schema.OpKeywordsCreate, Body: b.text}
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
