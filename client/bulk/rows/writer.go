package rows

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"reseller/client/atomicfile"
	"reseller/client/bulk/decode"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/xlsx"
)

// A Writer writes rows of a source to a file in the format of the source, with further columns, so that the same command can
// load the file. The rows of a folder, whose files may have several formats, are written as objects. Passwords are left empty.
// The first row creates a temporary file, which Commit renames to the path; that may be the path of the source. The methods of
// a nil *Writer do nothing.
type Writer struct {
	// Always makes Commit write a file without rows, which has the header alone, if no row was written.
	Always bool

	src       *Source
	path      string
	format    string
	added     []string // the names of the further columns
	numbers   []bool   // which of them have numbers
	kept      []int    // the indexes of the source's columns that are written
	mergeInto []int    // for each added column, the index in kept of a column of the same field, -1 if there is none
	binder    *binder

	file *atomicfile.File
	out  *bufio.Writer
	csv  *csv.Writer
	book *xlsx.Writer // nil unless the source is a workbook
	ints []bool       // which columns of the workbook have whole numbers
	rows int
}

// NewWriter returns a writer of rows of src to a path. added are the names of further columns.
func NewWriter(src *Source, path string, added ...string) *Writer {
	sch := *src.Layout.schema
	sch.Ask = nil // the rows have no unknown column
	w := &Writer{src: src, path: path, format: src.File.WrittenAs(path), added: added, binder: newBinder(&sch)}
	for i, b := range src.Layout.bindings {
		if !b.isIgnored() || b.kind == kindPassed && !slices.Contains(added, strings.TrimSpace(src.Layout.header[i])) {
			w.kept = append(w.kept, i)
		}
	}
	for _, name := range added {
		w.numbers = append(w.numbers, name == nameStatus || schema.IsNumber(name))
		w.mergeInto = append(w.mergeInto, slices.IndexFunc(w.kept, func(i int) bool { return src.Layout.bindings[i].key == name }))
	}
	return w
}

func (w *Writer) Path() string { return w.path }

func (w *Writer) Rows() int {
	if w == nil {
		return 0
	}
	return w.rows
}

// Write writes a row of Source.All and the texts of the added columns.
func (w *Writer) Write(row Row, added ...string) error {
	return w.WriteInstead(row, nil, nil, added...)
}

// WriteInstead is Write, with other texts for some of the row's fields, and without others: their cells are empty, and objects
// lack them.
func (w *Writer) WriteInstead(row Row, instead Texts, leftOut []string, added ...string) error {
	if w == nil {
		return nil
	}
	if err := w.create(); err != nil {
		return w.wrapError(err)
	}
	w.rows++
	other := instead.Or(TextsIn(nil))
	replace := func(b *binding) (text string, isLeftOut, ok bool) {
		switch {
		case slices.Contains(leftOut, b.key):
			return "", true, true
		case b.isSecret() || b.kind == kindPassed && w.src.Layout.HoldsSecrets():
			return "", false, true
		case b.kind != kindSplit:
			text, ok = other(b.key)
			return text, false, ok
		}
		var parts []string
		for _, part := range b.parts {
			own, isOther := other(part.key)
			if !isOther {
				own = row.Values.Get(part.key).Text()
			}
			parts, ok = append(parts, own), ok || isOther
		}
		return strings.Join(parts, " "), false, ok
	}
	if w.src.Layout.header != nil {
		return w.wrapError(w.writeCells(w.cells(row, replace, added), row.kinds))
	}
	return w.wrapError(w.writeObject(w.object(row, replace, added)))
}

// A replacer returns the text that is written for a column in place of the row's own, if there is one, and reports whether an
// object lacks it.
type replacer func(*binding) (text string, isLeftOut, ok bool)

