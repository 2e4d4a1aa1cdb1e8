package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/opener"
	"reseller/output"
	"reseller/output/encode"
)

// Shape returns how records of a resource are printed: a single record or a list, with
// the resource's columns.
func Shape(res *schema.Resource, single bool) output.Shape {
	s := output.Shape{Single: single}
	if res != nil {
		s.Name, s.Columns = strings.TrimSuffix(res.Name, "s")+"s", Columns(res)
	}
	return s
}

func Columns(res *schema.Resource) []output.Column {
	var out []output.Column
	for _, c := range res.Columns() {
		column := output.Column{
			Name: c.Name, Alt: c.Alt, Wide: !c.Has(schema.DefaultColumn), OnRequest: c.Has(schema.OnRequest), Date: c.Type == schema.Date, Enum: c.Enum,
			Words: c.Words, Shown: c.Shown, Title: c.Has(schema.Title), ID: c.ID, Needed: c.Has(schema.Needed), Example: c.Example,
		}
		switch c.Type {
		case schema.Int, schema.Float:
			column.Type = encode.TypeNumber
		case schema.Text, schema.Email, schema.URL, schema.Country:
			column.Type = encode.TypeText
		}
		out = append(out, column)
	}
	return out
}

type Output struct {
	// Constant are the columns that have one value in all rows, by the flags of the command.
	Constant []string
	// Observe sees every record that the command prints, for example to draw a chart, and Draw runs when all are printed. The file
	// that it returns, if it is not nil, is put in place behind the output. Both are nil for a command that draws nothing.
	Observe func(record.Record)
	Draw    func(*Out) (*output.File, error)
	// HelpError is the error of writing the help of a command, which cobra does not return.
	HelpError error

	s *Session
}

func (o *Output) Format() (encode.Format, error) {
	if format, err := o.s.Flags.Format(); format != "" || err != nil {
		return format, err
	}
	settings, err := o.s.Settings()
	if err != nil {
		return "", err
	}
	name, err := settings.Output()
	if err != nil {
		return "", err
	}
	return output.ParseFormat(name)
}

// ToFile reports whether the output of the command goes to a file, which is discarded if the command fails.
func (s *Session) ToFile() bool { return s.Flags.OutputFile != "" && s.Flags.OutputFile != "-" }

// OpenFile begins an output file by open, which waits for a reader if the file is a pipe, or for the end of the command.
func (s *Session) OpenFile(open func(path string) (*output.File, error), path string) (*output.File, error) {
	return WithContext(s.Context, func() (*output.File, error) { return open(path) })
}

// An Out is the output of a command: stdout, or a file that is replaced only if the
// command succeeds.
type Out struct {
	*output.Printer
	Format  encode.Format
	shape   output.Shape
	options output.Options
	file    *output.File
	term    *safetext.Writer
	draw    func(*Out) (*output.File, error) // may be nil
	written func()                           // runs after the files are complete; may be nil
}

// Open opens the output and checks the flags that shape it, before anything is sent.
// The caller defers Abort and ends with Commit.
func (o *Output) Open(shape output.Shape) (*Out, error) {
	format := encode.Table
	if isText := o.s.Flags.Raw || o.Draw != nil && o.s.Flags.Chart; !isText {
		var err error
		if format, err = o.Format(); err != nil {
			return nil, err
		}
	}
	if ending := encode.OfFile(o.s.Flags.OutputFile); ending != "" && !ending.IsText() && format.IsText() {
		return nil, Usagef("--output-file %s: what is written is text, not %s", o.s.Flags.OutputFile, ending)
	}
	openFile := output.OpenFile
	if o.s.Flags.Raw {
		openFile = output.OpenPrivate
	}
	return o.open(openFile, shape, format)
}

// OpenText is Open for a command that prints no records but a text of its own, to --output-file as openFile opens it. A jq
// expression applies to that.
func (o *Output) OpenText(openFile func(path string) (*output.File, error)) (*Out, error) {
	return o.open(openFile, output.Shape{Single: true}, encode.Table)
}

