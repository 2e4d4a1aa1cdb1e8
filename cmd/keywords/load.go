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
			list := make([]schema.Values, len(rows))
			for i, row := range rows {
				list[i] = row.Values.Map()
			}
			return changeCall(list)
		},
		Items: items,
		Look: func(ctx context.Context, c *client.Client, r bulk.Reading) (bulk.View, error) {
			h := &held{f: f, all: o.file.SendAll && !r.Settling, seed: maphash.MakeSeed(), words: []string{""}, numbers: map[string]uint32{"": 0}}
			return bulk.ViewFunc(h.compare), h.read(ctx, c, r.Holdings)
		},
	})
}

// held are the keywords of the file as the service has them: enough to tell
// what differs, and little, for there are many.
type held struct {
	f        *cli.Factory
	all      bool // send what does not differ, too
	changes  []*schema.Field
	readOnly []*schema.Field
	known    []bool   // by the row's number
	values   []uint32 // numbers of words: of each row, those of changes
	shown    []uint32 // hashes of the cells that a list shows: of each row, those of readOnly
	seed     maphash.Seed
	words    []string
	numbers  map[string]uint32 // the place of each word
}

func (h *held) read(ctx context.Context, c *client.Client, wanted *bulk.Holdings) error {
	h.changes = schema.Keywords.Without("rank_id").Having(schema.Update)
	h.readOnly = slices.DeleteFunc(schema.Keywords.Having(schema.Read), func(f *schema.Field) bool { return f.Has(schema.Update) })
	rows := wanted.Rows()
	h.known, h.values, h.shown = make([]bool, rows), make([]uint32, rows*len(h.changes)), make([]uint32, rows*len(h.readOnly))
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return err
		}
		row, ok := wanted.Row(rec.Get("rank_id").Text())
		if !ok {
			continue
		}
		h.known[row] = true
		for i, field := range h.changes {
			v, _ := shown(field, rec) // what can't be read stays empty
			h.values[row*len(h.changes)+i] = h.number(v.Text())
		}
		for i, field := range h.readOnly {
			h.shown[row*len(h.readOnly)+i] = h.hash(strings.TrimSpace(cli.CellText(rec.Get(field.ReadName())))) // as a file's keywords are
		}
	}
	return nil
}

// number is the place of a word among those that were seen.
func (h *held) number(word string) uint32 {
	n, ok := h.numbers[word]
	if !ok {
		n, word = uint32(len(h.words)), strings.Clone(word)
		h.words, h.numbers[word] = append(h.words, word), n
	}
	return n
}

func (h *held) hash(cell string) uint32 { return uint32(maphash.String(h.seed, cell)) }

// compare completes a row with what the service holds; a row without
// differences is present.
func (h *held) compare(_ context.Context, row *bulk.Row) (bulk.Outcome, error) {
	n := row.Number()
	known, differs := h.known[n], h.all
	if known {
		h.tellReadOnly(row, h.shown[n*len(h.readOnly):])
	}
	held := func(i int) string { return h.words[h.values[n*len(h.changes)+i]] }
	for i, field := range h.changes {
		given := row.Values.Get(field.Name)
		differs = differs || given != nil && given.Text() != held(i)
	}
	if known && !differs {
		return bulk.Outcome{State: bulk.Present}, nil
	}
	for i, field := range h.changes {
		switch {
		case !field.Has(schema.Key) || row.Values.Get(field.Name) != nil:
		case held(i) != "":
			row.Values.Set(field.Name, record.Quote(held(i)))
		case !known:
			return bulk.Outcome{State: bulk.Refused, HTTPStatus: 404, Message: "not found among the keywords of the service"}, nil
		default:
			return bulk.Outcome{State: bulk.Refused, Message: "the service does not show its status or type, which would be lost: give both"}, nil
		}
	}
	return bulk.Outcome{State: bulk.Absent}, nil
}

// tellReadOnly tells of cells that were edited and that an update can't change.
func (h *held) tellReadOnly(row *bulk.Row, shown []uint32) {
	for i, field := range h.readOnly {
		name := field.Name
		text := strings.TrimSpace(row.Extra[name])
		if text == "" || h.hash(cli.PrintedAs(text)) == shown[i] || h.hash(cli.PrintedAs(cli.StripFormulaQuote(text))) == shown[i] {
			continue
		}
		advice := "the service measures it"
		if field.Has(schema.Create) {
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
