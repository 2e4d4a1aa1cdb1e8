package bulk

import (
	"slices"

	"reseller/client/bulk/breaker"
	"reseller/client/bulk/job"
)

// fanOut is the number of parts that a rejected batch is split into. Each round reads the
// list back, which takes longer than the calls. With ten parts, few rounds are needed.
const fanOut = 10

// A bisectPlan splits the rows of rejected batches into parts, each of which becomes a
// batch. After enough rounds, each invalid row is refused alone.
type bisectPlan struct {
	partOf map[uint32]int // the part of each row; parts count from 1
	sizes  []int          // the number of rows of each part
}

// part returns the part of a row, 0 if it is in none.
func (p *bisectPlan) part(row uint32) int {
	if p == nil {
		return 0
	}
	return p.partOf[row]
}

// add adds a part.
func (p *bisectPlan) add(rows []uint32) {
	p.sizes = append(p.sizes, len(rows))
	for _, row := range rows {
		p.partOf[row] = len(p.sizes)
	}
}

// planCanary returns a plan of the absent rows, of which a canary is taken.
func planCanary(absent []uint32) *bisectPlan {
	plan := &bisectPlan{partOf: map[uint32]int{}}
	for i := range absent {
		plan.add(absent[i : i+1])
	}
	return plan
}

// planBisect splits the absent rows of rejected batches into parts. If the breaker of a
// key is open, it records the rows as refused. If the service has accepted no row of a
// key, it sends single rows of the first batch as a probe, and keeps the other batches
// for the next round. It returns nil if there is nothing to send.
func planBisect(rec *job.Recorder, brk *breaker.Set, rejected [][]uint32) *bisectPlan {
	table := rec.Table()
	plan := &bisectPlan{partOf: map[uint32]int{}}
	probing := map[string]bool{}
	for _, group := range rejected {
		first := group[0]
		absent := slices.DeleteFunc(slices.Clone(group), func(row uint32) bool { return table.State(row) != job.StateRejectedBatch })
		if len(absent) == 0 {
			continue
		}
		brk.RenameGroup(first, absent[0])
		if result, open := brk.OpenFor(absent[0]); open {
			rec.Record(job.RowResult(result, absent...))
			continue
		}
		switch probe, wait := brk.Probe(absent[0], probing); {
		case wait:
			table.KeepRejected(absent)
		case probe:
			n := min(len(absent), breaker.Threshold)
			for single := range slices.Chunk(absent[:n], 1) {
				plan.add(single)
			}
			if rest := absent[n:]; len(rest) > 0 {
				brk.RenameGroup(absent[0], rest[0])
				table.KeepRejected(rest)
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
