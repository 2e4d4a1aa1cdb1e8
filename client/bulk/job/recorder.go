package job

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"reseller/client/bulk/wal"
)

// A Recorder records the events of a job, or of one of its steps. It applies each event to the table and appends it to the
// log. Several goroutines may call its methods at a time. The table that Table returns may be used only while no goroutine
// records events, apart from the state of a row that no event in the meantime is about.
type Recorder struct {
	mu     sync.Mutex
	table  *Table
	log    *wal.Log // the zero Log for events that need not outlive the process
	prefix Event    // the bytes before each event in the log: the kind and the number of a step
	err    error    // the first event that the table refused
}

func NewRecorder(rows int) *Recorder { return &Recorder{table: NewTable(rows), log: &wal.Log{}} }

func (r *Recorder) Step(step int) *Recorder {
	return &Recorder{table: r.table.steps[step].Table, log: r.log, prefix: Event{kindStep, byte(step)}}
}

func (r *Recorder) Table() *Table { return r.table }

// Record applies events to the table and appends them to the log. Sync makes them durable.
func (r *Recorder) Record(events ...Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range events {
		r.record(e)
	}
}

// SetState records that rows, in ascending order, have a state. It does nothing without rows.
func (r *Recorder) SetState(s State, rows []uint32) {
	if len(rows) > 0 {
		r.Record(RowResult(Result{State: s}, rows...))
	}
}

// The caller has locked mu.
func (r *Recorder) record(e Event) {
	if err := r.table.apply(e); err != nil && r.err == nil {
		r.err = err // only an error in this program leads here, since it made the event
	}
	if r.prefix != nil {
		e = append(slices.Clip(r.prefix), e...)
	}
	r.log.Append(e)
}

func (r *Recorder) RecordIntent(rows []uint32) (batch uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	batch = r.table.nextBatch
	r.record(Intent(batch, rows))
	return batch
}

// A Recovery is the state in which a run finds the runs before it.
type Recovery struct {
	Rows        int           // rows that the last run left in flight
	LongestCall time.Duration // the longest known duration of a call whose rows are unknown
	Ago         time.Duration // the time since the last call was sent that left rows unknown, as far as that is certain
	Evidence    Evidence
	Witness     uint32        // a row of the last call that was acknowledged
	SentAgo     time.Duration // the time since that call was sent; 0 if that is not certain
}

// StartRun records that a run starts, on the boot, and returns the state in which earlier runs left the job.
func (r *Recorder) StartRun(on Boot) Recovery {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.table
	t.recoverInFlight(on)
	found := Recovery{Rows: t.recovered, LongestCall: t.longestCall, Ago: on.since(t.doubted), Evidence: t.evidence, Witness: t.witness, SentAgo: on.since(t.sent)}
	r.record(RunStarted(on))
	return found
}

// LastUnfinished returns the last row that has no final state and for which isSendable returns true, -1 if there is none.
func (r *Recorder) LastUnfinished(isSendable func(row int) bool) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for row, state := range slices.Backward(r.table.states) {
		if state.IsUnfinished() && isSendable(row) {
			return row
		}
	}
	return -1
}

func (r *Recorder) Done() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.table.Done()
}

// Flush writes the events recorded so far, so that they outlive the process, but not a failure of the machine.
func (r *Recorder) Flush() error { return r.log.Flush() }

func (r *Recorder) Sync() error { return r.log.Sync() }

// Err returns the first error of an event or of the log, nil if there was none.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(r.err, r.log.Err())
}

// Halt stops the goroutine that Job.Start started and makes all recorded events durable.
func (r *Recorder) Halt() { _ = r.log.Halt() }
