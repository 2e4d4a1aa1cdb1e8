package bulk

import (
	"context"
	"sync"

	"reseller/client/bulk/decode"
	"reseller/client/record"
)

// ahead is how many batches at most are noted as maybe sent before the journal
// is made durable and the workers get them.
const ahead = 128

// A feed is one walk of the file that hands its rows to the workers.
type feed struct {
	*run
	plan   *splitting
	gather gathering
	states struct {
		of   [256]rowState
		from uint32
		n    uint32
	}
	nothing bool // the service holds no row of the file
	bring   func() Body
	ready   []*batch
	window  int
	noted   chan []*batch         // the journal says that they may be sent
	queue   chan *batch           // and it is durable
	held    map[rowState][]uint32 // rows found to be there already, not noted yet
}

// send walks the file and sends what is to be sent: rows that nothing is known
// of, and the parts that plan has. It ends when all calls have.
func (r *run) send(ctx context.Context, plan *splitting) error {
	f := &feed{run: r, plan: plan, window: min(8, ahead), held: map[rowState][]uint32{}}
	if held, ok := r.view.(*Holdings); ok {
		f.nothing = held.held == nil
	}
	if r.op.Bring != nil {
		f.bring = OfRows(r.op.Bring)
	}
	f.gather = newGathering(f.size, func(key batchKey) Body {
		if key.bring {
			return f.bring()
		}
		return r.op.Begin()
	})
	f.noted, f.queue = make(chan []*batch), make(chan *batch, ahead)
	if r.op.blind() {
		f.queue, f.window = make(chan *batch), 1
	}
	var workers sync.WaitGroup
	for range r.o.Concurrency {
		workers.Go(func() {
			for b := range f.queue {
				r.work(ctx, b)
			}
		})
	}
	workers.Go(func() { f.release(ctx) })
	err := f.walk(ctx)
	if err == nil {
		f.noted <- f.ready
	} else {
		f.giveBack(f.ready...)
	}
	close(f.noted)
	workers.Wait()
	f.noteHeld()
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.stopped != nil:
		return r.stopped
	case err == nil && ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return err
}

func (f *feed) size(key batchKey) int {
	if key.part > 0 {
		return f.plan.sizes[key.part-1]
	}
	return f.o.BatchSize
}

