package rows

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"sort"
	"time"

	"reseller/client/bulk/columns"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/dedupe"
	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// A Source is the rows of an input file, or of all files of a folder. The rows can be walked more than once.
type Source struct {
	places
	findings
	File    *decode.File
	Layout  *layout
	Opened  time.Time
	Mapping columns.Mapping // of columns without the exact name of their field; in formats without a header, known after Validate
	// MappingKey has a text for each column whose meaning a mapping has changed, and for each table of values that the file
	// needs. Files with the same content and the same key have the same rows.
	MappingKey map[string]string

	derived, elsewhere iter.Seq2[*Row, error] // in a source that Expand returned: its items, and those of other shards
}

type findings struct {
	Report        Report
	Validated     bool // Validate has read the whole file
	HoldsDoubtful bool // there are rows that Schema.IsDoubtful accepts
	HoldsInvalid  bool // there are invalid values that rows keep
	HoldsUnknown  bool // records of a file without a header have columns that no field takes

	total      int              // rows of the file, those of other shards and appended ones included
	index      *dedupe.Index    // the fingerprint of each valid row; nil after DropIndex
	digest     []byte           // a hash of the file; of a folder, and if it may contain passwords, of the rows without passwords
	otherShard dedupe.Bitmap    // rows of other shards
	invalid    dedupe.Bitmap    // rows with issues of their own; rows in conflict are not among them
	repeated   dedupe.Bitmap    // rows that repeat an earlier one
	inConflict dedupe.Bitmap    // rows with the identity of another row and other content
	conflicts  []conflictingRow // the same rows, ascending

	refused map[int][]decode.Issue // by row: the issues that Refuse got
	kept    *Arena                 // the valid rows, so that Valid need not read the file again; nil if they take too much memory
}

// Open opens an input, detects its format and binds its columns to fields. If the
// header is invalid, the error is a *decode.Error. The caller closes the source.
func Open(o decode.Options, sch Schema) (*Source, error) {
	if err := sch.prepare(); err != nil {
		return nil, err
	}
	o.Words = sch.Words
	file, err := decode.Open(o, fileSchema{&sch})
	if err != nil {
		return nil, err
	}
	names := newBinder(&sch)
	s := &Source{File: file, Opened: time.Now(), MappingKey: map[string]string{}}
	if s.Layout, err = readLayout(s.File, &sch, names); err != nil {
		_ = s.Close()
		return nil, err
	}
	if s.unit = s.File.Unit; s.Layout.header != nil {
		s.Mapping, s.MappingKey = names.mapping()
	}
	return s, nil
}

// HasObjects reports whether the rows are objects, as those of a folder are.
func (s *Source) HasObjects() bool { return s.Layout.header == nil }

// Close closes the file, and removes the copy of standard input and the temporary file of the index.
func (s *Source) Close() error {
	s.index.Close()
	return s.File.Close()
}

// Len returns the number of rows of the file, those of other shards included. It is 0 before Validate.
func (s *findings) Len() int { return s.total }

// IsInvalid reports whether Validate found an issue in a row. A conflict with another row is not an issue.
func (s *findings) IsInvalid(row int) bool { return s.invalid.Has(row) }

// IsSendable reports whether a row is valid, belongs to this shard, and is the first one with its identity.
func (s *findings) IsSendable(row int) bool {
	return !s.invalid.Has(row) && !s.inConflict.Has(row) && !s.repeated.Has(row) && !s.otherShard.Has(row)
}

type conflictingRow struct {
	row, line uint32
	first     uint32         // the line of the first row of the conflict
	lines     []uint32       // of the rows in the same conflict, ascending; the row itself and those that agree with it may be among them
	columns   string         // those in which any of them differs from the row, separated by commas; may be empty
	number    int            // the number that a spreadsheet shows for the row
	invalid   []decode.Issue // of the values that the row keeps, although they are invalid
}

