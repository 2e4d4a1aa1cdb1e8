package page

import (
	"math"
	"testing"

	"reseller/output/chart"
)

func TestDescribe(t *testing.T) {
	none := math.NaN()
	for want, values := range map[string][]float64{
		"No visits are known.":                                                        {none, none, none},
		"Visits for each day from 1 Nov to 3 Nov. All are 0.":                         {0, 0, 0},
		"Visits for each day from 1 Nov to 3 Nov. All that are known are 7.":          {7, none, 7},
		"Visits for each day from 1 Nov to 3 Nov. Only that of 2 Nov is known: 0.":    {none, 0, none},
		"Visits for each day from 1 Nov to 3 Nov. The highest is 5, 2 Nov.":           {1, 5, none},
		"Visits for each day from 1 Nov to 3 Nov. The highest is 5, 1 Nov and 3 Nov.": {5, 1, 5},
		"Visits for each day from 1 Nov to 3 Nov. All are 4.":                         {4, 4, 4},
	} {
		if got := describe(chart.Series{Name: "Visits", Values: values}, "day", []string{"1 Nov", "2 Nov", "3 Nov"}); got != want {
			t.Errorf("%v: got %q, want %q", values, got, want)
		}
	}
}
