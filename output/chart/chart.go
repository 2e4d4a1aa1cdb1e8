// Package chart draws numbers: in a terminal (Text), or in a file as a picture (Render). A chart is laid out once, into
// lines, areas and texts (Draw), which each of these draws with its own means; so do the pages of package page.
package chart

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"reseller/client/safetext"
	"reseller/output"
	"reseller/output/palette"
	"reseller/output/textwidth"
)

type Kind uint8

const (
	KindLines   Kind = iota // a line for each series
	KindRanks               // a line for each series, with 1 on top
	KindColumns             // side by side; a terminal draws them as bars
	KindShares              // a bar for each label, of which each series has a part; only on pages
)

// MaxSeries is the largest number of series that readers can tell apart.
const MaxSeries = 8

// A Chart shows numbers or, if no series has a value, the text of NoData.
type Chart struct {
	Title        string
	About        string // what the chart shows, in words
	Kind         Kind
	Form         func(float64) string // of numbers in the language of the chart, nil for none
	Labels       []string             // dates, or names of columns
	Series       []Series
	SuggestedMax float64  // the value axis reaches at least up to this value
	Partial      []bool   // if not nil, marks the labels of intervals that are not whole
	Notes        []string // what a reader must know
	Omitted      []string // notes on invalid rows that were left out; a terminal shows warnings instead
	NoData       string
	places       []int // of the series among the colors
}

// A Series has a value of at least 0 for each label of its chart, NaN for none.
type Series struct {
	Name   string
	Key    string // by which the series has its color, in place of Name, which has another in each language
	Values []float64
	Thin   bool
	Before bool // of another period, with which the others are compared
}

// A Page has charts that belong together.
type Page struct {
	Title  string
	About  []string   // lines below the title
	Lead   [][]string // rows of texts above the charts in a terminal
	Charts []Chart
}

// Colored returns the page with the colors of the series, the same on all of its charts.
func (p Page) Colored(prefer func(name string) int) Page {
	p.Charts = slices.Clone(p.Charts)
	charts := make([]*Chart, len(p.Charts))
	for i := range p.Charts {
		charts[i] = &p.Charts[i]
	}
	Color(prefer, charts...)
	return p
}

// Color gives the series of charts their colors: a name has the same in all charts, and the names in a chart have different ones. A
// name gets the first color from prefer that is still free.
func Color(prefer func(name string) int, charts ...*Chart) {
	names := make([][]string, len(charts))
	for i, c := range charts {
		for _, s := range c.Series {
			names[i] = append(names[i], cmp.Or(s.Key, s.Name))
		}
	}
	for i, places := range palette.Places(names, prefer) {
		charts[i].places = places
	}
}

// IsEmpty reports whether no series has a value.
func (c *Chart) IsEmpty() bool {
	return !slices.ContainsFunc(c.Series, func(s Series) bool { return slices.ContainsFunc(s.Values, isNumber) })
}

func isNumber(v float64) bool { return !math.IsNaN(v) }

// Highest returns the highest value above 0, or else 0.
func (c *Chart) Highest() float64 {
	highest := 0.0
	for _, s := range c.Series {
		for _, v := range s.Values {
			if isNumber(v) {
				highest = max(highest, v)
			}
		}
	}
	return highest
}

func (c *Chart) number(v float64) string {
	if c.Form != nil && (v == 0 || v >= 0.05) { // it has one decimal
		return c.Form(v)
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// SafeText returns s, which others wrote, with control characters that are not allowed escaped, cut to limit columns.
func SafeText(s string, limit int, allowed ...rune) string {
	if len(s) > 64*limit { // the rest would be cut in any case
		s = s[:64*limit]
	}
	return textwidth.Truncate(strings.TrimSpace(safetext.Escape(strings.ToValidUTF8(s, "\ufffd"), allowed...)), limit)
}

type Format string

const (
	SVG Format = "svg"
	PNG Format = "png"
)

func FormatOf(path string) (Format, error) {
	switch f := Format(strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))); f {
	case SVG, PNG:
		return f, nil
	}
	return "", &output.UsageError{Message: "can't write a chart to " + strconv.Quote(path), Hint: "use a file name that ends in .svg or .png"}
}
