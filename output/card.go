package output

import (
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
)

// card is the table of one record: a field a line, the documented ones first,
// then what else the service sent. On a terminal long values are wrapped.
type card struct {
	*table
	pl plan
}

func (e *card) begin(dst []byte) []byte { return dst }

func (e *card) record(dst []byte, rec record.Record) ([]byte, error) {
	columns := e.pl.columns
	if !e.pl.picked && !e.pl.all {
		columns = append(columns, e.pl.shape.others(rec)...)
	}
	names := make([]string, len(columns))
	widest := width(e.header[0])
	for i := range columns {
		names[i] = safetext.Escape(columns[i].name)
		widest = max(widest, width(names[i]))
	}
	room := 0
	if e.fit > 0 {
		widest = min(widest, e.fit/2)
		room = max(e.fit-widest-gap, leastCell)
	}
	for i := range columns {
		v, _ := columns[i].get(&rec)
		name := names[i]
		if room > 0 {
			name = cut(name, widest)
		}
		for _, part := range wrap(safetext.Escape(string(columns[i].appendShown(nil, v))), room) {
			var err error
			if dst, err = e.add(dst, []string{name, part}); err != nil {
				return dst, err
			}
			name = ""
		}
	}
	return dst, nil
}

func (e *card) end(dst []byte) ([]byte, error) { return e.draw(dst) }

// wrap cuts text into parts no wider than room, at spaces where there are any.
func wrap(text string, room int) []string {
	var parts []string
	for room > 0 && width(text) > room {
		head := take(text, room)
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
