package chartcmd

import (
	"fmt"
	"strings"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/output/chart"
	"reseller/output/encode"
)

const (
	maxRows = 1000 // rows of the table with a chart
	maxCell = 200  // bytes of a cell or a name
)

// Truncate returns a copy of s. A text of more than maxCell bytes is cut and ends with
// an ellipsis.
func Truncate(s string) string {
	if len(s) > maxCell {
		return strings.ToValidUTF8(s[:maxCell], "") + "…"
	}
	return strings.Clone(s)
}

// A RowSample keeps the first rows of a table that is printed with a chart.
type RowSample struct {
	columns []schema.Column
	rows    [][]string
	more    int
}

// NewRowSample returns a sample with the columns of front and then the default columns
// of res.
func NewRowSample(res *schema.Resource, front ...schema.Column) *RowSample {
	s := &RowSample{columns: front}
	for _, c := range res.Columns() {
		if c.Default {
			s.columns = append(s.columns, c)
		}
	}
	return s
}

// Add adds a row. Rows beyond maxRows are only counted.
func (s *RowSample) Add(rec record.Record) {
	if len(s.rows) == maxRows {
		s.more++
		return
	}
	row := make([]string, len(s.columns))
	for i, c := range s.columns {
		text := rec.Get(c.Name).Text()
		if c.Type == schema.Date {
			text = encode.FormatDate(text)
		}
		row[i] = Truncate(text)
	}
	s.rows = append(s.rows, row)
}

// Seen returns the number of rows that were added.
func (s *RowSample) Seen() int { return len(s.rows) + s.more }

// Table returns the rows that were kept. Its title says if there were more.
func (s *RowSample) Table(title string) chart.Table {
	if s.more > 0 {
		title = fmt.Sprintf("%s: the first %d of %d", title, len(s.rows), s.Seen())
	}
	t := chart.Table{Title: title, Rows: s.rows}
	for _, c := range s.columns {
		t.Header = append(t.Header, c.Name)
	}
	return t
}
