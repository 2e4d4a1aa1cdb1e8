package dedupe

import "sort"

// lines contains the line number of each row. Most rows of a file take the same number of
// lines, so a run of such rows is stored as one element.
type lines []lineRun

// A lineRun is a run of consecutive rows: the ordinal and the line of the first row, and
// the number of lines from each row to the next.
type lineRun struct{ ordinal, line, step uint32 }

// of returns the line of a row of the run.
func (r lineRun) of(ordinal int) int { return int(r.line) + (ordinal-int(r.ordinal))*int(r.step) }

// add stores the line of a row, whose ordinal must be higher than those of all rows added
// before.
func (n *lines) add(ordinal, line int) {
	if last := len(*n) - 1; last >= 0 {
		run := &(*n)[last]
		switch {
		case run.of(ordinal) == line:
			return
		case ordinal == int(run.ordinal)+1:
			run.step = uint32(line) - run.line
			return
		}
	}
	*n = append(*n, lineRun{uint32(ordinal), uint32(line), 1})
}

// of returns the line of a row that was added.
func (n lines) of(ordinal int) int {
	after := sort.Search(len(n), func(i int) bool { return int(n[i].ordinal) > ordinal })
	return n[after-1].of(ordinal)
}
