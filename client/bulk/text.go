package bulk

import "strings"

// tsvReader reads what this program writes as tsv: no quotes; tab, line ends
// and backslash as escapes.
type tsvReader struct{ lines *lines }

func (t *tsvReader) next(in *raw) error {
	line, err := nextFull(t.lines)
	if err != nil {
		return err
	}
	cells := in.cells[:0]
	*in = t.lines.row(line)
	in.blank = strings.Trim(line, "\t") == ""
	for cell := range strings.SplitSeq(line, "\t") {
		if strings.IndexByte(cell, '\\') >= 0 {
			cell = tabEscapes.Replace(cell)
		}
		cells = append(cells, cell)
	}
	in.cells = cells
	return nil
}

var (
	tabEscapes   = strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r", `\\`, `\`)
	tabUnescapes = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`, `\`, `\\`)
)

// lineReader reads one cell a line.
type lineReader struct{ lines *lines }

func (r *lineReader) next(in *raw) error {
	for {
		line, err := nextFull(r.lines)
		if err != nil {
			return err
		}
		line = strings.TrimPrefix(line, string(bom)) // of a file that was put behind another
		if strings.TrimSpace(line) == "" {
			continue
		}
		cells := append(in.cells[:0], line)
		*in = r.lines.row(line)
		in.cells = cells
		if strings.IndexByte(strings.TrimSpace(line), '\r') >= 0 {
			in.faults = append(in.faults, Fault{Line: in.line, Reason: "holds a CR, which ends no line: save the file with LF or CRLF"})
		}
		return nil
	}
}

// nextFull is the next line that is not empty.
func nextFull(l *lines) (string, error) {
	for {
		line, err := l.next()
		if err != nil || len(line) > 0 {
			return line, err
		}
	}
}

// row is a row that begins with the last line that next gave.
func (l *lines) row(line string) raw {
	row := raw{line: l.n}
	if bad := l.bad(line); bad != "" {
		row.faults = []Fault{{Line: l.n, Reason: bad}}
	}
	return row
}
