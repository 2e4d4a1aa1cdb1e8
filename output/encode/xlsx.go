package encode

import (
	"fmt"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/xlsx"
)

const XLSX Format = "xlsx"

// xlsxEncoder writes a workbook. The text of a cell is that of csv.
type xlsxEncoder struct {
	frameless
	cellReader
	types    []Type
	workbook *xlsx.Writer
	out      drainedBuffer
	rows     int
	err      error // of a name in the header
}

type drainedBuffer struct {
	buf   []byte
	flush Flush
}

func (b *drainedBuffer) Write(p []byte) (int, error) {
	b.buf = b.flush.drain(append(b.buf, p...))
	return len(p), nil
}

func newXLSX(l Layout) Encoder {
	e := &xlsxEncoder{cellReader: newCellReader(l), out: drainedBuffer{flush: l.Flush}}
	var header []string
	for i, c := range l.Columns {
		if !l.NoHeader {
			header = append(header, safetext.Escape(c.Name))
			if err := xlsx.CheckText([]byte(header[i])); err != nil && e.err == nil {
				e.err = fmt.Errorf("the name of column %d: %w: use -o csv", i+1, err)
			}
		}
		if isID(c.Name) {
			c.Type = TypeText
		}
		e.types = append(e.types, c.Type)
	}
	e.workbook = xlsx.NewWriter(&e.out, l.Name, header)
	return e
}

// isID reports whether the values of a column are ids, by its name. Nobody calculates with
// ids, and a spreadsheet shows long ones with an exponent.
func isID(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return name == "id" || strings.HasSuffix(name, "_id")
}

func (e *xlsxEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	if e.err != nil {
		return dst, e.err
	}
	e.out.buf = dst
	e.rows++
	places := e.find(&rec)
	for i := range e.columns {
		v, marks := e.value(&rec, places, i)
		if IsNull(v) {
			e.workbook.Blank()
			continue
		}
		text := e.text(v, marks)
		if err := xlsx.CheckText(text); err != nil {
			return e.out.buf, fmt.Errorf("row %d, column %s: %w: use -o csv", e.rows, safetext.Escape(e.columns[i].Name), err)
		}
		switch k := v.Kind(); {
		case e.columns[i].Date && k == record.String:
			e.workbook.Date(text, false)
		case e.types[i] == TypeText || k == record.Array || k == record.Object || k == record.String && e.types[i] != TypeNumber:
			e.workbook.Text(text)
		case k == record.Bool:
			e.workbook.Bool(v[0] == 't')
		default: // a text that is no number stays a text
			e.workbook.Number(text)
		}
	}
	err := e.workbook.EndRow()
	return e.out.buf, err
}

// text returns the text of a cell. It is valid until the next call.
func (e *xlsxEncoder) text(v record.Value, marks record.Marks) []byte {
	switch isPlain := marks&^record.MarkComma == 0; {
	case isPlain && v[0] == '"':
		return v[1 : len(v)-1]
	case isPlain:
		return v
	}
	return safetext.AppendData(nil, v.AppendText(nil), '\n', '\t')
}

func (e *xlsxEncoder) End(dst []byte) ([]byte, error) {
	e.out.buf = dst
	err := e.workbook.Close()
	return e.out.buf, err
}
