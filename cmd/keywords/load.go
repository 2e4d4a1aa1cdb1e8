package keywords

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

// loadUpdates updates the keywords in a file, which may be what `keywords list`
// writes: status and type are taken, and sent where they differ from what the
// service holds.
func loadUpdates(ctx context.Context, f *cli.Factory, o *updateOptions, constants schema.Values) error {
	return bulkcmd.RunLoad(ctx, f, &o.file, bulkcmd.Load{
		Op: &schema.OpKeywordsUpdate, Res: &schema.Keywords, Use: schema.Update, Constants: constants, Identity: bulk.UpdateIdentity("rank_id"),
		Key: []string{},
		Body: func(rows []bulk.Row) client.Call {
			list := make([]client.KeywordChange, len(rows))
			for i, row := range rows {
				id, _ := row.Values.Get("rank_id").Int64()
				list[i] = client.KeywordChange{RankID: id, Status: row.Values.Get("status").Text(), KeywordType: row.Values.Get("keyword_type").Text()}
			}
			return changeCall(list)
		},
		Items: items,
		Look: func(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error) {
			h := &held{f: f, all: o.file.SendAll && !r.Settling, seed: maphash.MakeSeed(), words: []string{""}}
			return bulk.ViewFunc(h.compare), h.read(ctx, c, r.Holdings)
		},
	})
}

// readOnly are the columns that an update can't change.
var readOnly = [...]string{"account_id", "campaign_id", "keyword", "rank_google_organic", "rank_google_map"}

// A keyword is what is kept of a keyword that the service holds: enough to
// tell what differs, and little, for there are many.
type keyword struct {
	known               bool
	status, keywordType uint8                 // numbers of words
	shown               [len(readOnly)]uint32 // hashes of the cells that a list shows
}

// held are the keywords of the file as the service has them.
type held struct {
	f        *cli.Factory
	all      bool // send what does not differ, too
	seed     maphash.Seed
	words    []string
	keywords []keyword // by the row's number
}

func (h *held) read(ctx context.Context, c *client.Client, wanted *bulk.Holdings) error {
	h.keywords = make([]keyword, wanted.Rows())
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return err
		}
		row, ok := wanted.Row(rec.Get("rank_id").Text())
		if !ok {
			continue
		}
		var change client.KeywordChange
		_ = keep(&change, rec) // what can't be read stays empty
		k := keyword{known: true, status: h.word(change.Status), keywordType: h.word(change.KeywordType)}
		for i, name := range readOnly {
			k.shown[i] = h.hash(strings.TrimSpace(cli.CellText(rec.Get(name)))) // as a file's keywords are
		}
		h.keywords[row] = k
	}
	return nil
}

func (h *held) word(s string) uint8 {
	i := slices.Index(h.words, s)
	if i < 0 {
		i = len(h.words)
		h.words = append(h.words, strings.Clone(s))
	}
	return uint8(i) // there are four, of which keep makes sure
}

func (h *held) hash(cell string) uint32 { return uint32(maphash.String(h.seed, cell)) }

// compare completes a row with what the service holds; a row without
// differences is present.
func (h *held) compare(_ context.Context, row *bulk.Row) (bulk.Outcome, error) {
	k := h.keywords[row.Number()]
	if k.known {
		h.tellReadOnly(row, k)
	}
	heldStatus, heldType := h.words[k.status], h.words[k.keywordType]
	status, keywordType := row.Values.Get("status"), row.Values.Get("keyword_type")
	if k.known && !h.all && (status == nil || status.Text() == heldStatus) && (keywordType == nil || keywordType.Text() == heldType) {
		return bulk.Outcome{State: bulk.Present}, nil
	}
	if status == nil && heldStatus != "" {
		row.Values.Set("status", record.Quote(heldStatus))
	}
	if keywordType == nil && heldType != "" {
		row.Values.Set("keyword_type", record.Quote(heldType))
	}
	if row.Values.Get("status") == nil || row.Values.Get("keyword_type") == nil {
		if !k.known {
			return bulk.Outcome{State: bulk.Refused, HTTPStatus: 404, Message: "not found among the keywords of the service"}, nil
		}
		return bulk.Outcome{State: bulk.Refused, Message: "the service does not show its status or type, which would be lost: give both"}, nil
	}
	return bulk.Outcome{State: bulk.Absent}, nil
}

func (h *held) tellReadOnly(row *bulk.Row, k keyword) {
	for i, name := range readOnly {
		text := strings.TrimSpace(row.Extra[name])
		if text == "" || h.hash(cli.PrintedAs(text)) == k.shown[i] || h.hash(cli.PrintedAs(cli.StripFormulaQuote(text))) == k.shown[i] {
			continue
		}
		advice := "the service measures it"
		if !strings.HasPrefix(name, "rank_") {
			advice = "`reseller keywords add` makes another keyword"
		}
		h.f.NoteOnce(name, "line %d: %s was edited, but an update can't change it: %s", row.Line, name, advice)
	}
}

// items sorts the items of an answer by the rows that they are about: a
// failure of one hides inside a success of the call.
func items(rows []bulk.Row, answer *client.Answer) ([]bulk.Outcome, error) {
	list, err := client.KeywordItems(client.Call{Op: &schema.OpKeywordsUpdate}, answer)
	if refusal := (*client.Error)(nil); err != nil && !errors.As(err, &refusal) {
		return nil, err
	}
	byID := map[string]client.ItemError{}
	for _, item := range list {
		byID[strconv.FormatInt(int64(item.RankID), 10)] = item
	}
	outcomes := make([]bulk.Outcome, len(rows))
	for i, row := range rows {
		item, ok := byID[row.Values.Get("rank_id").Text()]
		outcomes[i] = bulk.Outcome{State: bulk.Sent, HTTPStatus: answer.HTTPStatus, Result: itemResult(item)}
		switch {
		case !ok && len(list) == 0:
			outcomes[i].Result = record.Record{}
		case ok && item.StatusCode != 0 && item.StatusCode != http.StatusOK:
			outcomes[i].State, outcomes[i].HTTPStatus = bulk.Refused, int(item.StatusCode)
			outcomes[i].Message = fmt.Sprint(item.StatusMessage)
		case !ok || item.StatusCode == 0:
			outcomes[i] = bulk.Outcome{State: bulk.Unknown, HTTPStatus: answer.HTTPStatus, Message: "the answer does not say what became of it"}
		}
	}
	return outcomes, nil
}

// itemResult is what an item tells beside its rank_id, which the row has.
func itemResult(item client.ItemError) record.Record {
	return cli.RecordOf(struct {
		StatusCode    client.Integer `json:"status_code"`
		StatusMessage client.String  `json:"status_message"`
	}{item.StatusCode, item.StatusMessage})
}
