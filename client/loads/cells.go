package loads

import (
	"reseller/client/record"
	"reseller/client/safetext"
)

// equalCell reports whether a cell of a file equals a value that the service holds: it
// is the text of the value, or that text as this program prints it in csv, with or
// without --csv-safe.
func equalCell(cell string, remote record.Value) bool {
	return cell == remote.Text() || cellText(remote) == printedAs(cell) || cellText(remote) == printedAs(safetext.FormulaUnsafe(cell))
}

// cellText returns the text of a value in a csv cell: arrays and objects as
// compact JSON, control characters escaped.
func cellText(v record.Value) string {
	var text []byte
	if k := v.Kind(); k == record.Array || k == record.Object {
		text = v.AppendCompact(nil)
	} else {
		text = v.AppendText(nil)
	}
	return string(safetext.AppendData(nil, text, '\n', '\t'))
}

// printedAs returns a cell as csv prints it. A cell that is escaped already
// stays as it is.
func printedAs(cell string) string { return cellText(record.Quote(cell)) }
