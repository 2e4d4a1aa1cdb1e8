package job

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// An Event is one change of a job's table, as the log holds it: its kind, then its
// numbers as varints and its texts with their lengths. Times are in milliseconds
// since the run started.
type Event []byte

// The kinds of events.
const (
	kindHeader      = 'H' // what the job is; always the first event
	kindRunStarted  = 'R'
	kindIntent      = 'B' // a batch may be sent from now on: id, rows
	kindCallStarted = 'S' // the call of a batch is about to be written: id, time
	kindBatchResult = 'A' // the result of all rows of a batch: id, result
	kindRowResult   = 'X' // the result of some rows: result, rows
	kindBatchClosed = 'C' // the results of a batch's rows are all recorded: id
	kindBaseline    = 'G' // how many of a row the service held before the job: count, rows
	kindHeartbeat   = 'K' // calls are in flight: time
	kindRunEnded    = 'E' // requests, retries, duration
	kindFinished    = 'F' // nothing is left to do
	kindStepItems   = 'U' // what a step writes: number of the step, the row of each item
	kindStep        = 'T' // an event of a step: number of the step, the event
	kinds           = "HRBSAXCGKEFUT"
	eventOverhead   = 32 // room for the numbers of an event
)

func isKind(b byte) bool { return slices.Contains([]byte(kinds), b) }

// A Result is what became of rows.
type Result struct {
	State      State
	HTTPStatus int
	Message    string
	Fields     string // JSON of the fields that the service gave, for one row
}

// RunStarted says that a run of the job starts: batches that were in flight have
// an unknown outcome.
func RunStarted() Event { return Event{kindRunStarted} }

// Intent says that a batch may be sent from now on.
func Intent(batch uint64, rows []uint32) Event {
	return appendRows(binary.AppendUvarint(newEvent(kindIntent, 2*len(rows)), batch), rows)
}

// CallStarted says that the call of a batch is about to be written.
func CallStarted(batch uint64, at time.Duration) Event {
	return numbers(kindCallStarted, batch, milliseconds(at))
}

// BatchResult is the result of all rows of a batch.
func BatchResult(batch uint64, r Result) Event {
	return appendResult(binary.AppendUvarint(newEvent(kindBatchResult, len(r.Message)+len(r.Fields)), batch), r)
}

// RowResult is the result of rows, in ascending order.
func RowResult(r Result, rows ...uint32) Event {
	return appendRows(appendResult(Event{kindRowResult}, r), rows)
}

// BatchClosed says that the results of all rows of a batch are recorded.
func BatchClosed(batch uint64) Event { return numbers(kindBatchClosed, batch) }

// Baseline is how many of each row the service held before the job sent any. It is
// recorded with no rows too: then the service held none.
func Baseline(count byte, rows []uint32) Event {
	return appendRows(Event{kindBaseline, count}, rows)
}

// Heartbeat says that calls are in flight at a time.
func Heartbeat(at time.Duration) Event { return numbers(kindHeartbeat, milliseconds(at)) }

// RunEnded counts what a run did.
func RunEnded(requests, retries int, lasted time.Duration) Event {
	return numbers(kindRunEnded, uint64(requests), uint64(retries), milliseconds(lasted))
}

// Finished says that nothing is left to do.
func Finished() Event { return Event{kindFinished} }

// StepItems says what a step writes: the row of each of its items, ascending. A
// row may have several items, or none.
func StepItems(step int, rows []uint32) Event {
	return appendRows(Event{kindStepItems, byte(step)}, rows)
}

func newEvent(kind byte, size int) Event { return append(make(Event, 0, size+eventOverhead), kind) }

func numbers(kind byte, values ...uint64) Event {
	e := newEvent(kind, 0)
	for _, n := range values {
		e = binary.AppendUvarint(e, n)
	}
	return e
}

func milliseconds(d time.Duration) uint64 { return uint64(d.Milliseconds()) }

func appendText(e Event, s string) Event {
	return append(binary.AppendUvarint(e, uint64(len(s))), s...)
}

func appendResult(e Event, r Result) Event {
	e = append(e, byte(r.State))
	e = binary.AppendUvarint(e, uint64(max(r.HTTPStatus, 0)))
	e = appendText(e, r.Message)
	return appendText(e, r.Fields)
}

// appendRows appends ascending ordinals as their distances.
func appendRows(e Event, rows []uint32) Event {
	e = binary.AppendUvarint(e, uint64(len(rows)))
	last := uint32(0)
	for _, n := range rows {
		e = binary.AppendUvarint(e, uint64(n-last))
		last = n
	}
	return e
}

var errInvalidEvent = errors.New("the journal contains an invalid event")

// A reader reads the parts of an event. It remembers that one of them was invalid.
type reader struct {
	rest    []byte
	invalid bool
}

func (r *reader) number() uint64 {
	n, used := binary.Uvarint(r.rest)
	if used <= 0 {
		r.invalid, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[used:]
	return n
}

func (r *reader) time() time.Duration { return time.Duration(r.number()) * time.Millisecond }

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.invalid = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *reader) text() string {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.invalid = true
		return ""
	}
	s := string(r.rest[:n])
	r.rest = r.rest[n:]
	return s
}

func (r *reader) result() Result {
	res := Result{State(r.byte()), int(r.number()), r.text(), r.text()}
	r.invalid = r.invalid || res.State >= numStates
	return res
}

// rows reads ordinals, all of which must be below limit.
func (r *reader) rows(limit int) []uint32 {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.invalid = true
		return nil
	}
	rows := make([]uint32, 0, n)
	last := uint64(0)
	for range n {
		if last += r.number(); r.invalid || last >= uint64(limit) {
			r.invalid = true
			return nil
		}
		rows = append(rows, uint32(last))
	}
	return rows
}
