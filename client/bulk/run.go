package bulk

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"time"
)

// Op is the write that a row needs.
type Op struct {
	Name string
	// Batch sends rows in one call and tells what became of each, in their
	// order. It is called from several goroutines. An error is about all rows.
	Batch func(ctx context.Context, rows []Row) ([]Outcome, error)
	Key   func(Row) string // rows of one batch share it; nil where any go together
	// Before looks at a row ahead of its batch: it may change what is sent, or
	// tell what became of a row that need not be. Nil sends all as they are.
	Before func(*Row) (*Outcome, error)
	Size   int      // most rows of a call, where the operation bounds them
	Gives  []string // what the service gives for a row, for the results file
}

// Skip loads the rows that can be sent where others can't.
const Skip = "skip"

// Options are how rows are sent.
type Options struct {
	BatchSize   int                            // most rows of a call, 100 where it is 0
	Concurrency int                            // calls at a time, 8 where it is 0
	OnInvalid   string                         // Skip, else one row that can't be sent stops all
	Rejects     string                         // file for refused rows, made only where there are any
	Results     string                         // file for loaded rows with what the service gave
	Progress    func(done, total int)          // called by one goroutine at a time
	Count       func() (requests, retries int) // from the client's transport; calls of Batch where nil
}

func (o Options) batchSize(op Op) int {
	size := o.BatchSize
	if size <= 0 {
		size = 100
	}
	if op.Size > 0 {
		size = min(size, op.Size)
	}
	return size
}

// Run checks all rows of src and then sends them. An error stops the run, the
// summary tells how far it came; rows that the service refused are no error.
func Run(ctx context.Context, src *Source, op Op, o Options) (Summary, error) {
	start := time.Now()
	r := &run{src: src, op: op, o: o}
	r.sum.Operation = op.Name
	err := r.all(ctx)
	r.sum.Requests = r.calls
	if o.Count != nil {
		r.sum.Requests, r.sum.Retries = o.Count()
	}
	r.sum.RefusedStatus, r.sum.Rejected = r.refused, r.rejects != nil && r.rejects.rows > 0
	r.sum.Seconds = math.Round(time.Since(start).Seconds()*1000) / 1000
	return r.sum, err
}

type run struct {
	src *Source
	op  Op
	o   Options

	mu      sync.Mutex // guards what is below
	sum     Summary
	calls   int
	done    int
	total   int
	silent  int   // calls in a row without an answer
	stopped error // why nothing more is sent
	refused int   // the status of the last refusal
	rejects *rowFile
	results *rowFile
}

func (r *run) all(ctx context.Context) error {
	report, err := r.src.Check(ctx)
	r.sum.Rows, r.sum.Duplicates, r.sum.Invalid, r.total = report.Rows, report.Duplicates, report.Invalid, report.Send
	var wrong *RowsError
	if err != nil && (r.o.OnInvalid != Skip || !errors.As(err, &wrong) || wrong.Fatal) {
		return err
	}
	if r.o.Rejects != "" {
		r.rejects = newRowFile(r.src, r.o.Rejects, "error", "http_status")
	}
	if r.o.Results != "" {
		r.results = newRowFile(r.src, r.o.Results, r.op.Gives...)
	}
	err = r.send(ctx)
	return errors.Join(err, r.rejects.close(), r.results.close())
}

// send hands batches to the workers until the file ends or something stops
// the run; calls that are under way are waited for.
func (r *run) send(ctx context.Context) error {
	workers := r.o.Concurrency
	if workers <= 0 {
		workers = 8
	}
	batches := make(chan []Row)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for rows := range batches {
				r.batch(ctx, rows)
			}
		})
	}
	err := r.gather(ctx, batches)
	close(batches)
	group.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped != nil {
		return r.stopped
	}
	if err == nil && r.done < r.total {
		return context.Cause(ctx) // the workers passed over what was left
	}
	return err
}

func (r *run) stop() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

// invalid writes a row that can't be sent to the rejects.
func (r *run) invalid(row Row, wrong *RowsError) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rejects.write(row, strings.ReplaceAll(wrong.Error(), "\n", "; "), "")
}
