package page

import (
	"cmp"
	"slices"
	"strings"

	"reseller/output/chart"
	"reseller/output/palette"
)

// The tables of a page of charts.
const (
	maxTable         = 1 << 20 // bytes of a table
	longTableRows    = 20      // a table of numbers with more rows, and not many columns, is printed in several columns
	longTableColumns = 4
	maxWideColumns   = 9  // a table with more columns is printed small
	maxUnbroken      = 20 // bytes of a word that is kept on one line
)

// Charts returns the HTML of a page of charts, with their notes and with tables of their numbers.
func Charts(p chart.Page) []byte {
	p = p.Colored(palette.ByName)
	var w writer
	w.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>$</title>\n", text(p.Title))
	w.addHead(new(Brand))
	w.add("<h1>$</h1>\n", text(p.Title))
	for _, about := range p.About {
		w.add("<p>$</p>\n", text(about))
	}
	w.add("</section>\n")
	for i := range p.Charts {
		c := &p.Charts[i]
		w.begin(text(c.Title), 0)
		if c.IsEmpty() {
			w.addSoft(text(c.NoData))
		} else {
			w.addFigure(c, "", 300)
		}
		for _, note := range slices.Concat(c.Notes, c.Omitted) {
			w.addSoft(text(note))
		}
		if !c.IsEmpty() {
			numbers := numbersOf(c)
			w.addTable(numbers, c.Title, c.Kind != chart.KindBars && len(numbers.Rows) > longTableRows && len(numbers.Header) <= longTableColumns, maxTable)
		}
		if len(c.Rows.Rows) > 0 {
			w.addTable(c.Rows, "", false, maxTable)
		}
		w.end()
	}
	w.add("</main>\n</body>\n</html>\n")
	return w.Bytes()
}

// numbersOf returns a table of the numbers of a chart: a row for each label or, if there are more series than labels, a
// row for each series. Numbers that only connect others are not in it.
func numbersOf(c *chart.Chart) chart.Table {
	all := [][]string{append([]string{c.XTitle}, c.Labels...)}
	for i, s := range c.Series {
		row := []string{c.SeriesName(i)}
		for j, v := range s.Values {
			if s.Interpolated != nil && s.Interpolated[j] {
				row = append(row, "")
			} else {
				row = append(row, chart.Number(v))
			}
		}
		all = append(all, row)
	}
	if len(c.Series) <= len(c.Labels) { // turned
		turned := make([][]string, len(c.Labels)+1)
		for i := range turned {
			for _, row := range all {
				turned[i] = append(turned[i], row[i])
			}
		}
		all = turned
	} else {
		all[0][0] = ""
	}
	return chart.Table{Header: all[0], Rows: all[1:]}
}

// addTable adds a table with as many rows as have room in about maxBytes. A table without a title is called label.
func (w *writer) addTable(t chart.Table, label string, isLong bool, maxBytes int) {
	var rows writer
	shown := 0
	for ; shown < min(len(t.Rows), maxAppendix) && rows.Len() < maxBytes; shown++ {
		rows.add("<tr>")
		for _, cell := range t.Rows[shown] {
			rows.addCell(text(cell))
		}
		rows.add("</tr>\n")
	}
	title, class := tableTitle(&t, shown), "scroll"
	switch {
	case isLong:
		class = "long"
	case len(t.Header) > maxWideColumns:
		class = "scroll small"
	}
	w.add("<div class=\"$\" tabindex=\"0\" role=\"region\" aria-label=\"$\"><table>", class, cmp.Or(title, label))
	w.addIf(title, "<caption>$</caption>")
	w.add("\n<thead><tr>")
	for _, h := range t.Header {
		if h == "" { // a header says something
			w.add("<td></td>")
		} else {
			w.add(`<th scope="col">$</th>`, text(h))
		}
	}
	w.add("</tr></thead>\n<tbody>")
	w.Write(rows.Bytes())
	w.add("</tbody></table></div>\n")
}

// addCell adds a cell. A date, with or without a time, or a short word in it is kept on one line.
func (w *writer) addCell(cell string) {
	class := "prose"
	if n := len(cell); n <= len("22 Nov 2026") || n <= maxUnbroken && !strings.Contains(cell, " ") || n <= len("2026-11-22 04:04") && cell[0] >= '0' && cell[0] <= '9' {
		class = "word"
	}
	w.add(`<td class="$"><bdi>$</bdi></td>`, class, cell)
}
