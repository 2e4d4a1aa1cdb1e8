package output

import (
	"context"
	"io"
	"iter"

	"reseller/client/record"
	"reseller/output/encode"
)

// Options are what the user asked of the output.
type Options struct {
	Format   encode.Format // empty for a table
	Columns  []string      // nil for the default columns; only "all" for every field of the records
	NoHeader bool
	Sort     string // the name of a column, with a dash before it for descending order
	JQ       string // a jq expression; its results are written instead of the records
	CSVSafe  bool   // csv and tsv cells that a spreadsheet would run as formulas start with an apostrophe
	TTY      bool   // the output is a terminal of Width columns
	Width    int
	Color    bool
}

// Column is a documented field of a record.
type Column struct {
	Name string   // the path as in JSON, external_account_manager.name
	Alt  []string // paths that older responses use, tried if Name is missing or null
	Wide bool     // not one of the default columns of table and markdown
	Date bool     // a date or time, which table and markdown write as FormatDate does
}

// Shape describes the records of a command.
type Shape struct {
	Columns []Column // if empty, every field of the records becomes a column
	Front   []Column // written before Columns
	Single  bool     // one object, not a list
}

// Printer writes records in the format its options name.
type Printer struct {
	options Options
	out     sink
	query   *query // nil unless Options.JQ is set
}

// New returns a printer that writes to w. An unknown format and an invalid jq
// expression are a *UsageError.
func New(w io.Writer, o Options) (*Printer, error) {
	f, err := ParseFormat(string(o.Format))
	if err != nil {
		return nil, err
	}
	o.Format = f
	if o.Width <= 0 {
		o.Width = 80
	}
	p := &Printer{options: o, out: sink{w: w}}
	if o.JQ != "" {
		if p.query, err = compile(o.JQ); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Check returns an error if the user named a column or a sort column that s
// does not have, so that a command can fail before it sends anything.
func (p *Printer) Check(s Shape) error {
	_, err := p.layout(s)
	return err
}

// Print writes the records of seq as they come. If seq ends in an error, Print
// writes the records before the error, completes the document, and returns the
// error.
func (p *Printer) Print(ctx context.Context, s Shape, seq iter.Seq2[record.Record, error]) error {
	l, err := p.layout(s)
	if err != nil {
		return err
	}
	if s.Single {
		seq = first(seq)
	} else if l.sort != nil {
		seq = sorted(seq, l.sort, l.descending)
	}
	if p.query != nil {
		return p.query.runList(ctx, p, l, seq)
	}
	if l.all && !p.options.Format.WholeRecords() {
		records := readAll(seq)
		l.Columns = records.columns(s)
		seq = records.replay()
	}
	return p.write(ctx, encode.New(p.options.Format, l.Layout), seq, s.Single)
}

// write writes one document. The document is begun when the first record comes,
// or when seq ends without a record and without an error: a call that fails at
// once prints no empty list.
func (p *Printer) write(ctx context.Context, encoder encode.Encoder, seq iter.Seq2[record.Record, error], single bool) error {
	var failure error
	began := false
	for rec, err := range seq {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			failure = err
			break
		}
		if !began {
			began = true
			p.out.buf = encoder.Begin(p.out.buf)
		}
		if p.out.buf, err = encoder.Record(p.out.buf, rec); err != nil {
			return err
		}
		if err := p.out.maybeFlush(); err != nil {
			return err
		}
	}
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
	if failure != nil {
		return failure
	}
	return err
}

// Value writes a JSON value of any kind, for responses that are not records: as YAML
// if that is the format, as compact JSON for ndjson, else as indented JSON.
func (p *Printer) Value(ctx context.Context, v record.Value) error {
	if p.query != nil {
		return p.query.runValue(ctx, p, v)
	}
	p.out.buf = append(encode.AppendValue(p.out.buf, p.options.Format, v), '\n')
	return p.out.flush()
}

// first ends seq after its first record.
func first(seq iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for rec, err := range seq {
			yield(rec, err)
			return
		}
	}
}
