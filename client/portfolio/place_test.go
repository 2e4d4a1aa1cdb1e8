package portfolio

import (
	"fmt"
	"strings"
	"testing"

	"reseller/client/record"
	"reseller/client/schema"
)

// TestPlacesOfFaults checks that a fault names the other row by its place, which in a folder
// is not the line alone.
func TestPlacesOfFaults(t *testing.T) {
	for want, place := range map[string]func(int) string{
		"is that of line 7, too":        nil, // as comparisonOf says it
		"is that of a.csv: line 5, too": func(line int) string { return fmt.Sprintf("a.csv: line %d", line-2) },
	} {
		t.Run(want, func(t *testing.T) {
			m, h := New(), &Held{}
			h.Index(m)
			c := comparisonOf(m, h, Options{Place: place})
			faults := []Fault(nil)
			for _, line := range []int{7, 9} {
				values := schema.Values{}
				for _, f := range m.Resource().Having(schema.Required) {
					values[f.Name] = record.Quote("x")
				}
				values["external_account_identifier"] = record.Value(`{"field_name":"external_account_identifier","field_value":"k-1"}`)
				w, field, reason := m.Wanted(values, KeywordOptions{Type: "target"})
				if reason != "" {
					t.Fatal(field, reason)
				}
				w.Line = line
				_, faults = c.Add(w)
			}
			if got := changesOf(Plan{}, faults); !strings.Contains(got, want) {
				t.Errorf("got the fault %q, want one with %q", got, want)
			}
		})
	}
}
