package cli

import (
	"cmp"
	"math"
	"runtime/debug"
)

// A Garbage is how much garbage a kind of work may pile up before it is collected. A percentage or a limit of 0 leaves
// the setting as it is.
type Garbage struct {
	Percent int   // of the memory that is in use
	Limit   int64 // of the process, near which garbage is collected as often as needed
}

var (
	printing  = Garbage{Limit: 160 << 20}
	Streaming = Garbage{Percent: 400, Limit: 144 << 20} // work that makes much garbage
	Comparing = Garbage{Percent: 30}                    // the records of the service and the changes stay in use
)

// Loading is the memory of a load. What it keeps for all its rows moves to disk, except for their states and listed ids.
// Up to a million rows, more garbage fits into the memory that validation has used.
func Loading(rows int) Garbage {
	return Garbage{max(100, 160-rows/20_000), max(76<<20, 60<<20+5*int64(rows))}
}

// Use bounds the memory of the process until undo is called.
func (m Garbage) Use() (undo func()) {
	percent, limit := 0, debug.SetMemoryLimit(cmp.Or(m.Limit, -1)) // which -1 leaves as it is
	if m.Percent != 0 {
		percent = debug.SetGCPercent(m.Percent)
	}
	return func() {
		if m.Percent != 0 {
			debug.SetGCPercent(percent)
		}
		debug.SetMemoryLimit(limit)
	}
}

// boundMemory limits the memory of a command that prints, unless GOMEMLIMIT or the work around it limits it.
func boundMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		printing.Use()
	}
}
