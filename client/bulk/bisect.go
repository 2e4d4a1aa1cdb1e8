package bulk

import (
	"slices"

	"reseller/client/bulk/job"
)

// fanOut is the number of parts into which a refused batch is split. Reading the
// list back costs more than calls, so few rounds are better than few calls.
const fanOut = 10

// A bisectPlan divides the rows of refused batches into smaller batches, which are sent
// again. After enough rounds, each invalid row is refused alone.
type bisectPlan struct {
	partOf map[uint32]int // by row, from 1
	sizes  []int          // of the parts
}

// part returns the part of a row, 0 if it is in none.
func (p *bisectPlan) part(row uint32) int {
	if p == nil {
		return 0
	}
	return p.partOf[row]
}

func (p *bisectPlan) add(rows []uint32) {
	p.sizes = append(p.sizes, len(rows))
	for _, row := range rows {
		p.partOf[row] = len(p.sizes)
	}
}

// planBisect divides the rows of refused batches that the service does not hold. It
// records rows of a key with an open breaker as refused. If the service has accepted no
// row of a key, single rows of its first batch are sent as a probe, and its other
// batches wait. planBisect returns nil if there is nothing to send.
func planBisect(rec *job.Recorder, brk *breakers, rejected [][]uint32) *bisectPlan {
	table := rec.Table()
	plan := &bisectPlan{partOf: map[uint32]int{}}
	probing := map[string]bool{}
	for _, group := range rejected {
		first := group[0]
		absent := slices.DeleteFunc(slices.Clone(group), func(row uint32) bool { return table.State(row) != job.StateRejectedBatch })
		if len(absent) == 0 {
			continue
		}
		brk.renameGroup(first, absent[0])
		if result, open := brk.open(brk.groupKey(absent[0])); open {
			rec.Record(job.RowResult(result, absent...))
			continue
		}
		switch probe, wait := brk.probe(absent[0], probing); {
		case wait:
			table.KeepRejected(absent)
		case probe && len(absent) > breakerThreshold:
			for _, row := range absent[:breakerThreshold] {
				plan.add([]uint32{row})
			}
			brk.renameGroup(absent[0], absent[breakerThreshold])
			table.KeepRejected(absent[breakerThreshold:])
		case probe:
			for _, row := range absent {
				plan.add([]uint32{row})
			}
		default:
			for part := range slices.Chunk(absent, (len(absent)+fanOut-1)/fanOut) {
				plan.add(part)
			}
		}
	}
	if len(plan.sizes) == 0 {
		return nil
	}
	return plan
}
