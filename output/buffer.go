package output

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"reseller/client/record"
	"reseller/client/safetext"
)

const (
	maxColumns     = 100_000 // how many columns the fields of records become
	maxColumnNames = 8 << 20 // how many bytes the names of these columns have, with their escapes
)

// flattened returns a column for each field that occurs in the records: first the documented columns, then the others in the
// order in which they first occur. A field with an object gives a column for each field of the object. If no field occurs, these are
// the documented columns. Of the records, which are held in memory, it returns the values of just these columns (encode.Layout.Flat).
//
// There may be maxColumns of them, whose names have maxColumnNames bytes: in a table of more, no reader finds anything.
func flattened(s Shape, seq iter.Seq2[record.Record, error]) ([]Column, iter.Seq2[record.Record, error], error) {
	var raw [][]byte
	var failure error
	all, names := slices.Clone(s.Columns), 0
	used, places := make([]bool, len(all)), map[string]int{}
	for rec, err := range seq {
		if failure = err; err != nil {
			break
		}
		raw = append(raw, slices.Clone(rec.Raw()))
		for i := range used {
			if !used[i] {
				v, _ := all[i].Get(&rec)
				used[i] = v != nil
			}
		}
		for c := range s.undocumented(rec) {
			if _, isKnown := places[c.Path]; !isKnown {
				places[c.Path], all = len(all), append(all, c)
				if names += len(c.Name); names <= maxColumnNames {
					names += len(safetext.Escape(c.Name)) - len(c.Name)
				}
			}
			if len(places) > maxColumns {
				return nil, nil, fmt.Errorf("the records have more than %d different fields, which is too many for columns: use -o ndjson or -o json", maxColumns)
			}
			if names > maxColumnNames {
				return nil, nil, fmt.Errorf("the names of the records' fields have more than %d MB, which is too much for columns: use -o ndjson or -o json", maxColumnNames>>20)
			}
		}
	}
	isEmpty := len(places) == 0 && !slices.Contains(used, true)
	var columns []Column
	var from []int // the place of each among all
	for i, c := range all {
		if isEmpty || i >= len(used) || used[i] {
			columns, from = append(columns, c), append(from, i)
		}
	}
	plain := Shape{Columns: slices.Clone(s.Columns)}
	for i := range plain.Columns {
		plain.Columns[i].Alt = nil // so that a field of an older name is in its own column, too, if another record needs one
	}
	return columns, func(yield func(record.Record, error) bool) {
		values, text := make([]record.Value, len(all)), []byte(nil)
		for _, each := range raw {
			rec, _ := record.Parse(each)
			clear(values)
			for i := range used {
				values[i], _ = all[i].Get(&rec)
			}
			for c, v := range plain.undocumented(rec) {
				if at, isColumn := places[c.Path]; isColumn {
					values[at] = v
				}
			}
			text = append(text[:0], '{')
			for _, i := range from {
				if values[i] == nil {
					values[i] = record.Value("null")
				}
				text = append(append(append(text, `"":`...), values[i]...), ',')
			}
			if !yield(record.Parse(append(bytes.TrimSuffix(text, []byte(",")), '}'))) {
				return
			}
		}
		if failure != nil {
			yield(record.Record{}, failure)
		}
	}, nil
}
