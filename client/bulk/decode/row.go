package decode

import (
	"fmt"
	"io"
	"iter"

	"reseller/client/xlsx"
)

// A RawRow is one row of a file before its columns are bound to fields. In csv, tsv, xlsx
// and txt it has cells, in the other formats an object.
type RawRow struct {
	Line   int      // the line on which the row begins; in a workbook the same as Row, and with ByRecord the number of the record
	Row    int      // the number that a spreadsheet shows for the row; 0 in json, ndjson and yaml
	Cells  []string // in a format with objects, the text of the object is the only cell
	Blank  bool     // the row consists of separators, as spreadsheets write an emptied row
	Hidden bool     // a workbook does not show the row
	Object []byte   // the row's object as JSON; nil in a format with cells, and for a row that is no object
	Issues []Issue  // a row with issues can't be sent
	// Kinds are the kinds of the cells in a workbook, which tells numbers and errors from texts; nil in any other format.
	Kinds []xlsx.Kind
}

// Rows are the rows of a file, one by one. A row and its cells are valid until the next one. An error ends the rows, since it is
// not known where the following ones begin.
type Rows = iter.Seq2[*RawRow, error]

// each returns the rows that next reads one after the other, until it returns io.EOF, without those above the first one.
func each(next func(*RawRow) error, above int) Rows {
	return func(yield func(*RawRow, error) bool) {
		var row RawRow
		err := next(&row)
		for n := 0; err == nil; err = next(&row) {
			if n++; n > above && !yield(&row, nil) {
				return
			}
		}
		if err != io.EOF {
			yield(nil, err)
		}
	}
}

// numbered counts records that stand on one line, in place of lines.
func numbered(rows Rows) Rows {
	return func(yield func(*RawRow, error) bool) {
		n := 0
		for row, err := range rows {
			if err == nil {
				n++
				row.Line = n
				for i := range row.Issues {
					row.Issues[i].Line, row.Issues[i].Row, row.Issues[i].IsRecord = 0, n, true
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

func tooLong(line int) error {
	return Fatal(Issue{Line: line, Reason: fmt.Sprintf("is longer than %d MB", MaxLine>>20)})
}
