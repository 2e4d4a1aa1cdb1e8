package output

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

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
	out     *sink        // receives the results
	order   *keyOrder    // of the keys of the results
	tty     bool         // out is a terminal
	text    atomic.Int64 // the bytes of the records of a list that were read
	turn    sync.Mutex   // held while the program reads records or writes results, but not while it computes
}

// compile compiles a jq expression whose results go to out. The error of an invalid
// expression is a *UsageError.
func compile(expression string, out *sink, tty bool) (*query, error) {
	parsed, err := gojq.Parse(expression)
	if err != nil {
		text := "invalid jq expression: " + safetext.Escape(err.Error())
		if at, ok := errors.AsType[*gojq.ParseError](err); ok {
			text += fmt.Sprintf(" at byte %d of %d", at.Offset, len(expression))
		}
		return nil, &UsageError{Message: text}
	}
	order := &keyOrder{known: map[uint64][]string{}}
	visit(reflect.ValueOf(parsed), func(node any) {
		switch node := node.(type) {
		case *gojq.Object:
			order.learnKeys(node.KeyVals)
		case *gojq.Query:
			callProduct(node)
		}
	})
	definitions, _ := gojq.Parse(products)
	parsed.FuncDefs = append(definitions.FuncDefs, parsed.FuncDefs...)
	q := &query{program: parsed, out: out, order: order, tty: tty}
	if q.code, err = gojq.Compile(parsed, q.functions()...); err != nil {
		return nil, &UsageError{Message: "invalid jq expression: " + safetext.Escape(err.Error())}
	}
	return q, nil
}

func (q *query) functions() []gojq.CompilerOption {
	return []gojq.CompilerOption{gojq.WithFunction("_short", 2, 2, shortProduct), gojq.WithFunction("_json", 0, 0, q.order.text), gojq.WithFunction("keys_unsorted", 0, 0, q.order.keys)}
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
	d := jqDecoder{order: q.order}
	for rec, err := range l.picked(seq) {
		if err != nil {
			return err
		}
		q.text.Add(int64(len(rec.Raw())))
		if err := q.compute(ctx, func() { elements = append(elements, d.record(&rec, map[string]any{})) }); err != nil {
			return err
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

// picked returns records with the columns that the user named, if there are some. They share one memory.
func (l *layout) picked(seq iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] {
	if !l.Picked {
		return seq
	}
	var text []byte
	return mapped(seq, func(rec record.Record) (record.Record, error) {
		text = l.AppendPicked(text[:0], &rec)
		return record.Parse(text)
	})
}

func (q *query) runValue(ctx context.Context, v record.Value) error {
	v, err := record.ParseValue(v)
	if err != nil {
		return err
	}
	var input any
	if err := q.compute(ctx, func() { input = (&jqDecoder{order: q.order}).value(v, record.AllMarks) }); err != nil {
		return err
	}
	return q.run(ctx, q.code, input)
}

func (q *query) run(ctx context.Context, code *gojq.Code, input any) error {
	results := code.RunWithContext(ctx, input)
	var v any
	var ok bool
	next := func() { v, ok = results.Next() }
	for {
		if err := q.compute(ctx, next); err != nil {
			return err
		}
		if !ok {
			return q.out.flush()
		}
		if err, ok := v.(error); ok {
			return q.stopError(err)
		}
		if err := q.writeResult(ctx, v); err != nil {
			return err
		}
	}
}

// writeResult writes a string as it is, and other values as compact JSON: a long array by
// its elements, so that its text is not held as a whole.
func (q *query) writeResult(ctx context.Context, v any) error {
	switch v := v.(type) {
	case string:
		for len(v) > 0 {
			var part string
			if part, v = encode.CutChunk(v); q.tty {
				q.out.buf = safetext.Append(q.out.buf, []byte(part), '\n', '\t')
			} else {
				q.out.buf = append(q.out.buf, part...)
			}
			q.out.drainLong()
		}
	case []any:
		q.out.buf = append(q.out.buf, '[')
		for i, element := range v {
			if i > 0 {
				q.out.buf = append(q.out.buf, ',')
			}
			if err := q.appendJSON(ctx, element); err != nil {
				return err
			}
		}
		q.out.buf = append(q.out.buf, ']')
	default:
		if err := q.appendJSON(ctx, v); err != nil {
			return err
		}
	}
	q.out.buf = append(q.out.buf, '\n')
	if !q.out.isDue() {
		return nil
	}
	return q.out.flush()
}

func (q *query) appendJSON(ctx context.Context, v any) error {
	var text []byte
	if err := q.compute(ctx, func() { text = q.order.appendJSON(nil, v) }); err != nil {
		return err
	}
	q.out.buf = encode.AppendJSON(q.out.buf, text, encode.Compact)
	q.out.drainLong()
	return nil
}

// stopError writes the results so far of a program that ended with cause, and
// returns the error to show: nil if the program halted without one.
func (q *query) stopError(cause error) error {
	if err := q.out.flush(); err != nil {
		return err
	}
	halt, isHalt := errors.AsType[*gojq.HaltError](cause)
	if !isHalt {
		return errors.New("jq: " + safetext.Escape(cause.Error()))
	}
	switch v := halt.Value().(type) {
	case nil:
		return nil
	case string:
		return errors.New("jq: " + safetext.Escape(v))
	default:
		return errors.New("jq: " + safetext.Escape(string(q.order.appendJSON(nil, v))))
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

// runStream runs a program that takes the records one by one. An error with which they end is that of the run, since the program
// might catch it.
func (q *query) runStream(ctx context.Context, l layout, program *gojq.Query, seq iter.Seq2[record.Record, error]) error {
	next, stop := iter.Pull2(l.picked(seq))
	defer stop()
	var failure error
	read := func() (record.Record, bool) {
		q.turn.Lock()
		defer q.turn.Unlock()
		if failure = context.Cause(ctx); failure != nil {
			return record.Record{}, false
		}
		rec, err, ok := next()
		failure = err
		return rec, ok && err == nil
	}
	decoder := jqDecoder{order: q.order}
	fields := map[string]any{} // of one record: programs do not change their input, and write its results before they read another
	records := iterFunc(func() (any, bool) {
		rec, ok := read()
		if !ok {
			return nil, false
		}
		clear(fields)
		return decoder.record(&rec, fields), true
	})
	code, err := gojq.Compile(program, append(q.functions(), gojq.WithIterFunction(eachRecord, 0, 0, func(any, []any) gojq.Iter { return records }))...)
	if err == nil {
		err = q.run(ctx, code, nil)
	}
	return cmp.Or(failure, err)
}

// An iterFunc is the only method of a gojq.Iter.
type iterFunc func() (any, bool)

func (next iterFunc) Next() (any, bool) { return next() }
