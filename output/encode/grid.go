package encode

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"reseller/output/textwidth"
)

const (
	sampleSize    = 100         // rows held back to find the widths of the columns
	sampleBytes   = 1 << 20     // no more rows are held back if these take more bytes
	sampleTimeout = time.Second // rows are not held back for longer
	columnGap     = 2           // spaces between two columns
	minCell       = 4           // a column is not cut below this width
	maxAligned    = 1000        // the widest column: cells that are wider are not aligned
	maxDrawnCells = 4000        // more cells than these are not drawn by tablewriter
	cellOverhead  = 16          // bytes that a cell takes besides its text
)

// grid lays rows out in columns. The first rows are held back, measured, and drawn by
// tablewriter. The rows after them get the same widths, but grid lays them out itself:
// tablewriter would cut cells that are wider than their column, and takes 30 µs for a row.
type grid struct {
	Layout // if it is Single, of one record, whose fields and values are the two columns
	header []string

	rows    [][]string // held back
	held    int        // bytes that rows take
	since   time.Time  // when the first row was held back
	numbers []bool     // the columns that have a cell with a number
	texts   []bool     // the columns that have a cell with something else
	drawn   bool       // the rows held back are drawn
	shown   []int      // the columns that are shown, in their order; nil if all are
	widths  []int      // of the shown columns; measured when the rows held back are drawn
	right   []bool     // the shown columns whose cells are to the right; nil if there are none, as in a pipe
}

func newGrid(l Layout, header []string) *grid {
	n := len(header)
	return &grid{Layout: l, header: header, widths: make([]int, n), numbers: make([]bool, n), texts: make([]bool, n)}
}

// addRow appends a row of escaped cells, or holds it back; cells then belongs to
// the grid.
func (g *grid) addRow(dst []byte, cells []string) []byte {
	if g.drawn {
		for line := range g.lines(pick(g, cells)) {
			dst = g.Flush.drain(append(g.appendLine(dst, g.appendRow(nil, line)), '\n'))
		}
		return dst
	}
	if len(g.rows) == 0 {
		g.since = time.Now()
	}
	g.rows = append(g.rows, cells)
	for _, cell := range cells {
		g.held += len(cell) + cellOverhead
	}
	if len(g.rows) < sampleSize && g.held < sampleBytes && time.Since(g.since) < sampleTimeout {
		return dst
	}
	return g.drawSample(dst)
}

// drawSample appends the header and the rows held back. Later calls append
// nothing.
func (g *grid) drawSample(dst []byte) []byte {
	if g.drawn {
		return dst
	}
	g.measure()
	var rows [][]string
	if !g.NoHeader {
		rows = append(rows, g.cutCells(pick(g, g.header)))
	}
	for _, cells := range g.rows {
		rows = slices.AppendSeq(rows, g.lines(pick(g, cells)))
	}
	var text []byte
	if isDrawable(rows) {
		text = g.draw(rows)
	}
	if text == nil { // without the memory that tablewriter takes
		for _, cells := range rows {
			text = append(g.appendRow(text, cells), '\n')
		}
	}
	bold := g.Bold && !g.NoHeader
	for line := range bytes.Lines(text) {
		if bold {
			dst = append(g.appendLine(append(dst, "\x1b[1m"...), line), "\x1b[0m"...)
		} else {
			dst = g.appendLine(dst, line)
		}
		dst, bold = g.Flush.drain(append(dst, '\n')), false
	}
	g.rows, g.drawn = nil, true
	return dst
}

// isDrawable reports whether tablewriter draws rows. It takes 2 kB for each cell and
// 110 times the room of the widest one, makes columns as wide as their widest cell, and
// leaves out rows without cells.
func isDrawable(rows [][]string) bool {
	cells, size := 0, 0
	for _, row := range rows {
		cells += len(row)
		for _, cell := range row {
			size += len(cell)
			if textwidth.Of(cell) > maxAligned {
				return false
			}
		}
	}
	return cells > 0 && cells <= maxDrawnCells && size <= sampleBytes
}

// draw returns the table that tablewriter draws of rows, the first of which is the header, if there
// is one; nil if it can't.
func (g *grid) draw(rows [][]string) []byte {
	var text bytes.Buffer
	widths := tw.NewMapper[int, int]()
	for i, width := range g.widths {
		widths.Set(i, width+columnGap)
	}
	w := tablewriter.NewTable(&text, append(borderless(), tablewriter.WithColumnWidths(widths))...)
	if !g.NoHeader {
		w.Header(rows[0])
		rows = rows[1:]
	}
	if err := cmp.Or(w.Bulk(rows), w.Render()); err != nil {
		return nil
	}
	return text.Bytes()
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

// measure finds the widths of the columns by the header and the rows held back, and which
// columns the terminal has room for. The fields and values of a record have their widths already.
func (g *grid) measure() {
	if g.Single && g.Width > 0 {
		return
	}
	widen := func(cells []string) {
		for i, cell := range cells {
			g.widths[i] = max(g.widths[i], min(textwidth.Of(cell), maxAligned))
		}
	}
	if !g.NoHeader {
		widen(g.header)
	}
	for _, cells := range g.rows {
		widen(cells)
	}
	if g.Width > 0 {
		g.fit()
	}
}

// lines iterates over the lines of a row: one with its cells cut, or several if its cells are
// wrapped.
func (g *grid) lines(row []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		if !g.Wrap || g.Width == 0 {
			yield(g.cutCells(row))
			return
		}
		parts := make([]func() (string, bool), len(row))
		for i, cell := range row {
			next, stop := iter.Pull(wrap([]byte(cell), g.widths[i]))
			defer stop()
			parts[i] = next
		}
		for {
			line, more := make([]string, len(row)), false
			for i, next := range parts {
				part, isPart := next()
				line[i], more = part, more || isPart
			}
			if !more || !yield(g.cutCells(line)) {
				return
			}
		}
	}
}

// cutCells cuts the cells of a row to the widths of the columns, and moves numbers to the
// right. In a pipe nothing is ever cut or moved.
func (g *grid) cutCells(row []string) []string {
	if g.Width == 0 {
		return row
	}
	out := make([]string, len(row))
	for i, cell := range row {
		cell = textwidth.Truncate(cell, g.widths[i])
		if g.right != nil && g.right[i] {
			cell = strings.Repeat(" ", max(g.widths[i]-textwidth.Of(cell), 0)) + cell
		}
		out[i] = cell
	}
	return out
}

// appendRow appends the line of a row whose cells are cut, as tablewriter draws it.
func (g *grid) appendRow(dst []byte, row []string) []byte {
	for i, cell := range row {
		dst = appendSpaces(append(dst, cell...), max(g.widths[i]-textwidth.Of(cell), 0)+columnGap)
	}
	return dst
}

// appendLine appends a line without the spaces at its end, cut to the width of
// the terminal.
func (g *grid) appendLine(dst, line []byte) []byte {
	line = bytes.TrimRight(line, " \n")
	if g.Width == 0 || len(line) <= g.Width {
		return append(dst, line...)
	}
	return append(dst, textwidth.Truncate(string(line), g.Width)...)
}

func appendSpaces(dst []byte, n int) []byte {
	const spaces = "                                                                "
	for ; n > len(spaces); n -= len(spaces) {
		dst = append(dst, spaces...)
	}
	return append(dst, spaces[:n]...)
}
