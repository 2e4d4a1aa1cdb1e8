package loads

import (
	"bytes"
	"cmp"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strings"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
)

// A Row is a row of a load that is in no file: its values by the names of fields, as in a JSON file. Bytes, as database drivers
// return them, are text.
type Row map[string]any

// RunRows loads rows as Run loads those of a file. An error among the rows, the end of ctx, and text that is not UTF-8 stop the
// load before the first call. The store gets a copy of the rows, unless they hold passwords, and keeps it as long as the job.
// After a run that was interrupted or killed, another run with the same rows, in the same order, resumes the load. Rows that
// Options.OnInvalid skips are in the job's file of rejects, with the reasons.
func (l Load) RunRows(ctx context.Context, list iter.Seq2[Row, error], store job.Store, o bulk.Options) (job.Summary, error) {
	if list == nil {
		return job.Summary{}, errors.New("there are no rows: the iterator is nil")
	}
	next, stop := iter.Pull2(list)
	defer stop()
	input := &rowReader{ctx: ctx, next: next}
	if note := o.Note; note != nil {
		o.Note = func(text string) { note(optionNames.Replace(text)) }
	}
	summary, err := l.run(ctx, decode.Options{Path: "-", Stdin: input, Format: "ndjson"}, store, o)
	if err != nil {
		err = &rowsError{err}
	}
	return summary, cmp.Or(input.err, err)
}

// A rowsError is the error of a load whose user gives no flags.
type rowsError struct{ error }

func (e *rowsError) Error() string { return optionNames.Replace(e.error.Error()) }
func (e *rowsError) Unwrap() error { return e.error }

// optionNames has, for the flags that errors and notes about rows name, what a program sets in their place.
var optionNames = strings.NewReplacer(
	"use --map or --ignore-unknown", "name a field, or set Load.Schema.IgnoreUnknown",
	"use --map to pass one of them over", "leave one of them out",
	"--keyword-separator", "Load.Schema.ListSeparators with",
	"--restart", "another job.Store",
	"--resend-sent", "Options.ResendSent",
	"--resend-unknown", "Options.ResendUnknown",
	"--settle-time", "Options.SettleTime",
	"--verify", "Options.Verify",
)

// A rowReader reads rows as lines of JSON.
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
			r.line, r.err = json.Marshal(textual(map[string]any(row)))
			r.line = append(r.line, '\n')
		}
		if bytes.Contains(bytes.ReplaceAll(r.line, []byte(`\\`), nil), []byte(`\ufffd`)) { // which json.Marshal writes in its place
			r.err = fmt.Errorf("row %d has bytes that are no text in UTF-8", r.n)
		}
	}
	if r.err != nil {
		return 0, errRow
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

// textual returns a value, in which bytes are text. A value that says itself what it is in JSON stays as it is.
func textual(v any) any {
	switch v := v.(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return v
	case map[string]any:
		texts := make(map[string]any, len(v))
		for name, member := range v {
			texts[name] = textual(member)
		}
		return texts
	}
	if b := reflect.ValueOf(v); b.Kind() == reflect.Slice && b.Type().Elem().Kind() == reflect.Uint8 && !b.IsNil() {
		return string(b.Bytes())
	}
	return v
}