func (o *Output) open(openFile func(path string) (*output.File, error), shape output.Shape, format encode.Format) (_ *Out, err error) {
	out := &Out{Format: format, shape: shape, file: output.Direct(o.s.Out), draw: o.Draw}
	if path := cmp.Or(o.s.Flags.ChartFile, o.s.Flags.OutputFile); path != "" {
		out.written = func() { o.Show(path) }
	}
	options := output.Options{
		Format: format, Columns: o.s.Flags.Columns, NoHeader: o.s.Flags.NoHeader, Print0: o.s.Flags.Print0, Sort: o.s.Flags.Sort,
		Where: o.s.Flags.where, Search: o.s.Flags.search, Limit: o.s.Flags.limit,
		Constant: o.Constant, JQ: o.s.Flags.JQ, CSVSafe: o.s.Flags.CSVSafe, CSVBOM: o.s.Flags.CSVBOM, Whole: !format.IsText() && !o.s.ToFile(),
		Unseen: func(columns []string) {
			o.s.NoteOnce("columns", "--columns: no record that was printed has %s", strings.Join(columns, ", "))
		},
	}
	toTerminal := o.s.ToTerminal()
	if toTerminal {
		options.TTY, options.Width, options.LeftOut = true, o.s.Width(), o.noteLeftOut
	}
	options.Color = o.s.Color(toTerminal)
	if o.s.ToFile() {
		if out.file, err = o.s.OpenFile(openFile, o.s.Flags.OutputFile); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err != nil {
			out.Abort()
		}
	}()
	options.Observe, options.Discard = o.Observe, o.Draw != nil && o.s.Flags.Chart
	out.options = options
	if out.Printer, err = output.New(out.file, options); err != nil {
		return nil, err
	}
	if toTerminal {
		out.term = safetext.NewWriter(out.file)
	}
	if !o.s.Flags.Raw {
		err = out.Check(shape)
	}
	return out, err
}

// noteLeftOut tells the user for which columns of a table the terminal had no room.
func (o *Output) noteLeftOut(columns []string) {
	names, help := strings.Join(columns, ", "), "--columns chooses what is shown"
	if o.s.Flags.Columns != nil {
		help = "-o csv shows all"
	}
	o.s.Note("the terminal is too narrow for %s: %s (%s)", phrase.Count(len(columns), "column", "columns"), names, help)
}

// Color reports whether a text may be colored, which --color, NO_COLOR and TERM say, and otherwise
// whether it goes to a terminal.
func (s *Session) Color(terminal bool) bool {
	switch s.Flags.Color {
	case "always":
		return true
	case "never":
		return false
	}
	return terminal && s.Var("NO_COLOR") == "" && s.Var("TERM") != "dumb"
}

// IsWhole reports whether nothing is written unless the command succeeds.
func (o *Out) IsWhole() bool {
	return !o.file.IsDirect() || len(o.options.Sort) > 0 || o.shape.Arrange != nil || !o.Format.IsText()
}

// Records prints records in the shape of the output. Of those that a chart replaces, it shows each to Output.Observe alone.
func (o *Out) Records(ctx context.Context, list iter.Seq2[record.Record, error]) error {
	boundMemory()
	return o.Print(ctx, o.shape, list)
}

func (o *Out) Value(ctx context.Context, v record.Value) error {
	boundMemory()
	return o.Printer.Value(ctx, v)
}

func (o *Out) Record(ctx context.Context, rec record.Record) error {
	return o.Records(ctx, Records([]record.Record{rec}))
}

// Raw returns the writer for a response that is printed unchanged. On a terminal, its
// control characters are escaped.
func (o *Out) Raw() io.Writer {
	if o.term != nil {
		return o.term
	}
	return o.file
}

// Text returns the writer for a text that a command lays out for people itself, how many columns
// it has, and whether it may be colored. The command escapes the text itself.
func (o *Out) Text() (w io.Writer, width int, color bool) {
	return o.file, cmp.Or(o.options.Width, 80), o.options.Color
}

// Commit completes the output: it draws, replaces the files, and opens the file of --open.
func (o *Out) Commit() error {
	var drawn *output.File
	if o.draw != nil {
		var err error
		if drawn, err = o.draw(o); err != nil {
			return err
		}
	}
	if o.term != nil {
		if err := o.term.Flush(); err != nil {
			return err
		}
	}
	err := o.file.Commit()
	if err == nil && drawn != nil {
		err = drawn.Commit()
	}
	if err == nil && o.written != nil {
		o.written()
	}
	return err
}

// Abort discards the output and leaves the file as it was. After Commit it does
// nothing.
func (o *Out) Abort() { o.file.Abort() }

func RecordOf(v any) record.Record {
	text, err := record.Encode(v)
	if err != nil {
		panic(err) // v is a plain struct or map of this program
	}
	rec, _ := record.Parse(text)
	return rec
}

