package bulk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"reseller/client"
	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
)

// unknownBaseline is the baseline of a row of which nobody knows how many the service held
// before the job. It is also the largest number that a ListSnapshot counts.
const unknownBaseline = 255

// A ListSnapshot is a Snapshot that was read from a list of the service. It stores which
// rows of the file the list contains; records for no row of the file take no memory.
type ListSnapshot struct {
	Names         []string // the names of the ids that each record of the list has
	RequireUnique bool     // a row with two records is ambiguous
	// Compare returns the Changes, Held, Title and Message of a row whose record the service holds. It gets the fields of the record that
	// Fields names, and none for a row that no list shows. If it is nil, the content of records does not count.
	Compare func(row *rows.Row, held record.Record) (Outcome, error)
	Fields  []string
	// ChangesLater says that a later step changes the records whose content differs.
	ChangesLater bool
	// IsStale reports whether a record that shows the content of a row may be late. The id is the first one of the record. It may
	// be nil.
	IsStale func(row *rows.Row, id record.Value) bool
	// Listed has the first id of the record by each id of all records, if the response to a create tells the ids of what it
	// made; otherwise it may be nil.
	Listed map[string]int64
	// Refusal says why the service may refuse a row that the list does not show, or "". It is nil but for dry runs.
	Refusal func(row *rows.Row) string
	// Doubt says why a row that the list does not show may be one of its records all the same, or "". It may be nil.
	Doubt func(row *rows.Row) string

	withoutIDs    bool // keep no ids, which nobody needs, unless RequireUnique does
	countInactive bool // count records that are not in force like others

	total   int                // the number of rows of the file
	index   *dedupe.Index      // the identities of the rows of the file; nil once the list was read
	counts  []uint8            // the number of records for each row; nil as long as the list contains no row of the file
	matches dedupe.Bitmap      // the rows with a record that has their content
	held    job.Column[string] // of the rows without such a record, the text of their record
	// differing has the differences of the rows that compare has compared.
	differing map[int]string
	inForce   dedupe.Bitmap   // the rows with a record that is in force, unless countInactive is set
	ids       [][]int64       // by the index of a name, the id of each row
	several   map[int][]int64 // the first ids of the rows with several records

	group     []string   // the fields that the rows of a call have in common
	lastID    int64      // the largest first id of a record
	newFrom   int64      // records with this first id, or a larger one, are new; 0 if none is
	found     int64      // the first id of the last record that is a row of the file
	strangers []stranger // the new records that are no row of the file
}

// A stranger is a record of the list that the service has made since the job began, and whose identity no row of the file
// has. It may be a row whose text the service has changed.
type stranger struct {
	id          int64
	fingerprint dedupe.Fingerprint
	group       string
}

// maxSeveral is for how many rows a ListSnapshot keeps the ids of several records, unless these are ambiguous.
const maxSeveral = 1000

// A Remote describes a record of the list.
type Remote struct {
	ID       []byte        // the identity, as rows.Schema.Identity returns it for a row
	Content  []byte        // the content, as rows.Schema.Identity returns it for a row that needs no comparison with the record; may be nil
	Record   record.Record // for Compare; it is not kept
	Inactive bool          // the record is not in force: it does not match a row by its content, and counts only if it is the only one
	IDs      []int64       // the ids of the record, in the order of ListSnapshot.Names
}

// Add adds a record of the list to the snapshot.
func (s *ListSnapshot) Add(r Remote) {
	f := s.index.Fingerprint(r.ID, r.Content)
	row, sameContent := s.index.Find(f)
	if row < 0 {
		s.addStranger(f, &r)
	} else if s.addTo(row, sameContent, r.Inactive, r.IDs) {
		s.held.Set(uint32(row), s.total, string(r.Record.Only(s.Fields...).Raw()))
	}
}

// addStranger adds a record that is no row of the file by one of its identities, if it is new.
func (s *ListSnapshot) addStranger(f dedupe.Fingerprint, r *Remote) {
	if len(r.IDs) == 0 {
		return
	}
	id := r.IDs[0]
	if s.lastID = max(s.lastID, id); s.newFrom == 0 || id < s.newFrom || id == s.found {
		return
	}
	if n := len(s.strangers); n == 0 || s.strangers[n-1].id != id {
		s.strangers = append(s.strangers, stranger{id, f, groupOf(s.group, r.Record.Get)})
	}
}

// groupOf returns a text that is the same for all rows of a call: the values of the fields that they must agree in.
func groupOf(fields []string, get func(name string) record.Value) string {
	var group strings.Builder
	for _, name := range fields {
		group.WriteString(get(name).Text() + " ")
	}
	return group.String()
}

