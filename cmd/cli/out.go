package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/output"
)

// Shape is what an operation's data looks like when it is printed.
func Shape(res *schema.Resource, single bool) output.Shape {
	s := output.Shape{Single: single}
	if res != nil {
		s.Columns = Columns(res)
	}
	return s
}

// Columns are the columns of a resource.
func Columns(res *schema.Resource) []output.Column {
	var out []output.Column
	for _, c := range res.Columns() {
		out = append(out, output.Column{Name: c.Name, Alt: c.Alt, Wide: !c.Default, Date: c.Date})
	}
	return out
}

// Format is the output format in force.
func (f *Factory) Format() (output.Format, error) {
	if f.Flags.JQ != "" {
		return output.JSON, nil
	}
	settings, err := f.Settings()
	if err != nil {
		return "", err
	}
	name, err := settings.Output()
	if err != nil {
		return "", err
	}
	return output.ParseFormat(name)
}

// An Out is where a command's data goes: stdout, or a file that appears whole
// at the end or not at all.
type Out struct {
	*output.Printer
	Format  output.Format
	shape   output.Shape
	file    *output.File
	term    *safetext.Writer
	picture *picture // nil where none was asked for
}

// Output opens the data's way out and checks what was asked of it, before
// anything is sent. The caller defers Abort and ends with Commit.
func (f *Factory) Output(shape output.Shape) (*Out, error) {
	if err := f.Flags.Check(); err != nil {
		return nil, err
	}
	format, err := f.Format()
	if err != nil {
		return nil, err
	}
	out := &Out{Format: format, shape: shape, file: output.Direct(f.Out)}
	options := output.Options{
		Format: format, Columns: f.Flags.Columns, NoHeader: f.Flags.NoHeader, Sort: f.Flags.Sort,
		JQ: f.Flags.JQ, CSVSafe: f.Flags.CSVSafe,
	}
	toTerminal := f.OutTTY && (f.Flags.OutputFile == "" || f.Flags.OutputFile == "-")
	if toTerminal {
		options.TTY, options.Width = true, f.Width()
	}
	options.Color = f.color(toTerminal)
	if f.Flags.OutputFile != "" && f.Flags.OutputFile != "-" {
		if out.file, err = output.OpenFile(f.Flags.OutputFile); err != nil {
			return nil, err
		}
	}
	if out.Printer, err = output.New(out.file, options); err != nil {
		out.Abort()
		return nil, err
	}
	if toTerminal {
		out.term = safetext.NewWriter(out.file)
	}
	if !f.Flags.Raw {
		if err := out.Check(shape); err != nil {
			out.Abort()
			return nil, err
		}
	}
	if f.picture == nil {
		return out, nil
	}
	f.picture.width, f.picture.color = pipeWidth, options.Color
	if toTerminal {
		f.picture.width = options.Width
	}
	if err := f.picture.open(); err != nil {
		out.Abort()
		return nil, err
	}
	out.picture = f.picture
	return out, nil
}

func (f *Factory) color(terminal bool) bool {
	switch f.Flags.Color {
	case "always":
		return true
	case "never":
		return false
	}
	none, _ := f.Env("NO_COLOR")
	term, _ := f.Env("TERM")
	return terminal && none == "" && term != "dumb"
}

// Records prints records in the shape that Output was given.
func (o *Out) Records(ctx context.Context, list iter.Seq2[record.Record, error]) error {
	return o.Print(ctx, o.shape, list)
}

// Record prints one record.
func (o *Out) Record(ctx context.Context, rec record.Record) error {
	return o.Records(ctx, func(yield func(record.Record, error) bool) { yield(rec, nil) })
}

// Exact is the way out for what is printed as it came: exact in a pipe and a
// file, its control characters escaped on a terminal.
func (o *Out) Exact() io.Writer {
	if o.term != nil {
		return o.term
	}
	return o.file
}

// Commit puts the data in place.
func (o *Out) Commit() error {
	if o.picture != nil {
		if err := o.picture.draw(o.file); err != nil {
			return err
		}
	}
	if o.term != nil {
		if err := o.term.Flush(); err != nil {
			return err
		}
	}
	if err := o.file.Commit(); err != nil || o.picture == nil || o.picture.file == nil {
		return err
	}
	return o.picture.file.Commit()
}

// Abort leaves a file as it was. After Commit it does nothing.
func (o *Out) Abort() {
	o.file.Abort()
	if o.picture != nil && o.picture.file != nil {
		o.picture.file.Abort()
	}
}

// Object makes a record of what this program itself has to say.
func Object(v any) record.Record {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only plain structs and maps of this program come here
	}
	rec, err := record.Parse(bytes.TrimSpace(b.Bytes()))
	if err != nil {
		panic(err)
	}
	return rec
}

// Sequence walks records that are there already.
func Sequence(recs []record.Record) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for _, rec := range recs {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// Say prints records of this program's own, all of whose fields are columns.
func (f *Factory) Say(ctx context.Context, single bool, columns []string, recs ...record.Record) error {
	shape := output.Shape{Single: single}
	for _, name := range columns {
		shape.Columns = append(shape.Columns, output.Column{Name: name})
	}
	out, err := f.Output(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := out.Records(ctx, Sequence(recs)); err != nil {
		return err
	}
	return out.Commit()
}
