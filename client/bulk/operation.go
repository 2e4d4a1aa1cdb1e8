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
	MaxBatch int      // the most rows of a call, 0 for no limit
	Key      []string // the fields that the rows of one call agree in
	// Breaker opens a circuit breaker for a Key whose rows are refused one after the
	// other with the same message.
	Breaker bool
	Results []string // the fields that the service gives to a row, for the results file
	// Encode begins the call of a batch.
	Encode func() BatchEncoder

	// Snapshot reads what the service holds, once. It is nil if that can't be read.
	Snapshot func(ctx context.Context, r SnapshotRequest) (Snapshot, error)
	ReadBack ReadBackMode
	// Converge makes the call for rows that the service holds with other content. It
	// may be nil.
	Converge func(rows []rows.Row) Call
}

// A ReadBackMode says what a snapshot can show.
type ReadBackMode uint8

const (
	ReadBackList     ReadBackMode = iota // a snapshot is one list of all records
	ReadBackPerRow                       // a snapshot reads one record for each row that it is asked about
	ReadBackPresence                     // like ReadBackPerRow, but it shows only that a row is present, never that it is absent
)

// perRow reports whether a snapshot makes a call for each row.
func (op *Operation) perRow() bool { return op.ReadBack != ReadBackList }

// Unverifiable reports whether nothing can show that a row is absent. Its unknown
// rows are never sent again unless the user asks for that.
func (op *Operation) Unverifiable() bool {
	return op.Snapshot == nil || op.ReadBack == ReadBackPresence
}

// A BatchEncoder takes the rows of one call.
type BatchEncoder interface {
	Add(row *rows.Row) // the row is valid until Add returns
	Call() Call        // the call, which is made later; the encoder is not used any more
}

// A Call sends a batch. It returns the outcome of each row, in their order, or one
// outcome for all of them. An error is about all rows. The write must carry onSend
// (client.Call.OnSend), which records that the batch is in flight just before it is
// sent; from then on the write runs to its end, even when ctx ends.
type Call func(ctx context.Context, onSend func() error) ([]Outcome, error)

// EncodeRows returns encoders that collect rows and hand them to makeCall, which
// must not keep them. One goroutine at a time may use the encoders.
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

// maxFreeArenas is how many arenas are kept to be used again.
const maxFreeArenas = 16

type rowsEncoder struct {
	*rows.Arena
	makeCall func([]rows.Row) Call
}

func (e *rowsEncoder) Call() Call { return e.makeCall(e.Rows) }

// A SnapshotRequest is what Operation.Snapshot knows of the rows it reads for.
type SnapshotRequest struct {
	Reconciling bool // calls have no outcome: compare, whatever the user's flags say
	List        *ListSnapshot
}

// A Snapshot tells of a row what one reading of the service showed. Find may leave
// in the row only the values that are to be sent.
type Snapshot interface {
	Find(ctx context.Context, row *rows.Row) (Outcome, error)
}

// A SnapshotFunc is a function that is a Snapshot.
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
	Unknown = job.Unknown // no response tells whether the service holds it
)

// An Outcome is what became of one row, or what a snapshot shows of it.
type Outcome struct {
	State      string // empty for Sent
	HTTPStatus int
	Message    string
	Result     record.Record // the fields that the service gave
	Count      int           // how many of the row the service holds, if a snapshot counts
}

// Skip is the value of Options.OnInvalid that loads the valid rows only.
const Skip = "skip"

// Options say how rows are sent.
type Options struct {
	BatchSize      int                                              // the most rows of a call; default 100
	Concurrency    int                                              // calls at a time; default 8
	Retries        int                                              // rounds in which rows are sent again
	OnInvalid      string                                           // Skip, or one invalid row stops the load
	ResendExisting bool                                             // send rows that the service holds already
	UpdateExisting bool                                             // converge rows that differ
	ResendUnknown  bool                                             // send unknown rows again that can't be read back
	Rejects        string                                           // the file for refused rows; without any it is not created
	Results        string                                           // the file for loaded rows with what the service gave
	Progress       func(done, total int)                            // called by one goroutine at a time
	Note           func(text string)                                // is told what a user may wonder about
	Count          func() (requests, retries int)                   // counts of the client; if nil, calls are counted
	Sleep          func(ctx context.Context, d time.Duration) error // waits; replaced in tests
}

const (
	defaultBatchSize   = 100
	defaultConcurrency = 8
)

// withDefaults returns the options for an operation, complete.
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
