package encode

import (
	"path/filepath"
	"slices"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
)

type format struct {
	name       Format
	ending     string // of the names of files; empty if it names no format
	kind       Kind
	newEncoder func(Layout) Encoder
	help       string
}

// formats lists every format, the default one first. To add one, write its
// encoder in a file of its own and add a line here.
var formats = []format{
	{Table, "", KindReading, newTable, "the default: aligned columns, cut to the width of the terminal, but never cut in a pipe"},
	{JSON, ".json", KindDocument, newJSON, "an array for a list, an object for one record, with all fields that the service sent"},
	{NDJSON, ".ndjson", KindObjects, newNDJSON, "one JSON object per line"},
	{CSV, ".csv", KindRows, func(l Layout) Encoder { return newDelimited(l, ',', l.CSVBOM) }, "RFC 4180 with a header row and \\n line ends; columns in a fixed order, nested fields as\nexternal_account_manager.name, arrays as compact JSON"},
	{TSV, ".tsv", KindRows, func(l Layout) Encoder { return newDelimited(l, '\t', false) }, "like csv, but with tabs; a tab, line feed or backslash in a cell becomes \\t, \\n or \\\\"},
	{YAML, ".yaml", KindDocument, newYAML, "the same fields as json"},
	{Markdown, ".md", KindReading, newMarkdown, "a table for documents"},
	{IDs, "", KindRows, func(l Layout) Encoder { return newIDs(l, false) }, "the id of each account, campaign, keyword, plan or job in a line of its own"},
	{Name, "", KindRows, func(l Layout) Encoder { return newIDs(l, true) }, "as ids, with the kind of the record before each: account/1"},
	{XLSX, ".xlsx", KindRows, newXLSX, "a workbook for spreadsheet programs, to a file or a pipe: one sheet with a header that stays in\nview and filters; ids, and numbers of more than 15 digits, are texts"},
}

// Names returns the names of all formats, the default one first.
func Names() []string { return phrase.Each(formats, func(f format) string { return string(f.name) }) }

// RecordNames returns the names of the formats that suit every command: those that show more of a record than its id.
func RecordNames() []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return Format(name).IsIDs() })
}

// OfFile returns the format that the ending of a path names, empty if it names none.
func OfFile(path string) Format {
	ending := strings.ToLower(filepath.Ext(path))
	for i := range formats {
		if ending != "" && formats[i].ending == ending {
			return formats[i].name
		}
	}
	return ""
}

func (f Format) Known() bool { return f.find() != nil }

func (f Format) Kind() Kind { return f.find().kind }

func (f Format) Help() string { return f.find().help }

// IsText reports whether a known format writes text, which a terminal can show.
func (f Format) IsText() bool { return f != XLSX }

// WholeRecords reports whether a known format writes all fields of a record,
// unless the user named the columns.
func (f Format) WholeRecords() bool {
	kind := f.Kind()
	return kind == KindObjects || kind == KindDocument
}

func (f Format) IsIDs() bool { return f == IDs || f == Name }

func (f Format) find() *format {
	for i := range formats {
		if formats[i].name == f {
			return &formats[i]
		}
	}
	return nil
}

func New(f Format, l Layout) Encoder { return f.find().newEncoder(l) }

// AppendValue appends a JSON value of any kind: as YAML if that is the format, as
// compact JSON for ndjson, else as indented JSON.
func AppendValue(dst []byte, f Format, v record.Value, flush Flush) []byte {
	switch f {
	case YAML:
		return appendYAML(dst, v, 0, flush)
	case NDJSON:
		return appendJSON(dst, v, Compact, flush)
	}
	return appendJSON(dst, v, 0, flush)
}
