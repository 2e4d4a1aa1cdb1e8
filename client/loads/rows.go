package loads

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
)

// A Row is a row of a load that is in no file: its values by the names of fields, as in a JSON file.
type Row map[string]any

// RunRows loads rows as Run loads those of a file. An error among the rows stops the load before the first call. The store
// gets a copy of the rows, unless they hold passwords. After a run that was interrupted or killed, another run with the same
// rows, in the same order, resumes the load.
func (l Load) RunRows(ctx context.Context, list iter.Seq2[Row, error], store job.Store, o bulk.Options) (job.Summary, error) {
	if list == nil {
		return job.Summary{}, errors.New("there are no rows: the iterator is nil")
	}
	next, stop := iter.Pull2(list)
	defer stop()
	input := &rowReader{next: next}
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
	next func() (Row, error, bool)
	line []byte // what was not read of the last one
	err  error  // of a row
}

func (r *rowReader) Read(p []byte) (int, error) {
	if len(r.line) == 0 && r.err == nil {
		row, err, ok := r.next()
		if !ok {
			return 0, io.EOF
		}
		if err == nil {
			r.line, err = json.Marshal(row)
			r.line = append(r.line, '\n')
		}
		r.err = err
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, r.err
}
