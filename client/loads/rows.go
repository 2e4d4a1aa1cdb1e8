package loads

import (
	"cmp"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"unicode/utf8"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
)

// A Row is a row of a load that is in no file: its values by the names of fields, as in a JSON file. Bytes, as database drivers
// return them, are text.
type Row map[string]any

// RunRows loads rows as Run loads those of a file. An error among the rows, the end of ctx, and text that is not UTF-8 stop the
// load before the first call. The store gets a copy of the rows, unless they hold passwords, and keeps it as long as the state of
// the load, also once it has finished. After a run that was interrupted or killed, another run with the same rows, in the same
// order, resumes the load. Errors, notes and rejects count the rows from 1.
func (l Load) RunRows(ctx context.Context, list iter.Seq2[Row, error], store job.Store, o bulk.Options) (job.Summary, error) {
	if list == nil {
		return job.Summary{}, errors.New("there are no rows: the iterator is nil")
	}
	next, stop := iter.Pull2(list)
	defer stop()
	input := &rowReader{ctx: ctx, next: next}
	summary, err := l.run(ctx, decode.Options{Path: "-", Stdin: input, Format: "ndjson", Unit: decode.ByRow}, store, o)
	return summary, cmp.Or(input.err, err)
}

type rowReader struct {
	ctx  context.Context
	next func() (Row, error, bool)
	n    int    // the rows so far
	line []byte // what was not read of the last one
	err  error  // of a row
}

// errRow ends the reading at a row with an error, which may be io.EOF.
var errRow = errors.New("a row can't be read")

func (r *rowReader) Read(p []byte) (int, error) {
	if len(r.line) == 0 && r.err == nil {
		row, err, ok := r.next()
		r.n++
		if r.err = cmp.Or(r.ctx.Err(), err); r.err == nil && !ok {
			return 0, io.EOF
		}
		if r.err == nil {
			text, isUTF8 := textual(row)
			line, err := json.Marshal(text)
			r.line = append(line, '\n')
			switch {
			case row == nil:
				r.err = fmt.Errorf("row %d is nil", r.n)
			case !isUTF8:
				r.err = fmt.Errorf("row %d has bytes that are no text in UTF-8", r.n)
			case err != nil:
				r.err = fmt.Errorf("row %d: %w", r.n, err)
			}
		}
	}
	if r.err != nil {
		return 0, errRow
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

// textual returns a value in which bytes are text, and whether all of its text is UTF-8. A value that says itself what it is in
// JSON stays as it is.
func textual(v any) (text any, isUTF8 bool) {
	switch v.(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return v, true
	}
	isUTF8 = true
	member := func(v reflect.Value) any {
		text, ok := textual(v.Interface())
		isUTF8 = isUTF8 && ok
		return text
	}
	switch b := reflect.ValueOf(v); {
	case b.Kind() == reflect.String:
		return v, utf8.ValidString(b.String())
	case b.Kind() == reflect.Slice && b.Type().Elem().Kind() == reflect.Uint8 && !b.IsNil():
		return string(b.Bytes()), utf8.Valid(b.Bytes())
	case b.Kind() == reflect.Slice && !b.IsNil():
		list := make([]any, b.Len())
		for i := range list {
			list[i] = member(b.Index(i))
		}
		return list, isUTF8
	case b.Kind() == reflect.Map && b.Type().Key().Kind() == reflect.String && !b.IsNil():
		members := make(map[string]any, b.Len())
		for at := b.MapRange(); at.Next(); {
			members[at.Key().String()] = member(at.Value())
		}
		return members, isUTF8
	}
	return v, true
}
