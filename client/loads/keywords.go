package loads

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"html"
	"slices"
	"strings"
	"sync"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// Keywords adds keywords, with one call for many keywords of a campaign. Keywords that a campaign has already are recognized
// by their text, ignoring case and white space, and are not sent.
func Keywords(c *client.Client) Load {
	shared, content := newKeywordBodies(), newKeywordContent()
	request := func(batch []rows.Row, converge bool) client.Call {
		if converge {
			return updateCall(batch, activated)
		}
		body := keywordBody{shared: shared}
		for i := range batch {
			body.Add(&batch[i])
		}
		return body.Call()
	}
	return Load{
		client:  c,
		Schema:  rows.Schema{Resource: &schema.Keywords, Use: schema.Create, Validate: true, Identity: content.identity},
		Request: request,
		Operation: bulk.Operation{
			Name: schema.OpKeywordsCreate.ID, Creates: "keyword", Record: "rank_id", Sets: activated, Key: []string{"account_id", "campaign_id"}, Breaker: "campaign",
			Results:  []string{"account_id", "campaign_id", "rank_id"},
			Send:     func(batch []rows.Row) bulk.Call { return shared.send(c, request(batch, false)) },
			Encode:   func() bulk.BatchEncoder { return &keywordBatch{keywordBody{shared: shared}, c} },
			Converge: func(batch []rows.Row) bulk.Call { return sendItems(c, updateCall(batch, activated), batch) },
			Snapshot: func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
				if r.DryRun {
					r.List.Refusal = otherCampaigns(ctx, c)
				}
				r.List.IsStale = func(row *rows.Row, rankID record.Value) bool {
					isLate := lateness(c, r.Reconciling)
					return slices.ContainsFunc(append(slices.Clip(row.Values), activated), func(v rows.Value) bool { return isLate("rank_id", rankID, v.Name, v.JSON, true) })
				}
				return keywordSnapshot(ctx, c, r.List, false)
			},
		},
	}
}

// activated is what a keyword is that is added.
var activated = rows.Value{Name: "status", JSON: record.Quote("activate")}

// otherCampaigns returns a function that says of rows that their campaign is not one of their account. It is nil if the
// campaigns can't be read.
func otherCampaigns(ctx context.Context, c *client.Client) func(row *rows.Row) string {
	type pair struct{ account, campaign int64 }
	listed := map[pair]bool{}
	err := eachListed(ctx, c, &schema.OpCampaignsList, func(rec record.Record) {
		account, campaign := IDsOf(rec)
		listed[pair{account, campaign}] = true
	})
	if err != nil {
		return nil
	}
	return func(row *rows.Row) string {
		account, campaign := IDsOf(row.Values)
		if listed[pair{account, campaign}] {
			return ""
		}
		return fmt.Sprintf("the list of campaigns does not show campaign %d of account %d", campaign, account)
	}
}

// KeywordTexts is Keywords for rows of which only the text counts: a keyword that its campaign has
// is present, also with another type or status.
func KeywordTexts(c *client.Client) Load {
	l := Keywords(c)
	l.Operation.Converge = nil
	l.Operation.Snapshot = func(ctx context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		return keywordSnapshot(ctx, c, r.List, true)
	}
	return l
}

// keywordSnapshot reads which keywords of the file the service holds. textOnly says that their types and statuses do not count.
func keywordSnapshot(ctx context.Context, c *client.Client, snapshot *bulk.ListSnapshot, textOnly bool) (bulk.Snapshot, error) {
	fields := newKeywordContent()
	snapshot.Names, snapshot.ChangesLater = []string{"rank_id"}, textOnly
	if !textOnly {
		snapshot.Compare, snapshot.Fields = fields.compare, namesOf(fields, "keyword", "status")
	}
	var id, content []byte
	unplaced := unplacedKeywords{}
	err := eachListed(ctx, c, &schema.OpKeywordsList, func(rec record.Record) {
		account, campaign := IDsOf(rec)
		if text := rec.Get("keyword"); account == 0 || campaign == 0 || text.Kind() <= record.Null {
			unplaced[unplacedKeyword{account, campaign, schema.FoldText(text.Text())}] = true
			return
		}
		rankID, _ := rec.Get("rank_id").Int64()
		id = appendKeywordID(id[:0], rec.Get("account_id"), rec.Get("campaign_id"), rec.Get("keyword"))
		content = fields.of(rec, content[:0])
		snapshot.Add(bulk.Remote{ID: id, Content: content, Record: rec, Inactive: !portfolio.IsActive(rec), IDs: []int64{rankID}})
	})
	if len(unplaced) > 0 {
		snapshot.Doubt = unplaced.doubt
	}
	return snapshot, err
}

