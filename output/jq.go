package output

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/itchyny/gojq"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/output/encode"
)

// query is a jq program. It can read neither files nor the environment, which may
// hold a token.
type query struct {
	program *gojq.Query
	code    *gojq.Code
	out     *sink // receives the results
	tty     bool  // out is a terminal
}

// compile compiles a jq expression whose results go to out. The error of an invalid
// expression is a *UsageError.
func compile(expression string, out *sink, tty bool) (*query, error) {
	parsed, err := gojq.Parse(expression)
	if err != nil {
		text := "invalid jq expression: " + safetext.Escape(err.Error())
		var at *gojq.ParseError
		if errors.As(err, &at) {
			text += fmt.Sprintf(" at byte %d of %d", at.Offset, len(expression))
		}
		return nil, &UsageError{Message: text}
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, &UsageError{Message: "invalid jq expression: " + safetext.Escape(err.Error())}
	}
	return &query{program: parsed, code: code, out: out, tty: tty}, nil
}

// runList runs the program on the array or object that -o json would print. If
// seq ends in an error, the program does not run, since it would see an incomplete
// list. Only a program that takes the records one by one (streamingProgram) has
// run on the records before the error.
func (q *query) runList(ctx context.Context, l layout, seq iter.Seq2[record.Record, error]) error {
	if program := streamingProgram(q.program); program != nil && !l.Single {
		return q.runStream(ctx, l, program, seq)
	}
	elements := []any{}
	d := newJQDecoder()
	text := 0
	var scratch []byte
	for rec, err := range seq {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if rec, err = l.pickFields(rec, &scratch); err != nil {
			return err
		}
		elements = append(elements, d.value(rec.Raw(), record.AllMarks))
		text += len(rec.Raw())
		if d.limit = max(maxJQInput, min(4*text, maxJQList)); d.tooLarge() {
			return &jqInputError{!l.Single}
		}
	}
	if !l.Single {
		return q.run(ctx, q.code, elements)
	}
	if len(elements) == 0 {
		return nil
	}
	return q.run(ctx, q.code, elements[0])
}

// pickFields returns a record with the columns that the user named, in the memory
// of scratch, or rec if the user named none.
func (l *layout) pickFields(rec record.Record, scratch *[]byte) (record.Record, error) {
	if !l.Picked {
		return rec, nil
	}
	*scratch = l.AppendPicked((*scratch)[:0], &rec)
	return record.Parse(*scratch)
}

// runValue runs the program on one value.
func (q *query) runValue(ctx context.Context, v record.Value) error {
	v, err := record.ParseValue(v)
	if err != nil {
		return err
	}
	d := newJQDecoder()
	input := d.value(v, record.AllMarks)
	if d.tooLarge() {
		return &jqInputError{}
	}
	return q.run(ctx, q.code, input)
}

// run writes the results of the program as they come: strings as they are,
// other values as compact JSON.
func (q *query) run(ctx context.Context, code *gojq.Code, input any) error {
	ctx, stop := watchMemory(ctx)
	defer stop()
	results := code.RunWithContext(ctx, input)
	for {
		v, ok := results.Next()
		if !ok {
			return q.out.flush()
		}
		if err, ok := v.(error); ok {
			return q.stopError(ctx, err)
		}
		if s, ok := v.(string); !ok {
			q.appendValue(v)
		} else {
			for part := range parts(s) {
				if q.tty {
					q.out.buf = safetext.Append(q.out.buf, []byte(part), '\n', '\t')
				} else {
					q.out.buf = append(q.out.buf, part...)
				}
				q.out.drainLong()
			}
		}
		q.out.buf = append(q.out.buf, '\n')
		if err := q.out.maybeFlush(); err != nil {
			return err
		}
	}
}

