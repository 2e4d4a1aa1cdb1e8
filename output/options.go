package output

import (
	"strings"

	"reseller/client/nearest"
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
	CSVBOM   bool   // csv begins with a byte-order mark
	TTY      bool   // the output is a terminal of Width columns
	Width    int
	Color    bool
}

// ParseFormat returns the format of that name. The empty name stands for a
// table.
func ParseFormat(name string) (encode.Format, error) {
	if name == "" {
		return encode.Table, nil
	}
	if f := encode.Format(name); f.Known() {
		return f, nil
	}
	names := encode.Names()
	return "", &UsageError{
		Message: "unknown output format " + quote(name),
		Hint:    "did you mean " + nearest.Name(name, names) + "? The formats are " + strings.Join(names, ", "),
	}
}
