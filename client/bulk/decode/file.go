package decode

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/encoding"

	"reseller/client/atomicfile"
	"reseller/client/phrase"
	"reseller/client/safetext"
)

// Options say which input Open opens, and in which format.
type Options struct {
	Path      string // "-" reads Stdin; a folder stands for all files in it
	Stdin     io.Reader
	Format    string // one of Formats, or empty to detect it
	Sheet     string // of a workbook: the name or the number of the sheet, or empty for the sheet that openWorkbook takes
	Encoding  string // the name of the encoding of a text, or empty for UTF-8, or UTF-16 with a byte-order mark
	OnlyTexts bool   // a workbook is refused
	ListNeeds string // the end of an error, on what a list of ids needs; it may be empty
	Unit      Unit   // how users find the rows of a text: ByRow if each is a line, and they see no lines
	Words     phrase.Wording
}

// A Schema tells the package which columns the rows of a file may have.
type Schema interface {
	// Secret reports whether rows may hold passwords.
	Secret() bool
	// LineField returns the name of the field whose values are the lines of a txt file. It is empty if the rows can't be txt.
	LineField() string
	// IsLine reports whether a line is so clearly a value of LineField that a text of such lines needs no --input-format.
	IsLine(line string) bool
	// IsColumn reports whether a column of the file may have a name.
	IsColumn(name string) bool
	// Fit returns how well the columns of a sheet suit the rows, 0 if it lacks most of those that are required.
	Fit(Header) int
}

var TextFormats = []string{"csv", "tsv", "json", "ndjson", "yaml", "txt"}

const formatWorkbook = "xlsx"

// Formats are all formats that the package reads. They include txt, in which each line is a row with one field.
var Formats = slices.Insert(slices.Clone(TextFormats), 2, formatWorkbook)

// Tables are the Formats whose rows have several fields.
var Tables = Formats[: len(Formats)-1 : len(Formats)-1]

var formatOfEnding = map[string]string{
	".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson",
	".yaml": "yaml", ".yml": "yaml", ".txt": "txt", ".xlsx": formatWorkbook, ".xlsm": formatWorkbook, ".xltx": formatWorkbook, ".xltm": formatWorkbook,
}

// maxInMemory is the largest standard input with passwords that is read, in bytes. It is kept in memory.
const maxInMemory = 50 << 20

// maxCopied is the largest input that is copied to a temporary file, in bytes: a pipe may have no end. Tests lower it.
var maxCopied int64 = 16 << 30

// A File is an input that can be read more than once. A later pass that reads
// other bytes than the first one ends with ErrChanged.
type File struct {
	Name     string   // its path, or "standard input"
	Format   string   // one of Formats; empty for a folder
	Unit     Unit     // how the rows are found
	Comma    byte     // separates the cells of csv; known after ReadHeader
	Size     int64    // of the file, or of all files of a folder, in bytes
	Encoding string   // the name of the encoding that the options give; empty if they give none
	Parts    []string // the names of the files of a folder, in the order in which they are read; nil for a file
	Notes    []string // for the user, on the format that was detected

	options Options
	schema  Schema
	data    io.ReaderAt
	file    *os.File            // the input or its copy; nil for an input that is kept in memory
	temp    *atomicfile.Unnamed // the copy; nil if the input was not copied to a file

	above    int  // how many rows are above the header
	hasTitle bool // some of them have cells

	encoding encoding.Encoding // nil for UTF-8
	book     *workbook         // nil unless the format is xlsx

	sums  *checksums
	parts []*checksums // the files of a folder, in the order of Parts; nil for a file
}

