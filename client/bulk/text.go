package bulk

import (
	"bytes"
	"strings"
)

// tsvReader reads what this program writes as tsv: no quotes; tab, line ends
// and backslash as escapes.
type tsvReader struct{ lines *lines }

func (t *tsvReader) next() (raw, error) {
	line, err := nextFull(t.lines)
	if err != nil {
		return raw{}, err
	}
	row := plainRow(t.lines.n, line)
	row.cells = strings.Split(string(line), "\t")
	if bytes.IndexByte(line, '\\') >= 0 {
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
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		row := plainRow(r.lines.n, line)
		row.cells = []string{string(line)}
		return row, nil
	}
}

// nextFull is the next line that is not empty.
func nextFull(l *lines) ([]byte, error) {
	for {
		line, err := l.next()
		if err != nil || len(line) > 0 {
			return line, err
		}
	}
}

func plainRow(n int, line []byte) raw {
	row := raw{line: n}
	if bad := badText(line); bad != "" {
		row.faults = []Fault{{Line: n, Reason: bad}}
	}
	return row
}