func (w *Writer) wrapError(err error) error {
	if err == nil {
		return nil
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s can't be written: %w", w.path, err)
}

// create creates the file with its header, once.
func (w *Writer) create() (err error) {
	if w.file != nil {
		return nil
	}
	if w.file, err = atomicfile.Create(w.path, 0o600); err != nil {
		return err
	}
	w.out = bufio.NewWriterSize(w.file, 64<<10)
	if w.src.File.Encoding != "" {
		_, _ = w.out.WriteString("\ufeff") // so that the same command, which names an encoding, reads it as UTF-8
	}
	if w.src.Layout.header == nil {
		return nil
	}
	var header []string
	for _, i := range w.kept {
		header, w.ints = append(header, w.src.Layout.header[i]), append(w.ints, w.src.Layout.bindings[i].isInt())
	}
	for k, name := range w.added {
		if w.mergeInto[k] < 0 {
			header, w.ints = append(header, name), append(w.ints, w.numbers[k])
		}
	}
	if w.format == "xlsx" {
		w.book = xlsx.NewWriter(w.out, w.src.File.Sheet(), header)
		return nil
	}
	w.csv = csv.NewWriter(w.out)
	w.csv.Comma = rune(w.src.File.Comma)
	return w.writeCells(header, nil)
}

// cells returns the cells of a row that are written, and the added texts. Surplus cells of a row are written too, for the user
// to correct, unless one may be a password: then all cells of a row whose number of cells is wrong are left empty.
func (w *Writer) cells(row Row, replace replacer, added []string) []string {
	var cells []string
	complete, secrets := len(row.Cells) == len(w.src.Layout.header), w.src.Layout.HoldsSecrets()
	for _, i := range w.kept {
		text, _, isOther := replace(w.src.Layout.bindings[i])
		if !complete && (secrets || i >= len(row.Cells)) {
			text = ""
		} else if !isOther {
			text = row.Cells[i]
		}
		cells = append(cells, text)
	}
	if !secrets && len(row.Cells) > len(w.src.Layout.header) {
		cells = append(cells, row.Cells[len(w.src.Layout.header):]...)
	}
	if !complete && secrets {
		added = w.sayLeftOut(added)
	}
	for k, text := range added {
		switch at := w.mergeInto[k]; {
		case at < 0:
			cells = append(cells, text)
		case cells[at] == "":
			cells[at] = text
		}
	}
	return cells
}

// sayLeftOut adds to the text of the column error that the content of the row is not written.
func (w *Writer) sayLeftOut(added []string) []string {
	added = slices.Clone(added)
	if at := slices.Index(w.added, "error"); at >= 0 {
		added[at] += "; the row is left out, since it may hold a password"
	}
	return added
}

// writeCells writes a row, the first cells of which are those of the kept columns. kinds are
// the kinds of the cells of the source.
func (w *Writer) writeCells(cells []string, kinds []xlsx.Kind) error {
	switch {
	case w.book != nil:
		for i, cell := range cells {
			kind := xlsx.KindText
			if i < len(w.ints) && w.ints[i] && isInteger(cell) {
				kind = xlsx.KindNumber
			} else if i < len(w.kept) && kinds != nil {
				kind = kinds[w.kept[i]]
			}
			w.book.Cell([]byte(cell), kind)
		}
		return w.book.EndRow()
	case w.format != "tsv":
		return w.csv.Write(cells)
	}
	_, err := w.out.WriteString(strings.Join(phrase.Each(cells, decode.EscapeTSV), "\t") + "\n")
	return err
}

func (w *Writer) writeObject(text record.Value) error {
	before, after := "", "\n"
	switch {
	case w.format == "yaml":
		before = "- "
	case w.format == "json" && w.rows == 1:
		before, after = "[\n", ""
	case w.format == "json":
		before, after = ",\n", ""
	}
	_, err := w.out.WriteString(before + string(text) + after)
	return err
}

// object returns the row's object without passwords and with the added members. If the row is no object, its text becomes a
// member named input, unless it may contain a password. replace says which members get another text.
func (w *Writer) object(row Row, replace replacer, added []string) record.Value {
	secrets, text := w.src.Layout.HoldsSecrets(), row.layout.object(row.Cells)
	out := objectBuilder{}
	written := map[string]bool{}
	if v, err := record.ParseValue([]byte(text)); err == nil && v.Kind() == record.Object {
		for name, member := range v.Members() {
			b, _ := w.binder.bind(name)
			isReplaced := slices.Contains(w.added, name) && (member.Text() == "" || b != nil && b.kind == kindPassed)
			if isReplaced || b != nil && b.kind == kindIgnored {
				continue
			}
			out.add(name, w.redact(name, member, replace))
			written[name] = true
		}
	} else if !secrets {
		out.add("input", record.QuoteYAML(strings.ToValidUTF8(text, "�")))
	} else {
		added = w.sayLeftOut(added)
	}
	for k, text := range added {
		if name := w.added[k]; !written[name] {
			out.add(name, memberOf(text, w.numbers[k]))
		}
	}
	return out.end()
}

// object returns the cells of a row as the text of an object, whose members have the names of the columns. It leaves out empty
// cells. If the row has too many cells or too few, object returns their texts.
func (l *layout) object(cells []string) string {
	switch {
	case l.header == nil:
		return cells[0]
	case len(cells) != len(l.header):
		return strings.Join(cells, ",")
	}
	out := objectBuilder{}
	for i, cell := range cells {
		t := l.bindings[i]
		if cell == "" || t.kind == kindNameless {
			continue
		}
		v := record.QuoteYAML(cell)
		if parsed := parsedCell(t, cell); parsed != nil {
			v = parsed
		}
		out.add(strings.TrimSpace(l.header[i]), v)
	}
	return string(out.end())
}

// parsedCell returns the array or object that a cell has as a text, nil if it has none.
func parsedCell(b *binding, cell string) record.Value {
	if b.kind == kindField && slices.Contains([]schema.Type{schema.List, schema.Attributes, schema.Pair}, b.field.Type) {
		if v, err := record.ParseValue([]byte(cell)); err == nil && (v.Kind() == record.Array || v.Kind() == record.Object) {
			return v.AppendCompact(nil)
		}
	}
	return nil
}

// memberInstead returns the text of a cell as the member of an object, with the type of the member v that it replaces. A list
// gets no empty items.
func (w *Writer) memberInstead(b *binding, text string, v record.Value) record.Value {
	if v.Kind() == record.String {
		return memberOf(text, b.isInt() && text != "")
	}
	if parsed := parsedCell(b, text); parsed != nil {
		return parsed
	}
	if b.kind == kindField && b.field.Type == schema.List {
		if list, err := w.binder.schema.splitList(b.field, text); err == nil {
			return list
		}
	}
	return memberOf(text, (v.Kind() == record.Number || b.isInt()) && text != "")
}

// memberOf returns a text as the member of an object. Of a field of numbers it is a number, if it is written as one, or null if it
// is empty.
func memberOf(text string, isNumber bool) record.Value {
	switch {
	case isNumber && text == "":
		return record.Value("null")
	case isNumber && isInteger(text):
		return record.Value(text)
	}
	return record.QuoteYAML(text)
}

// isInteger reports whether a text is a whole number with no zeros in front, and of which no program that reads it loses digits.
func isInteger(text string) bool {
	const exact = 1 << 53 // in a number of JavaScript
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && -exact <= n && n <= exact && strconv.FormatInt(n, 10) == text
}

// redact returns the member name of an object, with another text if there is one; nil if it is left out, or all of its own
// members are. If the file may contain passwords, redact also empties members that are no field, since one may be
// a password under a misspelled name.
func (w *Writer) redact(name string, v record.Value, replace replacer) record.Value {
	if v.Kind() == record.Object {
		out := objectBuilder{}
		for inner, value := range v.Members() {
			out.add(inner, w.redact(name+"."+inner, value, replace))
		}
		if out.text == nil && v.HasElements() {
			return nil
		}
		return out.end()
	}
	b, _ := w.binder.bind(name)
	if b == nil && w.src.Layout.HoldsSecrets() {
		return record.Value(`""`)
	}
	if b == nil {
		return v
	}
	text, isLeftOut, ok := replace(b)
	isNumber := v.Kind() == record.Number || b.isInt()
	switch {
	case isLeftOut:
		return nil
	case ok:
		return w.memberInstead(b, text, v)
	case isNumber && v.Kind() == record.String: // as yaml and cells have it
		return memberOf(v.Text(), v.Text() != "")
	}
	return v
}

// An objectBuilder builds a JSON object that is valid YAML too.
type objectBuilder struct{ text record.Value }

func (o *objectBuilder) add(name string, v record.Value) {
	if v != nil {
		o.text = append(append(append(append(o.text, ','), record.QuoteYAML(name)...), ':'), v...)
	}
}

func (o *objectBuilder) end() record.Value {
	if o.text == nil {
		return record.Value("{}")
	}
	o.text[0] = '{'
	return append(o.text, '}')
}

// Abort removes the temporary file. After Commit it does nothing.
func (w *Writer) Abort() {
	if w != nil && w.file != nil {
		w.file.Abort()
	}
}

// Commit renames the temporary file to its path. If no row was written, it creates no file, unless Always says so.
func (w *Writer) Commit() error {
	if w == nil || w.file == nil && !w.Always {
		return nil
	}
	if err := w.create(); err != nil {
		return w.wrapError(err)
	}
	defer w.file.Abort()
	switch {
	case w.format == "json" && w.rows == 0:
		_, _ = io.WriteString(w.out, "[]\n")
	case w.format == "json":
		_, _ = io.WriteString(w.out, "\n]\n")
	}
	var err error
	if w.csv != nil {
		w.csv.Flush()
	}
	if w.book != nil {
		err = w.book.Close()
	}
	if err = cmp.Or(err, w.out.Flush()); err == nil {
		err = w.file.Commit()
	}
	return w.wrapError(err)
}
