package summary

import (
	"cmp"
	"fmt"

	"reseller/client/record"
)

// A move is the rank of a keyword in a list at the end of the period, and that before, with the
// days on which they were measured.
type move struct {
	now, before    place
	day, dayBefore Day
}

// behindAll is the place of keywords that do not rank, where moves are compared.
const behindAll = 101

// rise returns by how many places the keyword rose. It is negative if the keyword fell.
func (m move) rise() int {
	switch {
	case m.now.isRanked() && m.before.isRanked():
		return int(m.before - m.now)
	case m.now.isRanked():
		return max(behindAll-int(m.now), 1)
	case m.before.isRanked():
		return -max(behindAll-int(m.before), 1)
	}
	return 0
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
	return cmp.Or(cmp.Compare(unranked(x), unranked(y)), cmp.Compare(y.rise(), x.rise()), cmp.Compare(rank(x), rank(y)))
}

func (m move) direction() Direction {
	switch {
	case !m.now.isRanked() && !m.before.isRanked():
		return NotCompared
	case !m.before.isRanked():
		return New
	case m.rise() > 0:
		return Up
	case m.rise() < 0:
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
		return fmt.Sprintf("%d up", m.rise())
	case Down:
		if !m.now.isRanked() {
			return "no longer ranked"
		}
		return fmt.Sprintf("%d down", -m.rise())
	case Unchanged:
		return "unchanged"
	}
	return ""
}

// A KeywordMove is the ranks of a keyword in one list at the end of a period and before.
type KeywordMove struct {
	Rank, Before   float64 // NaN if the keyword did not rank
	Day, DayBefore Day     // on which the ranks were measured; 0 if they were not
	Direction      Direction
	Rise           int // by how many places it rose, negative if it fell; a keyword that does not rank counts as just behind rank 100
}

// A Mover is a keyword of the keywords report with its moves.
type Mover struct {
	Row          record.Record
	Organic, Map KeywordMove
}

// Movers returns the keywords of one campaign with their moves, in the order of the rows. With
// nearest, ranks are compared with the first ones in the period if none was measured in the
// compared period.
func Movers(s Scope, rows []record.Record, nearest bool) []Mover {
	b := NewBuilder(s)
	for _, row := range rows {
		b.Add(ReportKeywords, row)
	}
	r := b.ranks()
	if !nearest && r.ends.isFirst {
		for i := range r.keywords {
			for list := range listCount {
				m := &r.keywords[i].moves[list]
				m.before, m.dayBefore = 0, 0
			}
		}
	}
	movers := make([]Mover, len(rows))
	for i, row := range rows { // a keyword that has ranks only after the period has no move
		movers[i] = Mover{row, move{}.export(), move{}.export()}
	}
	for _, k := range r.keywords {
		movers[k.row].Organic, movers[k.row].Map = k.moves[listOrganic].export(), k.moves[listMap].export()
	}
	return movers
}

func (m move) export() KeywordMove {
	return KeywordMove{m.now.value(), m.before.value(), m.day, m.dayBefore, m.direction(), m.rise()}
}
