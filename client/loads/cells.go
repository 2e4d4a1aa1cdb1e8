package loads

import (
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

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