// addTo adds a record for a row. It reports whether the two have to be compared.
func (s *ListSnapshot) addTo(row int, sameContent, inactive bool, ids []int64) (compares bool) {
	if len(ids) > 0 {
		s.found, s.lastID = ids[0], max(s.lastID, ids[0])
		if n := len(s.strangers); n > 0 && s.strangers[n-1].id == ids[0] {
			s.strangers = s.strangers[:n-1]
		}
	}
	if s.counts == nil {
		if s.counts = make([]uint8, s.total); !s.withoutIDs || s.RequireUnique {
			s.ids = make([][]int64, len(s.Names))
		}
		for i := range s.ids {
			s.ids[i] = make([]int64, s.total)
		}
	}
	if s.counts[row] > 0 && len(s.ids) > 0 && len(ids) > 0 && ids[0] != 0 && (s.ids[0][row] == ids[0] || slices.Contains(s.several[row], ids[0])) {
		return false // the list contains the same record twice
	}
	switch {
	case s.countInactive:
	case inactive && s.counts[row] > 0:
		return false
	case !inactive && !s.inForce.Has(row):
		s.counts[row] = 0 // without the record that is not in force
		s.inForce.Set(row)
	}
	if s.counts[row] > 0 && len(s.ids) > 0 && len(ids) > 0 {
		s.addSeveral(row, ids[0])
	}
	matches := !inactive && sameContent
	if s.counts[row] < unknownBaseline {
		s.counts[row]++
	}
	if s.matches.Has(row) && !matches {
		return false // the ids stay those of the record that matches
	}
	if matches {
		s.matches.Set(row)
	}
	for i := range s.ids {
		s.ids[i][row] = ids[i]
	}
	return !matches && s.Compare != nil
}

// addSeveral keeps the id of a further record for a row.
func (s *ListSnapshot) addSeveral(row int, id int64) {
	list := s.several[row]
	if list == nil && (len(s.several) < maxSeveral || s.RequireUnique) {
		list = []int64{s.ids[0][row]}
	}
	if list == nil || len(list) == unknownBaseline {
		return
	}
	if s.several == nil {
		s.several = map[int][]int64{}
	}
	s.several[row] = append(list, id)
}

// Row returns the row with an identity. It may be called until Operation.Snapshot returns.
func (s *ListSnapshot) Row(id string) (row int, ok bool) {
	row, _ = s.index.Find(s.index.Fingerprint([]byte(id), nil))
	return row, row >= 0
}

// isEmpty reports whether the list contains no row of the file, nor a record that may be one.
func (s *ListSnapshot) isEmpty() bool { return s.counts == nil && s.Doubt == nil }

// Find returns the outcome of a row by the list, and sets the row's ids.
func (s *ListSnapshot) Find(_ context.Context, row *rows.Row) (Outcome, error) {
	out := s.at(row.Ordinal)
	if out.State == Differs && !s.held.IsEmpty() {
		compared, err := s.Compare(row, mustParse(s.held.Get(uint32(row.Ordinal))))
		out.Changes, out.Held, out.Title, out.Message = compared.Changes, compared.Held, compared.Title, compared.Message
		if err != nil {
			return out, err
		}
		if out.Changes == nil {
			out.State = Present
		}
	}
	if out.State == Present && s.IsStale != nil && len(s.ids) > 0 && s.IsStale(row, s.id(0, row.Ordinal)) {
		out.State = Differs
	}
	if out.Count > 0 {
		for i, name := range s.Names[:len(s.ids)] {
			row.Values.Set(name, s.id(i, row.Ordinal))
		}
	}
	if out.State == Absent {
		if out.Message = s.doubt(row); out.Message != "" {
			out.State = Unknown
		} else if s.Refusal != nil {
			out.Message = s.Refusal(row)
		}
	}
	return out, nil
}

func (s *ListSnapshot) doubt(row *rows.Row) string {
	if s.Doubt == nil {
		return ""
	}
	return s.Doubt(row)
}

