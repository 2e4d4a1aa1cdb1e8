package chartcmd

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/schema"
)

func TestFigure(t *testing.T) {
	for text, want := range map[string]float64{`0`: 0, `12`: 12, `"1.5"`: 1.5, `" 7 "`: 7, `1e15`: 1e15, `-0`: 0} {
		if got := ParseNumber(record.Value(text)); got != want || IsMalformed(record.Value(text)) {
			t.Errorf("%s: %v", text, got)
		}
	}
	for text, odd := range map[string]bool{
		``: false, `null`: false, `""`: false, `-1`: true, `1e16`: true, `"NaN"`: true, `"Inf"`: true, `1e999`: true, `true`: true, `[]`: true, `{}`: true, `"many"`: true,
	} {
		if v := record.Value(text); !math.IsNaN(ParseNumber(v)) || IsMalformed(v) != odd {
			t.Errorf("%s: %v, odd %v", text, ParseNumber(v), IsMalformed(v))
		}
	}
}

func TestLedgerKeepsTheFirst(t *testing.T) {
	l := NewRowSample(&schema.TrafficReport)
	for i := range maxRows + 5 {
		rec, err := record.Parse(fmt.Appendf(nil, `{"date":"%d%s","total":[1, 2]}`, i, strings.Repeat("語", maxCell)))
		if err != nil {
			t.Fatal(err)
		}
		l.Add(rec)
	}
	table := l.Table("Rows")
	if l.Seen() != maxRows+5 || len(table.Rows) != maxRows || table.Title != "Rows: the first 1000 of 1005" {
		t.Errorf("%d, %d, %s", l.Seen(), len(table.Rows), table.Title)
	}
	if cell := table.Rows[0][0]; !utf8.ValidString(cell) || len(cell) > maxCell+len("…") || !strings.HasSuffix(cell, "…") || table.Rows[0][3] != "[1,2]" {
		t.Errorf("%q", table.Rows[0])
	}
}

func TestLedgerPassesNullOver(t *testing.T) {
	rec, err := record.Parse([]byte(`{"a":null,"older":"1","b":null,"c":2,"oldest":3}`))
	if err != nil {
		t.Fatal(err)
	}
	l := NewRowSample(&schema.Resource{}, schema.Column{Name: "a", Alt: []string{"b", "older"}}, schema.Column{Name: "b"}, schema.Column{Name: "c", Alt: []string{"oldest"}})
	l.Add(rec)
	if got := strings.Join(l.Table("").Rows[0], ","); got != "1,,2" {
		t.Error(got)
	}
}
