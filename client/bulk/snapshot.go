package bulk

import (
	"context"
	"strconv"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// A ListSnapshot is a Snapshot that was read from a list of the service. It stores which
// rows of the file the list contains; records for no row of the file take no memory.
type ListSnapshot struct {
	Names         []string // the names of the ids that each record of the list has
	RequireUnique bool     // a row with two records is ambiguous

	total  int           // the number of rows of the file
	index  *dedupe.Index // the identities of the rows of the file; nil once the list was read
	states []remoteState // by row; nil as long as the list contains no row of the file
	ids    [][]int64     // by the index of a name, and by row
}

// A remoteState is the number of records that the list contains for a row, and whether one
// of them has the content of the row.
type remoteState struct {
	count   uint8
	matches bool
}

// A Remote describes a record of the list.
type Remote struct {
	ID            []byte  // the identity, as rows.Schema.Identity returns it for a row
	Content       string  // the content, as rows.Schema.Identity returns it for a row
	IgnoreContent bool    // the record matches a row whatever its content is
	Inactive      bool    // the record is not in force, so it does not match a row with the same content
	IDs           []int64 // the ids of the record, in the order of ListSnapshot.Names
}

func newListSnapshot(src *rows.Source, index *dedupe.Index) *ListSnapshot {
	return &ListSnapshot{total: src.Len(), index: index}
}

// Add adds a record of the list to the snapshot.
func (s *ListSnapshot) Add(r Remote) {
	f := s.index.Fingerprint(r.ID, []byte(r.Content))
	row, sameContent := s.index.Find(f)
	if row < 0 {
		return
	}
	if s.states == nil {
		s.states = make([]remoteState, s.total)
		for range s.Names {
			s.ids = append(s.ids, make([]int64, s.total))
		}
	}
	have := &s.states[row]
	if s.RequireUnique && have.count > 0 && len(r.IDs) > 0 && s.ids[0][row] == r.IDs[0] {
		return // the list contains the same record twice
	}
	matches := !r.Inactive && (r.IgnoreContent || sameContent)
	if have.count < 255 {
		have.count++
	}
	if have.matches && !matches {
		return // the ids stay those of the record that matches
	}
	have.matches = matches
	for i, id := range r.IDs {
		s.ids[i][row] = id
	}
}

// Row returns the row with an identity. It may be called until Operation.Snapshot returns.
func (s *ListSnapshot) Row(id string) (row int, ok bool) {
	row, _ = s.index.Find(s.index.Fingerprint([]byte(id), nil))
	return row, row >= 0
}

// Rows returns the number of rows of the file.
func (s *ListSnapshot) Rows() int { return s.total }

// isEmpty reports whether the list contains no row of the file.
func (s *ListSnapshot) isEmpty() bool { return s.states == nil }

// Find returns what the list shows of a row, and sets the row's ids.
func (s *ListSnapshot) Find(_ context.Context, row *rows.Row) (Outcome, error) {
	out := s.at(row.Ordinal)
	if out.Count > 0 {
		for i, name := range s.Names {
			row.Values.Set(name, s.id(i, row.Ordinal))
		}
	}
	return out, nil
}

func (s *ListSnapshot) id(i, row int) record.Value {
	return record.Value(strconv.FormatInt(s.ids[i][row], 10))
}

// idsOf returns the ids that the list shows for a row.
func (s *ListSnapshot) idsOf(row int) record.Record {
	if s.at(row).Count == 0 {
		return emptyRecord()
	}
	var pairs []record.Pair
	for i, name := range s.Names {
		if s.ids[i][row] != 0 {
			pairs = append(pairs, record.Pair{Name: name, Value: s.id(i, row)})
		}
	}
	return emptyRecord().Prepend(pairs...)
}

// at returns what the list shows of a row.
func (s *ListSnapshot) at(row int) Outcome {
	if s.states == nil {
		return Outcome{State: Absent}
	}
	out := Outcome{Count: int(s.states[row].count), State: Differs}
	switch {
	case out.Count == 0:
		out.State = Absent
	case s.RequireUnique && out.Count > 1:
		out.State, out.Message = Unknown, "several existing records match this row"
	case s.states[row].matches:
		out.State = Present
	}
	return out
}

func emptyRecord() record.Record { return mustParse("{}") }

// mustParse parses an object that this program wrote.
func mustParse(object string) record.Record {
	rec, _ := record.Parse([]byte(object))
	return rec
}

// takeSnapshot reads which rows of src the service holds.
func takeSnapshot(ctx context.Context, op *Operation, src *rows.Source, reconciling bool) (Snapshot, error) {
	var index *dedupe.Index
	if !op.perRow() {
		var err error
		if index, err = src.Index(); err != nil {
			return nil, err
		}
	}
	list := newListSnapshot(src, index)
	snapshot, err := op.Snapshot(ctx, SnapshotRequest{Reconciling: reconciling, List: list})
	list.index = nil // the list was read to its end
	if err == nil && index != nil {
		err = index.Err()
	}
	return snapshot, err
}
