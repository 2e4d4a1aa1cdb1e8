package loads

import (
	"reseller/client/bulk/rows"
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

// undoRepairs gives each repaired value of an update its original text again if that is
// what the service holds: the cell was exported so, and nobody has edited it. isHeld
// reports whether the service holds a text for a field.
func undoRepairs(row *rows.Row, isHeld func(name string, text record.Value) bool) {
	for _, cell := range row.Repaired {
		if text := record.Quote(cell.Text); row.Values.Get(cell.Field) != nil && isHeld(cell.Field, text) {
			row.Values.Set(cell.Field, text)
		}
	}
}
