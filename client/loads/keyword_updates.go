package loads

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
)

// KeywordUpdates changes the status and the type of keywords, many in a call. A
// row that leaves one of them out keeps its present value, and a row that
// changes nothing is not sent.
func KeywordUpdates(c *client.Client, o UpdateOptions) Load {
	request := func(rows []bulk.Row, _ bool) client.Call {
		changes := make([]client.KeywordChange, len(rows))
		for i, row := range rows {
			id, _ := row.Values.Get("rank_id").Int64()
			changes[i] = client.KeywordChange{RankID: id, Status: row.Values.Get("status").Text(), KeywordType: row.Values.Get("keyword_type").Text()}
		}
		return KeywordUpdateCall(changes)
	}
	return Load{
		Schema:  bulk.Spec{Resource: &schema.Keywords, Use: schema.Update, Check: true, ReadOnly: true, Identity: bulk.UpdateIdentity("rank_id")},
		Request: request,
		Operation: bulk.Op{
			Name: schema.OpKeywordsUpdate.ID, Key: []string{}, Gives: answerFields(&schema.OpKeywordsUpdate),
			Begin: bulk.OfRows(func(rows []bulk.Row) bulk.Send { return sendItems(c, request(rows, false), rows) }),
			Look: func(ctx context.Context, r bulk.Reading) (bulk.View, error) {
				k := &remoteKeywords{o: o, all: o.SendUnchanged && !r.Settling, seed: maphash.MakeSeed(), words: []string{""}}
				return bulk.ViewFunc(k.compare), k.read(ctx, c, r.Holdings)
			},
		},
	}
}

// readOnlyColumns are the columns of a list of keywords that an update can't
// change.
var readOnlyColumns = [...]string{"account_id", "campaign_id", "keyword", "rank_google_organic", "rank_google_map"}

// A remoteKeyword is what is remembered of a keyword that the service holds. A
// file may have millions of them, so it has no texts.
type remoteKeyword struct {
	exists              bool
	status, keywordType uint8                        // indexes of remoteKeywords.words
	cells               [len(readOnlyColumns)]uint32 // hashes of the cells that a list of keywords has
}

// remoteKeywords are the keywords of the file as the service holds them.
type remoteKeywords struct {
	o        UpdateOptions
	all      bool // send rows that change nothing, too
	seed     maphash.Seed
	words    []string
	keywords []remoteKeyword // by the row's number
}

func (k *remoteKeywords) read(ctx context.Context, c *client.Client, rows *bulk.Holdings) error {
	k.keywords = make([]remoteKeyword, rows.Rows())
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return err
		}
		row, ok := rows.Row(rec.Get("rank_id").Text())
		if !ok {
			continue
		}
		var present client.KeywordChange
		_ = CompleteKeywordChange(&present, rec) // what the service does not show stays empty
		remote := remoteKeyword{exists: true, status: k.indexOf(present.Status), keywordType: k.indexOf(present.KeywordType)}
		for i, name := range readOnlyColumns {
			remote.cells[i] = k.hash(strings.TrimSpace(cellText(rec.Get(name)))) // the rows of a file are trimmed, too
		}
		k.keywords[row] = remote
	}
	return nil
}

// indexOf returns the index of a word, which it adds where it is new. There are
// four: both fields of a change are choices of two.
func (k *remoteKeywords) indexOf(word string) uint8 {
	i := slices.Index(k.words, word)
	if i < 0 {
		i = len(k.words)
		k.words = append(k.words, strings.Clone(word))
	}
	return uint8(i)
}

func (k *remoteKeywords) hash(cell string) uint32 { return uint32(maphash.String(k.seed, cell)) }

// compare completes a row with what the service holds. A row without
// differences is present.
func (k *remoteKeywords) compare(_ context.Context, row *bulk.Row) (bulk.Outcome, error) {
	remote := k.keywords[row.Number()]
	if remote.exists {
		k.reportReadOnly(row, remote)
	}
	remoteStatus, remoteType := k.words[remote.status], k.words[remote.keywordType]
	status, keywordType := row.Values.Get("status"), row.Values.Get("keyword_type")
	if remote.exists && !k.all && (status == nil || status.Text() == remoteStatus) && (keywordType == nil || keywordType.Text() == remoteType) {
		return bulk.Outcome{State: bulk.Present}, nil
	}
	if status == nil && remoteStatus != "" {
		row.Values.Set("status", record.Quote(remoteStatus))
	}
	if keywordType == nil && remoteType != "" {
		row.Values.Set("keyword_type", record.Quote(remoteType))
	}
	if row.Values.Get("status") == nil || row.Values.Get("keyword_type") == nil {
		if !remote.exists {
			return bulk.Outcome{State: bulk.Refused, HTTPStatus: http.StatusNotFound, Message: "not found among the keywords of the service"}, nil
		}
		return bulk.Outcome{State: bulk.Refused, Message: "the service does not show its status or type, which would be lost: give both"}, nil
	}
	return bulk.Outcome{State: bulk.Absent}, nil
}

func (k *remoteKeywords) reportReadOnly(row *bulk.Row, remote remoteKeyword) {
	for i, name := range readOnlyColumns {
		text := strings.TrimSpace(row.Extra[name])
		if text == "" || k.hash(printedAs(text)) == remote.cells[i] || k.hash(printedAs(stripFormulaQuote(text))) == remote.cells[i] {
			continue
		}
		if k.o.OnReadOnly != nil {
			k.o.OnReadOnly(row.Line, name)
		}
	}
}

// A NotShownError is a field that the service does not show, so that an update
// which leaves it out can't keep it.
type NotShownError struct{ Field *schema.Field }

func (e *NotShownError) Error() string {
	return "the service does not show the " + e.Field.ReadName() + ", which would be lost"
}

// CompleteKeywordChange fills in from the record what a change leaves out. The
// error is a *NotShownError.
func CompleteKeywordChange(change *client.KeywordChange, rec record.Record) error {
	for _, part := range []struct {
		field *schema.Field
		to    *string
	}{
		{schema.Keywords.Field("status"), &change.Status}, {schema.Keywords.Field("keyword_type"), &change.KeywordType},
	} {
		if *part.to != "" {
			continue
		}
		present := rec.Get(part.field.ReadName())
		if present == nil && part.field.ReadAs != "" {
			present = rec.Get(part.field.Name)
		}
		v, err := part.field.FromText(present.Text(), true)
		if err != nil {
			return &NotShownError{part.field}
		}
		*part.to = v.Text()
	}
	return nil
}

// keywordOutcomes sorts the items of an answer by the rows that they are about:
// the call succeeds although some of its items failed.
func keywordOutcomes(rows []bulk.Row, answer *client.Answer) ([]bulk.Outcome, error) {
	items, err := client.KeywordItems(client.Call{Op: &schema.OpKeywordsUpdate}, answer)
	if refusal := (*client.Error)(nil); err != nil && !errors.As(err, &refusal) {
		return nil, err
	}
	byID := map[string]client.ItemError{}
	for _, item := range items {
		byID[strconv.FormatInt(int64(item.RankID), 10)] = item
	}
	outcomes := make([]bulk.Outcome, len(rows))
	for i, row := range rows {
		item, ok := byID[row.Values.Get("rank_id").Text()]
		outcomes[i] = bulk.Outcome{State: bulk.Sent, HTTPStatus: answer.HTTPStatus, Result: record.Of(
			record.Pair{Name: "status_code", Value: record.Integer(int64(item.StatusCode))},
			record.Pair{Name: "status_message", Value: record.Quote(string(item.StatusMessage))},
		)}
		switch {
		case !ok && len(items) == 0:
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
