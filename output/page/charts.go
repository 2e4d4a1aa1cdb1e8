package page

import (
	"cmp"
	"slices"

	"reseller/output/chart"
	"reseller/output/palette"
)

// The tables of a page of charts.
const (
	longTableRows    = 20 // a table of numbers with more rows, and not many columns, is printed in several columns
	longTableColumns = 4
	maxWideColumns   = 9 // a table with more columns is printed small
)

// Charts returns the HTML of a page of charts, with their notes and with tables of their numbers.
func Charts(p chart.Page) []byte {
	p = p.Colored(palette.ByName)
	var w writer
	w.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>$</title>\n", cleanText(p.Title))
	w.addHead(new(Brand))
	w.add("<h1>$</h1>\n", cleanText(p.Title))
	for _, about := range p.About {
		w.add("<p>$</p>\n", cleanText(about))
	}
	w.add("</section>\n")
	for i := range p.Charts {
		c := &p.Charts[i]
		w.begin(cleanText(c.Title), 0)
		if c.IsEmpty() {
			w.addSoft(cleanText(c.NoData))
		} else {
			w.addFigure(c, "", 300)
		}
		for _, note := range slices.Concat(c.Notes, c.Omitted) {
			w.addSoft(cleanText(note))
		}
		if !c.IsEmpty() {
			numbers := tableOf(numbersOf(c))
			numbers.label = c.Title + ", numbers"
			numbers.isLong = len(numbers.rows) > longTableRows && len(numbers.columns) <= longTableColumns
			w.addTable(numbers, 0)
		}
		if len(c.Rows.Rows) > 0 {
			w.addTable(tableOf(c.Rows), 0)
		}
		w.end()
	}
	w.add("</main>\n</body>\n</html>\n")
	return w.Bytes()
}

// numbersOf returns a table of the numbers of a chart: a row for each label.
func numbersOf(c *chart.Chart) chart.Table {
	t := chart.Table{Header: []string{""}}
	for _, s := range c.Series {
		t.Header = append(t.Header, cmp.Or(s.Name, c.Title))
	}
	for i, label := range c.Labels {
		if label == "" { // a gap
			continue
		}
		row := []string{label}
		for _, s := range c.Series {
			row = append(row, chart.Number(s.Values[i]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
