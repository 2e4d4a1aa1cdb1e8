package output

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/itchyny/gojq"

	"reseller/client/record"
	"reseller/client/safetext"
)

// query is a jq program. It sees no environment and no files: a token may be
// in the one, and anything in the other.
type query struct {
	program *gojq.Query
	code    *gojq.Code
}

func compile(expression string) (*query, error) {
	parsed, err := gojq.Parse(expression)
	if err != nil {
		text := "jq expression: " + safetext.Escape(err.Error())
		var at *gojq.ParseError
		if errors.As(err, &at) {
			text += fmt.Sprintf(" at byte %d of %d", at.Offset, len(expression))
		}
		return nil, &UsageError{What: text}
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, &UsageError{What: "jq expression: " + safetext.Escape(err.Error())}
	}
	return &query{parsed, code}, nil
}

// list runs the program on what -o json would print. A sequence that ends in
// an error is not shown in part, save by a program that takes the records one
// by one: it would count what is not whole.
func (q *query) list(ctx context.Context, p *Printer, pl plan, seq iter.Seq2[record.Record, error]) error {
	if program := streamed(q.program); program != nil && !pl.shape.Single {
		return q.stream(ctx, p, pl, program, seq)
	}
	elements := []any{}
	var d decoder
	var picked []byte
	for rec, err := range seq {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if rec, err = pl.pickRecord(rec, &picked); err != nil {
			return err
		}
		elements = append(elements, d.value(rec.Raw(), unknown))
	}
	if !pl.shape.Single {
		return q.run(ctx, p, q.code, elements)
	}
	if len(elements) == 0 {
		return nil
	}
	return q.run(ctx, p, q.code, elements[0])
}

func (q *query) value(ctx context.Context, p *Printer, v record.Value) error {
	v, err := record.ParseValue(v)
	if err != nil {
		return err
	}
	var d decoder
	return q.run(ctx, p, q.code, d.value(v, unknown))
}

func (q *query) run(ctx context.Context, p *Printer, code *gojq.Code, input any) error {
	results := code.RunWithContext(ctx, input)
	for {
		v, ok := results.Next()
		if !ok {
			return p.out.flush()
		}
		if err, ok := v.(error); ok {
			return q.stopped(ctx, p, err)
		}
		if s, ok := v.(string); !ok {
			text, err := gojq.Marshal(v)
			if err != nil {
				return err
			}
			p.out.buf = appendJSON(p.out.buf, text, compact)
		} else if p.o.TTY {
			p.out.buf = safetext.Append(p.out.buf, []byte(s), '\n', '\t')
		} else {
			p.out.buf = append(p.out.buf, s...)
		}
		p.out.buf = append(p.out.buf, '\n')
		if err := p.out.pace(); err != nil {
			return err
		}
	}
}

// stopped ends a program early: what it gave until then is written.
func (q *query) stopped(ctx context.Context, p *Printer, cause error) error {
	if err := p.out.flush(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
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
