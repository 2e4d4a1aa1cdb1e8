package output

import (
	"context"
	"iter"
	"slices"

	"github.com/itchyny/gojq"

	"reseller/client/record"
)

// eachRecord stands for the `.[]` that a program begins with. No program can
// call it by that name.
const eachRecord = "each record"

// streamed is the program with such a beginning replaced, nil where it begins
// otherwise. Behind a first `.[]` nothing sees the list as a whole, so that the
// records can be given one by one.
func streamed(program *gojq.Query) *gojq.Query {
	out := *program
	switch t := program.Term; {
	case program.Op == gojq.OpPipe && program.Patterns == nil:
		if out.Left = streamed(program.Left); out.Left == nil {
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

// stream runs such a program while the records come.
func (q *query) stream(ctx context.Context, p *Printer, pl plan, program *gojq.Query, seq iter.Seq2[record.Record, error]) error {
	next, stop := iter.Pull2(seq)
	defer stop()
	source := &source{ctx: ctx, next: next, pl: pl}
	code, err := gojq.Compile(program, gojq.WithIterFunction(eachRecord, 0, 0, func(any, []any) gojq.Iter { return source }))
	if err != nil {
		return err
	}
	err = q.run(ctx, p, code, nil)
	if source.err != nil {
		return source.err
	}
	return err
}

// A source gives records to a program. What it failed with is kept from the
// program, which might catch it.
type source struct {
	ctx     context.Context
	next    func() (record.Record, error, bool)
	pl      plan
	decoder decoder
	picked  []byte
	err     error
}

// Next is the next record, valid until the one behind it.
func (s *source) Next() (any, bool) {
	rec, err, ok := s.next()
	if ok && err == nil {
		err = s.ctx.Err()
	}
	if ok && err == nil {
		rec, err = s.pl.pickRecord(rec, &s.picked)
	}
	if s.err = err; !ok || err != nil {
		return nil, false
	}
	return s.decoder.shared(&rec), true
}
