package decode

import (
	"fmt"
	"strings"

	"reseller/client/safetext"
)

// nextTSV reads a row of tsv in the form in which this program writes it: a quote is part of its cell, and tabs, line ends and
// backslashes in cells are escaped by a backslash. So is the first quote of a cell that would look as if it came from csv.
func (l *lineReader) nextTSV(in *RawRow) error {
	line, err := l.nextNonEmpty()
	if err != nil {
		return err
	}
	cells := in.Cells[:0]
	*in = l.rawRow(line)
	in.Row = in.Line
	in.Blank = strings.Trim(line, "\t") == ""
	for cell := range strings.SplitSeq(line, "\t") {
		if escaped, ok := strings.CutPrefix(cell, `\`); ok && safetext.HasCSVQuotes(escaped) {
			cell = escaped
		} else if safetext.HasCSVQuotes(cell) {
			in.Issues = append(in.Issues, Issue{Line: in.Line, Row: in.Row, Reason: fmt.Sprintf(
				"cell %d is in quotes that are doubled inside it, as in csv: give %s, which reads tabs too", len(cells)+1, l.words.Of("--input-format csv"))})
		}
		if strings.IndexByte(cell, '\\') >= 0 {
			cell = tsvUnescaper.Replace(cell)
		}
		cells = append(cells, cell)
	}
	in.Cells = cells
	return nil
}

var tsvUnescaper = strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r", `\\`, `\`)

var tsvEscaper = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`, `\`, `\\`)

func EscapeTSV(cell string) string {
	escaped := tsvEscaper.Replace(cell)
	if safetext.HasCSVQuotes(escaped) {
		return `\` + escaped
	}
	return escaped
}

// nextTXT reads a row of txt: a line is its only cell.
func (l *lineReader) nextTXT(in *RawRow) error {
	line, err := l.nextText()
	if err != nil {
		return err
	}
	cells := append(in.Cells[:0], line)
	*in = l.rawRow(line)
	in.Row, in.Cells = in.Line, cells
	if strings.IndexByte(strings.TrimSpace(line), '\r') >= 0 {
		in.Issues = append(in.Issues, Issue{Line: in.Line, Reason: "contains a CR inside the line: save the file with LF or CRLF"})
	}
	return nil
}
