package rows

import (
	"iter"
	"slices"
)

// maxKept is how much memory the rows that Keep copies may take. It is a variable for the tests.
var maxKept = 8 << 20

type keeper struct {
	rows      Arena
	keepsNone bool // the rows took too much memory
}

// Keep copies a row, so that the sources that Expand returns can do without the file if they need no other rows. Rows are kept
// in their order, each once. If they take too much memory, none is kept.
func (s *Source) Keep(row *Row) {
	k := &s.kept
	if n := len(k.rows.Rows); k.keepsNone || n > 0 && k.rows.Rows[n-1].Ordinal >= row.Ordinal {
		return
	}
	if k.rows.Add(row); k.rows.Size() > maxKept {
		*k = keeper{keepsNone: true}
	}
}

// Again walks the rows that can be sent once more: the copies that Keep has made if it has
// copied all of them, and otherwise the file. From then on, Keep begins anew.
func (s *Source) Again() iter.Seq2[*Row, error] {
	kept := slices.DeleteFunc(s.kept.rows.Rows, func(row Row) bool { return !s.IsSendable(row.Ordinal) })
	s.kept = keeper{}
	if n := len(kept); n == 0 || n+len(s.appended) != s.Report.Send {
		return s.Valid()
	}
	return func(yield func(*Row, error) bool) {
		for row, err := range walkKept(kept) {
			if !yield(row, err) {
				return
			}
		}
		s.eachAppended(func(row *Row) bool { return yield(row, nil) })
	}
}

func (k *keeper) has(row int) bool {
	_, ok := slices.BinarySearchFunc(k.rows.Rows, row, func(kept Row, row int) int { return kept.Ordinal - row })
	return ok
}

// Expand returns a source whose rows are items derived from the valid rows of s. items returns the items of a row, and must
// return the same number of them each time. owners has the row of each item. The items of a row for which skip returns true
// have ordinals too, but the source does not yield them. If all rows for which needs returns true are kept, the source yields
// the items of kept rows only.
func (s *Source) Expand(items func(Row) []Values, identity Identity, owners []uint32, skip, needs func(row int) bool) *Source {
	sch := *s.Layout.schema
	sch.Identity = identity
	out := &Source{Layout: &layout{schema: &sch}, places: s.places, findings: findings{total: len(owners)}}
	walk := s.Valid()
	if !slices.ContainsFunc(owners, func(row uint32) bool { return !skip(int(row)) && needs(int(row)) && !s.kept.has(int(row)) }) {
		walk = walkKept(s.kept.rows.Rows)
	}
	out.derived = func(yield func(*Row, error) bool) {
		for row, err := range walk {
			if err != nil {
				yield(&Row{Ordinal: -1}, err)
				return
			}
			if skip(row.Ordinal) {
				continue
			}
			ordinal, _ := slices.BinarySearch(owners, uint32(row.Ordinal))
			for _, values := range items(*row) {
				item := Row{Line: row.Line, Values: values, Ordinal: ordinal, Repaired: row.Repaired}
				if ordinal++; !yield(&item, nil) {
					return
				}
			}
		}
	}
	return out
}

func walkKept(kept []Row) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for _, row := range kept {
			row.Values = slices.Clone(row.Values) // which the items may share and change
			if !yield(&row, nil) {
				return
			}
		}
	}
}
