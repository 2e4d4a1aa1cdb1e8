package bulk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"reseller/client/bulk/decode"
)

// Run sends the rows of src, which was checked, and settles what has no
// outcome. An error stops the run, the summary tells how far it came; rows that
// the service refused are no error. Without a job nothing is kept of it.
func Run(ctx context.Context, src *Source, op Op, job *Job, o Options) (Summary, error) {
	r, header, err := newRun(src, op, job, o)
	if err != nil {
		return Summary{}, err
	}
	r.campaigns = newCampaigns(op)
	r.start(r.busy)
	err = r.all(ctx)
	r.end()
	sum := r.ledger.summary(header)
	sum.Rejected, sum.Told, sum.Blind = r.rejected, r.told, op.blind()
	return sum, err
}

func newRun(src *Source, op Op, job *Job, o Options) (*run, Header, error) {
	o.fill(op)
	r := &run{src: src, op: op, o: o, begun: time.Now(), total: src.report.Send}
	header := Header{Identifying: Identifying{Operation: op.Name}, Shares: src.report.Rows, Duplicates: src.report.Duplicates, Invalid: src.report.Invalid}
	if job != nil {
		r.ledger, r.journal = job.ledger, job.journal
		header.ID, header.Operation = job.ID, job.Operation
		if len(r.ledger.state) != src.all {
			return nil, header, &decode.FileError{What: fmt.Sprintf("the file has %d rows, the job %d", src.all, len(r.ledger.state))}
		}
		// An earlier run may have been told to check less.
		passed := r.ledger.passed(src)
		header.Invalid -= passed
		r.total += passed
	} else {
		r.ledger = newLedger(src.all)
	}
	return r, header, nil
}

// A run is one process's work on a job.
type run struct {
	src     *Source
	op      Op
	o       Options
	journal *journal
	mark    []byte // stands before each entry in the journal
	begun   time.Time
	total   int

	mu        sync.Mutex // guards what is below
	ledger    *ledger
	campaigns *campaigns
	calls     int
	silent    int       // calls in a row without an answer
	stopped   error     // why nothing more is sent
	ripe      time.Time // from when on calls without an outcome can be read back
	acked     time.Time // when a call was last acknowledged
	refused   time.Time // when a batch was last refused
	again     int       // rows that failed in this round and are to be sent again
	inFlight  int

	view     View // the last reading
	complete bool // nothing is left to be sent
	rejected bool
	told     bool // a results file was written
	idless   int  // rows of it without what the service gives
}

// record notes an entry in ledger and journal. The lock is held.
func (r *run) record(payload []byte) {
	if err := r.ledger.apply(payload); err != nil && r.stopped == nil {
		r.stopped = err // can't be: the entries are this program's
	}
	if r.mark != nil {
		payload = append(slices.Clip(r.mark), payload...)
	}
	r.journal.add(payload)
}

func (r *run) note(payload []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.record(payload)
}

func (r *run) all(ctx context.Context) error {
	r.takeUp()
	r.progress() // from where it goes on
	err := r.rounds(ctx)
	r.complete = err == nil && r.ledger.settled() && r.ledger.done() >= r.total
	if err == nil {
		err = r.tellUnknown(r.unknown)
	}
	return errors.Join(err, r.files(ctx))
}

// start begins to write the journal.
func (r *run) start(busy func() bool) {
	if r.journal != nil {
		r.journal.start(r.begun, busy)
	}
}

func (r *run) busy() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inFlight > 0
}

