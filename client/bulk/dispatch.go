package bulk

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"reseller/client/bulk/breaker"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/crash"
)

const (
	// maxCommitWindow is the maximum number of batches whose intents share one sync of
	// the log.
	maxCommitWindow = 128
	// minCommitWindow is the number of batches that are synced at once if no sync is under way, so that the first calls start soon.
	minCommitWindow = 8
	// saidChunk is the number of rows after which flush is called.
	saidChunk = 4096
)

// A dispatcher walks the rows of the file once. It passes batches of pending rows, and
// the parts of bisected batches, to workers.
type dispatcher struct {
	*run
	snapshot Snapshot // nil if rows are sent without comparing them
	plan     bisectPlan
	// keepsReserve says to leave the rows of the last batch pending if other rows have an
	// unknown outcome or are in rejected batches: the reconciler needs a row that it can
	// send as a canary.
	keepsReserve bool
	canaries     int  // if not 0, send so many rows, each alone: pending ones, or those of plan
	isFirst      bool // no other walk of the run has told the breakers which keys have accepted rows

	batcher  *batcher
	last     *openBatch // the last full batch, which waits for the next one, or for the others' outcomes
	reserved bool       // the rows of the last batch were left pending
	working  sync.WaitGroup
	ready    []*batch      // the batches of the next sync
	logged   chan []*batch // to commit: the batches of each window
	queue    chan *batch   // to the workers: batches whose intent is durable
	said     byResult      // of rows that are not sent; flush records it
	unsaid   int           // the number of these rows
}

// sendAlone sends up to n rows, each alone, and reports whether there was one: pending rows
// if absent is nil, otherwise rows of rejected batches, all of which the service does not hold.
func (r *run) sendAlone(ctx context.Context, n int, absent []uint32) (bool, error) {
	if absent == nil && r.rec.Table().Count(job.StatePending) == 0 {
		return false, nil
	}
	before := r.sender.calls
	d := dispatcher{run: r, snapshot: r.snapshot, canaries: n}
	if absent != nil {
		d.plan.add(absent)
	}
	last := r.sender.witness
	err := d.dispatch(ctx)
	if w := r.sender.witness; w != last {
		w.wasRefused = absent != nil
	}
	return r.sender.calls > before, err
}

// dispatch walks the rows and sends the batches. It returns when all calls have ended.
func (d *dispatcher) dispatch(ctx context.Context) error {
	d.said = byResult{}
	if list, ok := d.snapshot.(*ListSnapshot); ok && list.isEmpty() {
		d.snapshot = nil // no row needs to be looked up
	}
	encode := func(key batchKey) BatchEncoder {
		switch {
		case key.converge:
			return &rowsEncoder{send: d.op.Converge}
		case d.op.Encode != nil:
			return d.op.Encode()
		}
		return &rowsEncoder{send: d.op.Send}
	}
	d.batcher = newBatcher(batcherOptions{
		size: d.batchSize, encode: encode, send: func(open *openBatch) error { return d.submit(ctx, open) },
		inMemory: d.src.Layout.HoldsSecrets(), maxBytes: maxOpenBytes,
	})
	defer d.batcher.discard()
	d.logged, d.queue = make(chan []*batch), make(chan *batch, maxCommitWindow)
	if d.op.Unverifiable() { // markInFlight records the intent, so no window is needed
		d.queue = make(chan *batch)
	}
	var workers sync.WaitGroup
	drained := make(chan struct{}) // closed when the queue is closed and empty
	for i := range d.opts.Concurrency {
		workers.Go(func() {
			defer crash.Recover()
			if i > 0 {
				select {
				case <-d.sender.answered:
				case <-drained:
					return
				}
			}
			for b := range d.queue {
				d.sender.send(ctx, b)
				d.working.Done()
			}
			if i == 0 {
				close(drained)
			}
		})
	}
	workers.Go(func() {
		defer crash.Recover()
		d.commit(ctx)
	})
	err := d.walk(ctx)
	if err == nil {
		d.logged <- d.ready
	} else {
		d.sender.abortIntent(d.ready...)
	}
	close(d.logged)
	workers.Wait()
	d.flush()
	return cmp.Or(d.sender.err(), err, context.Cause(ctx))
}

