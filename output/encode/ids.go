package encode

import (
	"errors"
	"slices"

	"reseller/client/record"
	"reseller/client/safetext"
)

// The formats that write nothing but the ids of records.
const (
	IDs  Format = "ids"
	Name Format = "name" // with the kind of the record before each
)

type idEncoder struct {
	frameless
	column Column
	flush  Flush
	before string // each id
	after  byte
}

func newIDs(l Layout, isNamed bool) Encoder {
	e := &idEncoder{column: l.Columns[IDColumn(l.Columns)], flush: l.Flush, after: '\n'}
	if l.Print0 {
		e.after = 0
	}
	if isNamed {
		e.before = e.column.ID + "/"
	}
	return e
}

func IDColumn(columns []Column) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.ID != "" })
}

func (e *idEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	id, _ := e.column.Get(&rec)
	if IsNull(id) {
		return dst, errors.New("a record has no " + e.column.Name)
	}
	dst = e.flush.escape(append(dst, e.before...), []byte(id.Text()), safetext.AppendData)
	return append(dst, e.after), nil
}
