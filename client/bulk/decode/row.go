package decode

import (
	"fmt"

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

// A Decoder reads the rows of a file one by one. Next returns io.EOF after the last row. Next must not be called again after
// any other error, since it is not known where the following rows begin. The cells of a row are valid until the next call.
type Decoder interface {
	Next(*RawRow) error
}

// A decoderFunc is a Decoder that returns each row in new memory.
type decoderFunc func() (RawRow, error)

func (next decoderFunc) Next(r *RawRow) (err error) {
	*r, err = next()
	return err
}

// A recordDecoder counts records that stand on one line, in place of lines.
type recordDecoder struct {
	Decoder
	n int
}

func (d *recordDecoder) Next(r *RawRow) error {
	err := d.Decoder.Next(r)
	if err != nil {
		return err
	}
	d.n++
	r.Line = d.n
	for i := range r.Issues {
		issue := &r.Issues[i]
		issue.Line, issue.Row, issue.IsRecord = 0, d.n, true
	}
	return nil
}

// tooLong returns the error of a line, row or value that is longer than MaxLine.
func tooLong(line int) error {
	return Fatal(Issue{Line: line, Reason: fmt.Sprintf("is longer than %d MB", MaxLine>>20)})
}