func Records(recs []record.Record) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for _, rec := range recs {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// PrintRecords prints records that the program itself has made, with the given columns. name is a noun for the records; it may be
// empty. A terminal shows all columns of a list, in several lines if they are too wide, but leaves out columns if there is no
// room for the headers.
func (o *Output) PrintRecords(ctx context.Context, name string, single bool, columns []string, recs ...record.Record) error {
	shape := output.Shape{Name: name, Single: single, Wrap: true, Columns: encode.Columns(columns...)}
	for i := range shape.Columns {
		switch c := &shape.Columns[i]; c.Name {
		case "job":
			c.ID = "job"
		case "started":
			c.Date = true
		}
	}
	return o.Write(shape, func(out *Out) error { return out.Records(ctx, Records(recs)) })
}

// Write opens the output for records of a shape, lets write write it, and completes it unless there is an error.
func (o *Output) Write(shape output.Shape, write func(*Out) error) error {
	out, err := o.Open(shape)
	return written(out, err, write)
}

func written(out *Out, err error, write func(*Out) error) error {
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := write(out); err != nil {
		return err
	}
	return out.Commit()
}

// Also prints records of another shape to the same output. It ignores --columns and --sort, which are about the first.
func (o *Out) Also(ctx context.Context, shape output.Shape, list iter.Seq2[record.Record, error]) error {
	options := o.options
	options.Columns, options.Sort, options.Where, options.Search, options.Limit = nil, nil, nil, "", 0
	options.JQ, options.CSVBOM, options.Whole, options.Observe, options.Discard = "", false, false, nil, false
	second, err := output.New(o.file, options)
	if err != nil {
		return err
	}
	return second.Print(ctx, shape, list)
}

func (o *Out) BlankLine() error {
	_, err := io.WriteString(o.file, "\n")
	return err
}

// NoRecords rejects the flags that select and format records, and a file for records, for a
// command that prints something else, but for a flag that it takes. why begins the error, and hint says which command prints records.
func (o *Output) NoRecords(why, hint, taken string) error {
	if name := o.s.Flags.shaping(encode.Table, taken); name != "" {
		return &UsageError{Message: fmt.Sprintf("%s, so it can't be used with --%s", why, name), Hint: hint}
	}
	if ending := encode.OfFile(o.s.Flags.OutputFile); ending != "" && ending.Kind() != encode.KindReading {
		return &UsageError{Message: fmt.Sprintf("%s, so it can't be written to %s", why, o.s.Flags.OutputFile), Hint: hint}
	}
	return nil
}

// Show opens a file that the command has completed, if --open is given. The file is there whether or not
// it can be opened, so that is no failure.
func (o *Output) Show(path string) {
	if !o.s.Flags.Open {
		return
	}
	err := o.canOpen()
	if err == nil {
		err = opener.Open(path)
	}
	if err != nil {
		o.s.Note("%s was not opened: %v", path, err)
	}
}

// canOpen returns the reason why nobody would see an opened file, nil if somebody would.
func (o *Output) canOpen() error {
	hasDisplay := runtime.GOOS == "windows" || runtime.GOOS == "darwin" || o.s.Var("DISPLAY") != "" || o.s.Var("WAYLAND_DISPLAY") != ""
	switch {
	case o.s.Var("CI") != "":
		return errors.New("CI is set")
	case !o.s.ErrTTY:
		return errors.New("stderr is not a terminal")
	case !hasDisplay:
		return errors.New("there is no display")
	}
	return nil
}

// Text prints the text of a command that prints no records. It reads no settings, so
// it does not fail if they are invalid.
func (o *Output) Text(text string) error { return o.text(output.OpenFile, text) }

func (o *Output) Line(text string) error {
	if o.s.ToTerminal() {
		text = safetext.Escape(text)
	}
	return o.Text(text + "\n")
}

// SecretLine prints a line with a token. A file that it is written to is readable by
// its owner only.
func (o *Output) SecretLine(text string) error { return o.text(output.OpenSecret, text+"\n") }

func (o *Output) text(open func(path string) (*output.File, error), text string) error {
	if o.s.Flags.JQ != "" || len(o.s.Flags.Sort) > 0 || len(o.s.Flags.Columns) > 0 {
		return Usagef("--jq, --columns and --sort need records, and this command prints text")
	}
	return o.Written(open, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// Written calls write with stdout or --output-file, which open opens and which is replaced only if write
// succeeds.
func (o *Output) Written(open func(path string) (*output.File, error), write func(io.Writer) error) error {
	out, err := o.OpenText(open)
	return written(out, err, func(out *Out) error { return write(out.Raw()) })
}
