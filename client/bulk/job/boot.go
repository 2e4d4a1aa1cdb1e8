package job

import "time"

// A Boot says for how long the machine has been running. A process that was killed loses nothing that it had written to a
// file, so the next process on the same boot can rely on all of a log, and can tell how long ago the process was killed. The
// clock of the wall can't: it may be set.
type Boot struct {
	ID     string        // differs after each start of the machine; empty if it is not known
	Uptime time.Duration // the time since the start, sleep included
}

// isAfter reports whether b is later than another moment, as a moment of another boot is that was recorded later.
func (b Boot) isAfter(other Boot) bool { return b.ID != other.ID || b.Uptime > other.Uptime }

// since returns the time from an earlier moment to b, zero if they can't be compared.
func (b Boot) since(earlier Boot) time.Duration {
	if b.ID == "" || b.ID != earlier.ID {
		return 0
	}
	return max(0, b.Uptime-earlier.Uptime)
}
