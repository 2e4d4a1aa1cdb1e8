package chart_test

import (
	"fmt"

	"reseller/output/chart"
)

// A chart for a terminal of 40 columns, without colors.
func ExampleText() {
	page := chart.Page{Charts: []chart.Chart{{
		Title: "Budget", Kind: chart.KindBars, XTitle: "keyword", YTitle: "monthly budget",
		Labels: []string{"dentist", "crown"},
		Series: []chart.Series{{Values: []float64{20, 12.5}}},
	}}}
	fmt.Print(chart.Text(page, 40, false))
	// Output:
	// Budget
	// keyword  monthly budget
	// dentist  ██████████████████████████ 20
	// crown    ████████████████ 12.5
}
