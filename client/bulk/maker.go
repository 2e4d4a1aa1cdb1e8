package bulk

import (
	"fmt"
	"io"
	"iter"
)

// walk makes rows of all that the file has. The memory of a row is used for
// the next one.
func (s *Source) walk(cols *columns) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		var in raw
		r, err := s.reader()
		if err == nil && (s.format == "csv" || s.format == "tsv") {
			err = r.next(&in) // the header
		}
		m := maker{Source: s, cols: cols, draft: draft{spec: &s.spec}, plain: newPlain(s)}
		for n := 0; err == nil; {
			if err = r.next(&in); err == nil && !in.blank {
				if !yield(&m.row, m.make(&in, n)) {
					return
				}
				n++
			}
		}
		if err == io.EOF {
			err = s.in.unchanged()
		}
		if err != nil {
			yield(&Row{ordinal: -1}, err)
		}
	}
}

// A maker makes the rows of one pass.
type maker struct {
	*Source
	cols  *columns
	draft draft
	plain *plainRows
	row   Row
}

// make makes a row, or tells what is wrong with it.
func (m *maker) make(in *raw, ordinal int) error {
	at := &m.row
	at.Line, at.ordinal, at.Cells, at.Values, at.Extra = in.line, ordinal, in.cells, at.Values[:0], nil
	if in.faults == nil && m.plain.row(at) {
		return nil
	}
	d := &m.draft
	d.row, d.faults, d.named, d.attrs, d.pairs, d.bytes = *at, in.faults, d.named[:0], nil, nil, d.bytes[:0]
	d.row.Values, d.lenient = d.row.Values[:0], m.lenient.Has(ordinal)
	m.fill(in)
	*at = d.row
	if d.faults != nil {
		return &RowsError{Faults: d.faults}
	}
	return nil
}

// fill gives the draft what the file has, or tells what is wrong with it.
func (m *maker) fill(in *raw) {
	d := &m.draft
	switch {
	case in.faults != nil:
		return
	case in.object != nil:
		start := len(d.bytes)
		d.bytes = append(d.bytes, in.object...)
		d.object(d.bytes[start:len(d.bytes):len(d.bytes)], m.cols)
	case len(in.cells) != len(m.header):
		d.fault("", "", fmt.Sprintf("has %d cells where the header has %d", len(in.cells), len(m.header)))
		return
	default:
		for i, t := range m.targets {
			if t.kind == unnamed && in.cells[i] != "" {
				d.fault(fmt.Sprintf("column %d", i+1), "", "holds something, but the column has no name")
			}
			d.cell(t, m.header[i], in.cells[i])
		}
	}
	d.finish(m.constants, m.column)
}
