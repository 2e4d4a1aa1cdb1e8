package keywords

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net/http"
	"strconv"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// loadUpdates updates the keywords in a file, which may be what `keywords list`
// writes: status and type are taken, and sent where they differ from what the
// service holds.
func loadUpdates(ctx context.Context, f *cli.Factory, o *updateOptions, constants client.Values) error {
	return f.Load(ctx, &o.file, cli.Load{
		Op: &client.OpKeywordsUpdate, Res: &client.Keywords, Use: client.Update, Constants: constants, Identity: bulk.UpdateIdentity("rank_id"),
		Key: func(bulk.Row) string { return "" },
		Body: func(rows []bulk.Row) client.Call {
			list := make([]client.KeywordChange, len(rows))
			for i, row := range rows {
				id, _ := row.Values["rank_id"].Int64()
				list[i] = client.KeywordChange{RankID: id, Status: row.Values["status"].Text(), KeywordType: row.Values["keyword_type"].Text()}
			}
			return changeCall(list)
		},
		Items: items,
		Before: func(ctx context.Context) (cli.Before, error) {
			h := &held{f: f, all: o.file.SendAll, seed: maphash.MakeSeed(), keywords: map[int64]keyword{}}
			if err := h.read(ctx); err != nil {
				return nil, err
			}
			return h.compare, nil
		},
	})
}

// readOnly are the columns that an update can't change.
var readOnly = [...]string{"account_id", "campaign_id", "keyword", "rank_google_organic", "rank_google_map"}

// A keyword is what is kept of a keyword that the service holds: enough to
// tell what differs, and little, for there are many.
type keyword struct {
	status, keywordType string
	shown               [len(readOnly)]uint64 // hashes of the cells that a list shows
}

// held are the keywords as the service has them.
type held struct {
	f        *cli.Factory
	all      bool // send what does not differ, too
	seed     maphash.Seed
	keywords map[int64]keyword
}

func (h *held) read(ctx context.Context) error {
	c, err := h.f.Client()
	if err != nil {
		return err
	}
	words := map[string]string{} // one copy of each
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return err
		}
		id, ok := rec.Get("rank_id").Int64()
		if !ok {
			continue
		}
		var change client.KeywordChange
		_ = keep(&change, rec) // what can't be read stays empty
		k := keyword{status: one(words, change.Status), keywordType: one(words, change.KeywordType)}
		for i, name := range readOnly {
			k.shown[i] = maphash.String(h.seed, strings.TrimSpace(cli.CellText(rec.Get(name)))) // as a file's keywords are
		}
		h.keywords[id] = k
	}
	return nil
}

func one(words map[string]string, s string) string {
	if kept, ok := words[s]; ok {
		return kept
	}
	s = strings.Clone(s)
	words[s] = s
	return s
}

// compare completes a row with what the service holds; a row without
// differences is present.
func (h *held) compare(row *bulk.Row) (*bulk.Outcome, error) {
	id, _ := row.Values["rank_id"].Int64()
	k, known := h.keywords[id]
	if known {
		h.tellReadOnly(row, k)
	}
	status, keywordType := row.Values["status"], row.Values["keyword_type"]
	if known && !h.all && (status == nil || status.Text() == k.status) && (keywordType == nil || keywordType.Text() == k.keywordType) {
		return &bulk.Outcome{State: bulk.Present}, nil
	}
	if status == nil && k.status != "" {
		row.Values["status"] = client.Quote(k.status)
	}
	if keywordType == nil && k.keywordType != "" {
		row.Values["keyword_type"] = client.Quote(k.keywordType)
	}
	if row.Values["status"] == nil || row.Values["keyword_type"] == nil {
		if !known {
			return &bulk.Outcome{State: bulk.Refused, HTTPStatus: 404, Message: "not found among the keywords of the service"}, nil
		}
		return &bulk.Outcome{State: bulk.Refused, Message: "the service does not show its status or type, which would be lost: give both"}, nil
	}
	return nil, nil
}

func (h *held) tellReadOnly(row *bulk.Row, k keyword) {
	for i, name := range readOnly {
		text := strings.TrimSpace(row.Extra[name])
		if text == "" || maphash.String(h.seed, text) == k.shown[i] || maphash.String(h.seed, cli.UnsafeCell(text)) == k.shown[i] {
			continue
		}
		advice := "the service measures it"
		if !strings.HasPrefix(name, "rank_") {
			advice = "`reseller keywords add` makes another keyword"
		}
		h.f.NoteColumn(name, "line %d: %s was edited, but an update can't change it: %s", row.Line, name, advice)
	}
}

// items sorts the items of an answer by the rows that they are about: a
// failure of one hides inside a success of the call.
func items(rows []bulk.Row, answer *client.Answer) ([]bulk.Outcome, error) {
	list, err := client.KeywordItems(client.Call{Op: &client.OpKeywordsUpdate}, answer)
	if refusal := (*client.Error)(nil); err != nil && !errors.As(err, &refusal) {
		return nil, err
	}
	byID := map[string]client.ItemError{}
	for _, item := range list {
		byID[strconv.FormatInt(int64(item.RankID), 10)] = item
	}
	outcomes := make([]bulk.Outcome, len(rows))
	for i, row := range rows {
		item, ok := byID[row.Values["rank_id"].Text()]
		outcomes[i] = bulk.Outcome{State: bulk.Sent, HTTPStatus: answer.HTTPStatus, Result: cli.Object(item)}
		switch {
		case !ok && len(list) == 0:
			outcomes[i].Result = record.Record{}
		case !ok:
			outcomes[i] = bulk.Outcome{State: bulk.Unknown, HTTPStatus: answer.HTTPStatus, Message: "the answer does not name it"}
		case item.StatusCode != 0 && item.StatusCode != http.StatusOK:
			outcomes[i].State, outcomes[i].HTTPStatus = bulk.Refused, int(item.StatusCode)
			outcomes[i].Message = fmt.Sprint(item.StatusMessage)
		}
	}
	return outcomes, nil
}
