package bulk

import (
	"fmt"
	"io"
	"iter"

	"reseller/client/bulk/decode"
)

// walk makes rows of all that the file has. The memory of a row is used for
// the next one.
func (s *Source) walk(cols *columns) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		var in decode.Record
		r, err := s.file.Decoder()
		m := maker{Source: s, cols: cols, draft: draft{spec: &s.spec}, plain: newPlain(s)}
		for n := 0; err == nil; {
			if err = r.Next(&in); err == nil && !in.Blank {
				if !yield(&m.row, m.make(&in, n)) {
					return
				}
				n++
			}
		}
		if err == io.EOF {
			err = s.file.Unchanged()
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
func (m *maker) make(in *decode.Record, ordinal int) error {
	at := &m.row
	at.Line, at.ordinal, at.Cells, at.Values, at.Extra = in.Line, ordinal, in.Cells, at.Values[:0], nil
	if in.Issues == nil && m.plain.row(at) {
		return nil
	}
	d := &m.draft
	d.row, d.issues, d.named, d.attrs, d.pairs, d.bytes = *at, in.Issues, d.named[:0], nil, nil, d.bytes[:0]
	d.row.Values, d.lenient = d.row.Values[:0], m.lenient.Has(ordinal)
	m.fill(in)
	*at = d.row
	if d.issues != nil {
		return &decode.Error{Issues: d.issues}
	}
	return nil
}

// fill gives the draft what the file has, or tells what is wrong with it.
func (m *maker) fill(in *decode.Record) {
	d := &m.draft
	switch {
	case in.Issues != nil:
		return
	case in.Object != nil:
		start := len(d.bytes)
		d.bytes = append(d.bytes, in.Object...)
		d.object(d.bytes[start:len(d.bytes):len(d.bytes)], m.cols)
	case len(in.Cells) != len(m.header):
		d.addIssue("", "", fmt.Sprintf("has %d cells where the header has %d", len(in.Cells), len(m.header)))
		return
	default:
		for i, t := range m.targets {
			if t.kind == unnamed && in.Cells[i] != "" {
				d.addIssue(fmt.Sprintf("column %d", i+1), "", "holds something, but the column has no name")
			}
			d.cell(t, m.header[i], in.Cells[i])
		}
	}
	d.finish(m.constants, m.column)
}