// compare returns what a row to add says otherwise than the keyword that the service holds. What is added is active.
func (fields keywordContent) compare(row *rows.Row, held record.Record) (bulk.Outcome, error) {
	out := compareHeld(fields, row, held)
	if words := schema.Keywords.Field("status").Enum; !portfolio.IsActive(held) {
		out.Changes = append(out.Changes, bulk.Change{Field: "status", From: words[1], To: words[0]})
	}
	out.Title = titleOf("keyword", held)
	return out, nil
}

// compareHeld returns, as Changes and Held, of which fields a row to create says something else than the record that the
// service holds for it. What the record does not show is not compared, and empty in Held.
func compareHeld(fields []*schema.Field, row *rows.Row, held record.Record) (out bulk.Outcome) {
	texts := map[string]string{}
	out.Held = rows.TextsIn(texts)
	for _, f := range fields {
		v := row.Values.Get(f.Name)
		from, shown := portfolio.CurrentValue(f, held)
		isOriginal := func(cell rows.RepairedCell) bool {
			return cell.Field == f.Name && portfolio.Agrees(f, record.Quote(cell.Text), from)
		}
		if !says(row, f) || shown && portfolio.Agrees(f, v, from) {
			continue
		}
		if f.Type == schema.Attributes {
			for item := range v.Elements() {
				name := f.Name + "." + item.Get("field_name").Text()
				texts[name] = portfolio.CellText(held.Get(name))
			}
		}
		if texts[f.Name] = portfolio.CellText(from); shown && !slices.ContainsFunc(row.Repaired, isOriginal) {
			out.Changes = append(out.Changes, bulk.Change{Field: f.Name, From: texts[f.Name], To: portfolio.CellText(v)})
		}
	}
	return out
}

func says(row *rows.Row, f *schema.Field) bool {
	v := row.Values.Get(f.Name)
	return v != nil && !(f.Has(schema.EmptyIfAbsent) && v.Text() == "")
}