// conflict returns the issues of a row that is in conflict with another one.
func (s *Source) conflict(row int) []decode.Issue {
	const shown = 3
	c := &s.conflicts[sort.Search(len(s.conflicts), func(i int) bool { return int(s.conflicts[i].row) >= row })]
	var others []string
	for _, line := range c.lines[:min(len(c.lines), shown+1)] {
		if line != c.line && len(others) < shown {
			others = append(others, s.Place(int(line)))
		}
	}
	more := len(c.lines) - len(others)
	if _, isAmong := slices.BinarySearch(c.lines, c.line); isAmong {
		more--
	}
	if more > 0 {
		others = append(others, fmt.Sprintf("%d more", more))
	}
	reason := fmt.Sprintf("contradicts %s: the same %s with different content", phrase.And(others), s.Layout.schema.Resource.Name)
	if c.columns != "" {
		reason += " in " + c.columns
	}
	issue := s.issueAt(int(c.line), c.number)
	issue.Reason = reason
	return append([]decode.Issue{issue}, c.invalid...)
}

// Digest returns a hash of the file's content without passwords. That of a folder is a hash of its rows and of the names of its
// files. If the file may contain passwords, or is a folder, Validate must have read it before.
func (s *Source) Digest() (string, error) {
	if s.digest != nil {
		return hex.EncodeToString(s.digest), nil
	}
	sum := sha256.New()
	if err := s.File.CopyTo(sum); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (s *Source) walk(names *binder) iter.Seq2[*Row, error] {
	return (&pass{layout: s.Layout, file: s.File, places: &s.places, binder: names}).rows()
}

// All walks the rows in the order of the file, and then the appended rows. It leaves out rows that repeat an earlier one or
// belong to another shard. A row that can't be sent comes with a *decode.Error that is not fatal, and the walk continues. Any
// other error ends the walk. A row is valid until the walk continues.
func (s *Source) All() iter.Seq2[*Row, error] {
	if s.derived != nil {
		return s.derived
	}
	return func(yield func(*Row, error) bool) {
		for row, err := range s.walk(newBinder(s.Layout.schema)) {
			if s.otherShard.Has(row.Ordinal) || s.repeated.Has(row.Ordinal) && err == nil {
				continue
			}
			if s.inConflict.Has(row.Ordinal) {
				own := decode.AsError(err)
				if own == nil {
					own = &decode.Error{}
				}
				own.Add(s.conflict(row.Ordinal)...)
				err = own
			}
			if issues := s.refused[row.Ordinal]; issues != nil && err == nil {
				err = &decode.Error{Issues: issues}
			}
			if !yield(row, err) || err != nil && !decode.InvalidRow(err) {
				return
			}
		}
		s.eachAppended(func(row *Row) bool { return yield(row, nil) })
	}
}

// Valid walks the rows that can be sent, in the order of the file. An error ends the
// walk. A row is valid until the walk continues, and has no Cells if its source has kept it.
func (s *Source) Valid() iter.Seq2[*Row, error] {
	if s.derived != nil {
		return s.derived
	}
	return func(yield func(*Row, error) bool) {
		if s.kept != nil {
			for _, row := range s.kept.Rows {
				row.Values = slices.Clone(row.Values) // which the caller may change
				if s.IsSendable(row.Ordinal) && !yield(&row, nil) {
					return
				}
			}
			s.eachAppended(func(row *Row) bool { return yield(row, nil) })
			return
		}
		for row, err := range s.All() {
			if !decode.InvalidRow(err) && !yield(row, err) {
				return
			}
		}
	}
}

// Elsewhere walks the valid rows of the file that belong to other shards. In a source that Expand returned, it walks their items,
// whose ordinals mean nothing.
func (s *Source) Elsewhere() iter.Seq2[*Row, error] {
	if s.elsewhere != nil {
		return s.elsewhere
	}
	return func(yield func(*Row, error) bool) {
		if s.otherShard == nil {
			return
		}
		for row, err := range s.walk(newBinder(s.Layout.schema)) {
			if !decode.InvalidRow(err) && (err != nil || s.otherShard.Has(row.Ordinal)) && !yield(row, err) {
				return
			}
		}
	}
}

// maxKept is how much memory the rows that a source keeps may take. It is a variable for the tests.
var maxKept = 4 << 20

// keep copies a valid row for Valid, all but its cells, if Validate has found that the rows are to be kept.
func (s *findings) keep(row *Row) {
	if s.kept == nil {
		return
	}
	s.kept.Add(row)
	kept := &s.kept.Rows[len(s.kept.Rows)-1]
	kept.ReadOnly, kept.Invalid, kept.number, kept.layout, kept.written = row.ReadOnly, row.Invalid, row.number, row.layout, row.written
	if s.kept.Size() > maxKept {
		s.kept = nil
	}
}

// Index returns an index of the identities of the rows that can be sent. If DropIndex
// has freed it, or in a source that Expand returned, Index walks the rows to build one.
func (s *Source) Index() (*dedupe.Index, error) {
	if s.index != nil {
		return s.index, nil
	}
	index, identity := s.newIndex(), s.Layout.schema.Identity
	index.Grow(int64(s.total))
	var id, content []byte
	for row, err := range s.Valid() {
		if err != nil {
			index.Close()
			return nil, err
		}
		id, content = identity(row.Given(), id[:0], content[:0])
		index.Add(row.Ordinal, row.Line, index.Fingerprint(id, content))
	}
	s.index = index
	return s.index, s.index.Finish(nil)
}

func (s *Source) Identify(row *Row) (id, content []byte) {
	return s.Layout.schema.Identity(row.Given(), nil, nil)
}

// SetHashKey replaces the key of the hashes in the index.
func (s *Source) SetHashKey(key dedupe.Key) {
	if key != s.Layout.schema.HashKey {
		s.index.Close()
		s.index, s.Layout.schema.HashKey = nil, key
	}
}

// newIndex returns an empty index. Hashes of passwords and of derived rows stay in memory.
func (s *Source) newIndex() *dedupe.Index {
	return dedupe.NewIndex(s.Layout.schema.HashKey, s.derived != nil || s.Layout.HoldsSecrets())
}

// A Report has the numbers of rows that Validate found, and notes for the user.
type Report struct {
	Rows       int // rows of this shard, each of which is in one of the next three numbers
	Send       int // rows that can be sent, appended ones included
	Duplicates int // rows that repeat an earlier one
	Invalid    int // rows with an issue, or in conflict with another row
	Appended   int // rows that are not in the file
	Notes      []string
}

// Issue returns an issue of a valid row. reason says what a load could not do with the row. The issue names the record that the
// row is about.
func (s *Source) Issue(row *Row, reason string) decode.Issue {
	if row.Line < 0 {
		return decode.Issue{Record: s.appended[-row.Line-1].Name, Reason: reason}
	}
	issue := s.issueAt(row.Line, row.number)
	issue.Reason = reason
	names := s.Layout.schema.Resource.Having(schema.Key)
	if s.Layout.schema.title != nil {
		names = slices.Insert(slices.Clone(names), 0, s.Layout.schema.title)
	}
	for _, field := range names {
		if name := cmp.Or(row.Values.Get(field.Name).Text(), row.ReadOnly[field.Name]); name != "" {
			if issue.Record = field.Name + " " + name; field.Type != schema.Int {
				issue.Record = field.Name + " " + safetext.Quote(name)
			}
			break
		}
	}
	return issue
}

// EmptyFile returns the name of a file of a folder without a row, an empty text if there is none. Validate must
// have read the folder before.
func (s *Source) EmptyFile() string {
	end := s.total - len(s.appended)
	for _, part := range slices.Backward(s.parts) {
		if part.first == end {
			return part.name
		}
		end = part.first
	}
	return ""
}

// Append adds rows behind those of the file, which Validate must have read before. A further call of Validate drops them.
func (s *Source) Append(added ...Appended) {
	s.appended = append(s.appended, added...)
	s.total += len(added)
	s.Report.Appended += len(added)
	s.Report.Send += len(added)
}

// eachAppended calls yield with each appended row until it returns false. The line of the row
// is negative: Place finds its name by it. Its cells are those that a line with its values has.
func (s *Source) eachAppended(yield func(*Row) bool) {
	for i, added := range s.appended {
		row := Row{Line: -i - 1, Ordinal: s.total - len(s.appended) + i, Values: slices.Clone(added.Values), layout: s.Layout}
		if s.Layout.header == nil {
			row.Cells = []string{string(s.Layout.schema.Resource.Body(row.Values.Map()))}
		}
		for _, b := range s.Layout.bindings {
			text := ""
			if b.kind == kindField {
				text = row.Values.Get(b.key).Text()
			}
			row.Cells = append(row.Cells, text)
		}
		if !yield(&row) {
			return
		}
	}
}

// A Fault is why a row can't be sent, as far as only the service shows it.
type Fault struct {
	Row    int    `json:"row"`
	Column string `json:"column,omitempty"`
	Reason string `json:"reason"`
	Shown  bool   `json:"shown,omitempty"` // the service shows the value that the reason quotes, so that it is no secret
}

// RefuseRows makes the rows with faults, which are in the order of the rows, invalid. It returns the number of these rows,
// and their issues as an error.
func (s *Source) RefuseRows(faults []Fault) (n int, err error) {
	if len(faults) == 0 {
		return 0, nil
	}
	issues, before := &decode.Error{}, s.Report.Invalid
	for row, err := range s.Valid() {
		if err != nil {
			return 0, err
		}
		for ; len(faults) > 0 && faults[0].Row == row.Ordinal; faults = faults[1:] {
			issues.Add(s.Refuse(row, faults[0]))
		}
	}
	return s.Report.Invalid - before, issues
}

// Refuse makes a valid row invalid, for a reason that the file alone does not show, or for that of an invalid value that the
// row has kept. It returns the issue. The column may be empty. A row may be refused for several reasons. Validate must have
// read the file before; a further call of Validate takes the row for valid again.
func (s *Source) Refuse(row *Row, fault Fault) decode.Issue {
	l := cmp.Or(row.layout, s.Layout)
	if !fault.Shown && l.hidesCells() { // as in builder.addIssue
		fault.Reason = quotedText().ReplaceAllString(fault.Reason, "[hidden]")
	}
	issue := s.issueAt(row.Line, row.number)
	issue.Column, issue.Reason = fault.Column, fault.Reason
	if at := slices.IndexFunc(l.bindings, func(t *binding) bool { return t.kind == kindField && t.key == fault.Column }); at >= 0 {
		issue.Column = l.header[at]
	}
	issue.LeaveOut = l.schema.leaveOut(fault.Column, issue.Column)
	for i := range row.Invalid {
		if kept := &row.Invalid[i]; kept.Name == fault.Column && kept.Issue.Reason == fault.Reason {
			issue = kept.Issue
		}
	}
	if s.refused == nil {
		s.refused = map[int][]decode.Issue{}
	}
	s.refused[row.Ordinal] = append(s.refused[row.Ordinal], issue)
	if !s.invalid.Has(row.Ordinal) {
		s.invalid.Set(row.Ordinal)
		s.Report.Invalid++
		s.Report.Send--
	}
	return issue
}

// A Repeated is an invalid value that several cells of a column have.
type Repeated struct {
	decode.Issue // the first of them
	Cells        int
	Field        *schema.Field
}

// Repeated returns the values that several of some issues are about, apart from passwords.
func (s *Source) Repeated(issues []decode.Issue) (found []Repeated) {
	at, names := map[[2]string]int{}, newBinder(s.Layout.schema)
	for _, issue := range issues {
		t, _, _ := names.known(issue.Column)
		if issue.Value == "" || t == nil || t.kind != kindField {
			continue
		}
		value := [2]string{issue.Column, issue.Value}
		if i, isKnown := at[value]; isKnown {
			found[i].Cells++
			continue
		}
		at[value] = len(found)
		found = append(found, Repeated{issue, 1, t.field})
	}
	return slices.DeleteFunc(found, func(r Repeated) bool { return r.Cells == 1 })
}

// Replace puts another value in place of a repeated one, as a table of a map file does. Validate has to be called again.
func (s *Source) Replace(r Repeated, value string) {
	sch := s.Layout.schema
	if sch.values[r.Field.Name] == nil {
		if sch.MapFile.Values == nil {
			sch.MapFile.Values = map[string]columns.Table{}
		}
		sch.values[r.Field.Name] = map[string]string{}
		sch.MapFile.Values[r.Field.Name] = sch.values[r.Field.Name]
	}
	sch.values[r.Field.Name][r.Value] = value
	s.Mapping.Values = sch.MapFile.Values
	s.MappingKey["values of "+r.Field.Name] = keyOf(sch.values[r.Field.Name])
}
