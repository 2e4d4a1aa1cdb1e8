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
	index := dedupe.NewIndex(dedupe.NewKey(), false)
	defer index.Close()
	matcher := index.Match(func(m dedupe.Match) {
		if m.Equal {
			fmt.Printf("line %d repeats line %d\n", m.RepeatLine, m.FirstLine)
		} else {
			fmt.Printf("line %d contradicts line %d\n", m.RepeatLine, m.FirstLine)
		}
	})
	defer matcher.Close()
	for ordinal, row := range rows {
		matcher.Add(ordinal, ordinal+2, func(id, content []byte) ([]byte, []byte) {
			return append(id, strings.ToLower(row.keyword)...), append(content, row.kind...)
		})
	}
	if err := matcher.Finish(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// line 4 repeats line 2
	// line 5 contradicts line 3
}
