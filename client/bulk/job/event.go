package job

import (
	"encoding/binary"
	"errors"
	"iter"
	"slices"
	"time"

	"reseller/client/bulk/dedupe"
)

// An Event is one change of a job's table, encoded for the log: one byte for its kind, then its parts. Numbers are varints,
// and a text follows its length. Times are in milliseconds since the run started.
type Event []byte

// The kinds of events, with their parts after the colon.
const (
	kindHeader      = 'H' // the first event of every log: the Header as JSON
	kindRunStarted  = 'R' // a run starts: the boot of the machine, its uptime
	kindIntent      = 'B' // a batch may be sent from now on: id, rows
	kindCallStarted = 'S' // the call of a batch is about to be written: id, time
	kindBatchResult = 'A' // the result of all rows of a batch: id, result
	kindRowResult   = 'X' // the result of some rows: result, rows
	kindBatchClosed = 'C' // the results of all rows of a batch are recorded: id
	kindBaseline    = 'G' // the service held some rows this many times before the job: count, rows
	kindHeartbeat   = 'K' // calls are in flight: time
	kindRunEnded    = 'E' // a run ends: requests, retries, duration
	kindFinished    = 'F' // nothing is left to do
	kindLastID      = 'L' // the largest id that the service listed before the job sent any row: the id
	kindEvidence    = 'V' // how slow the service is: the slowest response, the lag of its lists
	kindIdentities  = 'N' // the identities of rows that may be sent: what they write, the row and fingerprint of each
	kindInherited   = 'D' // another job left rows with an unknown outcome: result, rows
	kindStepItems   = 'U' // the items of a step: number of the step, the row of each item
	kindStep        = 'T' // an event of a step: number of the step, the event
	kindWrote       = 'W' // a run writes a file of rows: which of both, its path
	kindChanges     = 'Y' // what a row may change from now on: the row, the fingerprint of each field
	kindSingle      = 'O' // a command without a job writes: its number, operation, rows, and events of a job
	kindSingleEnded = 'P' // the call of a command without a job has ended: its number, its duration, and events of a job
	kinds           = "HRBSAXCGKEFLVNDUTWYOP"
)

func isKind(b byte) bool { return slices.Contains([]byte(kinds), b) }

type Result struct {
	State      State
	HTTPStatus int
	Message    string
	Fields     string // the JSON of the fields that the service returned for the row, NoFields if they are not known any more; only set for a single row
}

// NoFields are the Fields of a row of which none are known any more.
const NoFields = "{}"

// The constructors of events, which the kinds above explain. Rows are in ascending order.

func RunStarted(on Boot) Event                         { return encode(kindRunStarted, on.ID, on.Uptime) }
func Intent(batch uint64, rows []uint32) Event         { return encode(kindIntent, batch, rows) }
func CallStarted(batch uint64, at time.Duration) Event { return encode(kindCallStarted, batch, at) }
func BatchResult(batch uint64, r Result) Event         { return encode(kindBatchResult, batch, r) }
func RowResult(r Result, rows ...uint32) Event         { return encode(kindRowResult, r, rows) }
func BatchClosed(batch uint64) Event                   { return encode(kindBatchClosed, batch) }
func LastID(id int64) Event                            { return encode(kindLastID, uint64(id)) }
func Heartbeat(at time.Duration) Event                 { return encode(kindHeartbeat, at) }
func Finished() Event                                  { return encode(kindFinished) }
func EvidenceFound(e Evidence) Event                   { return encode(kindEvidence, e.Slowest, e.Lag) }
func Inherited(r Result, rows []uint32) Event          { return encode(kindInherited, r, rows) }
func StepItems(step int, rows []uint32) Event          { return encode(kindStepItems, byte(step), rows) }

func RunEnded(requests, retries int, lasted time.Duration) Event {
	return encode(kindRunEnded, uint64(requests), uint64(retries), lasted)
}

// Baseline says that the service held each of the rows count times before the job sent
// any row. A job records a baseline without rows if the service held none of them.
func Baseline(count byte, rows []uint32) Event { return encode(kindBaseline, count, rows) }

// Wrote says that a run writes its file of refused rows, RejectsFile, or that of rows with an unknown outcome, UnknownFile.
func Wrote(file, path string) Event { return encode(kindWrote, file, path) }

// The files of rows that a run may write.
const (
	RejectsFile = "rejects"
	UnknownFile = "unknown"
)

// Identities names what the rows write that AppendIdentity adds: the kind of things that they create, or the field with the id of
// the records that they change.
func Identities(writes string) Event { return encode(kindIdentities, writes) }

func (e Event) AppendIdentity(row uint32, f dedupe.Fingerprint) Event {
	return f.AppendTo(binary.LittleEndian.AppendUint32(e, row))
}

const identitySize = 4 + dedupe.FingerprintSize

// Changes says which fields a row may change from now on, by fingerprints: the identity is the field of the record, the content
// its value.
func Changes(row uint32, fields []dedupe.Fingerprint) Event {
	e := encode(kindChanges, uint64(row))
	for _, f := range fields {
		e = f.AppendTo(e)
	}
	return e
}

// encode returns an event. Of rows, it has their number, then the distance of each from the one before it.
func encode(kind byte, parts ...any) Event {
	e := Event{kind}
	for _, part := range parts {
		switch p := part.(type) {
		case byte:
			e = append(e, p)
		case uint64:
			e = binary.AppendUvarint(e, p)
		case time.Duration:
			e = binary.AppendUvarint(e, uint64(p.Milliseconds()))
		case string:
			e = append(binary.AppendUvarint(e, uint64(len(p))), p...)
		case []Event:
			for _, event := range p {
				e = append(binary.AppendUvarint(e, uint64(len(event))), event...)
			}
		case Result:
			e = append(e, encode(byte(p.State), uint64(max(p.HTTPStatus, 0)), p.Message, p.Fields)...)
		case []uint32:
			e = binary.AppendUvarint(slices.Grow(e, 2*len(p)+8), uint64(len(p)))
			last := uint32(0)
			for _, n := range p {
				e, last = binary.AppendUvarint(e, uint64(n-last)), n
			}
		}
	}
	return e
}

var errInvalidEvent = errors.New("the journal contains an invalid event")

// A reader reads the parts of an event. Its methods set invalid, and return zero, if a part is cut off or out of range.
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

func (r *reader) text() string { return string(r.bytes()) }

func (r *reader) bytes() []byte {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.invalid = true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) result() Result {
	res := Result{State(r.byte()), int(r.number()), r.text(), r.text()}
	r.invalid = r.invalid || res.State >= numStates
	return res
}

func (r *reader) identities() (writes string, rows iter.Seq2[uint32, dedupe.Fingerprint]) {
	writes = r.text()
	entries := r.rest
	r.invalid = r.invalid || len(entries)%identitySize != 0
	return writes, func(yield func(uint32, dedupe.Fingerprint) bool) {
		for rest := entries; len(rest) >= identitySize; rest = rest[identitySize:] {
			if !yield(binary.LittleEndian.Uint32(rest), dedupe.ReadFingerprint(rest[4:])) {
				return
			}
		}
	}
}

// rows reads rows. All ordinals must be below limit.
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
