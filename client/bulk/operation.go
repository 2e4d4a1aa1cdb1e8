package bulk

import (
	"context"
	"time"

	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/client/transport"
)

// An Operation is the write that rows need, and how it is read back.
type Operation struct {
	Name     string
	MaxBatch int      // the most rows of a call; 0 is no limit
	Key      []string // the fields that must be equal in all rows of a call
	// Breaker is what Key names, such as "campaign". Unless it is empty, a circuit
	// breaker opens for a Key whose rows are refused one after the other with the same
	// message.
	Breaker string
	Results []string // the fields of a row that the service sets, for the results file
	// Encode returns an encoder for the rows of one call.
	Encode func() BatchEncoder

	// Snapshot reads which rows the service holds. It is nil if they can't be read.
	Snapshot func(ctx context.Context, r SnapshotRequest) (Snapshot, error)
	ReadBack ReadBackMode
	// Converge returns the call that gives records of the service the content of rows,
	// if the service holds these rows with other content. It may be nil.
	Converge func(rows []rows.Row) Call
}

// A ReadBackMode says what a snapshot can show.
type ReadBackMode uint8

const (
	ReadBackList     ReadBackMode = iota // a snapshot is one list of all records
	ReadBackPerRow                       // a snapshot reads one record for each row that is looked up
	ReadBackPresence                     // like ReadBackPerRow, but a snapshot never proves that a row is absent
)

// perRow reports whether a snapshot makes a call for each row.
func (op *Operation) perRow() bool { return op.ReadBack != ReadBackList }

// Unverifiable reports whether nothing can prove that the service does not hold a row.
// Rows with an unknown outcome are then sent again only with Options.ResendUnknown.
func (op *Operation) Unverifiable() bool {
	return op.Snapshot == nil || op.ReadBack == ReadBackPresence
}

// A BatchEncoder takes the rows of one call.
type BatchEncoder interface {
	Add(row *rows.Row) // the row is valid until Add returns
	Call() Call        // returns the call of all rows; the encoder must not be used afterwards
}

// A Call sends a batch. It returns either one outcome for each row, in the order of the
// rows, or one outcome that holds for all rows. An error holds for all rows, too. The
// call must pass onSend to the write as client.Call.OnSend: onSend records, just before
// the write is sent, that the batch is in flight. A write that was sent runs to its
// end, even if ctx ends.
type Call func(ctx context.Context, onSend func() error) ([]Outcome, error)

// EncodeRows returns a function for Operation.Encode whose encoders collect rows and
// pass them to makeCall, which must not keep the rows. Only one goroutine at a time may
// use the encoders.
func EncodeRows(makeCall func(group []rows.Row) Call) func() BatchEncoder {
	var free []*rows.Arena
	return func() BatchEncoder {
		arena := &rows.Arena{}
		if last := len(free) - 1; last >= 0 {
			arena, free = free[last], free[:last]
		}
		return &rowsEncoder{arena, func(group []rows.Row) Call {
			call := makeCall(group)
			if arena.Reset(); len(free) < maxFreeArenas {
				free = append(free, arena)
			}
			return call
		}}
	}
}

// maxFreeArenas is the number of arenas that are kept to be used again.
const maxFreeArenas = 16

type rowsEncoder struct {
	*rows.Arena
	makeCall func([]rows.Row) Call
}

func (e *rowsEncoder) Call() Call { return e.makeCall(e.Rows) }

// A SnapshotRequest says what Operation.Snapshot is to read.
type SnapshotRequest struct {
	Reconciling bool          // rows have an unknown outcome: compare them even if a flag says to send all rows
	List        *ListSnapshot // for ReadBackList: the snapshot to which the records of the list are added
}

// A Snapshot says what the service held when the snapshot was taken. Find returns what
// it holds of a row, and may remove from the row the values that need not be sent.
type Snapshot interface {
	Find(ctx context.Context, row *rows.Row) (Outcome, error)
}

// A SnapshotFunc is a Snapshot whose Find calls the function.
type SnapshotFunc func(ctx context.Context, row *rows.Row) (Outcome, error)

// Find calls f.
func (f SnapshotFunc) Find(ctx context.Context, row *rows.Row) (Outcome, error) { return f(ctx, row) }

// The states of an outcome.
const (
	Absent  = job.Absent  // the service does not hold the row
	Sent    = job.Sent    // this job sent it
	Present = job.Present // the service holds it already
	Differs = job.Differs // the service holds it with other content
	Refused = job.Refused // the service refused it
	Unknown = job.Unknown // it is not known whether the service holds it
)

// An Outcome is the outcome of sending a row, or what a snapshot shows of a row.
type Outcome struct {
	State      string // one of the states above; empty means Sent
	HTTPStatus int
	Message    string
	Result     record.Record // the fields that the service set
	Count      int           // how many records for the row the service holds, if a snapshot counts them
}

// Options say how rows are sent.
type Options struct {
	BatchSize      int                                              // the most rows of a call; 0 means 100
	Concurrency    int                                              // calls at the same time; 0 means 8
	Retries        int                                              // rounds in which rows are sent again
	OnInvalid      string                                           // Skip loads the valid rows; otherwise one invalid row stops the load
	ResendExisting bool                                             // send rows that the service holds already
	UpdateExisting bool                                             // converge rows that the service holds with other content
	ResendUnknown  bool                                             // send rows with an unknown outcome again, even if they can't be read back
	Rejects        string                                           // the path of the file for refused and invalid rows; the file is created if there are any
	Results        string                                           // the path of the file for loaded rows, with the fields that the service set; empty for none
	Progress       func(done, total int)                            // receives the number of rows that are done; called by one goroutine at a time; may be nil
	Note           func(text string)                                // receives notes for the user; may be nil
	Count          func() (requests, retries int)                   // returns the counts of the client; nil counts calls as requests
	Sleep          func(ctx context.Context, d time.Duration) error // waits; tests replace it
}

// withDefaults returns the options with defaults for what is not set, and with the
// operation's limit of the batch size.
func (o Options) withDefaults(op Operation) Options {
	if o.BatchSize <= 0 {
		o.BatchSize = defaultBatchSize
	}
	if op.MaxBatch > 0 {
		o.BatchSize = min(o.BatchSize, op.MaxBatch)
	}
	if o.Concurrency <= 0 {
		o.Concurrency = defaultConcurrency
	}
	if o.Sleep == nil {
		o.Sleep = transport.Sleep
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	return o
}

// Skip is the value of Options.OnInvalid that loads only the valid rows.
const Skip = "skip"

const (
	defaultBatchSize   = 100
	defaultConcurrency = 8
)