func (d *dispatcher) batchSize(key batchKey) int {
	if d.canaries > 0 {
		return 1
	}
	if key.part > 0 {
		return d.plan.sizes[key.part-1]
	}
	return d.opts.BatchSize
}

// walk passes the rows to send to the batcher, and the full batches to logIntent. It ends
// behind the last row that may have to be sent or looked up, unless the breakers need to be
// told which rows earlier runs have sent.
func (d *dispatcher) walk(ctx context.Context) error {
	last := d.rec.LastUnfinished(d.src.IsSendable)
	var key batchKey
	added := 0
	for row, err := range d.src.Valid() {
		if last < 0 || err == nil && row.Ordinal > last && (!d.isFirst || d.op.Breaker == "") {
			break
		}
		if err != nil {
			return err
		}
		sends, err := d.route(ctx, row, &key)
		if err == nil && sends {
			if added++; d.op.Changes || key.converge {
				d.rec.Record(d.op.changes(d.src.Layout.HashKey(), uint32(row.Ordinal), row.Values))
			}
			err = d.batcher.add(&key, row)
		}
		if err != nil {
			return err
		}
		if d.canaries > 0 && added == d.canaries {
			break
		}
	}
	if err := d.batcher.drain(); err != nil {
		return err
	}
	return d.submitLast(ctx)
}

// submit sends a full batch when the next one is full.
func (d *dispatcher) submit(ctx context.Context, open *openBatch) error {
	if d.op.Unverifiable() {
		return d.logIntent(ctx, open)
	}
	previous := d.last
	if d.last = open; previous == nil {
		return nil
	}
	return d.logIntent(ctx, previous)
}

// submitLast sends the last batch when all others have their outcomes. If the service
// acknowledges the batch, then a list that shows one of its rows vouches for all
// others.
func (d *dispatcher) submitLast(ctx context.Context) error {
	if d.last == nil {
		return nil
	}
	if len(d.ready) > 0 {
		d.logged <- d.ready
		d.ready = nil
	}
	d.working.Wait()
	if err := cmp.Or(d.sender.err(), context.Cause(ctx)); err != nil {
		return err
	}
	if d.keepsReserve && d.last.key.part == 0 && d.rec.Table().Count(job.StateUnknown, job.StateRejectedBatch) > 0 {
		d.reserved = true
		return nil
	}
	return d.logIntent(ctx, d.last)
}

func (d *dispatcher) route(ctx context.Context, row *rows.Row, key *batchKey) (sends bool, err error) {
	n := uint32(row.Ordinal)
	key.key, key.converge, key.part = d.batcher.keys.ofRow(d.op.Key, row.Values), false, 0
	switch d.rec.Table().State(n) { // which nothing changes before the walk reaches the row
	case job.StateSent, job.StatePresent:
		d.breakers.RecordSuccess(key.key)
		return false, nil
	case job.StateRejectedBatch:
		if key.part = d.plan.partOf[n]; key.part == 0 {
			return false, nil
		}
		if _, open := d.breakers.Open(key.key); open && d.canaries > 0 {
			return false, nil // planBisect records it as refused
		}
		if _, isList := d.snapshot.(*ListSnapshot); d.snapshot != nil && !isList {
			_, err = d.snapshot.Find(ctx, row) // sets the values that the call needs, as before the first call of the row
		}
		return true, err
	case job.StatePending:
		if result, open := d.breakers.Open(key.key); open {
			d.rec.Record(job.RowResult(result, n))
			return false, nil
		}
		if d.snapshot != nil {
			if sends, err := d.lookup(ctx, row, key); err != nil || !sends {
				return false, err
			}
		}
		if d.canaries > 0 {
			key.part = 1 // a single row is a probe, so it does not wait for one
			return true, nil
		}
		return !d.breakers.ShouldWait(key.key), nil
	case job.StateUnknown:
		// A row in the list was certainly sent. A row that is not in the list yet may still
		// appear there, so it stays unknown.
		if list, ok := d.snapshot.(*ListSnapshot); ok {
			out, err := list.Find(ctx, row)
			if out.State == Present {
				d.rec.Record(job.RowResult(job.Result{State: d.rec.Table().Found(n)}, n))
			}
			return false, err
		}
	}
	return false, nil
}

