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
	tell := func(m dedupe.Match) {
		if m.Equal {
			fmt.Printf("line %d repeats line %d\n", m.RepeatLine, m.FirstLine)
		} else {
			fmt.Printf("line %d contradicts line %d\n", m.RepeatLine, m.FirstLine)
		}
	}
	for ordinal, row := range rows {
		index.Queue(ordinal, ordinal+2, []byte(strings.ToLower(row.keyword)), []byte(row.kind), tell)
	}
	if err := index.Finish(tell); err != nil {
		fmt.Println(err)
	}
	// Output:
	// line 4 repeats line 2
	// line 5 contradicts line 3
}
