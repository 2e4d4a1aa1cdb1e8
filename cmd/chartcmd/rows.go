package chartcmd

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/output/chart"
	"reseller/output/encode"
)

const (
	maxRows = 1000 // of a table beside a chart
	maxCell = 200  // bytes of a cell or a name
	// maxNumber is beyond what is counted here, and within what can be drawn.
	maxNumber = 1e15
)

// ParseNumber is a value that can be drawn: a number from 0 up, maybe in quotes.
func ParseNumber(v record.Value) float64 {
	if k := v.Kind(); k != record.Number && k != record.String {
		return math.NaN()
	}
	text := strings.TrimSpace(v.Text())
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.eE+-") != "" || !(n >= 0 && n <= maxNumber) {
		return math.NaN()
	}
	return n
}

// IsMalformed tells a value that should be a figure and is none.
func IsMalformed(v record.Value) bool {
	return v.Kind() != record.Missing && v.Kind() != record.Null && v.Text() != "" && math.IsNaN(ParseNumber(v))
}

// Truncate is a copy of a text, of a long one its beginning.
func Truncate(s string) string {
	if len(s) > maxCell {
		return strings.ToValidUTF8(s[:maxCell], "") + "…"
	}
	return strings.Clone(s)
}

// A RowSample keeps rows for the table beside a chart, the first of them.
type RowSample struct {
	columns []schema.Column
	rows    [][]string
	more    int
}

// NewRowSample takes the columns that a table shows, behind those of front.
func NewRowSample(res *schema.Resource, front ...schema.Column) *RowSample {
	l := &RowSample{columns: front}
	for _, c := range res.Columns() {
		if c.Default {
			l.columns = append(l.columns, c)
		}
	}
	return l
}

// Add keeps a row, unless there are enough.
func (l *RowSample) Add(rec record.Record) {
	if len(l.rows) == maxRows {
		l.more++
		return
	}
	row := make([]string, len(l.columns))
	for i, c := range l.columns {
		v := rec.Get(c.Name)
		for j := 0; (v.Kind() == record.Missing || v.Kind() == record.Null) && j < len(c.Alt); j++ {
			v = rec.Get(c.Alt[j])
		}
		text := v.Text()
		if c.Date {
			text = encode.FormatDate(text)
		}
		row[i] = Truncate(text)
	}
	l.rows = append(l.rows, row)
}

// Seen is how many rows there were.
func (l *RowSample) Seen() int { return len(l.rows) + l.more }

// Table is the rows kept; a title says how many there are.
func (l *RowSample) Table(title string) chart.Table {
	if l.more > 0 {
		title = fmt.Sprintf("%s: the first %d of %d", title, len(l.rows), l.Seen())
	}
	t := chart.Table{Title: title, Rows: l.rows}
	for _, c := range l.columns {
		t.Header = append(t.Header, c.Name)
	}
	return t
}
