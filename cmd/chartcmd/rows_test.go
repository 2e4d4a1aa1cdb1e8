package chartcmd

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/schema"
)

func TestRowSampleKeepsTheFirst(t *testing.T) {
	sample := NewRowSample(&schema.TrafficReport)
	for i := range maxRows + 5 {
		rec, err := record.Parse(fmt.Appendf(nil, `{"date":"%d%s","total":[1, 2]}`, i, strings.Repeat("語", maxCell)))
		if err != nil {
			t.Fatal(err)
		}
		sample.Add(rec)
	}
	table := sample.Table("Rows")
	if sample.Seen() != maxRows+5 || len(table.Rows) != maxRows || table.Title != "Rows: the first 1000 of 1005" {
		t.Errorf("got %d rows seen, %d kept, title %q, want %d, %d, the first 1000 of 1005", sample.Seen(), len(table.Rows), table.Title, maxRows+5, maxRows)
	}
	if cell := table.Rows[0][0]; !utf8.ValidString(cell) || len(cell) > maxCell+len("…") || !strings.HasSuffix(cell, "…") || table.Rows[0][3] != "[1,2]" {
		t.Errorf("got %q, want a date cut to %d bytes, and [1,2]", table.Rows[0], maxCell)
	}
}
