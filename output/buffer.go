package output

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
)

// buffered holds all records of a sequence in memory, for output whose first line
// depends on all of them.
type buffered struct {
	raw [][]byte
	err error // the error that the sequence ended in
}

func readAll(seq iter.Seq2[record.Record, error]) buffered {
	var b buffered
	for rec, err := range seq {
		if err != nil {
			b.err = err
			break
		}
		b.raw = append(b.raw, slices.Clone(rec.Raw()))
	}
	return b
}

func (b *buffered) replay() iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for _, raw := range b.raw {
			if !yield(record.Parse(raw)) {
				return
			}
		}
		if b.err != nil {
			yield(record.Record{}, b.err)
		}
	}
}

const (
	maxColumns     = 100_000 // how many columns the fields of records become
	maxColumnNames = 8 << 20 // how many bytes the names of these columns have, with their escapes
)

// columns returns a column for each field that occurs in the records: first the
// documented columns, then the others in the order in which they first occur. A
// field with an object gives a column for each field of the object. If no field occurs,
// these are the documented columns.
//
// There may be maxColumns of them, whose names have maxColumnNames bytes: in a table of more, no
// reader finds anything.
func (b *buffered) columns(s Shape) ([]Column, error) {
	documented, undocumented := s.Columns, []Column(nil)
	used := make([]bool, len(documented))
	seen := map[string]bool{}
	names := 0
	for rec, err := range b.replay() {
		if err != nil {
			break
		}
		for i := range documented {
			if !used[i] {
				v, _ := documented[i].Get(&rec)
				used[i] = v != nil
			}
		}
		for c := range s.undocumented(rec) {
			if id := strings.Join(c.Keys, "\x00"); !seen[id] {
				seen[id] = true
				undocumented = append(undocumented, c)
				if names += len(c.Name); names <= maxColumnNames {
					names += len(safetext.Escape(c.Name)) - len(c.Name)
				}
			}
			if len(undocumented) > maxColumns {
				return nil, fmt.Errorf("the records have more than %d different fields, which is too many for columns: use -o ndjson or -o json", maxColumns)
			}
			if names > maxColumnNames {
				return nil, fmt.Errorf("the names of the records' fields have more than %d MB, which is too much for columns: use -o ndjson or -o json", maxColumnNames>>20)
			}
		}
	}
	var all []Column
	for i, c := range documented {
		if used[i] {
			all = append(all, c)
		}
	}
	if all = append(all, undocumented...); len(all) == 0 {
		return documented, nil
	}
	return all, nil
}
