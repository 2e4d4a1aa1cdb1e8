package output

import (
	"bytes"
	"time"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"reseller/client/record"
	"reseller/client/safetext"
)

const (
	// measured is how many rows are held back to find the widths.
	measured  = 100
	patience  = time.Second // ... unless they come slower than this
	gap       = 2
	leastCell = 4
	ellipsis  = "…"
)

// table lays rows out in columns. The first rows are measured and drawn by
// tablewriter. Those that follow keep its widths but are laid out here:
// tablewriter would cut a cell that is wider than its column, and takes 30 µs
// a row.
type table struct {
	header   []string
	noHeader bool
	fit      int // the terminal's width, 0 in a pipe
	bold     bool

	rows   [][]string
	since  time.Time
	widths []int // known once the first rows are drawn
}

func (p *Printer) table(header []string) *table {
	t := &table{header: header, noHeader: p.o.NoHeader, bold: p.o.Color}
	if p.o.TTY {
		t.fit = p.o.Width
	}
	return t
}

// add takes a row of escaped cells, which it keeps.
func (t *table) add(dst []byte, cells []string) ([]byte, error) {
	if t.widths != nil {
		return t.appendRow(dst, cells), nil
	}
	if len(t.rows) == 0 {
		t.since = time.Now()
	}
	t.rows = append(t.rows, cells)
	if len(t.rows) < measured && time.Since(t.since) < patience {
		return dst, nil
	}
	return t.draw(dst)
}

// draw writes the header and the rows held back.
func (t *table) draw(dst []byte) ([]byte, error) {
	if t.widths != nil {
		return dst, nil
	}
	t.measure()
	var text bytes.Buffer
	w := tablewriter.NewTable(&text, plainStyle()...)
	if !t.noHeader {
		w.Header(t.cut(t.header))
	}
	for _, cells := range t.rows {
		if err := w.Append(t.cut(cells)); err != nil {
			return dst, err
		}
	}
	if err := w.Render(); err != nil {
		return dst, err
	}
	header := !t.noHeader
	for line := range bytes.Lines(text.Bytes()) {
		if header && t.bold {
			dst = append(dst, "\x1b[1m"...)
			dst = append(t.appendLine(dst, line), "\x1b[0m"...)
		} else {
			dst = t.appendLine(dst, line)
		}
		header = false
		dst = append(dst, '\n')
	}
	t.rows = nil
	return dst, nil
}

// plainStyle is columns with two spaces between them and nothing else.
func plainStyle() []tablewriter.Option {
	padding := tw.CellPadding{Global: tw.Padding{Right: "  ", Overwrite: true}}
	cells := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
		Padding:    padding,
	}
	return []tablewriter.Option{
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleNone),
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		})),
		tablewriter.WithHeaderConfig(cells),
		tablewriter.WithRowConfig(cells),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithTrimLine(tw.Off),
	}
}

// measure finds the widths of the columns and makes them fit the terminal.
func (t *table) measure() {
	t.widths = make([]int, len(t.header))
	rows := t.rows
	if !t.noHeader {
		rows = append([][]string{t.header}, rows...)
	}
	for _, cells := range rows {
		for i, cell := range cells {
			t.widths[i] = max(t.widths[i], width(cell))
		}
	}
	if t.fit > 0 {
		shrink(t.widths, t.fit-gap*(len(t.widths)-1))
	}
}

// cut cuts a row to the terminal; in a pipe nothing is ever cut.
func (t *table) cut(row []string) []string {
	if t.fit == 0 {
		return row
	}
	out := make([]string, len(row))
	for i, cell := range row {
		out[i] = cut(cell, t.widths[i])
	}
	return out
}

// appendRow is what tablewriter does, for one row.
func (t *table) appendRow(dst []byte, row []string) []byte {
	var line []byte
	for i, cell := range t.cut(row) {
		line = append(line, cell...)
		for range t.widths[i] - width(cell) + gap {
			line = append(line, ' ')
		}
	}
	return append(t.appendLine(dst, line), '\n')
}

// appendLine writes a line without the spaces at its end, and no more of it
// than the terminal has room for.
func (t *table) appendLine(dst, line []byte) []byte {
	line = bytes.TrimRight(line, " \n")
	if t.fit == 0 || len(line) <= t.fit {
		return append(dst, line...)
	}
	return append(dst, cut(string(line), t.fit)...)
}

// list is the table of many records.
type list struct {
	*table
	cells
	scratch []byte
}

func (e *list) begin(dst []byte) []byte { return dst }

func (e *list) record(dst []byte, rec record.Record) ([]byte, error) {
	places := e.finder.In(&rec)
	if e.widths != nil && e.fit == 0 {
		return e.appendWhole(dst, &rec, places), nil
	}
	row := make([]string, len(e.columns))
	for i := range e.columns {
		v, marks := e.value(&rec, places, i)
		if none(v) && e.columns[i].older() {
			v, marks = e.columns[i].get(&rec)
		}
		row[i] = string(e.appendCell(nil, &e.columns[i], v, marks))
	}
	return e.add(dst, row)
}

// appendWhole is appendRow where nothing is cut, without a string for each cell.
func (e *list) appendWhole(dst []byte, rec *record.Record, places []int) []byte {
	line := len(dst)
	for i := range e.columns {
		cell := len(dst)
		v, marks := e.value(rec, places, i)
		if none(v) && e.columns[i].older() {
			v, marks = e.columns[i].get(rec)
		}
		dst = e.appendCell(dst, &e.columns[i], v, marks)
		for range e.widths[i] - widthOf(dst[cell:]) + gap {
			dst = append(dst, ' ')
		}
	}
	return append(dst[:line+len(bytes.TrimRight(dst[line:], " "))], '\n')
}

func (e *list) appendCell(dst []byte, c *column, v record.Value, marks record.Marks) []byte {
	switch k := v.Kind(); {
	case k == record.String && !c.date && marks&(record.Escaped|record.Odd) == 0:
		return append(dst, v[1:len(v)-1]...)
	case k == record.Number || k == record.Bool:
		return append(dst, v...)
	}
	e.scratch = c.appendShown(e.scratch[:0], v)
	return safetext.Append(dst, e.scratch)
}

func (e *list) end(dst []byte) ([]byte, error) { return e.draw(dst) }