// Open opens an input and detects its format. The caller closes the file.
func Open(o Options, schema Schema) (*File, error) {
	f := newFile(o, schema, newChecksums())
	err := f.locate()
	if err == nil && f.parts == nil {
		err = f.detectFormat()
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func newFile(o Options, schema Schema, sums *checksums) *File {
	return &File{Name: o.Path, Unit: o.Unit, options: o, schema: schema, Comma: ',', sums: sums}
}

// locate opens the input. It copies an input that can be read only once.
func (f *File) locate() error {
	if f.Name == "-" {
		f.Name = "standard input"
		if f.options.Stdin == nil {
			return &FileError{What: "stdin is not available"}
		}
		return f.buffer(f.options.Stdin)
	}
	file, err := os.Open(f.Name)
	if err != nil {
		return &FileError{What: f.Name + " can't be opened", Err: err}
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = f.list()
	case info.Mode().IsRegular():
		f.file, f.data, f.Size = file, file, info.Size()
		return nil
	default:
		err = f.buffer(file) // a pipe
	}
	return errors.Join(err, file.Close())
}

// buffer copies r to a temporary file. If it may contain passwords it is kept in memory, since no password is written to disk.
func (f *File) buffer(r io.Reader) error {
	if !f.schema.Secret() {
		return f.spool(r)
	}
	start, err := io.ReadAll(io.LimitReader(r, maxInMemory+1))
	if err != nil {
		return &FileError{What: f.Name + " can't be read", Err: err}
	}
	f.data, f.Size = bytes.NewReader(start), int64(len(start))
	if len(start) > maxInMemory {
		return &FileError{What: fmt.Sprintf("%s is larger than %d MB, and passwords are held in memory only: use a file", f.Name, maxInMemory>>20)}
	}
	return nil
}

// spool copies r to a temporary file, unless its beginning shows that it can't be read: a device such as /dev/zero never ends.
func (f *File) spool(r io.Reader) error {
	start := make([]byte, startSize)
	n, err := io.ReadFull(r, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return &FileError{What: f.Name + " can't be read", Err: err}
	}
	if err := f.checkStart(start[:n]); err != nil {
		return err
	}
	r = io.MultiReader(bytes.NewReader(start[:n]), r)
	temp, err := atomicfile.CreateUnnamed()
	if err != nil {
		return fmt.Errorf("%s can't be copied to %s, the folder for temporary files: %w", f.Name, os.TempDir(), err)
	}
	f.file, f.temp, f.data = temp.File, temp, temp
	if f.Size, err = io.Copy(temp, io.LimitReader(r, maxCopied+1)); err != nil {
		return fmt.Errorf("%s can't be copied: %w", f.Name, err)
	}
	if f.Size > maxCopied {
		return &FileError{What: fmt.Sprintf("%s is larger than %d GB, and is not copied further: use a regular file", f.Name, maxCopied>>30)}
	}
	return nil
}

// detectFormat sets the format: the one of the options, otherwise xlsx for a workbook or
// another archive, otherwise that of the file name's ending, otherwise the one that the
// first bytes look like. It opens a workbook, and refuses a text that can't be read.
func (f *File) detectFormat() error {
	o := &f.options
	start := make([]byte, startSize)
	n, err := f.data.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return &FileError{What: f.Name + " can't be read", Err: err}
	}
	start = start[:n]
	if err := f.checkStart(start); err != nil {
		return err
	}
	if err := f.setEncoding(start); err != nil {
		return err
	}
	f.Format = o.Format
	if f.Format == "" && isArchive(start) {
		f.Format = formatWorkbook
	}
	if f.Format == "" {
		text, _ := io.ReadAll(io.LimitReader(f.decoded(bytes.NewReader(start)), startSize))
		f.Format = FormatOfName(o.Path)
		switch {
		case f.Format == "":
			f.Format = f.sniff(bytes.TrimPrefix(text, byteOrderMark))
		case f.Format == "txt" && (hasTabs(text) || f.isHeader(text)):
			f.Format = "csv" // spreadsheets call this format Unicode text, or text with tabs
		}
	}
	if f.Format == "tsv" && (hasWideMark(start) || f.Encoding != "" && f.Encoding != "utf-8") {
		f.Format = "csv" // a spreadsheet has written it, with quotes as in csv
	}
	formats := Formats
	switch {
	case f.schema.LineField() == "":
		formats = Tables
	case o.OnlyTexts:
		formats = TextFormats
	}
	list := strings.Join(formats, ", ")
	switch {
	case f.Format == "" && f.Size == 0:
		return &FileError{What: f.Name + " is empty"}
	case f.Format == "":
		return &FileError{What: fmt.Sprintf("the format of %s is unknown: give %s, one of %s%s", f.Name, o.Words.Of("--input-format"), list, o.ListNeeds)}
	case !slices.Contains(Formats, f.Format):
		return &FileError{What: fmt.Sprintf("unknown format %s: --input-format is one of %s", safetext.Quote(f.Format), list)}
	case f.Format == formatWorkbook && o.OnlyTexts:
		return &FileError{What: f.Name + " is a workbook, and this command takes ids in a text: save the sheet with the ids as csv in UTF-8"}
	case f.Format == "txt" && f.schema.LineField() == "":
		return &FileError{What: "txt has one value in each line, which is not enough here: use " + phrase.Or(Tables) + o.ListNeeds}
	case f.Format != formatWorkbook && o.Sheet != "":
		return &FileError{What: fmt.Sprintf("--sheet %s: %s is %s, which has no sheets", safetext.Quote(o.Sheet), f.Name, f.Format)}
	case f.Format != formatWorkbook && isArchive(start):
		return &FileError{What: fmt.Sprintf("%s is a workbook or an archive, not %s: leave --input-format out", f.Name, f.Format)}
	case f.Format != formatWorkbook:
		f.findUnit()
		return nil
	case o.Encoding != "":
		return &FileError{What: fmt.Sprintf("--encoding %s: %s is a workbook, whose encoding is known", safetext.Quote(o.Encoding), f.Name)}
	}
	f.Unit = ByRow
	return f.openWorkbook()
}

// startSize is the number of bytes from the start of a file by which its format is recognized.
const startSize = 4096

// isHeader reports whether the first line of a text names a column, and is no value of one.
func (f *File) isHeader(text []byte) bool {
	line, _, _ := strings.Cut(string(bytes.TrimPrefix(text, byteOrderMark)), "\n")
	return f.schema.IsColumn(line) && f.schema.LineField() != "" && !f.schema.IsLine(strings.TrimSpace(line))
}

// hasTabs reports whether the first line of a text has a tab between other characters.
func hasTabs(text []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return bytes.IndexByte(bytes.TrimSpace(line), '\t') >= 0
}

// isArchive reports whether a file begins like a workbook, or like something else that only package xlsx can tell apart from one.
func isArchive(start []byte) bool {
	return bytes.HasPrefix(start, []byte("PK\x03\x04")) || bytes.HasPrefix(start, []byte("PK\x05\x06")) || bytes.HasPrefix(start, []byte("\xd0\xcf\x11\xe0"))
}

// checkStart refuses a text with a 0 near its beginning, as one in UTF-16 has, unless its encoding is given
// or it has a byte-order mark.
func (f *File) checkStart(start []byte) error {
	at := bytes.IndexByte(start, 0)
	isWorkbook := cmp.Or(f.options.Format, FormatOfName(f.options.Path)) == formatWorkbook || isArchive(start) // or said to be one
	if at < 0 || f.options.Encoding != "" || hasWideMark(start) || isWorkbook {
		return nil
	}
	advice := "for which to try --encoding " + []string{"utf-16be", "utf-16le"}[at%2]
	if f.options.Words != nil { // of a command or a program without this flag
		advice = "which to save as UTF-8"
	}
	return &FileError{What: fmt.Sprintf("%s has a 0 at byte %d: it is damaged, or UTF-16 without a byte-order mark, %s", f.Name, at+1, advice)}
}

// sniff returns the format of a text that begins with start, empty if it can't tell. A text that begins with a bracket or
// brace is json or ndjson, one that begins with the name of a column and a colon yaml, and one with a row that names columns
// csv or tsv. A text is a list if its lines can't be anything else.
func (f *File) sniff(start []byte) string {
	start = bytes.TrimLeft(start, " \t\r\n")
	line, _, _ := bytes.Cut(start, []byte("\n"))
	line = bytes.TrimSpace(line)
	switch {
	case len(start) == 0 && f.temp != nil && f.Size <= startSize: // an empty selection
		f.Notes = []string{f.Name + " is empty"}
		return "ndjson"
	case len(line) == 0:
		return ""
	case line[0] == '<':
		return formatWorkbook // some programs name HTML .xls: package xlsx says what it is
	case line[0] == '[':
		return "json"
	case line[0] == '{' && line[len(line)-1] == '}':
		return "ndjson"
	case line[0] == '{':
		return "json"
	case f.isYAML(start):
		return "yaml"
	}
	f.Format = "csv"
	h, err := f.ReadHeader()
	switch named, columns := f.countColumns(h.Columns); {
	case err != nil:
	case columns > 0 && f.Comma == '\t' && bytes.IndexByte(line, '"') < 0:
		return "tsv"
	case columns > 0:
		return "csv"
	case named == 1 && !bytes.ContainsAny(line, separators+`"`) && f.isList(start):
		f.Notes = []string{fmt.Sprintf("%s is read as txt; its first line is %s", f.Name, safetext.Quote(string(line)))}
		return "txt"
	}
	return ""
}

// isList reports whether all lines of the start of a text are clearly values of LineField: a table, a header or a list with marks
// must not become keywords.
func (f *File) isList(start []byte) bool {
	if f.Size > startSize {
		start = start[:bytes.LastIndexByte(start, '\n')+1]
	}
	text := strings.TrimSpace(string(start))
	lines := strings.Split(text, "\n")
	words := strings.FieldsFunc(lines[0], func(r rune) bool { return r != '/' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) // keyword/1 is an id
	isTable := slices.ContainsFunc(words, f.schema.IsColumn)
	for _, separator := range [...]string{",", ";", ": "} {
		first, last := max(0, strings.Index(text, separator)), max(0, strings.LastIndex(text, separator))
		isTable = isTable || strings.Contains(text[first:last], "\n") // several lines have it
	}
	return !isTable && !slices.ContainsFunc(lines, func(line string) bool {
		line = strings.TrimSpace(line)
		isMarked := len(line) > 1 && line[1] == ' ' && strings.IndexByte("-#*", line[0]) >= 0
		return line != "" && (isMarked || strings.ContainsAny(line, "\t|") || strings.Contains(line, "  ") || !f.schema.IsLine(line))
	})
}

// isYAML reports whether the first line that is no comment and no mark of a document names a column, as yaml does.
func (f *File) isYAML(start []byte) bool {
	for line := range strings.Lines(string(start)) {
		line = strings.TrimSpace(line)
		if line == "" || line == "---" || line[0] == '#' {
			continue
		}
		name, value, isPair := strings.Cut(strings.TrimLeft(strings.TrimPrefix(line, "- "), " "), ":")
		return isPair && (value == "" || value[0] == ' ') && f.schema.IsColumn(strings.Trim(name, `'"`))
	}
	return false
}

// Sheet returns the name of the sheet that is read, empty if the file is no workbook.
func (f *File) Sheet() string {
	if f.book == nil {
		return ""
	}
	return f.book.sheet.Name
}

// IsCopy reports whether the file is a copy of its input, because the input itself can be read only once.
func (f *File) IsCopy() bool { return f.parts == nil && (f.file == nil || f.temp != nil) }

// Reader returns a reader of the file from its beginning, as UTF-8 without a byte-order mark.
func (f *File) Reader() (io.Reader, error) {
	if err := f.Unchanged(); err != nil {
		return nil, err
	}
	text, begin := &blockReader{File: f}, make([]byte, len(byteOrderMark))
	n, err := text.ReadAt(begin, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if f.encoding != nil || !bytes.Equal(begin[:n], byteOrderMark) {
		n = 0
	}
	return f.decoded(io.NewSectionReader(text, int64(n), f.Size-int64(n))), nil
}

// CopyTo writes the whole file to w, the byte order mark included. It returns an error if
// the content has changed since it was first read, or if the file is a folder.
func (f *File) CopyTo(w io.Writer) error {
	if f.data == nil {
		return &FileError{What: f.Name + " is a folder"}
	}
	if _, err := io.Copy(w, io.NewSectionReader(&blockReader{File: f}, 0, f.Size)); err != nil {
		return err
	}
	return f.Unchanged()
}

// Unchanged returns an error if the length of the file has changed since Open. A reader
// finds other changes when it reads the changed block.
func (f *File) Unchanged() error {
	if f.IsCopy() {
		return nil
	}
	info, err := f.file.Stat()
	if err == nil && info.Size() != f.Size {
		err = ErrChanged
	}
	if err != nil {
		return &FileError{What: f.Name, Err: err}
	}
	return nil
}

func (f *File) SameAs(path string) bool {
	other, err := os.Stat(path)
	if f == nil || f.file == nil || err != nil {
		return false
	}
	info, err := f.file.Stat()
	return err == nil && os.SameFile(info, other)
}

// Close closes the file, and removes it if it is a copy.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	var file io.Closer = f.file
	if f.temp != nil {
		file = f.temp
	}
	f.file = nil
	return file.Close()
}
