package bulk

import "strings"

// tsvReader reads what this program writes as tsv: no quotes; tab, line ends
// and backslash as escapes.
type tsvReader struct{ lines *lines }

func (t *tsvReader) next() (raw, error) {
	line, err := nextFull(t.lines)
	if err != nil {
		return raw{}, err
	}
	row := t.lines.row(line)
	row.blank = strings.Trim(line, "\t") == ""
	row.cells = strings.Split(line, "\t")
	if strings.IndexByte(line, '\\') >= 0 {
		for i, cell := range row.cells {
			row.cells[i] = tabEscapes.Replace(cell)
		}
	}
	return row, nil
}

var (
	tabEscapes   = strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r", `\\`, `\`)
	tabUnescapes = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`, `\`, `\\`)
)

// lineReader reads one cell a line.
type lineReader struct{ lines *lines }

func (r *lineReader) next() (raw, error) {
	for {
		line, err := nextFull(r.lines)
		if err != nil {
			return raw{}, err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		row := r.lines.row(line)
		row.cells = []string{line}
		return row, nil
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
