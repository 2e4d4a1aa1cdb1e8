package bulk

import (
	"fmt"
	"io"
	"iter"
)

const (
	blockRows  = 256       // most rows of a block,
	blockBytes = 128 << 10 // and about the most bytes
	blocks     = 3         // one is read, one waits, one is looked at
)

// A block is rows that were read ahead, with the memory they lie in.
type block struct {
	rows  [blockRows]Row
	wrong [blockRows]error
	n     int
	size  int    // of their cells
	bytes []byte // of their values
	last  error  // what the file ends with behind these rows
}

// walk makes rows of all that the file has, the next ones while the present
// ones are looked at.
func (s *Source) walk(cols *columns) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		full, free, stop := make(chan *block, 1), make(chan *block, blocks), make(chan struct{})
		for range blocks {
			free <- &block{}
		}
		go func() {
			defer close(full)
			s.read(cols, full, free, stop)
		}()
		defer func() {
			close(stop)
			for range full { // until nothing is read any more
			}
		}()
		for b := range full {
			for i := range b.n {
				if !yield(b.rows[i], b.wrong[i]) {
					return
				}
			}
			if b.last != io.EOF && b.last != nil {
				yield(Row{ordinal: -1}, b.last)
			}
			if b.last != nil {
				return
			}
			free <- b
		}
	}
}

// read fills blocks until the file ends.
func (s *Source) read(cols *columns, full chan<- *block, free <-chan *block, stop <-chan struct{}) {
	r, err := s.reader()
	if err == nil && (s.format == "csv" || s.format == "tsv") {
		_, err = r.next() // the header
	}
	d := draft{spec: &s.spec}
	for n := 0; ; {
		var b *block
		select {
		case b = <-free:
		case <-stop:
			return
		}
		b.n, b.size, b.bytes = 0, 0, b.bytes[:0]
		for err == nil && b.n < blockRows && b.size < blockBytes {
			var in raw
			if in, err = r.next(); err == nil && !in.blank {
				s.row(&d, in, b, n, cols)
				n++
			}
		}
		if err == io.EOF {
			if changed := s.in.unchanged(); changed != nil {
				err = changed
			}
		}
		b.last = err
		select {
		case full <- b:
		case <-stop:
			return
		}
		if err != nil {
			return
		}
	}
}

// row puts the next row into a block.
func (s *Source) row(d *draft, in raw, b *block, ordinal int, cols *columns) {
	at := &b.rows[b.n]
	d.row = Row{Line: in.line, Cells: append(at.Cells[:0], in.cells...), Values: at.Values[:0], ordinal: ordinal}
	d.faults, d.named, d.attrs, d.pairs, d.bytes = in.faults, d.named[:0], nil, nil, b.bytes
	s.fill(d, in, cols)
	b.bytes, b.rows[b.n], b.wrong[b.n] = d.bytes, d.row, nil
	if d.faults != nil {
		b.wrong[b.n] = &RowsError{Faults: d.faults}
	}
	b.n++
	for _, cell := range in.cells {
		b.size += len(cell)
	}
}

// fill gives the row what the file has, or tells what is wrong with it.
func (s *Source) fill(d *draft, in raw, cols *columns) {
	switch {
	case in.faults != nil:
		return
	case in.object != nil:
		start := len(d.bytes)
		d.bytes = append(d.bytes, in.object...)
		d.object(d.bytes[start:len(d.bytes):len(d.bytes)], cols)
	case len(in.cells) != len(s.header):
		d.fault("", "", fmt.Sprintf("has %d cells where the header has %d", len(in.cells), len(s.header)))
		return
	default:
		for i, t := range s.targets {
			if t.kind == unnamed && in.cells[i] != "" {
				d.fault(fmt.Sprintf("column %d", i+1), "", "holds something, but the column has no name")
			}
			d.cell(t, s.header[i], in.cells[i])
		}
	}
	d.finish(s.constants, s.column)
}
