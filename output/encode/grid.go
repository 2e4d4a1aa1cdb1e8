package encode

import (
	"bytes"
	"time"

	"reseller/output/textwidth"
)

const (
	sampleSize    = 100         // rows held back to find the widths of the columns
	sampleBytes   = 1 << 20     // no more rows are held back if these have more bytes
	sampleTimeout = time.Second // rows are not held back for longer
	columnGap     = 2           // spaces between two columns
	minCell       = 4           // a column is not cut below this width
	maxAligned    = 1000        // the widest column: cells that are wider are not aligned
)

// grid lays rows out in columns. The first rows are held back and measured. The rows
// after them get the same widths.
type grid struct {
	header   []string
	noHeader bool
	bold     bool
	maxWidth int // the width of the terminal; 0 if nothing is cut
	flush    Flush

	rows   [][]string // held back
	held   int        // bytes of rows
	since  time.Time  // when the first row was held back
	widths []int      // of the columns; nil until the rows held back are drawn
}

func newGrid(l Layout, header []string) *grid {
	return &grid{header: header, noHeader: l.NoHeader, bold: l.Bold, maxWidth: l.Width, flush: l.Flush}
}

// addRow appends a row of escaped cells, or holds it back; cells then belongs to
// the grid.
func (g *grid) addRow(dst []byte, cells []string) []byte {
	if g.widths != nil {
		return g.appendRow(dst, cells)
	}
	if len(g.rows) == 0 {
		g.since = time.Now()
	}
	g.rows = append(g.rows, cells)
	for _, cell := range cells {
		g.held += len(cell)
	}
	if len(g.rows) < sampleSize && g.held < sampleBytes && time.Since(g.since) < sampleTimeout {
		return dst
	}
	return g.drawSample(dst)
}

// drawSample appends the header and the rows held back. Later calls append
// nothing.
func (g *grid) drawSample(dst []byte) []byte {
	if g.widths != nil {
		return dst
	}
	g.measure()
	dst = g.appendHeader(dst)
	for _, cells := range g.rows {
		dst = g.flush.drain(g.appendRow(dst, cells))
	}
	g.rows = nil
	return dst
}

func (g *grid) appendHeader(dst []byte) []byte {
	switch {
	case g.noHeader:
		return dst
	case g.bold:
		dst = g.appendRow(append(dst, "\x1b[1m"...), g.header)
		return append(dst[:len(dst)-1], "\x1b[0m\n"...)
	}
	return g.appendRow(dst, g.header)
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
			g.widths[i] = max(g.widths[i], min(textwidth.Of(cell), maxAligned))
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

// appendRow appends a row.
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
