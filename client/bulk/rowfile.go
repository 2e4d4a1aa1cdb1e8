package bulk

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/record"
)

// rowFile writes rows in the input's own format with columns added, so that
// the input's own command reads them. It is made with the first row, under
// another name until it is whole, since it may replace the input itself.
type rowFile struct {
	src   *Source
	path  string
	added []string
	keep  []int // the input's columns that stay
	fill  []int // by added: the kept column of the same field, -1 where it is new
	cols  *columns

	empty []string // fields that the next row leaves empty

	file *os.File
	out  *bufio.Writer
	csv  *csv.Writer
	rows int
}

func newRowFile(src *Source, path string, added ...string) *rowFile {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // what a link names is replaced, not the link
	}
	f := &rowFile{src: src, path: path, added: added, cols: newColumns(&src.spec)}
	for i, t := range src.targets {
		if !t.passed() {
			f.keep = append(f.keep, i)
		}
	}
	for _, name := range added {
		f.fill = append(f.fill, slices.IndexFunc(f.keep, func(i int) bool { return src.targets[i].key == name }))
	}
	return f
}

// write adds a row and the texts of the added columns. A nil file takes nothing.
func (f *rowFile) write(row Row, texts ...string) error {
	if f == nil {
		return nil
	}
	if f.file == nil {
		if err := f.create(); err != nil {
			return err
		}
	}
	f.rows++
	var err error
	if f.src.header != nil {
		err = f.record(f.cells(row, texts))
	} else {
		err = f.object(row, texts)
	}
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", f.path, err)
	}
	return nil
}

func (f *rowFile) create() error {
	file, err := os.CreateTemp(filepath.Dir(f.path), ".reseller-*") // mode 0600
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", f.path, err)
	}
	f.file, f.out = file, bufio.NewWriterSize(file, 64<<10)
	if f.src.header == nil {
		return nil
	}
	f.csv = csv.NewWriter(f.out)
	f.csv.Comma = rune(f.src.file.Comma())
	var header []string
	for _, i := range f.keep {
		header = append(header, f.src.header[i])
	}
	for k, name := range f.added {
		if f.fill[k] < 0 {
			header = append(header, name)
		}
	}
	return f.record(header)
}

// cells are those of the input that stay, and the added ones. A row that has
// too many or too few keeps what it has, for a person to mend.
func (f *rowFile) cells(row Row, texts []string) []string {
	var cells []string
	whole := len(row.Cells) == len(f.src.header)
	for _, i := range f.keep {
		switch {
		case !whole && (f.src.Secret() || i >= len(row.Cells)), f.blanks(f.src.targets[i]):
			cells = append(cells, "")
		default:
			cells = append(cells, row.Cells[i])
		}
	}
	if !f.src.Secret() && len(row.Cells) > len(f.src.header) {
		cells = append(cells, row.Cells[len(f.src.header):]...)
	}
	for k, text := range texts {
		switch at := f.fill[k]; {
		case at < 0:
			cells = append(cells, text)
		case cells[at] == "":
			cells[at] = text
		}
	}
	return cells
}

func (f *rowFile) record(cells []string) error {
	if f.src.file.Format() != "tsv" {
		return f.csv.Write(cells)
	}
	for i, cell := range cells {
		if i > 0 {
			_ = f.out.WriteByte('\t')
		}
		_, _ = decode.TSVEscaper.WriteString(f.out, cell)
	}
	return f.out.WriteByte('\n')
}

func (f *rowFile) object(row Row, texts []string) error {
	text := f.mend(record.Value(row.Cells[0]), texts)
	separator := ""
	switch {
	case f.src.file.Format() == "yaml":
		separator = "- "
	case f.src.file.Format() == "json" && f.rows == 1:
		separator = "[\n"
	case f.src.file.Format() == "json":
		separator = ",\n"
	}
	_, _ = io.WriteString(f.out, separator)
	_, err := f.out.Write(text)
	if err == nil && f.src.file.Format() != "json" {
		err = f.out.WriteByte('\n')
	}
	return err
}

// mend is the row's object without passwords and with the added members. What
// is no object stands under the name input.
func (f *rowFile) mend(v record.Value, texts []string) record.Value {
	out := record.Value("{")
	member := func(name string, v record.Value) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, record.QuoteYAML(name)...), ':'), v...)
	}
	have := map[string]bool{}
	if parsed, err := record.ParseValue(v); err == nil && parsed.Kind() == record.Object {
		for name, inner := range parsed.Members() {
			empty := inner.Text() == "" && slices.Contains(f.added, name)
			if t, _ := f.cols.find(name); !empty && (t == nil || t.kind != pass) {
				member(name, f.blank(name, inner))
				have[name] = true
			}
		}
	} else if !f.src.Secret() {
		member("input", record.QuoteYAML(strings.ToValidUTF8(string(v), "�")))
	}
	for k, text := range texts {
		if !have[f.added[k]] {
			member(f.added[k], record.QuoteYAML(text))
		}
	}
	return append(out, '}')
}

// blank empties passwords, and where there may be any also what no field
// takes: it may be a password under a misspelt name.
func (f *rowFile) blank(name string, v record.Value) record.Value {
	if !f.src.Secret() && f.empty == nil {
		return v
	}
	if v.Kind() == record.Object {
		out := record.Value("{")
		for inner, value := range v.Members() {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(out, record.QuoteYAML(inner)...), ':'), f.blank(name+"."+inner, value)...)
		}
		return append(out, '}')
	}
	if t, _ := f.cols.find(name); t == nil && f.src.Secret() || t != nil && f.blanks(t) {
		return record.Value(`""`)
	}
	return v
}

func (f *rowFile) blanks(t *target) bool { return t.secret() || slices.Contains(f.empty, t.key) }

// discard lets go of a file that was not written to its end.
func (f *rowFile) discard() error {
	if f == nil || f.file == nil {
		return nil
	}
	_ = f.file.Close()
	return os.Remove(f.file.Name())
}

// close gives the file its name. Where no row came, there is none.
func (f *rowFile) close() error {
	if f == nil || f.file == nil {
		return nil
	}
	if f.src.file.Format() == "json" {
		_, _ = io.WriteString(f.out, "\n]\n")
	}
	if f.csv != nil {
		f.csv.Flush()
	}
	err := errors.Join(f.out.Flush(), f.file.Sync(), f.file.Close())
	if err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(f.file.Name())
		return fmt.Errorf("%s can't be written: %w", f.path, err)
	}
	return nil
}
