package cli

import "runtime/debug"

// AllowGarbage lets garbage pile up to four times what is in use before it is collected, for work that makes much of it,
// but has it collected as often as needed when the process comes near 144 MB. undo restores what was set before.
func AllowGarbage() (undo func()) {
	percent, limit := debug.SetGCPercent(400), debug.SetMemoryLimit(144<<20)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}
