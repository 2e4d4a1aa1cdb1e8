package bulk

import (
	"context"
	"time"

	"reseller/client/record"
	"reseller/client/transport"
)

// Op is the write that a row needs.
type Op struct {
	Name  string
	Size  int         // most rows of a call, where the operation bounds them
	Key   []string    // fields that rows of one call agree in
	Begin func() Body // of the call of a batch
	// Campaigns tells that Key is the row's campaign: one that refuses row after
	// row with the same words is given up.
	Campaigns bool
	Gives     []string // what the service gives for a row, for the results file

	// Look reads what the service holds, once. Nil where it can't be read back.
	Look func(ctx context.Context, r Reading) (View, error)
	// OneByOne tells that Look reads a record for each row: not all rows are
	// asked for again to see whether a reading is fresh.
	OneByOne bool
	// Unproven tells that Look may show that a row is in, but never that it is
	// not: one in doubt is not sent again before that is asked for.
	Unproven bool
	// Bring makes the call that brings rows in line which a view says differ.
	Bring func(rows []Row) Send
}

// blind tells whether nothing shows that a row is not in.
func (op *Op) blind() bool { return op.Look == nil || op.Unproven }

// A Body gathers the rows of a call.
type Body interface {
	Add(row *Row) // the row is valid until Add returns
	Send() Send   // the call, which goes later; the body is used no more
}

// OfRows are bodies that send makes of their rows, which are valid until it
// returns. They are begun by one goroutine.
func OfRows(send func(rows []Row) Send) func() Body {
	free := []*shelf{}
	return func() Body {
		s := &shelf{}
		if last := len(free) - 1; last >= 0 {
			s, free = free[last], free[:last]
		}
		return &rowsBody{shelf: s, send: func(rows []Row) Send {
			call := send(rows)
			if s.clear(); len(free) < maxFree {
				free = append(free, s)
			}
			return call
		}}
	}
}

// maxFree is how many bodies' memory is kept to be used again.
const maxFree = 16

type rowsBody struct {
	*shelf
	send func(rows []Row) Send
}

func (b *rowsBody) Add(row *Row) { b.keep(row) }
func (b *rowsBody) Send() Send   { return b.send(b.rows) }

// Send makes a call and tells what became of each of its rows, in their order,
// or of all of them in one outcome. An error is about all rows.
type Send func(ctx context.Context) ([]Outcome, error)

// Reading is what Look may know of the rows it reads for.
type Reading struct {
	Settling bool // after calls of unknown outcome: compare, whatever flags say
	Holdings *Holdings
}

func (op *Op) look(ctx context.Context, settling bool, h *Holdings) (View, error) {
	view, err := op.Look(ctx, Reading{Settling: settling, Holdings: h})
	if view == View(h) {
		h.rows = nil // all was seen; other views may see more, later
	}
	return view, err
}

// A View tells of a row what one reading of the service showed. It may leave
// in the row only what is to be sent.
type View interface {
	Find(ctx context.Context, row *Row) (Outcome, error)
}

// ViewFunc is a function that is a View.
type ViewFunc func(ctx context.Context, row *Row) (Outcome, error)

// Find calls f.
func (f ViewFunc) Find(ctx context.Context, row *Row) (Outcome, error) { return f(ctx, row) }

// The states of a row.
const (
	Absent  = "absent" // the service does not hold it
	Sent    = "sent"
	Present = "present" // the service held it already
	Differs = "differs" // the service holds it with other content
	Refused = "refused"
	Unknown = "unknown" // no answer told whether it is in
)

// Outcome is what became of one row.
type Outcome struct {
	State      string // Sent where it is empty
	HTTPStatus int
	Message    string
	Result     record.Record // what the service gave for the row
	Held       int           // how many of it the service holds, where a view counts
}

// Skip loads the rows that can be sent where others can't.
const Skip = "skip"

// Options are how rows are sent.
type Options struct {
	BatchSize      int                                              // most rows of a call, 100 where it is 0
	Concurrency    int                                              // calls at a time, 8 where it is 0
	Retries        int                                              // rounds in which rows are sent again
	OnInvalid      string                                           // Skip, else one row that can't be sent stops all
	SendHeld       bool                                             // send rows that the service holds already, too
	UpdateExisting bool                                             // bring in line what differs
	ResendUnknown  bool                                             // send again what an earlier run left unknown and can't be read back
	Rejects        string                                           // file for refused rows, made only where there are any
	Results        string                                           // file for loaded rows with what the service gave
	Progress       func(done, total int)                            // called by one goroutine at a time
	Note           func(text string)                                // told of what a person may wonder about
	Count          func() (requests, retries int)                   // from the client's transport; calls where nil
	Pause          func(ctx context.Context, d time.Duration) error // waits; for tests
}

func (o *Options) fill(op Op) {
	if o.BatchSize <= 0 {
		o.BatchSize = 100
	}
	if op.Size > 0 {
		o.BatchSize = min(o.BatchSize, op.Size)
	}
	if o.Concurrency <= 0 {
		o.Concurrency = 8
	}
	if o.Pause == nil {
		o.Pause = transport.Sleep
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
}
