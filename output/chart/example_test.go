package chart_test

import (
	"fmt"

	"reseller/output/chart"
)

// A chart for a terminal of 40 columns, without colors.
func ExampleText() {
	page := chart.Page{Charts: []chart.Chart{{
		Title: "Tasks completed by week", Kind: chart.KindColumns,
		Labels: []string{"5 Oct", "12 Oct"},
		Series: []chart.Series{{Values: []float64{2, 1}}},
	}}}
	fmt.Print(chart.Text(page, 40, false))
	// Output:
	// Tasks completed by week
	// 5 Oct   ████████████████ 2
	// 12 Oct  ████████ 1
}
