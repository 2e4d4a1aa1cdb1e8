package encode

import (
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/output/textwidth"
)

// detailEncoder writes the table of one record: a line for each field, the
// documented ones first. On a terminal long values are wrapped.
type detailEncoder struct {
	*grid
	layout Layout
}

func newDetail(l Layout) Encoder {
	return &detailEncoder{grid: newGrid(l, []string{"FIELD", "VALUE"}), layout: l}
}

func (e *detailEncoder) Begin(dst []byte) []byte { return dst }

func (e *detailEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	columns := e.layout.Columns
	if e.layout.Undocumented != nil {
		columns = append(columns, e.layout.Undocumented(rec)...)
	}
	names := make([]string, len(columns))
	widest := textwidth.Of(e.header[0])
	for i := range columns {
		names[i] = safetext.Escape(columns[i].Name)
		widest = max(widest, textwidth.Of(names[i]))
	}
	room := 0
	if e.maxWidth > 0 {
		widest = min(widest, e.maxWidth/2)
		room = max(e.maxWidth-widest-columnGap, minCell)
	}
	for i := range columns {
		v, _ := columns[i].Get(&rec)
		name := names[i]
		if room > 0 {
			name = textwidth.Truncate(name, widest)
		}
		for _, part := range wrap(safetext.Escape(string(columns[i].appendReadable(nil, v))), room) {
			var err error
			if dst, err = e.addRow(dst, []string{name, part}); err != nil {
				return dst, err
			}
			name = ""
		}
	}
	return dst, nil
}

func (e *detailEncoder) End(dst []byte) ([]byte, error) { return e.drawSample(dst) }

// wrap splits text into parts no wider than room, at spaces if there are any. If
// room is 0, it does not split.
func wrap(text string, room int) []string {
	var parts []string
	for room > 0 && textwidth.Of(text) > room {
		head := textwidth.Prefix(text, room)
		if head == "" {
			break
		}
		if i := strings.LastIndexByte(head, ' '); i > len(head)/2 && !strings.HasPrefix(text[len(head):], " ") {
			head = head[:i]
		}
		parts = append(parts, head)
		text = strings.TrimPrefix(text[len(head):], " ")
	}
	return append(parts, text)
}