// namesOf adds to names those under which records may have fields.
func namesOf(fields []*schema.Field, names ...string) []string {
	for _, f := range fields {
		names = append(append(names, f.ReadName(), f.Name), f.Aliases...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

type keywordBody struct {
	text   []byte
	head   int // the bytes of text before the first keyword
	shared *keywordBodies
}

// keywordBodies holds the data that all bodies of one load share.
type keywordBodies struct {
	fields []string // the fields of each keyword
	// last and open tell how much memory a new body will need. It is reserved at once, since a slice that grows is copied.
	last int // the size of the body that was sent last, in bytes
	open int // the number of bodies to which rows are still added

	campaigns sync.Map // the accounts and campaigns of all bodies
}

// newKeywordBodies returns bodies whose keywords have all fields except those that a call
// has only once, such as the account_id.
func newKeywordBodies() *keywordBodies {
	shared := &keywordBodies{}
	for _, f := range schema.Keywords.For(schema.Create).Without("account_id", "campaign_id").Fields {
		shared.fields = append(shared.fields, f.Name)
	}
	return shared
}

// maxReserved is the number of bytes that all open bodies together may reserve in advance.
const maxReserved = 1 << 20

// NewKeywordCall is the call that adds keywords to one campaign. values has the fields of all of them.
func NewKeywordCall(keywords []string, values schema.Values) client.Call {
	body := keywordBody{shared: newKeywordBodies()}
	row := rows.Row{Values: rows.FromMap(values)}
	for _, text := range keywords {
		row.Values.Set("keyword", record.Quote(text))
		body.Add(&row)
	}
	return body.Call()
}

// begin writes the fields that a call has once for all its keywords.
func (b *keywordBody) begin(account, campaign record.Value) {
	b.reserve()
	b.shared.campaigns.Store(account.Text()+" "+campaign.Text(), true)
	b.text = append(append(b.text, `{"account_id":`...), account...)
	b.text = append(append(b.text, `,"campaign_id":`...), campaign...)
	b.text = append(b.text, `,"keywords":[`...)
	b.head = len(b.text)
}

// reserve makes the memory of a text that is as long as the one that was sent last, or its part of maxReserved.
func (b *keywordBody) reserve() {
	b.shared.open++
	b.text = make([]byte, 0, min(b.shared.last, maxReserved/b.shared.open))
}

// Add adds the keyword of a row.
func (b *keywordBody) Add(row *rows.Row) {
	if b.text == nil {
		b.begin(row.Values.Get("account_id"), row.Values.Get("campaign_id"))
	}
	text := append(b.text, '{')
	for _, name := range b.shared.fields {
		if v := row.Values.Get(name); v != nil {
			text = append(append(append(text, '"'), name...), `":`...)
			text = append(append(text, v...), ',')
		}
	}
	text[len(text)-1] = '}' // in place of the last comma
	b.text = append(text, ',')
}

// Call returns the call. Afterwards no row can be added to the body.
func (b *keywordBody) Call() client.Call {
	b.text[len(b.text)-1] = ']' // in place of the last comma
	b.text = append(b.text, '}')
	b.shared.open--
	b.shared.last = len(b.text) + len(b.text)/16
	return client.Call{Op: &schema.OpKeywordsCreate, Body: b.text}
}

// Size returns the memory that the body takes, in bytes.
func (b *keywordBody) Size() int { return cap(b.text) }

// Save appends the body to saved. Afterwards no row can be added to the body.
func (b *keywordBody) Save(saved []byte) []byte {
	b.shared.open--
	return append(binary.AppendUvarint(saved, uint64(b.head)), b.text...)
}

// Load adds the keywords of a body that was saved, whose account and campaign are those of b.
func (b *keywordBody) Load(saved []byte) {
	head, size := binary.Uvarint(saved)
	text := saved[size:]
	if b.text == nil {
		b.reserve()
		b.text, b.head = append(b.text, text[:head]...), int(head)
	}
	b.text = append(b.text, text[head:]...)
}

type keywordBatch struct {
	keywordBody
	c *client.Client
}

func (b *keywordBatch) Call() bulk.Call { return b.shared.send(b.c, b.keywordBody.Call()) }

func (s *keywordBodies) send(c *client.Client, call client.Call) bulk.Call {
	return send(c, call, func(response *client.Response) ([]bulk.Outcome, error) {
		other, err := CheckAdded(call, response, s.isOf)
		if err != nil {
			return []bulk.Outcome{{State: bulk.Unknown, HTTPStatus: response.HTTPStatus, Message: err.Error()}}, nil
		}
		return []bulk.Outcome{{Other: other}}, nil
	})
}

func (s *keywordBodies) isOf(rec record.Value) bool {
	_, ok := s.campaigns.Load(rec.Get("account_id").Text() + " " + rec.Get("campaign_id").Text())
	return ok
}

// CheckAdded returns a *client.OtherRecordError if the response to a call that adds keywords is about an account or a campaign
// that the call does not have, or about another keyword, or about one with another type. Since the contract shows one record for all
// keywords of a call, a record for which isOf reports true will do for several, whatever its text. If its type or campaign is
// another one, other says so. isOf may be nil.
func CheckAdded(call client.Call, response *client.Response, isOf func(rec record.Value) bool) (other string, err error) {
	list := response.Data
	if list.Kind() != record.Array { // otherwise maybe one for each keyword
		list = record.ArrayOf(list)
	}
	head, keywords, _ := bytes.Cut(call.Body, []byte(`,"keywords":`))
	head = append(slices.Clip(head), '}')
	_, others, _ := bytes.Cut(keywords, []byte(`"keyword":`))
	anyText := isOf != nil && bytes.Contains(others, []byte(`"keyword":`))
	for rec := range list.Elements() {
		err := checkAdded(head, keywords, rec, anyText)
		switch {
		case err == nil:
		case !anyText || !isOf(rec):
			return "", err
		case err.Field == "keyword_type":
			other = "another type of keyword than it sent"
		default:
			other = "another campaign of the file"
		}
	}
	return other, nil
}

func checkAdded(head, keywords, rec record.Value, anyText bool) (err *client.OtherRecordError) {
	isOther := func(name string, asked record.Value) *client.OtherRecordError {
		if got := rec.Get(name).Text(); got != "" && !strings.EqualFold(got, asked.Get(name).Text()) {
			return &client.OtherRecordError{Field: name, Asked: asked.Get(name).Text(), Got: got}
		}
		return nil
	}
	if err := cmp.Or(isOther("account_id", head), isOther("campaign_id", head)); err != nil {
		return err
	}
	var sent []string
	for asked := range keywords.Elements() {
		text := asked.Get("keyword").Text()
		if sent = append(sent, text); anyText || mayBeStoredAs(text, rec.Get("keyword").Text()) {
			if err = isOther("keyword_type", asked); err == nil {
				return nil
			}
		}
	}
	if err != nil {
		return err
	}
	err = &client.OtherRecordError{Field: "keyword", Asked: safetext.Quote(sent[0]), Got: safetext.Quote(rec.Get("keyword").Text())}
	if len(sent) > 1 {
		err.Asked = fmt.Sprintf("one of the %d that were sent", len(sent))
	}
	return err
}

// mayBeStoredAs reports whether two texts may be the same keyword, as it was sent and as the service stores it: escaped, cut, or
// with other characters in place of some. The letters and digits of one are then among those of the other, in their order.
func mayBeStoredAs(sent, stored string) bool {
	short, long := letters(sent), letters(stored)
	if len(short) > len(long) {
		short, long = long, short
	}
	for i := 0; i < len(long) && short != ""; i++ {
		short = strings.TrimPrefix(short, long[i:i+1])
	}
	return short == ""
}

// letters returns the letters and digits of a text, as most services keep them.
func letters(text string) string {
	isOther := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	return strings.Join(strings.FieldsFunc(strings.ToLower(html.UnescapeString(text)), isOther), "")
}

// FindKeywords reads which of the keywords a campaign has. values holds the fields that
// they share. If the campaign has only some of them, the outcome is Differs. One of none names the keywords that may be one of them.
func FindKeywords(ctx context.Context, c *client.Client, keywords []string, values schema.Values) (bulk.Outcome, error) {
	row, content := rows.Row{Values: rows.FromMap(values)}, newKeywordContent()
	account, campaign := IDsOf(row.Values)
	found, altered := map[string]bool{}, []string(nil)
	err := eachListed(ctx, c, &schema.OpKeywordsList, func(rec record.Record) {
		if a, c := IDsOf(rec); a != account || c != campaign {
			return
		}
		stored := rec.Get("keyword").Text()
		if held, _ := content.compare(&row, rec); held.Changes == nil {
			found[schema.FoldText(stored)] = true
		}
		if short := letters(stored); short != "" && slices.ContainsFunc(keywords, func(text string) bool { return letters(text) == short }) {
			altered = append(altered, "rank_id "+rec.Get("rank_id").Text()+", "+safetext.Quote(stored))
		}
	})
	if err != nil {
		return bulk.Outcome{}, err
	}
	n := 0
	for _, text := range keywords {
		if found[schema.FoldText(text)] {
			n++
		}
	}
	out := outcomeOf(n, len(keywords), record.Of(
		record.Pair{Name: "account_id", Value: record.Integer(account)},
		record.Pair{Name: "campaign_id", Value: record.Integer(campaign)},
		record.Pair{Name: "keyword", Value: record.Quote(keywords[0])},
		record.Pair{Name: "keyword_type", Value: values["keyword_type"]},
	))
	if n == 0 && altered != nil {
		out.Message = ", unless it is " + phrase.First(altered, 5)
	}
	return out, nil
}