// appendValue appends a value as compact JSON, and drains it: a value may contain another
// one many times, so that its text is much longer than the memory that it takes.
func (q *query) appendValue(v any) {
	if q.out.err != nil {
		return
	}
	q.out.drainLong()
	switch v := v.(type) {
	case string:
		q.out.buf = append(q.out.buf, '"')
		for part := range parts(v) {
			text, err := gojq.Marshal(part)
			if err != nil {
				q.out.err = err
				return
			}
			text = encode.AppendJSON(nil, text, encode.Compact)
			q.out.buf = append(q.out.buf, text[1:len(text)-1]...)
			q.out.drainLong()
		}
		q.out.buf = append(q.out.buf, '"')
	case []any:
		q.out.buf = append(q.out.buf, '[')
		for i, element := range v {
			if i > 0 {
				q.out.buf = append(q.out.buf, ',')
			}
			q.appendValue(element)
		}
		q.out.buf = append(q.out.buf, ']')
	case map[string]any:
		q.out.buf = append(q.out.buf, '{')
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				q.out.buf = append(q.out.buf, ',')
			}
			q.appendValue(name)
			q.out.buf = append(q.out.buf, ':')
			q.appendValue(v[name])
		}
		q.out.buf = append(q.out.buf, '}')
	default:
		text, err := gojq.Marshal(v)
		if err != nil {
			q.out.err = err
			return
		}
		q.out.buf = encode.AppendJSON(q.out.buf, text, encode.Compact)
	}
}

// parts cuts a long text between characters.
func parts(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > flushSize {
			end := flushSize
			for end > flushSize-utf8.UTFMax && !utf8.RuneStart(text[end]) {
				end--
			}
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
		yield(text)
	}
}

// stopError writes the results so far of a program that ended with cause, and
// returns the error to show: nil if the program halted without one.
func (q *query) stopError(ctx context.Context, cause error) error {
	if err := q.out.flush(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var halt *gojq.HaltError
	if !errors.As(cause, &halt) {
		return errors.New("jq: " + safetext.Escape(cause.Error()))
	}
	switch v := halt.Value().(type) {
	case nil:
		return nil
	case string:
		return errors.New("jq: " + safetext.Escape(v))
	default:
		text, err := gojq.Marshal(v)
		if err != nil {
			return err
		}
		return errors.New("jq: " + safetext.Escape(string(text)))
	}
}

// eachRecord is the name of the function that replaces the `.[]` at the start of
// a program. No program can call it itself, since its name has a space.
const eachRecord = "each record"

// streamingProgram returns the program with the `.[]` at its start replaced by a
// call of eachRecord, or nil if the program starts otherwise. Nothing after that
// `.[]` can see the list as a whole, so the records can be passed one by one.
func streamingProgram(program *gojq.Query) *gojq.Query {
	out := *program
	switch t := program.Term; {
	case program.Op == gojq.OpPipe && program.Patterns == nil:
		if out.Left = streamingProgram(program.Left); out.Left == nil {
			return nil
		}
	case t != nil && t.Type == gojq.TermTypeIdentity && len(t.SuffixList) > 0 && t.SuffixList[0].Iter &&
		!slices.ContainsFunc(t.SuffixList, func(s *gojq.Suffix) bool { return s.Optional }):
		out.Term = &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: eachRecord}, SuffixList: t.SuffixList[1:]}
	default:
		return nil
	}
	return &out
}

// runStream runs a streamingProgram on the records as they come.
func (q *query) runStream(ctx context.Context, l layout, program *gojq.Query, seq iter.Seq2[record.Record, error]) error {
	next, stop := iter.Pull2(seq)
	defer stop()
	records := &recordIter{ctx: ctx, next: next, layout: l, decoder: newJQDecoder()}
	code, err := gojq.Compile(program, gojq.WithIterFunction(eachRecord, 0, 0, func(any, []any) gojq.Iter { return records }))
	if err != nil {
		return err
	}
	err = q.run(ctx, code, nil)
	if records.err != nil {
		return records.err
	}
	return err
}

// recordIter passes records to a program one by one. If the records end in an
// error, recordIter keeps it in err, since the program might catch it.
type recordIter struct {
	ctx     context.Context
	next    func() (record.Record, error, bool)
	layout  layout
	decoder jqDecoder
	scratch []byte
	err     error
}

// Next returns the next record, valid until the following call.
func (r *recordIter) Next() (any, bool) {
	rec, err, ok := r.next()
	if ok && err == nil {
		err = r.ctx.Err()
	}
	if ok && err == nil {
		rec, err = r.layout.pickFields(rec, &r.scratch)
	}
	if r.err = err; !ok || err != nil {
		return nil, false
	}
	v := r.decoder.shared(&rec)
	if r.decoder.tooLarge() {
		r.err = &jqInputError{}
		return nil, false
	}
	return v, true
}
