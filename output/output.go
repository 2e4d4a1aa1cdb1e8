// Package output prints records as tables, JSON, CSV and the like, and makes
// text that others wrote safe to show.
package output

import (
	"context"
	"io"
	"iter"
	"strings"

	"reseller/client/nearest"
	"reseller/client/record"
	"reseller/client/safetext"
)

// Format is how records are written.
type Format string

// The formats.
const (
	Table    Format = "table"
	JSON     Format = "json"
	NDJSON   Format = "ndjson"
	CSV      Format = "csv"
	TSV      Format = "tsv"
	YAML     Format = "yaml"
	Markdown Format = "markdown"
)

// Formats lists every format, the default first.
var Formats = []Format{Table, JSON, NDJSON, CSV, TSV, YAML, Markdown}

// ParseFormat finds the format of that name; the empty name is a table.
func ParseFormat(name string) (Format, error) {
	if name == "" {
		return Table, nil
	}
	var names []string
	for _, f := range Formats {
		if string(f) == name {
			return f, nil
		}
		names = append(names, string(f))
	}
	return "", &UsageError{
		What: "unknown output format " + quote(name) + ", the nearest is " + quote(nearest.Name(name, names)),
		Hint: "the formats are " + strings.Join(names, ", "),
	}
}

// Options are what the user asked of the output.
type Options struct {
	Format   Format
	Columns  []string // nil for the default ones, or just "all"
	NoHeader bool
	Sort     string // a column, descending with a dash before it
	JQ       string // beats Format
	CSVSafe  bool
	TTY      bool // the data goes to a terminal of Width columns
	Width    int
	Color    bool
}

// Column is a documented field of a record.
type Column struct {
	Name string   // the path as in JSON, external_account_manager.name
	Alt  []string // paths of older forms, tried when Name is missing or null
	Wide bool     // not among the default columns of table and markdown
	Date bool     // a date or time, which table and markdown show in one shape
}

// Shape is what a command's records look like.
type Shape struct {
	Columns []Column
	Front   []Column // put before the record's own columns
	Single  bool     // one object, not a list
}

// Printer writes records in the format its options name.
type Printer struct {
	o     Options
	out   sink
	query *query
}

// New makes a printer on w. A bad format or jq expression is a *UsageError.
func New(w io.Writer, o Options) (*Printer, error) {
	f, err := ParseFormat(string(o.Format))
	if err != nil {
		return nil, err
	}
	o.Format = f
	if o.Width <= 0 {
		o.Width = 80
	}
	p := &Printer{o: o, out: sink{w: w}}
	if o.JQ != "" {
		if p.query, err = compile(o.JQ); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Check finds out whether the columns and the sort column that the user named
// exist in s, so that a wrong one is told before anything is sent.
func (p *Printer) Check(s Shape) error {
	_, err := p.plan(s)
	return err
}

// Print writes the records of seq as they come. Where seq ends in an error,
// what came before it is written, closed where the format needs it, and the
// error returned.
func (p *Printer) Print(ctx context.Context, s Shape, seq iter.Seq2[record.Record, error]) error {
	pl, err := p.plan(s)
	if err != nil {
		return err
	}
	if s.Single {
		seq = first(seq)
	} else if pl.sort != nil {
		seq = sorted(seq, pl.sort, pl.descending)
	}
	if p.query != nil {
		return p.query.list(ctx, p, pl, seq)
	}
	if pl.all && !p.whole() {
		held := hold(seq)
		pl.columns = held.columns(s)
		seq = held.replay()
	}
	return p.drain(ctx, p.encoder(pl), seq, s.Single)
}

// whole tells whether the format shows a record with all its fields anyway.
func (p *Printer) whole() bool {
	return p.query != nil || p.o.Format == JSON || p.o.Format == NDJSON || p.o.Format == YAML
}

// An encoder appends the parts of a document to dst.
type encoder interface {
	begin(dst []byte) []byte
	record(dst []byte, rec record.Record) ([]byte, error)
	end(dst []byte) ([]byte, error)
}

func (p *Printer) encoder(pl plan) encoder {
	switch p.o.Format {
	case JSON:
		return &jsonEncoder{pl: pl}
	case NDJSON:
		return &ndjsonEncoder{pl: pl}
	case YAML:
		return &yamlEncoder{pl: pl}
	case CSV, TSV:
		return &delimited{cells: newCells(pl.columns), tabs: p.o.Format == TSV, safe: p.o.CSVSafe, noHeader: p.o.NoHeader}
	case Markdown:
		return &markdown{columns: pl.columns, noHeader: p.o.NoHeader}
	}
	if pl.shape.Single {
		return &card{pl: pl, table: p.table([]string{"FIELD", "VALUE"})}
	}
	header := make([]string, len(pl.columns))
	for i, c := range pl.columns {
		header[i] = strings.ToUpper(safetext.Escape(c.name))
	}
	return &list{cells: newCells(pl.columns), table: p.table(header)}
}

// drain writes seq. The document begins with the first record or the good end
// of the sequence: a call that fails at once leaves no empty list behind.
func (p *Printer) drain(ctx context.Context, enc encoder, seq iter.Seq2[record.Record, error], single bool) error {
	var failed error
	begun := false
	for rec, err := range seq {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			failed = err
			break
		}
		if !begun {
			begun = true
			p.out.buf = enc.begin(p.out.buf)
		}
		if p.out.buf, err = enc.record(p.out.buf, rec); err != nil {
			return err
		}
		if err := p.out.pace(); err != nil {
			return err
		}
	}
	if !begun {
		if failed != nil || single {
			return failed
		}
		p.out.buf = enc.begin(p.out.buf)
	}
	var err error
	if p.out.buf, err = enc.end(p.out.buf); err == nil {
		err = p.out.flush()
	}
	if failed != nil {
		return failed
	}
	return err
}

// Value writes one JSON value of any kind, for answers that are no records:
// as YAML where that is the format, compact for ndjson, else as indented JSON.
func (p *Printer) Value(ctx context.Context, v record.Value) error {
	if p.query != nil {
		return p.query.value(ctx, p, v)
	}
	switch p.o.Format {
	case YAML:
		p.out.buf = appendYAML(p.out.buf, v, 0)
	case NDJSON:
		p.out.buf = appendJSON(p.out.buf, v, compact)
	default:
		p.out.buf = appendJSON(p.out.buf, v, 0)
	}
	p.out.buf = append(p.out.buf, '\n')
	return p.out.flush()
}

// first cuts seq after its first record.
func first(seq iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for rec, err := range seq {
			yield(rec, err)
			return
		}
	}
}
