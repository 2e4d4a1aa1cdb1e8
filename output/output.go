// Package output prints records as tables, JSON, CSV and in other formats. A Printer takes a sequence of records and writes them
// as they come: records → selection, sort → jq program or encoder → buffer → writer. A Shape describes the records of a command,
// Options hold what the user asked for, and a File is where a command writes its output.
package output

import (
	"cmp"
	"context"
	"io"
	"iter"
	"slices"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/output/encode"
)

// Printer writes records in the format its options name.
type Printer struct {
	options Options
	out     sink
	query   *query // nil unless Options.JQ is set
}

// New returns a printer that writes to w. An unknown format, one that a terminal can't
// show, and an invalid jq expression are a *UsageError.
func New(w io.Writer, o Options) (*Printer, error) {
	f, err := ParseFormat(string(o.Format))
	if err != nil {
		return nil, err
	}
	if o.TTY && !f.IsText() {
		return nil, Usagef("output format %s: a terminal can't show it", f).Hinted("write it to a file with --output-file FILE." + string(f) + ", or to a pipe")
	}
	o.Format = f
	if o.Width <= 0 {
		o.Width = 80
	}
	p := &Printer{options: o, out: sink{w: w, held: o.Whole}}
	if o.JQ != "" {
		if p.query, err = compile(o.JQ, &p.out, o.TTY); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Check returns an error if the user named a column or a sort column that s
// does not have, so that a command can fail before it sends anything.
func (p *Printer) Check(s Shape) error {
	_, err := newLayout(p.options, s)
	return err
}

// Print writes the records of seq as they come. If seq ends in an error, Print
// writes the records before the error, completes the document, and returns the
// error.
func (p *Printer) Print(ctx context.Context, s Shape, seq iter.Seq2[record.Record, error]) error {
	l, err := newLayout(p.options, s)
	if err != nil {
		return err
	}
	seq = l.arranged(seq)
	if observe := p.options.Observe; observe != nil {
		seq = mapped(seq, func(rec record.Record) (record.Record, error) {
			observe(rec)
			return rec, nil
		})
	}
	if p.options.Discard {
		for _, err := range seq {
			if err = cmp.Or(err, context.Cause(ctx)); err != nil {
				return err
			}
		}
		return nil
	}
	if p.options.Unseen != nil && l.Picked {
		seq = noteUnseen(seq, l.Columns, p.options.Unseen)
	}
	if p.query != nil {
		return p.query.bounded(ctx, func(ctx context.Context) error { return p.query.runList(ctx, l, seq) })
	}
	if l.all && !p.options.Format.WholeRecords() {
		if l.Columns, seq, err = flattened(s, seq); err != nil {
			return err
		}
		l.Flat = true
	}
	l.Flush = p.out.drain
	var leftOut []string
	l.LeftOut = func(columns []string) { leftOut = columns }
	err = p.write(ctx, encode.New(p.options.Format, l.Layout), seq, s.Single)
	if len(leftOut) > 0 && p.options.LeftOut != nil {
		p.options.LeftOut(leftOut)
	}
	return err
}

// noteUnseen returns seq, at whose end unseen is told which of the columns by a path no record of it has, if it has any record.
func noteUnseen(seq iter.Seq2[record.Record, error], columns []encode.Column, unseen func([]string)) iter.Seq2[record.Record, error] {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c encode.Column) bool { return !strings.HasPrefix(c.Name, ".") })
	if len(columns) == 0 {
		return seq
	}
	return func(yield func(record.Record, error) bool) {
		isEmpty := true
		for rec, err := range seq {
			if err == nil {
				isEmpty = false
				columns = slices.DeleteFunc(columns, func(c encode.Column) bool { v, _ := c.Get(&rec); return v != nil })
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
		if !isEmpty && len(columns) > 0 {
			unseen(phrase.Each(columns, func(c encode.Column) string { return c.Name }))
		}
	}
}

// IsLost reports whether a write failed, so that nothing more is written.
func (p *Printer) IsLost() bool { return p.out.err != nil }

// write writes one document. The document is begun when the first record comes,
// or when seq ends without a record and without an error: a call that fails at
// once prints no empty list.
func (p *Printer) write(ctx context.Context, encoder encode.Encoder, seq iter.Seq2[record.Record, error], single bool) error {
	var failure error
	began := false
	for rec, err := range seq {
		if failure = err; err != nil {
			break
		}
		if !began {
			began = true
			p.out.buf = encoder.Begin(p.out.buf)
		}
		if p.out.buf, failure = encoder.Record(p.out.buf, rec); failure != nil {
			break
		}
		if !p.out.isDue() {
			continue
		}
		if failure = context.Cause(ctx); failure != nil {
			break
		}
		if err := p.out.flush(); err != nil {
			return err
		}
	}
	if failure != nil && p.options.Whole {
		p.out.buf = nil
		return failure
	}
	p.out.held = false
	if !began {
		if failure != nil || single {
			return failure
		}
		p.out.buf = encoder.Begin(p.out.buf)
	}
	var err error
	if p.out.buf, err = encoder.End(p.out.buf); err == nil {
		err = p.out.flush()
	}
	return cmp.Or(failure, err)
}

// Value writes a JSON value of any kind, for responses that are not records: as YAML
// if that is the format, as compact JSON for ndjson, else as indented JSON.
func (p *Printer) Value(ctx context.Context, v record.Value) error {
	if p.query != nil {
		return p.query.bounded(ctx, func(ctx context.Context) error { return p.query.runValue(ctx, v) })
	}
	p.out.buf = append(encode.AppendValue(p.out.buf, p.options.Format, v, p.out.drain), '\n')
	return p.out.flush()
}

// mapped returns the records that change returns for those of seq.
func mapped(seq iter.Seq2[record.Record, error], change func(record.Record) (record.Record, error)) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for rec, err := range seq {
			if err == nil {
				rec, err = change(rec)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
