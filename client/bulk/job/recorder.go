package job

import (
	"slices"
	"sync"
	"time"

	"reseller/client/bulk/wal"
)

// A Recorder records events of a job, or of one of its steps: Record applies an event
// to the table and appends it to the log. A Recorder is safe for concurrent use. Its
// Table is not; it may be used only while nothing is being recorded.
type Recorder struct {
	mu     sync.Mutex
	table  *Table
	log    *wal.Log // nil: nothing outlives the process
	prefix Event    // stands before each event of a step in the log
	err    error
}

// NewRecorder returns the recorder of a table of pending rows that has no log.
func NewRecorder(rows int) *Recorder { return &Recorder{table: NewTable(rows)} }

// Step returns the recorder of a step.
func (r *Recorder) Step(step int) *Recorder {
	return &Recorder{table: r.table.steps[step].Table, log: r.log, prefix: Event{kindStep, byte(step)}}
}

// Table returns the table. It must not be used while events are recorded.
func (r *Recorder) Table() *Table { return r.table }

// Record applies events to the table and appends them to the log. They are durable
// after the next Sync.
func (r *Recorder) Record(events ...Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range events {
		r.record(e)
	}
}

func (r *Recorder) record(e Event) {
	if err := r.table.apply(e); err != nil && r.err == nil {
		r.err = err // impossible: the events are this program's own
	}
	if r.prefix != nil {
		e = append(slices.Clip(r.prefix), e...)
	}
	r.log.Append(e)
}

// RecordIntent records that a batch may be sent from now on, and returns its id.
func (r *Recorder) RecordIntent(rows []uint32) (batch uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	batch = r.table.nextBatch
	r.record(Intent(batch, rows))
	return batch
}

// StartRun records that a run starts. It returns how many rows the last run left in
// flight, and the longest known duration of a call whose rows are unknown.
func (r *Recorder) StartRun() (recovered int, longestCall time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.table.recoverInFlight()
	recovered, longestCall = r.table.recovered, r.table.longestCall
	r.record(RunStarted())
	return recovered, longestCall
}

// CopyStates copies the states of consecutive rows, from first on, into states and
// returns how many there are.
func (r *Recorder) CopyStates(first uint32, states []State) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return copy(states, r.table.states[first:])
}

// Done returns the number of rows with a final state.
func (r *Recorder) Done() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.table.Done()
}

// Sync makes durable what was recorded.
func (r *Recorder) Sync() error { return r.log.Sync() }

// Err returns the first error of recording, nil if there was none.
func (r *Recorder) Err() error {
	r.mu.Lock()
	err := r.err
	r.mu.Unlock()
	if err == nil {
		err = r.log.Err()
	}
	return err
}

// Start starts to write the log in the background. While isBusy returns true, it
// records a Heartbeat after each second without events.
func (r *Recorder) Start(began time.Time, isBusy func() bool) {
	r.log.Start(func() []byte {
		if isBusy() {
			return Heartbeat(time.Since(began))
		}
		return nil
	})
}

// Halt stops writing in the background and makes durable what was recorded.
func (r *Recorder) Halt() { _ = r.log.Halt() }
