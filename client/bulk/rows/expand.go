package rows

import "reseller/client/bulk/dedupe"

// Expand returns a source whose rows are items derived from the valid rows of s. items
// returns the items of a row, and must return the same number of them each time. n is
// the number of items of all rows. The items of a row for which skip returns true have
// ordinals too, but the source does not yield them.
func (s *Source) Expand(items func(Row) []Values, identity Identity, n int, skip func(row int) bool) (*Source, error) {
	out := &Source{schema: s.schema, isWorkbook: s.isWorkbook, parts: s.parts, index: dedupe.NewIndex(s.schema.HashKey, true), total: n}
	out.derived = func(yield func(*Row, error) bool) {
		ordinal := 0
		for row, err := range s.Valid() {
			if err != nil {
				yield(&Row{Ordinal: -1}, err)
				return
			}
			for _, values := range items(*row) {
				item := Row{Line: row.Line, Values: values, Ordinal: ordinal}
				if ordinal++; !skip(row.Ordinal) && !yield(&item, nil) {
					return
				}
			}
		}
	}
	var id, content []byte
	for row, err := range out.derived {
		if err != nil {
			return nil, err
		}
		id, content = identity(row.Values, id[:0], content[:0])
		out.index.Add(row.Ordinal, row.Line, out.index.Fingerprint(id, content))
	}
	return out, nil
}
