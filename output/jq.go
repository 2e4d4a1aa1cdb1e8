package output

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/itchyny/gojq"

	"reseller/client/record"
)

// query is a jq program. It sees no environment and no files: a token may be
// in the one, and anything in the other.
type query struct{ code *gojq.Code }

func compile(expression string) (*query, error) {
	parsed, err := gojq.Parse(expression)
	if err != nil {
		text := "jq expression: " + Escape(err.Error())
		var at *gojq.ParseError
		if errors.As(err, &at) {
			text += fmt.Sprintf(" at byte %d of %d", at.Offset, len(expression))
		}
		return nil, &UsageError{What: text}
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, &UsageError{What: "jq expression: " + Escape(err.Error())}
	}
	return &query{code}, nil
}

// list runs the program on what -o json would print. A sequence that ends in
// an error is not shown in part: the program would count what is not whole.
func (q *query) list(ctx context.Context, p *Printer, pl plan, seq iter.Seq2[record.Record, error]) error {
	elements := []any{}
	var picked []byte
	for rec, err := range seq {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		raw := []byte(rec.Raw())
		if pl.picked {
			picked = pl.appendPicked(picked[:0], &rec)
			raw = picked
		}
		v, err := decode(raw)
		if err != nil {
			return err
		}
		elements = append(elements, v)
	}
	if !pl.shape.Single {
		return q.run(ctx, p, elements)
	}
	if len(elements) == 0 {
		return nil
	}
	return q.run(ctx, p, elements[0])
}

func (q *query) value(ctx context.Context, p *Printer, v record.Value) error {
	input, err := decode(v)
	if err != nil {
		return err
	}
	return q.run(ctx, p, input)
}

// decode keeps numbers as their text, so that large ones survive.
func decode(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}

func (q *query) run(ctx context.Context, p *Printer, input any) error {
	results := q.code.RunWithContext(ctx, input)
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
			p.out.buf = EscapeText(p.out.buf, []byte(s), '\n', '\t')
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
		return errors.New("jq: " + Escape(cause.Error()))
	}
	switch v := halt.Value().(type) {
	case nil:
		return nil
	case string:
		return errors.New("jq: " + Escape(v))
	default:
		text, err := gojq.Marshal(v)
		if err != nil {
			return err
		}
		return errors.New("jq: " + Escape(string(text)))
	}
}
