package output

import "reseller/client/record"

// Format is the name of a format, as --output takes it.
type Format string

// Kind says what a format makes of records.
type Kind uint8

// The kinds.
const (
	KindReading  Kind = iota // laid out for people: the default columns, with dates in one shape
	KindRows                 // a line of cells for each record, one for each column
	KindObjects              // a line for each record, with all its fields
	KindDocument             // one document, with all fields of all records
)

// format describes a format.
type format struct {
	name Format
	kind Kind
	make func(Layout) Encoder
	help string
}

// formats lists every format, the default one first. To add one, write its
// encoder in a file of its own and add a line here.
var formats = []format{
	{Table, KindReading, newTable, "the default; fitted to the width of a terminal, never cut in a pipe"},
	{JSON, KindDocument, newJSON, "an array for a list, an object for one record, with every field that the service sent"},
	{NDJSON, KindObjects, newNDJSON, "one object a line"},
	{CSV, KindRows, newCSV, "RFC 4180 with \\n and one header row; nested objects as external_account_manager.name,\narrays as compact JSON in one cell; columns fixed, in the order of the documents"},
	{TSV, KindRows, newTSV, "the same with tabs; a tab, line feed or backslash inside a cell is \\t, \\n, \\\\"},
	{YAML, KindDocument, newYAML, "the fields of json as YAML"},
	{Markdown, KindReading, newMarkdown, "a table for a document"},
}

// Formats returns every format, the default one first.
func Formats() []Format {
	all := make([]Format, len(formats))
	for i := range formats {
		all[i] = formats[i].name
	}
	return all
}

// Known reports whether f is one of Formats.
func (f Format) Known() bool { return f.find() != nil }

// Kind returns the kind of a known format.
func (f Format) Kind() Kind { return f.find().kind }

// Help returns what the help says about a known format.
func (f Format) Help() string { return f.find().help }

// WholeRecords reports whether a known format writes all fields of a record,
// unless the user named the columns.
func (f Format) WholeRecords() bool {
	kind := f.Kind()
	return kind == KindObjects || kind == KindDocument
}

func (f Format) find() *format {
	for i := range formats {
		if formats[i].name == f {
			return &formats[i]
		}
	}
	return nil
}

// Encoder writes one document. Each method appends to dst and returns it, so
// that all records share one buffer.
type Encoder interface {
	// Begin appends what comes before the first record.
	Begin(dst []byte) []byte
	// Record appends a record, which is valid only until Record returns.
	Record(dst []byte, rec record.Record) ([]byte, error)
	// End appends what comes after the last record.
	End(dst []byte) ([]byte, error)
}

// Layout tells an encoder what to write and where it goes.
type Layout struct {
	Columns      []column                     // of the formats that have columns; of all formats where Picked is set
	Picked       bool                         // the user named the columns
	Undocumented func(record.Record) []column // where not nil, the other fields of a record, for a table of one record
	Front        []string                     // the fields that ndjson moves to the front
	Single       bool                         // one object, not a list

	NoHeader bool
	CSVSafe  bool // csv and tsv keep spreadsheets from running cells as formulas
	Width    int  // the width of the terminal, to which tables are cut; 0 where nothing is cut
	Bold     bool // the table's header is bold
}

// NewEncoder returns an encoder of a known format.
func NewEncoder(f Format, l Layout) Encoder { return f.find().make(l) }

// AppendValue appends a JSON value of any kind: as YAML where that is the
// format, compact for ndjson, else as indented JSON.
func AppendValue(dst []byte, f Format, v record.Value) []byte {
	switch f {
	case YAML:
		return appendYAML(dst, v, 0)
	case NDJSON:
		return AppendJSON(dst, v, Compact)
	}
	return AppendJSON(dst, v, 0)
}

// AppendPicked appends the columns of rec as a JSON object, null for those that
// are missing.
func (l *Layout) AppendPicked(dst []byte, rec *record.Record) []byte {
	dst = append(dst, '{')
	for i := range l.Columns {
		c := &l.Columns[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(record.AppendQuote(dst, c.Name), ':')
		if v, _ := c.Get(rec); v != nil {
			dst = append(dst, v...)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}
