package encode

import (
	"errors"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
)

// The formats that write nothing but the ids of records.
const (
	IDs  Format = "ids"
	Name Format = "name" // with the kind of the record before each
)

type idEncoder struct {
	layout Layout
	before string // each id
	after  byte
}

func newIDs(l Layout) Encoder {
	e := &idEncoder{layout: l, after: '\n'}
	if l.Print0 {
		e.after = 0
	}
	return e
}

func newNames(l Layout) Encoder {
	e := newIDs(l).(*idEncoder)
	e.before = strings.TrimSuffix(l.Name, "s") + "/"
	return e
}

func (e *idEncoder) Begin(dst []byte) []byte { return dst }

func (e *idEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	id, _ := e.layout.Columns[0].Get(&rec)
	if IsNull(id) {
		return dst, errors.New("a record has no " + e.layout.Columns[0].Name)
	}
	dst = e.layout.Flush.escape(append(dst, e.before...), []byte(id.Text()), safetext.AppendData)
	return append(dst, e.after), nil
}

func (e *idEncoder) End(dst []byte) ([]byte, error) { return dst, nil }
