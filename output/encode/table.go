package encode

import (
	"bytes"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/output/textwidth"
)

// Table is a table for the terminal, with a row for each record of a list, or a
// row for each field of a single record.
const Table Format = "table"

func newTable(l Layout) Encoder {
	if l.Single {
		return newDetail(l)
	}
	header := phrase.Each(l.Columns, func(c Column) string { return strings.ToUpper(safetext.Escape(c.Name)) })
	g := newGrid(l, header)
	g.Wrap = l.Wrap && (l.Width == 0 || textwidth.Of(strings.Join(header, "  ")) <= l.Width) // there is room for all headers
	return &tableEncoder{cellReader: newCellReader(l), grid: g}
}

type tableEncoder struct {
	frameless
	cellReader
	*grid
	scratch []byte
}

func (e *tableEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	places := e.find(&rec)
	if e.Width == 0 && len(rec.Raw()) > largeCell {
		dst = e.drawSample(dst)
	}
	if e.drawn && e.Width == 0 {
		return e.appendUncut(dst, &rec, places), nil
	}
	row := make([]string, len(e.columns))
	for i := range e.columns {
		v, _ := e.value(&rec, places, i)
		e.note(i, v)
		row[i] = string(e.appendEscaped(nil, &e.columns[i], v))
	}
	return e.addRow(dst, row), nil
}

func (e *tableEncoder) End(dst []byte) ([]byte, error) {
	dst = e.drawSample(dst)
	e.tellLeftOut()
	return dst, nil
}

// appendUncut appends a row in which nothing is cut, as grid.appendRow appends it, but
// does not make a string of each cell.
func (e *tableEncoder) appendUncut(dst []byte, rec *record.Record, places []int) []byte {
	line := len(dst)
	for i := range e.columns {
		cell, c, width := len(dst), &e.columns[i], 0
		v, marks := e.value(rec, places, i)
		if text := c.plain(v, marks); text != nil {
			dst, width = append(dst, text...), len(text)
		} else if dst = e.appendEscaped(dst, c, v); len(v) > largeCell { // wider than its column, and its beginning may have been flushed
			dst = e.Flush.drain(dst)
			line, width = len(dst), e.widths[i]
		} else {
			width = textwidth.Of(dst[cell:])
		}
		if i < len(e.columns)-1 {
			dst = appendSpaces(dst, max(e.widths[i]-width, 0)+columnGap)
		}
	}
	return append(dst[:line+len(bytes.TrimRight(dst[line:], " "))], '\n')
}

// appendEscaped appends the text of a cell. A terminal shows no more than largeCell bytes of it, with an ellipsis.
func (e *tableEncoder) appendEscaped(dst []byte, c *Column, v record.Value) []byte {
	e.scratch = c.appendReadable(e.scratch[:0], v)
	switch {
	case e.Width > 0 && len(e.scratch) > largeCell:
		e.scratch = []byte(safetext.Cut(string(e.scratch[:largeCell+1]), largeCell))
	case len(v) > largeCell:
		return e.Flush.escape(dst, e.scratch, safetext.Append)
	}
	return safetext.Append(dst, e.scratch)
}
