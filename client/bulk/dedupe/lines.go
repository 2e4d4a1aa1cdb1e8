package dedupe

import "sort"

// Lines holds the line numbers of rows in little memory: most rows have the same number
// of lines, so runs of rows are stored by their first line and this number.
type Lines []lineRun

// A lineRun is a number of consecutive rows at even distances.
type lineRun struct{ ordinal, line, step uint32 }

func (r lineRun) of(ordinal int) int { return int(r.line) + (ordinal-int(r.ordinal))*int(r.step) }

// Add notes the line of a row, whose ordinal must be higher than those added so far.
func (n *Lines) Add(ordinal, line int) {
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

// Of returns the line of a row that was added.
func (n Lines) Of(ordinal int) int {
	after := sort.Search(len(n), func(i int) bool { return int(n[i].ordinal) > ordinal })
	return n[after-1].of(ordinal)
}
