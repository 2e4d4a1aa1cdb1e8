package summary

import "reseller/client/words"

// A move is the rank of a keyword in a list at the end of the period, and that before, with the days of both.
type move struct {
	now, before    rank
	day, dayBefore Day
	gap            int  // why the rank before is not known, if it is not: one of the reasons
	behind         rank // counts as that of a keyword that does not rank: it is behind all others
}

// isCompared reports whether both ranks were measured: what was not measured has neither risen nor fallen.
func (m move) isCompared() bool { return m.now.isMeasured() && m.before.isMeasured() }

// rise returns by how many places the keyword rose. It is negative if the keyword fell.
func (m move) rise() int {
	if !m.isCompared() {
		return 0
	}
	return int(min(m.before, m.behind) - min(m.now, m.behind))
}

func (m move) direction() Direction {
	switch {
	case !m.isCompared(), !m.now.isRanked() && !m.before.isRanked():
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

// words returns the move as a table shows it; when is the time of the rank before.
func (m move) words(in *words.Words, when string) string {
	switch m.direction() {
	case New:
		return in.Say("move.newly_ranked")
	case Up:
		return in.Say("move.up", "n", m.rise())
	case Down:
		if !m.now.isRanked() {
			return in.Say("move.no_longer_ranked")
		}
		return in.Say("move.down", "n", -m.rise())
	case Unchanged:
		return in.Say("move.unchanged")
	}
	if !m.now.isRanked() || m.before.isMeasured() {
		return ""
	}
	return in.Say("move."+reasonKeys[m.gap], "when", when)
}

// A KeywordMove is the ranks of a keyword in one list at the end of a period and before.
type KeywordMove struct {
	Rank, Before   float64 // Unranked if the keyword did not rank, NaN if its rank was not measured
	Day, DayBefore Day     // on which the ranks were measured; 0 if they were not
	Rise           int     // by how many places it rose, negative if it fell; a keyword that does not rank counts as just behind rank 100 and every rank of its report
}

// A Mover is a keyword of the keywords report with its moves.
type Mover struct {
	Row          int // the number of the keyword's row among those that were added, from 0
	Organic, Map KeywordMove
}

// Movers returns the keywords with their moves, in the order of the rows. With nearest, a rank that was not measured in the compared
// period is compared with the first one in the period.
func (b *Builder) Movers(nearest bool) (movers []Mover) {
	ends := b.scope.ends(b.keywords.kept)
	ends.isCompared, ends.isFirst, ends.before = b.scope.IsCompared(), false, ending(b.scope.Compared)
	first := ends
	first.isFirst, first.before = true, b.scope.Period
	for i := range b.keywords.kept {
		k := &b.keywords.kept[i]
		var found [listCount]move
		if !k.isLater(b.scope.To) {
			found = b.scope.moves(k, ends)
		}
		for list, m := range found {
			if nearest && !m.before.isMeasured() && m.day != 0 {
				found[list] = b.scope.move(k, list, first)
			}
		}
		movers = append(movers, Mover{k.row, found[listOrganic].export(), found[listMap].export()})
	}
	return movers
}

func (m move) export() KeywordMove {
	return KeywordMove{m.now.measured(), m.before.measured(), m.day, m.dayBefore, m.rise()}
}
