// Package chart draws numbers: in a terminal, as a picture in a file, or as a
// page that carries the numbers too. It knows series and labels, and nothing of
// where they came from. All text it is given is made safe to show here.
package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"reseller/client/safetext"
	"reseller/output/textwidth"
)

// Kind is how a chart is drawn.
type Kind uint8

// The kinds. All but Bars have time from left to right.
const (
	Stacked Kind = iota // areas on top of each other
	Lines               // a line for each series
	Ranks               // lines with 1 on top
	Columns             // columns on top of each other
	Bars                // lying bars, one a label and series
)

// MaxSeries is how many series can be told apart.
const MaxSeries = 8

// A Chart is a picture of numbers. Without labels there is nothing to draw,
// and Missing says why.
type Chart struct {
	Title   string
	Kind    Kind
	Across  string   // what the labels are
	Up      string   // what the values are
	Labels  []string // dates, save of Bars
	Series  []Series
	Most    float64  // the axis of the values goes at least that far
	Notes   []string // what a reader must know
	Left    []string // what is left out for its faults; not in a terminal, whose reader is told otherwise
	Missing string
	Failed  bool  // Missing tells of a failure
	Rows    Table // beside the numbers drawn: the rows behind them, or those left out
}

// A Series has a value from 0 up for each label of its chart, NaN where there
// is none.
type Series struct {
	Name    string
	Values  []float64
	Between []bool // nil, or which values only lead from one to the next
}

// number is a value as the table of numbers shows it.
func (s *Series) number(i int) string {
	if s.Between != nil && s.Between[i] {
		return ""
	}
	return Number(s.Values[i])
}

// A Table is rows of text.
type Table struct {
	Title  string
	Header []string
	Rows   [][]string
	long   bool // many short rows, which go beside each other
}

// A table of more rows and no more columns is long.
const (
	longRows    = 20
	longColumns = 4
	headLength  = 40 // characters of a header
)

// A Page is charts that belong together.
type Page struct {
	Title  string
	About  []string // lines below the title
	Charts []Chart
}

// empty tells whether there is nothing to draw.
func (c *Chart) empty() bool {
	for _, s := range c.Series {
		if slices.ContainsFunc(s.Values, func(v float64) bool { return !math.IsNaN(v) }) {
			return false
		}
	}
	return true
}

// told are all the notes.
func (c *Chart) told() []string { return append(append([]string(nil), c.Notes...), c.Left...) }

// numbers is the table of what is drawn: a row for each label, or where there
// are more series than labels a row for each series.
func (c *Chart) numbers() Table {
	t := Table{Header: []string{c.Across}}
	if len(c.Series) <= len(c.Labels) {
		for i := range c.Series {
			t.Header = append(t.Header, text(c.seriesName(i), headLength))
		}
		for i, label := range c.Labels {
			row := []string{label}
			for _, s := range c.Series {
				row = append(row, s.number(i))
			}
			t.Rows = append(t.Rows, row)
		}
		t.long = c.Kind != Bars && len(t.Rows) > longRows && len(t.Header) <= longColumns
		return t
	}
	t.Header = append([]string{""}, c.Labels...)
	for i, s := range c.Series {
		row := []string{c.seriesName(i)}
		for j := range s.Values {
			row = append(row, s.number(j))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// seriesName is the name of a series; one that needs none is what the axis
// says.
func (c *Chart) seriesName(i int) string {
	if c.Series[i].Name == "" {
		return c.Up
	}
	return c.Series[i].Name
}

// Number is a value as tables show it.
func Number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// short is a value as an axis shows it.
func short(v float64) string {
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

// text makes what others wrote safe and no longer than a label may be.
func text(s string, limit int) string {
	if len(s) > 64*limit { // of a huge one only the beginning can show
		s = s[:64*limit]
	}
	return textwidth.Truncate(strings.TrimSpace(safetext.Escape(strings.ToValidUTF8(s, "\ufffd"))), limit)
}

// highest is the greatest value, of stacked series the greatest sum.
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
			if c.Kind == Stacked || c.Kind == Columns {
				v = sum
			}
			highest = max(highest, v)
		}
	}
	return highest
}
