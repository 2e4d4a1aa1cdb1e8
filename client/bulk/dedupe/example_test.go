package dedupe_test

import (
	"fmt"
	"strings"

	"reseller/client/bulk/dedupe"
)

// Find the rows that repeat or contradict an earlier row: a keyword is the same in any
// letter case, and all rows about it must agree in its type.
func Example() {
	rows := []struct{ keyword, kind string }{
		{"red shoes", "target"}, {"blue shoes", "target"}, {"Red Shoes", "target"}, {"BLUE SHOES", "interest"},
	}
	matcher := dedupe.NewIndex().Match(func(m dedupe.Match) {
		if m.Equal {
			fmt.Printf("row %d repeats row %d\n", m.Repeat, m.First)
		} else {
			fmt.Printf("row %d contradicts row %d\n", m.Repeat, m.First)
		}
	})
	defer matcher.Close()
	for ordinal, row := range rows {
		matcher.Add(ordinal, func(id, content []byte) ([]byte, []byte) {
			return append(id, strings.ToLower(row.keyword)...), append(content, row.kind...)
		})
	}
	matcher.Flush()
	// Output:
	// row 2 repeats row 0
	// row 3 contradicts row 1
}
