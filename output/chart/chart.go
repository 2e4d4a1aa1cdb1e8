package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"reseller/client/safetext"
	"reseller/output/palette"
	"reseller/output/textwidth"
)

// Kind is the way in which a chart is drawn.
type Kind uint8

// The kinds. In all but KindBars, time runs from left to right.
const (
	KindLines Kind = iota // a line for each series
	KindRanks             // a line for each series, with 1 on top
	KindStackedColumns
	KindColumns // side by side
	KindBars    // horizontal bars, one for each label and series
)

// MaxSeries is the largest number of series that readers can tell apart.
const MaxSeries = 8

// A Chart shows numbers. If no series has a value, the text of NoData is shown
// instead.
type Chart struct {
	Title        string
	Kind         Kind
	XTitle       string   // the title of the label axis
	YTitle       string   // the title of the value axis
	Labels       []string // dates; any names for KindBars
	Series       []Series
	SuggestedMax float64  // the value axis reaches at least up to this value
	Partial      []bool   // if not nil, marks the labels of intervals that are not whole
	Notes        []string // what a reader must know
	Omitted      []string // notes on invalid rows that were left out; a terminal shows warnings instead
	NoData       string
	places       []int // of the series among the colors and pens
	Rows         Table // shown below the numbers of the chart: the rows of the report, or those left out
}

// A Series has a value of at least 0 for each label of its chart, or NaN if there
// is none.
type Series struct {
	Name         string
	Values       []float64
	Interpolated []bool // if not nil, marks the values that only connect their neighbors
	Thin         bool
	Before       bool // of another period, with which the others are compared
}

// cell returns the text of value i in the table of numbers.
func (s *Series) cell(i int) string {
	if s.Interpolated != nil && s.Interpolated[i] {
		return ""
	}
	return Number(s.Values[i])
}

// A Table has rows of text.
type Table struct {
	Title  string
	Header []string
	Rows   [][]string
	long   bool // has many short rows, which are printed in several columns
}

// A table of numbers is long if it has more than longTableRows rows and at most
// longTableColumns columns.
const (
	longTableRows    = 20
	longTableColumns = 4
)

const maxHeaderLength = 40 // of the header of a column, in characters

// A Page has charts that belong together.
type Page struct {
	Title  string
	About  []string // lines below the title
	Lead   Table    // above the charts in a terminal
	Charts []Chart
}

// placed returns the page with the places of the series among the colors, the same on all of its charts.
func (p Page) placed(prefer func(name string) int) Page {
	p.Charts = slices.Clone(p.Charts)
	names := make([][]string, len(p.Charts))
	for i := range p.Charts {
		for j := range p.Charts[i].Series {
			names[i] = append(names[i], p.Charts[i].seriesName(j))
		}
	}
	for i, places := range palette.Places(names, prefer) {
		p.Charts[i].places = places
	}
	return p
}

// empty reports whether no series has a value.
func (c *Chart) empty() bool {
	for _, s := range c.Series {
		if slices.ContainsFunc(s.Values, func(v float64) bool { return !math.IsNaN(v) }) {
			return false
		}
	}
	return true
}

// allNotes returns the notes and those on rows left out.
func (c *Chart) allNotes() []string { return append(append([]string(nil), c.Notes...), c.Omitted...) }

// dataTable returns a table of the numbers: a row for each label or, if there are
// more series than labels, a row for each series.
func (c *Chart) dataTable() Table {
	t := Table{Header: []string{c.XTitle}}
	if len(c.Series) <= len(c.Labels) {
		for i := range c.Series {
			t.Header = append(t.Header, safeText(c.seriesName(i), maxHeaderLength))
		}
		for i, label := range c.Labels {
			row := []string{label}
			for _, s := range c.Series {
				row = append(row, s.cell(i))
			}
			t.Rows = append(t.Rows, row)
		}
		t.long = c.Kind != KindBars && len(t.Rows) > longTableRows && len(t.Header) <= longTableColumns
		return t
	}
	t.Header = append([]string{""}, c.Labels...)
	for i, s := range c.Series {
		row := []string{c.seriesName(i)}
		for j := range s.Values {
			row = append(row, s.cell(j))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// seriesName returns the name of series i or, if it has none, the title of the
// value axis.
func (c *Chart) seriesName(i int) string {
	if c.Series[i].Name == "" {
		return c.YTitle
	}
	return c.Series[i].Name
}

// Number returns a value as tables show it.
func Number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// abbreviate returns a value as an axis shows it, with a unit such as k or M.
func abbreviate(v float64) string {
	for _, unit := range []struct {
		size float64
		sign string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		if math.Abs(v) >= unit.size {
			size := unit.size
			if unit.sign == "k" {
				size = 1e3
			}
			return strconv.FormatFloat(math.Round(v/size*10)/10, 'f', -1, 64) + unit.sign
		}
	}
	return Number(v)
}

// safeText returns s, which others wrote, with control characters escaped and cut
// to limit columns.
func safeText(s string, limit int) string {
	if len(s) > 64*limit { // the rest would be cut in any case
		s = s[:64*limit]
	}
	return textwidth.Truncate(strings.TrimSpace(safetext.Escape(strings.ToValidUTF8(s, "\ufffd"))), limit)
}

// highest returns the highest value or, if the series are stacked, the highest
// sum.
func (c *Chart) highest() float64 {
	highest := 0.0
	for i := range c.Labels {
		sum := 0.0
		for _, s := range c.Series {
			v := s.Values[i]
			if math.IsNaN(v) {
				continue
			}
			sum += v
			if c.Kind == KindStackedColumns {
				v = sum
			}
			highest = max(highest, v)
		}
	}
	return highest
}
