package bulk

import "slices"

// parts is into how many a refused batch is split: reading the list costs more
// than calls, so few rounds are better than few calls.
const parts = 10

// splitting says in which smaller batches refused rows are sent again.
type splitting struct {
	part  map[uint32]int // by row, from 1
	sizes []int
}

func (s *splitting) partOf(row uint32) int {
	if s == nil {
		return 0
	}
	return s.part[row]
}

func (s *splitting) add(rows []uint32) {
	s.sizes = append(s.sizes, len(rows))
	for _, row := range rows {
		s.part[row] = len(s.sizes)
	}
}

// split makes smaller batches of what is absent of the refused ones. Rows of a
// campaign that was given up are refused; groups of one that has taken nothing
// yet wait for what single rows of its first group show.
func (r *run) split(groups [][]uint32) *splitting {
	r.mu.Lock()
	defer r.mu.Unlock()
	plan := &splitting{part: map[uint32]int{}}
	probing := map[string]bool{}
	for _, group := range groups {
		first := group[0]
		rows := slices.DeleteFunc(slices.Clone(group), func(row uint32) bool { return r.ledger.state[row] != split })
		if len(rows) == 0 {
			continue
		}
		r.campaigns.regroup(first, rows[0])
		if why, dead := r.campaigns.dead(r.campaigns.group(rows[0])); dead {
			r.record(rowsEntry(why, rows...))
			continue
		}
		switch probe, wait := r.campaigns.probe(rows[0], probing); {
		case wait:
			r.ledger.groups = append(r.ledger.groups, rows)
		case probe && len(rows) > manyAlone:
			for _, row := range rows[:manyAlone] {
				plan.add([]uint32{row})
			}
			r.campaigns.regroup(rows[0], rows[manyAlone])
			r.ledger.groups = append(r.ledger.groups, rows[manyAlone:])
		case probe:
			for _, row := range rows {
				plan.add([]uint32{row})
			}
		default:
			for part := range slices.Chunk(rows, (len(rows)+parts-1)/parts) {
				plan.add(part)
			}
		}
	}
	if len(plan.sizes) == 0 {
		return nil
	}
	return plan
}
