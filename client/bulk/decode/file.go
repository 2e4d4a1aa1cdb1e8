package decode

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options say where an input is and how it is read.
type Options struct {
	Path   string // "-" reads Stdin
	Stdin  io.Reader
	Format string // one of Formats, or empty to detect it
}

// Schema is what the package has to know of the rows that a file holds.
type Schema interface {
	// Secret reports whether rows may hold passwords.
	Secret() bool
	// LineField returns the field that a line of txt is, empty if there is none.
	LineField() string
	// IsColumn reports whether a name is one of a column.
	IsColumn(name string) bool
	// SecretHeader reports whether columns of a header hold passwords.
	SecretHeader(Header) (bool, error)
}

// RowFormats are the formats whose rows have names for their fields.
var RowFormats = []string{"csv", "tsv", "json", "ndjson", "yaml"}

// Formats are all formats that are read. A line of txt is the one field that
// Schema.LineField returns.
var Formats = slices.Concat(RowFormats, []string{"txt"})

var formatOfEnding = map[string]string{
	".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson",
	".yaml": "yaml", ".yml": "yaml", ".txt": "txt",
}

// maxInMemory is the most that is held in memory of an input with passwords.
const maxInMemory = 50 << 20

var byteOrderMark = []byte("\xef\xbb\xbf")

// A File is an input that can be read more than once. A later pass that reads
// other bytes than the first one ends with ErrChanged.
type File struct {
	name   string
	format string
	comma  byte
	data   io.ReaderAt
	size   int64
	file   *os.File // nil for an input that is held in memory
	temp   string   // the copy of an input that could be read only once

	seed maphash.Seed
	sums []uint64 // checksums of the blocks that were read
}

// Open opens an input and detects its format. The file must be closed.
func Open(o Options, schema Schema) (*File, error) {
	f := &File{name: o.Path, comma: ',', seed: maphash.MakeSeed()}
	err := f.locate(o, schema)
	if err == nil {
		err = f.detectFormat(o, schema)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// locate opens the file. An input that can be read only once is copied.
func (f *File) locate(o Options, schema Schema) error {
	if o.Path == "-" {
		f.name = "standard input"
		if o.Stdin == nil {
			return &FileError{What: "stdin is not available"}
		}
		return f.buffer(o.Stdin, o.Format, schema)
	}
	file, err := os.Open(o.Path)
	if err != nil {
		return &FileError{What: "the file can't be opened", Err: err}
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = &FileError{What: o.Path + " is a folder"}
	case info.Mode().IsRegular():
		f.file, f.data, f.size = file, file, info.Size()
		return nil
	default:
		err = f.buffer(file, o.Format, schema) // a pipe
	}
	return errors.Join(err, file.Close())
}

// buffer copies r to a temporary file. An input that may hold passwords stays in
// memory: a password is never written to disk.
func (f *File) buffer(r io.Reader, format string, schema Schema) error {
	if !schema.Secret() {
		return f.spool(r)
	}
	start, err := io.ReadAll(io.LimitReader(r, maxInMemory+1))
	if err != nil {
		return &FileError{What: f.name + " can't be read", Err: err}
	}
	f.data, f.size = bytes.NewReader(start), int64(len(start))
	if len(start) <= maxInMemory {
		return nil
	}
	if format == "csv" || format == "tsv" {
		f.format = format
		header, err := f.ReadHeader()
		if err != nil {
			return err
		}
		secret, err := schema.SecretHeader(header)
		if err != nil {
			return err
		}
		if !secret {
			return f.spool(io.MultiReader(bytes.NewReader(start), r))
		}
	}
	return &FileError{What: fmt.Sprintf("%s is larger than %d MB, and passwords are held in memory only: use a file", f.name, maxInMemory>>20)}
}

func (f *File) spool(r io.Reader) error {
	file, err := os.CreateTemp("", "reseller-stdin-*") // mode 0600
	if err != nil {
		return &FileError{What: f.name + " can't be copied", Err: err}
	}
	f.file, f.temp, f.data = file, file.Name(), file
	_ = os.Remove(f.temp) // where the system allows that, a kill leaves nothing behind
	if f.size, err = io.Copy(file, r); err != nil {
		return &FileError{What: f.name + " can't be copied", Err: err}
	}
	return nil
}

// detectFormat finds the format by the option, the file's ending or its first
// bytes. It refuses a file that is not UTF-8.
func (f *File) detectFormat(o Options, schema Schema) error {
	start := make([]byte, 4096)
	n, err := f.data.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return &FileError{What: f.name + " can't be read", Err: err}
	}
	start = start[:n]
	if bytes.HasPrefix(start, []byte("PK\x03\x04")) {
		return &FileError{What: f.name + " is a spreadsheet or an archive: save it as CSV"}
	}
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) || bytes.IndexByte(start, 0) >= 0 {
		return &FileError{What: f.name + " is not UTF-8 but looks like UTF-16: save the file as UTF-8"}
	}
	f.format = o.Format
	if f.format == "" {
		f.format = formatOfEnding[strings.ToLower(filepath.Ext(o.Path))]
	}
	if f.format == "" {
		f.format = sniff(bytes.TrimPrefix(start, byteOrderMark), schema)
	}
	list := strings.Join(Formats, ", ")
	switch {
	case f.format == "":
		return &FileError{What: fmt.Sprintf("the format of %s is unknown: give --input-format, one of %s", f.name, list)}
	case !slices.Contains(Formats, f.format):
		return &FileError{What: fmt.Sprintf("unknown format %s: --input-format is one of %s", Quote(f.format), list)}
	case f.format == "txt" && schema.LineField() == "":
		return &FileError{What: "txt contains only keywords or URLs; use csv, tsv, json, ndjson or yaml"}
	}
	return nil
}

