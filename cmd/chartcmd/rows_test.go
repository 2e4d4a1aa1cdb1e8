package chartcmd

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
)

func TestIsMalformed(t *testing.T) {
	for text, want := range map[string]float64{`0`: 0, `12`: 12, `"1.5"`: 1.5, `" 7 "`: 7, `1e15`: 1e15, `-0`: 0} {
		t.Run(text, func(t *testing.T) {
			if got, malformed := summary.ParseNumber(record.Value(text)), IsMalformed(record.Value(text)); got != want || malformed {
				t.Errorf("got %v, malformed %v, want %v, false", got, malformed, want)
			}
		})
	}
	for text, want := range map[string]bool{
		``: false, `null`: false, `""`: false, `-1`: true, `1e16`: true, `"NaN"`: true, `"Inf"`: true, `1e999`: true, `true`: true, `[]`: true, `{}`: true, `"many"`: true,
	} {
		t.Run(text, func(t *testing.T) {
			if got, malformed := summary.ParseNumber(record.Value(text)), IsMalformed(record.Value(text)); !math.IsNaN(got) || malformed != want {
				t.Errorf("got %v, malformed %v, want NaN, %v", got, malformed, want)
			}
		})
	}
}

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

func TestRowSampleSkipsNull(t *testing.T) {
	rec, err := record.Parse([]byte(`{"a":null,"older":"1","b":null,"c":2,"oldest":3}`))
	if err != nil {
		t.Fatal(err)
	}
	sample := NewRowSample(&schema.Resource{}, schema.Column{Name: "a", Alt: []string{"b", "older"}}, schema.Column{Name: "b"}, schema.Column{Name: "c", Alt: []string{"oldest"}})
	sample.Add(rec)
	if got, want := strings.Join(sample.Table("").Rows[0], ","), "1,,2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
