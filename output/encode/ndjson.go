package encode

import (
	"slices"

	"reseller/client/record"
)

// NDJSON is one object per line.
const NDJSON Format = "ndjson"

type ndjsonEncoder struct {
	layout  Layout
	scratch []byte
}

func newNDJSON(l Layout) Encoder { return &ndjsonEncoder{layout: l} }

func (e *ndjsonEncoder) Begin(dst []byte) []byte { return dst }

// Record appends one line. It copies a record that has nothing to escape and no
// white space.
func (e *ndjsonEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	raw := []byte(rec.Raw())
	switch {
	case e.layout.Picked:
		e.scratch = e.layout.AppendPicked(e.scratch[:0], &rec)
		raw = e.scratch
	case len(e.layout.Front) > 0:
		e.scratch = appendReordered(e.scratch[:0], rec, e.layout.Front)
		raw = e.scratch
	case rec.Marks()&(record.MarkNonASCII|record.MarkSpace) == 0:
		return append(append(dst, raw...), '\n'), nil
	}
	return append(appendJSON(dst, raw, Compact, e.layout.Flush), '\n'), nil
}

func (e *ndjsonEncoder) End(dst []byte) ([]byte, error) { return dst, nil }

// appendReordered appends rec with the fields named in front moved before the
// others.
func appendReordered(dst []byte, rec record.Record, front []string) []byte {
	dst = append(dst, '{')
	add := func(name string, v record.Value) {
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(record.AppendQuote(dst, name), ':')
		dst = append(dst, v...)
	}
	for _, name := range front {
		if v, _ := rec.Lookup(name); v != nil {
			add(name, v)
		}
	}
	for name, v := range rec.Fields() {
		if !slices.Contains(front, name) {
			add(name, v)
		}
	}
	return append(dst, '}')
}
