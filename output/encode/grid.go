package encode

import (
	"bytes"
	"time"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"reseller/output/textwidth"
)

const (
	sampleSize    = 100         // rows held back to find the widths of the columns
	sampleTimeout = time.Second // rows are not held back for longer
	columnGap     = 2           // spaces between two columns
	minCell       = 4           // a column is not cut below this width
)

// grid lays rows out in columns. The first rows are held back, measured, and
// drawn by tablewriter. The rows after them get the same widths, but grid lays
// them out itself: tablewriter would cut cells that are wider than their
// column, and takes 30 µs for a row.
type grid struct {
	header   []string
	noHeader bool
	bold     bool
	maxWidth int // the width of the terminal; 0 if nothing is cut

	rows   [][]string // held back
	since  time.Time  // when the first row was held back
	widths []int      // of the columns; nil until the rows held back are drawn
}

func newGrid(l Layout, header []string) *grid {
	return &grid{header: header, noHeader: l.NoHeader, bold: l.Bold, maxWidth: l.Width}
}

// addRow appends a row of escaped cells, or holds it back; cells then belongs to
// the grid.
func (g *grid) addRow(dst []byte, cells []string) ([]byte, error) {
	if g.widths != nil {
		return g.appendRow(dst, cells), nil
	}
	if len(g.rows) == 0 {
		g.since = time.Now()
	}
	g.rows = append(g.rows, cells)
	if len(g.rows) < sampleSize && time.Since(g.since) < sampleTimeout {
		return dst, nil
	}
	return g.drawSample(dst)
}

// drawSample appends the header and the rows held back. Later calls append
// nothing.
func (g *grid) drawSample(dst []byte) ([]byte, error) {
	if g.widths != nil {
		return dst, nil
	}
	g.measure()
	var text bytes.Buffer
	w := tablewriter.NewTable(&text, borderless()...)
	if !g.noHeader {
		w.Header(g.cutCells(g.header))
	}
	for _, cells := range g.rows {
		if err := w.Append(g.cutCells(cells)); err != nil {
			return dst, err
		}
	}
	if err := w.Render(); err != nil {
		return dst, err
	}
	header := !g.noHeader
	for line := range bytes.Lines(text.Bytes()) {
		if header && g.bold {
			dst = append(dst, "\x1b[1m"...)
			dst = append(g.appendLine(dst, line), "\x1b[0m"...)
		} else {
			dst = g.appendLine(dst, line)
		}
		header = false
		dst = append(dst, '\n')
	}
	g.rows = nil
	return dst, nil
}

// borderless is the style of columns with two spaces between them and nothing
// else.
func borderless() []tablewriter.Option {
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

// measure sets the widths of the columns, shrunk to fit the terminal.
func (g *grid) measure() {
	g.widths = make([]int, len(g.header))
	rows := g.rows
	if !g.noHeader {
		rows = append([][]string{g.header}, rows...)
	}
	for _, cells := range rows {
		for i, cell := range cells {
			g.widths[i] = max(g.widths[i], textwidth.Of(cell))
		}
	}
	if g.maxWidth > 0 {
		shrink(g.widths, g.maxWidth-columnGap*(len(g.widths)-1))
	}
}

// cutCells cuts the cells of a row to the widths of the columns. In a pipe
// nothing is ever cut.
func (g *grid) cutCells(row []string) []string {
	if g.maxWidth == 0 {
		return row
	}
	out := make([]string, len(row))
	for i, cell := range row {
		out[i] = textwidth.Truncate(cell, g.widths[i])
	}
	return out
}

// appendRow appends a row as tablewriter would.
func (g *grid) appendRow(dst []byte, row []string) []byte {
	var line []byte
	for i, cell := range g.cutCells(row) {
		line = append(line, cell...)
		for range g.widths[i] - textwidth.Of(cell) + columnGap {
			line = append(line, ' ')
		}
	}
	return append(g.appendLine(dst, line), '\n')
}

// appendLine appends a line without the spaces at its end, cut to the width of
// the terminal.
func (g *grid) appendLine(dst, line []byte) []byte {
	line = bytes.TrimRight(line, " \n")
	if g.maxWidth == 0 || len(line) <= g.maxWidth {
		return append(dst, line...)
	}
	return append(dst, textwidth.Truncate(string(line), g.maxWidth)...)
}

// shrink narrows the widest columns until all fit into room, or none can be
// narrowed further.
func shrink(widths []int, room int) {
	total := 0
	for i, w := range widths {
		widths[i] = min(w, max(room, minCell))
		total += widths[i]
	}
	for total > room {
		widest := 0
		for i, w := range widths {
			if w >= widths[widest] {
				widest = i
			}
		}
		if len(widths) == 0 || widths[widest] <= minCell {
			return
		}
		widths[widest]--
		total--
	}
}
