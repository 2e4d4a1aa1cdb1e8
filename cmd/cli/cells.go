package cli

import (
	"strings"

	"reseller/client/record"
	"reseller/output/encode"
)

// EqualCell tells whether a cell says what is held already: the value itself,
// or what it is printed as.
func EqualCell(cell string, held record.Value) bool {
	return cell == held.Text() || CellText(held) == PrintedAs(cell) || CellText(held) == PrintedAs(StripFormulaQuote(cell))
}

// PrintedAs is a cell as a csv of ours would show it: what was escaped stays so, and
// what other formats need not escape comes to the same.
func PrintedAs(cell string) string { return CellText(record.Quote(cell)) }

// StripFormulaQuote is a cell without the ' that --csv-safe puts before it.
func StripFormulaQuote(cell string) string {
	rest, ok := strings.CutPrefix(cell, "'")
	if !ok || rest == "" || !strings.ContainsAny(rest[:1], "=+-@\t\r") && !strings.ContainsAny(rest, "＝＋－＠") {
		return cell
	}
	return rest
}

// CellText is a value as a csv of ours shows it.
func CellText(v record.Value) string { return encode.CSVText(v) }
