package summary

import (
	"cmp"
	"fmt"
)

// A move is the change of a rank. rise is by how many places the keyword rose, negative if it
// fell.
type move struct {
	now, before place
	rise        int
}

// behindAll is the place of keywords that do not rank, where moves are compared.
const behindAll = 101

func moveOf(now, before place) move {
	m := move{now: now, before: before}
	switch {
	case now.isRanked() && before.isRanked():
		m.rise = int(before - now)
	case now.isRanked():
		m.rise = max(behindAll-int(now), 1)
	case before.isRanked():
		m.rise = -max(behindAll-int(before), 1)
	}
	return m
}

// compareMoves puts the greatest rise first, and what does not rank at all last.
func compareMoves(x, y move) int {
	rank := func(m move) int {
		switch {
		case m.now.isRanked():
			return int(m.now)
		case m.before.isRanked():
			return int(placeUnranked)
		}
		return int(placeUnranked) + 1
	}
	unranked := func(m move) int { return rank(m) / (int(placeUnranked) + 1) }
	return cmp.Or(cmp.Compare(unranked(x), unranked(y)), cmp.Compare(y.rise, x.rise), cmp.Compare(rank(x), rank(y)))
}

func (m move) direction() Direction {
	switch {
	case !m.now.isRanked() && !m.before.isRanked():
		return NotCompared
	case !m.before.isRanked():
		return New
	case m.rise > 0:
		return Up
	case m.rise < 0:
		return Down
	}
	return Unchanged
}

// words returns the move as a table shows it.
func (m move) words() string {
	switch m.direction() {
	case New:
		return "newly ranked"
	case Up:
		return fmt.Sprintf("%d up", m.rise)
	case Down:
		if !m.now.isRanked() {
			return "no longer ranked"
		}
		return fmt.Sprintf("%d down", -m.rise)
	case Unchanged:
		return "unchanged"
	}
	return ""
}