// compare compares the rows of src for which asks returns true with their records, so that at knows which have their
// content, and differing has the differences of the others.
func (s *ListSnapshot) compare(ctx context.Context, src *rows.Source, asks func(row int) bool) error {
	isOpen := func(row int) bool { return asks(row) && s.at(row).State == Differs }
	any := false
	for row := 0; row < s.total && !any && !s.held.IsEmpty(); row++ {
		any = isOpen(row)
	}
	if !any {
		return nil
	}
	s.differing = map[int]string{}
	for row, err := range src.Valid() {
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return err
		}
		if !isOpen(row.Ordinal) {
			continue
		}
		out, err := s.Find(ctx, row)
		if err != nil {
			return err
		}
		if out.State == Present {
			s.matches.Set(row.Ordinal)
			continue
		}
		parts := phrase.Each(out.Changes, func(c Change) string {
			return fmt.Sprintf("%s is %s, not %s", c.Field, safetext.Quote(c.From), safetext.Quote(c.To))
		})
		s.differing[row.Ordinal] = fmt.Sprintf("%s: sent, and the service holds something else: %s", src.Place(row.Line), strings.Join(parts, ", "))
	}
	return nil
}

func (s *ListSnapshot) noteDiffering(sent []uint32, note func(string)) {
	first := lines{note: note}
	for _, row := range sent {
		first.add(s.differing[int(row)])
	}
	first.end("more was sent that the service holds otherwise", "more were sent that the service holds otherwise")
}

func (s *ListSnapshot) id(i, row int) record.Value {
	return record.Value(strconv.FormatInt(s.ids[i][row], 10))
}

// Held returns the first ids of the records that the list shows for rows.
func (s *ListSnapshot) Held() map[string]bool {
	held := map[string]bool{}
	for row, n := range s.counts {
		if n > 0 {
			held[string(s.id(0, row))] = true
		}
	}
	return held
}

// IDs returns the first ids of the records that the list shows for a row. Of a row with several, there are all if they are ambiguous.
func (s *ListSnapshot) IDs(row int) []int64 {
	switch {
	case s.count(row) == 0:
		return nil
	case s.several[row] != nil:
		return s.several[row]
	}
	return []int64{s.ids[0][row]}
}

func (s *ListSnapshot) idsOf(row int) record.Record {
	if s.count(row) == 0 {
		return record.Of()
	}
	var pairs []record.Pair
	for i, name := range s.Names[:len(s.ids)] {
		if s.ids[i][row] != 0 {
			pairs = append(pairs, record.Pair{Name: name, Value: s.id(i, row)})
		}
	}
	return record.Of(pairs...)
}

// count returns how many records of the list a row has, none in no list.
func (s *ListSnapshot) count(row int) int {
	if s == nil || s.counts == nil {
		return 0
	}
	return int(s.counts[row])
}

// at returns the outcome of a row by the list. It may be that the row differs, and Find or compare then finds that it does not.
func (s *ListSnapshot) at(row int) Outcome {
	out := Outcome{Count: s.count(row), State: Differs}
	switch {
	case out.Count == 0:
		out.State = Absent
	case s.RequireUnique && out.Count > 1:
		out.State, out.Message = Unknown, "several existing records match this row"
	case s.Compare == nil || s.matches.Has(row):
		out.State = Present
	}
	return out
}

// takeSnapshot reads what the service holds, and once more if a response can't be read, which may have been cut short: the reconciler
// counts its readings itself.
func takeSnapshot(ctx context.Context, op *Operation, src *rows.Source, r SnapshotRequest) (Snapshot, error) {
	r.Rows = src
	for isFirst := true; ; isFirst = false {
		r.List = &ListSnapshot{total: src.Len(), group: op.Key, newFrom: r.NewFrom, withoutIDs: op.withoutIDs, countInactive: op.countInactive}
		if !op.perRow() {
			index, err := src.Index()
			if err != nil {
				return nil, err
			}
			r.List.index = index
		}
		snapshot, err := op.Snapshot(ctx, r)
		if !isFirst || r.Reconciling || !errors.As(err, new(*client.UnreadableError)) {
			if r.List.index != nil {
				err = cmp.Or(err, r.List.index.Err())
			}
			r.List.index = nil
			return snapshot, err
		}
	}
}

// fieldPrint returns the fingerprint of a field of the record whose id is in the field key. Case is no difference, as in some fields it
// is none for the service either, nor is white space around a text. Attributes are compared by their names and values, in any order.
func fieldPrint(hashes dedupe.Key, key string, id record.Value, field string, v record.Value) dedupe.Fingerprint {
	content := bytes.TrimSpace(bytes.ToLower(v.AppendText(nil)))
	if v.Kind() == record.Array {
		var items []string
		for item := range v.Elements() {
			items = append(items, strings.ToLower(item.Get("field_name").Text()+"\x00"+item.Get("field_value").Text()))
		}
		slices.Sort(items)
		content = rows.JoinKey(items...)
	}
	return hashes.Fingerprint(rows.JoinKey(key, id.Text(), field), content)
}
