package rows

import (
	"iter"
	"slices"
)

// Expand returns a source whose rows are items derived from the valid rows of s. items returns the items of a row, and must
// return the same number of them each time. owners has the row of each item. The items of a row for which skip returns true
// have ordinals too, but the source does not yield them.
func (s *Source) Expand(items func(Row) []Values, identity Identity, owners []uint32, skip func(row int) bool) *Source {
	sch := *s.Layout.schema
	sch.Identity = identity
	out := &Source{Layout: &layout{schema: &sch}, places: s.places, findings: findings{total: len(owners)}}
	derive := func(of iter.Seq2[*Row, error], skip func(row int) bool) iter.Seq2[*Row, error] {
		return func(yield func(*Row, error) bool) {
			for row, err := range of {
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
	}
	out.derived = derive(s.Valid(), skip)
	out.elsewhere = derive(s.Elsewhere(), func(int) bool { return false })
	return out
}