// sniff returns the format that a text begins like, empty if it is none: JSON by
// its bracket or brace, a table by a first line whose cells are all columns.
func sniff(start []byte, schema Schema) string {
	start = bytes.TrimLeft(start, " \t\r\n")
	line, _, _ := bytes.Cut(start, []byte("\n"))
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return ""
	case line[0] == '[':
		return "json"
	case line[0] == '{' && line[len(line)-1] == '}':
		return "ndjson"
	case line[0] == '{':
		return "json"
	}
	for format, separator := range map[string]string{"tsv": "\t", "csv": string(detectComma(string(line)))} {
		cells := strings.Split(string(line), separator)
		isTable := len(cells) > 1
		for _, cell := range cells {
			isTable = isTable && schema.IsColumn(strings.Trim(strings.TrimSpace(cell), `"`))
		}
		if isTable {
			return format
		}
	}
	return ""
}

// Format is one of Formats.
func (f *File) Format() string { return f.format }

// Comma is the character that separates the cells of csv.
func (f *File) Comma() byte { return f.comma }

// Size is the number of bytes.
func (f *File) Size() int64 { return f.size }

// IsCopy reports whether the input could be read only once and was copied.
func (f *File) IsCopy() bool { return f.file == nil || f.temp != "" }

// Reader reads the file from its beginning, behind a byte order mark.
func (f *File) Reader() (io.Reader, error) {
	if err := f.Unchanged(); err != nil {
		return nil, err
	}
	v := &verifier{File: f}
	if err := v.next(); err != nil && err != io.EOF {
		return nil, err
	}
	v.rest = bytes.TrimPrefix(v.rest, byteOrderMark)
	return v, nil
}

// CopyTo writes the bytes of the whole file to w, the byte order mark included.
// It fails if they are not those that were read before.
func (f *File) CopyTo(w io.Writer) error {
	if _, err := io.Copy(w, &verifier{File: f}); err != nil {
		return err
	}
	return f.Unchanged()
}

// Unchanged returns an error if the file has another length than it had when it
// was opened. Other changes are found when its blocks are read.
func (f *File) Unchanged() error {
	if f.IsCopy() {
		return nil
	}
	info, err := f.file.Stat()
	if err == nil && info.Size() != f.size {
		err = ErrChanged
	}
	if err != nil {
		return &FileError{What: f.name, Err: err}
	}
	return nil
}

// SameAs reports whether the input is the file at a path.
func (f *File) SameAs(path string) bool {
	other, err := os.Stat(path)
	if f.file == nil || err != nil {
		return false
	}
	info, err := f.file.Stat()
	return err == nil && os.SameFile(info, other)
}

// Close closes the file and removes the copy of an input that was copied.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	if f.temp != "" {
		_ = os.Remove(f.temp)
	}
	f.file = nil
	return err
}