// takeUp begins where an earlier run ended.
func (r *run) takeUp() {
	r.ledger.abandon()
	r.ripe = time.Now().Add(max(settlePause, r.ledger.lasted))
	if rows := r.ledger.left; rows > 0 {
		r.o.Note(fmt.Sprintf("the last run left %d rows in doubt", rows))
	}
	r.note([]byte{entryRun})
	if doubtful := r.ledger.in(doubt); r.o.ResendUnknown && r.op.blind() && doubtful != nil {
		r.note(rowsEntry(verdict{state: todo}, doubtful...))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if vague := r.ledger.in(vague); vague != nil {
		r.record(rowsEntry(verdict{state: todo}, vague...))
	}
	if differing := r.ledger.in(differs); differing != nil && r.o.UpdateExisting && r.op.Bring != nil {
		r.record(rowsEntry(verdict{state: todo}, differing...))
	}
	if n := r.ledger.counts[present]; n > 0 && r.o.SendHeld {
		r.o.Note(fmt.Sprintf("%d rows that an earlier run found to be there already are not sent; --restart begins anew", n))
	}
}

// rounds sends what is to be sent, reads back what has no outcome, and begins
// anew with what is absent.
func (r *run) rounds(ctx context.Context) error {
	if err := r.lookFirst(ctx); err != nil {
		return err
	}
	r.src.forget()
	var plan *splitting
	for round := 0; ; {
		if err := r.send(ctx, plan); err != nil {
			return err
		}
		groups := r.ledger.refusedTogether()
		if r.op.Look == nil {
			r.leaveTogether(groups)
		} else if r.ledger.counts[doubt] > 0 || groups != nil {
			if err := r.settle(ctx, groups); err != nil {
				return err
			}
			r.src.forget()
		}
		plan = r.split(groups)
		held := r.campaigns.release()
		if plan == nil && r.again == 0 && !held {
			return nil
		}
		if r.again > 0 {
			if round++; round > r.o.Retries {
				return &UnfinishedError{Rows: r.again, Rounds: r.o.Retries}
			}
			r.o.Note(fmt.Sprintf("%d rows are not in and are sent again", r.again))
		}
		r.again = 0
	}
}

// An UnfinishedError is a load some rows of which did not get in, however often
// they were sent.
type UnfinishedError struct{ Rows, Rounds int }

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("%d rows are not in after %d more attempts", e.Rows, e.Rounds)
}

// lookFirst reads what the service holds before the first call. Where rows
// that it holds are to be sent all the same, only how many it holds counts.
func (r *run) lookFirst(ctx context.Context) error {
	if r.op.Look == nil || r.op.OneByOne {
		return nil
	}
	if r.o.SendHeld && r.ledger.based {
		return nil
	}
	view, err := r.look(ctx, false)
	if err != nil {
		return err
	}
	if !r.o.SendHeld {
		r.view = view
		return nil
	}
	by := map[int][]uint32{0: nil} // the entry says, too, that it was read
	if holdings, ok := view.(*Holdings); ok {
		for row := range r.ledger.state {
			if held := holdings.at(row).Held; held > 0 {
				by[held] = append(by[held], uint32(row))
			}
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for held, rows := range by {
		r.record(appendRows([]byte{entryBase, byte(held)}, rows))
	}
	return nil
}

func (r *run) look(ctx context.Context, settling bool) (View, error) {
	if !r.op.OneByOne {
		if err := r.src.remember(); err != nil {
			return nil, err
		}
	}
	return r.op.look(ctx, settling, r.src.holdings())
}

// end notes what the run took.
func (r *run) end() {
	requests, retries := r.calls, 0
	if r.o.Count != nil {
		requests, retries = r.o.Count()
	}
	r.note(numbersEntry(entryEnd, uint64(requests), uint64(retries), uint64(time.Since(r.begun).Milliseconds())))
	if r.journal != nil {
		_ = r.journal.halt()
	}
}

// settled tells whether no row is left that a further run could do something
// about.
func (l *ledger) settled() bool {
	return l.counts[calling]+l.counts[doubt]+l.counts[split] == 0
}

// passed counts the rows with an outcome that can't be sent now.
func (l *ledger) passed(src *Source) int {
	n := 0
	for row, state := range l.state {
		if _, conflict := src.conflicts[row]; state != todo && (conflict || src.invalid.Has(row)) {
			n++
		}
	}
	return n
}

func (l *ledger) done() int {
	n := 0
	for s := sent; s < states; s++ {
		n += l.counts[s]
	}
	return n
}

func (l *ledger) summary(h Header) Summary {
	return Summary{
		Job: h.ID, Operation: h.Operation, Rows: h.Shares, Duplicates: h.Duplicates, Invalid: h.Invalid,
		Sent: l.counts[sent], Present: l.counts[present], Differs: l.counts[differs], Refused: l.counts[refused],
		RefusedStatus: l.refusedStatus,
		Unknown:       l.counts[vague] + l.counts[doubt] + l.counts[calling] + l.counts[split],
		Requests:      l.requests, Retries: l.retries, Seconds: math.Round(l.elapsed.Seconds()*1000) / 1000,
	}
}