func (f *feed) walk(ctx context.Context) error {
	var key batchKey
	for row, err := range f.src.Rows() {
		if err != nil {
			if wrong := decode.AsError(err); wrong != nil && !wrong.Fatal {
				continue // the rejects tell of it
			}
			return err
		}
		goes, err := f.consider(ctx, row, &key)
		if err == nil && goes {
			if p := f.gather.add(&key, row); p != nil {
				err = f.intend(ctx, p)
			}
		}
		if err != nil {
			return err
		}
	}
	for p := f.gather.rest(); p != nil; p = f.gather.rest() {
		if err := f.intend(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// state is the state of a row. Those of its neighbours come with it: until the
// walk gets to a row, nothing else changes its state.
func (f *feed) state(n uint32) rowState {
	s := &f.states
	if n-s.from >= s.n {
		f.mu.Lock()
		s.from, s.n = n, uint32(copy(s.of[:], f.ledger.state[n:]))
		f.mu.Unlock()
	}
	return s.of[n-s.from]
}

// consider finds out whether a row is to be sent, and with which.
func (f *feed) consider(ctx context.Context, row *Row, key *batchKey) (goes bool, err error) {
	n := uint32(row.ordinal)
	key.key, key.bring, key.part = f.gather.key(f.op.Key, row.Values), false, 0
	switch f.state(n) {
	case sent, present:
		f.campaigns.took(key.key)
		return false, nil
	case split:
		key.part = f.plan.partOf(n)
		return key.part > 0, nil
	case todo:
		if why, dead := f.campaigns.dead(key.key); dead {
			f.note(rowsEntry(why, n))
			return false, nil
		}
		if f.view != nil && !f.nothing {
			if goes, err := f.compare(ctx, row, key); err != nil || !goes {
				return false, err
			}
		}
		return !f.campaigns.hold(key.key), nil
	case doubt:
		// That it is there proves enough; that it is not is no proof yet.
		if holdings, ok := f.view.(*Holdings); ok && holdings.at(row.ordinal).State == Present {
			f.note(rowsEntry(verdict{state: sent}, n))
		}
	}
	return false, nil
}

// compare looks a row up in what the service holds.
func (f *feed) compare(ctx context.Context, row *Row, key *batchKey) (goes bool, err error) {
	out, err := f.view.Find(ctx, row)
	if err != nil {
		return false, err
	}
	n := uint32(row.ordinal)
	switch state := stateOf[out.State]; {
	case out.State == Absent:
		return true, nil
	case state == differs && f.o.UpdateExisting && f.op.Bring != nil:
		key.bring = true
		return true, nil
	case state == present || state == differs:
		if state == present {
			f.campaigns.took(key.key)
		}
		if result := f.result(out.Result); result != "" && (f.o.Results != "" || f.op.OneByOne || f.mark != nil) { // else the list tells it again
			f.note(rowsEntry(verdict{state: state, result: result}, n))
			break
		}
		if f.held[state] = append(f.held[state], n); len(f.held[state]) >= 4096 {
			f.noteHeld()
		}
	case state == doubt:
		f.note(rowsEntry(verdict{state: vague, words: out.Message}, n))
	default:
		f.note(rowsEntry(verdict{state: state, status: out.HTTPStatus, words: out.Message}, n))
	}
	return false, nil
}

func (f *feed) noteHeld() {
	for state, rows := range f.held {
		if len(rows) > 0 {
			f.note(rowsEntry(verdict{state: state}, rows...))
			f.progress()
		}
		f.held[state] = rows[:0]
	}
}

// result is the part of what the service gave that the results file shows.
func (r *run) result(given record.Record) string {
	var pairs []record.Pair
	for _, name := range r.op.Gives {
		if v := given.Get(name); v != nil {
			pairs = append(pairs, record.Pair{Name: name, Value: v})
		}
	}
	if pairs == nil {
		return ""
	}
	return string(emptyRecord().Prepend(pairs...).Raw())
}

func emptyRecord() record.Record { return parsed("{}") }

func parsed(object string) record.Record {
	rec, _ := record.Parse([]byte(object)) // this program's own
	return rec
}

// intend makes a batch of gathered rows and notes that it may be sent.
func (f *feed) intend(ctx context.Context, p *pending) error {
	b := &batch{batchKey: p.key, rows: p.rows, send: p.body.Send()}
	if !f.op.blind() {
		f.mu.Lock()
		f.enter(b)
		f.mu.Unlock()
	}
	if f.ready = append(f.ready, b); len(f.ready) < f.window {
		return nil
	}
	if !f.op.blind() {
		f.window = min(2*f.window, ahead)
	}
	f.noted <- f.ready
	f.ready = nil
	if err := f.stop(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// enter notes that a batch may be sent from now on. The lock is held.
func (r *run) enter(b *batch) {
	if !b.known {
		b.id, b.known = r.ledger.next, true
		r.record(intentEntry(b.id, b.rows))
	}
}

// release makes durable that batches may be sent, and gives them to the
// workers, while the next ones are gathered.
func (f *feed) release(ctx context.Context) {
	defer close(f.queue)
	for batches := range f.noted {
		if err := f.journal.sync(); err != nil {
			f.giveBack(batches...)
			continue
		}
		for _, b := range batches {
			select {
			case f.queue <- b: // the workers look whether it still goes
			case <-ctx.Done():
				f.giveBack(b)
			}
		}
	}
}

func (r *run) stop() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped == nil {
		r.stopped = r.journal.failed()
	}
	return r.stopped
}

// giveBack notes that batches were not sent after all.
func (r *run) giveBack(batches ...*batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range batches {
		if b.known {
			r.record(batchEntry(b.id, verdict{state: todo}))
		}
	}
}
