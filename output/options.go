package output

import (
	"strings"

	"reseller/client/nearest"
	"reseller/client/record"
	"reseller/output/encode"
)

type Options struct {
	Format   encode.Format // empty for a table
	Constant []string      // the names of columns with one value in all records
	Columns  []string      // nil for the default columns; only "all" for every field of the records
	NoHeader bool
	Print0   bool     // ids end with a NUL, not with a line feed
	Sort     []string // the names of columns, with a dash before them for descending order
	Where    []string // conditions on the records of a list, such as city=Portland; all have to hold
	Search   string   // a text that the records of a list contain in a shown column
	Limit    int      // the greatest number of records of a list; 0 if there is none
	JQ       string   // a jq expression; its results are written instead of the records
	CSVSafe  bool     // csv and tsv cells that a spreadsheet would run as formulas start with an apostrophe
	CSVBOM   bool     // csv begins with a byte-order mark
	// Observe gets each record before it is printed; nil if nothing does.
	Observe func(record.Record)
	Discard bool // the records are only observed, not printed
	Whole   bool // nothing is written of records that end in an error
	// LeftOut is told after a table was written for which columns the terminal had no room;
	// nil if nobody is.
	LeftOut func(columns []string)
	// Unseen is told after records were written which of the fields that the user named no record has; nil if nobody is.
	Unseen func(columns []string)
	TTY    bool // the output is a terminal of Width columns
	Width  int
	Color  bool
}

// ParseFormat returns the format of that name. The empty name stands for a
// table.
func ParseFormat(name string) (encode.Format, error) {
	if name == "" {
		return encode.Table, nil
	}
	if f := encode.Format(strings.ToLower(name)); f.Known() {
		return f, nil
	}
	names := encode.Names()
	return "", &UsageError{Message: "unknown output format " + quote(name), Hint: suggest(nearest.Name(name, names), "the formats are "+strings.Join(names, ", "))}
}

// suggest returns a hint with the name that the user may have meant before it, if there is one.
func suggest(near, hint string) string {
	if near == "" {
		return hint
	}
	return "did you mean " + near + "? T" + hint[1:]
}