// lookup looks a row up in the snapshot and reports whether to send it. If the row is not
// to be sent, lookup records its state.
func (d *dispatcher) lookup(ctx context.Context, row *rows.Row, key *batchKey) (sends bool, err error) {
	out, err := d.snapshot.Find(ctx, row)
	if err != nil {
		return false, err
	}
	if out.State == Absent {
		return true, nil
	}
	result := d.op.unsent(out)
	if out.Message != "" && result.State.Succeeded() {
		d.held.add(d.src.Issue(row, out.Message).String())
	}
	switch result.State {
	case job.StateDiffers:
		if d.converges() {
			key.converge = true
			return true, nil
		}
	case job.StatePresent:
		d.breakers.RecordSuccess(key.key)
	}
	if d.opts.Results == "" && d.step.Label == "" && !d.op.perRow() {
		result.Fields = ""
	}
	d.said.add(result, uint32(row.Ordinal))
	if d.unsaid++; d.unsaid >= saidChunk {
		d.flush()
	}
	return false, nil
}

// flush records what is said of rows that are not sent, in one event for each result.
func (d *dispatcher) flush() {
	if d.unsaid > 0 {
		d.said.record(d.rec)
		d.unsaid = 0
		d.sender.progress()
	}
}

// logIntent records that a batch may be sent. It passes the batches that wait for a sync on to commit, as soon as that is idle.
func (d *dispatcher) logIntent(ctx context.Context, open *openBatch) error {
	b := &batch{batchKey: open.key, rows: open.rows, call: open.encoder.Call()}
	if !d.op.Unverifiable() {
		d.sender.ensureIntent(b)
	}
	d.working.Add(1)
	d.ready = append(d.ready, b)
	switch n := len(d.ready); {
	case n == maxCommitWindow || d.op.Unverifiable():
		d.logged <- d.ready
	case n < minCommitWindow:
		return nil
	default:
		select {
		case d.logged <- d.ready:
		default:
			return nil
		}
	}
	d.ready = nil
	return cmp.Or(d.sender.err(), context.Cause(ctx))
}

// commit makes the intents of each window durable and passes its batches to the
// workers. It runs in a goroutine of its own, while the walk fills the next window.
func (d *dispatcher) commit(ctx context.Context) {
	defer close(d.queue)
	for batches := range d.logged {
		if err := d.rec.Sync(); err != nil {
			d.sender.abortIntent(batches...)
			d.working.Add(-len(batches))
			continue
		}
		for _, b := range batches {
			select {
			case d.queue <- b: // sender.send checks whether the run was stopped meanwhile
			case <-ctx.Done():
				d.sender.abortIntent(b)
				d.working.Done()
			}
		}
	}
}

// fanOut is the number of parts that a rejected batch is split into. Each round reads the
// list back, which takes longer than the calls. With ten parts, few rounds are needed.
const fanOut = 10

// A bisectPlan splits the rows of rejected batches into parts, each of which becomes a
// batch. After enough rounds, each invalid row is refused alone.
type bisectPlan struct {
	partOf map[uint32]int // the part of each row, from 1; 0 for rows in none
	sizes  []int          // the number of rows of each part
}

func (p *bisectPlan) add(rows []uint32) {
	if p.sizes = append(p.sizes, len(rows)); p.partOf == nil {
		p.partOf = map[uint32]int{}
	}
	for _, row := range rows {
		p.partOf[row] = len(p.sizes)
	}
}

// planBisect splits the absent rows of rejected batches into parts. If the breaker of a
// key is open, it records the rows as refused. If the service has accepted no row of a
// key, it sends single rows of the first batch as a probe, and keeps the other batches
// for the next round. A plan without parts sends nothing.
func planBisect(rec *job.Recorder, brk *breaker.Set, rejected [][]uint32) (plan bisectPlan) {
	table := rec.Table()
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
	return plan
}
