package encode

import (
	"bytes"
	"iter"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/output/textwidth"
)

// maxName is how many bytes of the name of a field a terminal shows.
const maxName = 256

// detailEncoder writes the table of one record: a line for each field, the
// documented ones first. On a terminal long names and values are wrapped.
type detailEncoder struct {
	frameless
	*grid
	scratch []byte
}

func newDetail(l Layout) Encoder {
	g := newGrid(l, []string{"FIELD", "VALUE"})
	g.Wrap = l.Width > 0
	return &detailEncoder{grid: g}
}

func (e *detailEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	widest := textwidth.Of(e.header[0])
	for c := range e.fields(rec) {
		widest = max(widest, nameWidth(c.Name))
	}
	room := 0
	if e.Width > 0 {
		if widest > e.Width*3/5 {
			widest = e.Width / 2
		}
		room = max(e.Width-widest-columnGap, minCell)
	}
	e.widths = []int{widest, max(room, textwidth.Of(e.header[1]))}
	for c, v := range e.fields(rec) {
		e.scratch = c.appendReadable(e.scratch[:0], v)
		isLarge := len(v) > largeCell || len(c.Name) > largeCell
		if isLarge { // so that its lines are not held
			dst = e.drawSample(dst)
		}
		switch {
		case e.Wrap:
			dst = e.addRow(dst, []string{safetext.Cut(c.Name, maxName), string(e.scratch)})
		case isLarge:
			dst = e.appendUncut(dst, c.Name, e.scratch)
		default:
			dst = e.addRow(dst, []string{safetext.Escape(c.Name), safetext.Escape(string(e.scratch))})
		}
	}
	return dst, nil
}

func (e *detailEncoder) fields(rec record.Record) iter.Seq2[Column, record.Value] {
	return func(yield func(Column, record.Value) bool) {
		reader := newCellReader(e.Layout)
		places := reader.find(&rec)
		for i, c := range e.Columns {
			if v, _ := reader.value(&rec, places, i); !yield(c, v) {
				return
			}
		}
		if e.Undocumented != nil {
			e.Undocumented(rec)(yield)
		}
	}
}

// nameWidth returns how wide the name of a field makes the column of names at least. A
// name that is larger than largeCell is not measured.
func nameWidth(name string) int {
	if len(name) > largeCell {
		return maxAligned
	}
	return min(textwidth.Of(safetext.Escape(name)), maxAligned)
}

// appendUncut appends a line whose name and value may have any length.
func (e *detailEncoder) appendUncut(dst []byte, name string, value []byte) []byte {
	dst = e.Flush.escape(dst, []byte(name), safetext.Append)
	if value = bytes.TrimRight(value, " "); len(value) > 0 {
		dst = appendSpaces(dst, max(e.widths[0]-nameWidth(name), 0)+columnGap)
	}
	return append(e.Flush.escape(dst, value, safetext.Append), '\n')
}

func (e *detailEncoder) End(dst []byte) ([]byte, error) { return e.drawSample(dst), nil }

// wrap escapes a value and splits it into parts no wider than room, at spaces if there are
// any. It escapes a little more text than the next part takes at a time.
func wrap(value []byte, room int) iter.Seq[string] {
	return func(yield func(string) bool) {
		text := ""
		for {
			for len(text) <= textwidth.MaxPrefix*room && len(value) > 0 {
				var chunk []byte
				chunk, value = CutChunk(value)
				text += string(safetext.Append(nil, chunk))
			}
			head := textwidth.Prefix(text, room)
			if head == "" || head == text {
				yield(text)
				return
			}
			if i := strings.LastIndexByte(head, ' '); i > len(head)/3 && !strings.HasPrefix(text[len(head):], " ") {
				head = head[:i]
			}
			if !yield(head) {
				return
			}
			text = strings.TrimPrefix(text[len(head):], " ")
		}
	}
}
