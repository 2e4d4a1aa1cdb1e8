// Package fanout makes many calls at a time and prints what they return in the
// order of the calls.
package fanout

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"sync"
	"sync/atomic"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// A FanOut is many calls of which several are under way at a time. What they give
// comes in the order of the calls.
type FanOut struct {
	FanFlags
	Calls  int
	Writes bool // the calls are all made, though nobody listens any more
	// Call makes the i-th call and gives the records that came of it; they must
	// be its own. An error of give ends it.
	Call func(ctx context.Context, c *client.Client, i int, give func(record.Record) error) error
	// Row is what a file of calls has for the i-th, by Columns.
	Row     func(i int) []record.Pair
	Columns []string

	failed   []failure
	buffered atomic.Int64  // bytes of the records that wait for their turn
	freed    chan struct{} // told when some of them were walked
}

type failure struct {
	call int
	err  error
}

const (
	// chunkSize is how much of a call's records is held back before they are
	// passed on, so that of a call that fails later there are none.
	chunkSize = 512 << 10
	// For each worker, so many calls may be begun and not walked, and so much of
	// their records may wait before no further call is begun. Without room for
	// many, a call that is tried again and again would let all workers idle.
	maxStarted  = 64
	maxBuffered = 2 * chunkSize
	// fieldOverhead is about what a field takes beside its text.
	fieldOverhead = 40
)

// A slot is a call and what is left of its records until they are walked.
type slot struct {
	call   int
	chunks chan chunk
	// Valid once parts is closed:
	rest chunk
	err  error
}

type chunk struct {
	records []record.Record
	size    int
}

// Run makes the calls and walks their records. A call that fails is told and
// noted, and the others go on; what would fail for all of them ends the walk,
// as does the outcome of calls that have all failed.
func Run(ctx context.Context, f *cli.Factory, fan *FanOut) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		c, err := f.Client()
		if err != nil {
			yield(record.Record{}, err)
			return
		}
		heard := true
		pass := func(rec record.Record, err error) bool {
			heard = heard && yield(rec, err)
			return heard || fan.Writes
		}
		ctx, cancel := context.WithCancel(ctx)
		turns, wait := fan.start(ctx, c)
		defer wait()
		defer cancel()
		for t := range turns {
			if !fan.walk(t, pass) {
				return
			}
			switch {
			case t.err == nil:
				continue
			case fan.isFatal(t.err):
				pass(record.Record{}, t.err)
				return
			case fan.Calls > 1:
				f.ReportFailure(t.err)
			}
			fan.failed = append(fan.failed, failure{t.call, t.err})
		}
		if ctx.Err() != nil {
			pass(record.Record{}, context.Cause(ctx))
		} else if fan.allFailed() {
			pass(record.Record{}, fan.err())
		}
	}
}

// walk passes on the records of a call. It returns false where nobody listens.
func (fan *FanOut) walk(t *slot, pass func(record.Record, error) bool) bool {
	all := func(p chunk) bool {
		for _, rec := range p.records {
			if !pass(rec, nil) {
				return false
			}
		}
		fan.buffered.Add(int64(-p.size))
		select {
		case fan.freed <- struct{}{}:
		default:
		}
		return true
	}
	for part := range t.chunks {
		if !all(part) {
			return false
		}
	}
	return all(t.rest)
}

// start has the workers make the calls, as far ahead of the walk as they may.
// Wait returns when all of it has ended.
func (fan *FanOut) start(ctx context.Context, c *client.Client) (turns chan *slot, wait func()) {
	more, halt := context.WithCancel(ctx)
	workers := min(max(fan.Concurrency, 1), max(fan.Calls, 1))
	turns = make(chan *slot, maxStarted*workers-1) // and the one that is walked
	fan.freed = make(chan struct{}, 1)
	work := make(chan *slot)
	var last atomic.Int64 // the walk ends with this call
	last.Store(int64(fan.Calls))
	var running sync.WaitGroup
	running.Go(func() {
		defer close(turns)
		defer close(work)
		for i := range fan.Calls {
			for fan.buffered.Load() > int64(maxBuffered*workers) {
				select {
				case <-fan.freed:
				case <-more.Done():
					return
				}
			}
			t := &slot{call: i, chunks: make(chan chunk, 1)}
			select {
			case turns <- t:
				work <- t // the workers take every one
			case <-more.Done():
				return
			}
		}
	})
	for range workers {
		running.Go(func() {
			for t := range work {
				if int64(t.call) < last.Load() {
					t.make(ctx, c, fan)
				}
				if t.err != nil && fan.isFatal(t.err) {
					halt()
					for before := last.Load(); int64(t.call) < before && !last.CompareAndSwap(before, int64(t.call)); {
						before = last.Load()
					}
				}
				close(t.chunks)
			}
		})
	}
	return turns, func() { halt(); running.Wait() }
}

// make makes the call.
func (t *slot) make(ctx context.Context, c *client.Client, fan *FanOut) {
	passed := false
	t.err = fan.Call(ctx, c, t.call, func(rec record.Record) error {
		size := len(rec.Raw()) + fieldOverhead*rec.Len()
		fan.buffered.Add(int64(size))
		t.rest.records = append(t.rest.records, rec)
		if t.rest.size += size; t.rest.size < chunkSize {
			return nil
		}
		select {
		case t.chunks <- t.rest:
			t.rest, passed = chunk{}, true
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	switch {
	case t.err == nil:
	case passed:
		t.err = fmt.Errorf("%w; its rows are incomplete", t.err)
	default:
		t.rest.records = nil
	}
}

// isFatal tells whether no call is made after this failure.
func (fan *FanOut) isFatal(err error) bool { return fan.FailFast || isFatal(err) }

// isFatal tells whether an error would be the same for every other call of a
// command. A 403 need not be: it may be about the one account.
func isFatal(err error) bool {
	var refusal *client.Error
	var unreadable *client.UnreadableError
	var redirect *client.RedirectError
	var interrupted cli.Interrupted
	switch {
	case errors.As(err, &refusal):
		return refusal.HTTPStatus == http.StatusUnauthorized
	case errors.As(err, &unreadable), errors.As(err, &redirect):
		return false
	case errors.As(err, &interrupted), errors.Is(err, context.Canceled):
		return true
	}
	code := cli.ExitCode(err)
	return code == cli.ExitUsage || code == cli.ExitAuth || code == cli.ExitFailed
}

func (fan *FanOut) allFailed() bool { return fan.Calls > 0 && len(fan.failed) == fan.Calls }

// err is what the calls have come to: nothing, or what Several says.
func (fan *FanOut) err() error {
	var errs []error
	listed := false // in the file of what failed
	for _, f := range fan.failed {
		errs = append(errs, f.err)
		listed = listed || fan.Failures != "" && fan.Row(f.call) != nil
	}
	if fan.Calls == 1 && len(errs) == 1 {
		return errs[0]
	}
	err := AggregateErrors(fan.Calls, errs)
	var coded *cli.ExitError
	if listed && errors.As(err, &coded) {
		coded.Hint = "`--file " + fan.Failures + "` retries what failed"
	}
	return err
}

// AggregateErrors is the outcome of n calls of which some failed: partly done, or,
// where all failed, what the failures have in common: if nothing else, that they
// are refusals.
func AggregateErrors(n int, failed []error) error {
	switch {
	case len(failed) == 0:
		return nil
	case len(failed) < n:
		return &cli.ExitError{Code: cli.ExitPartial, Err: fmt.Errorf("%d of %d failed: %w", len(failed), n, failed[0])}
	}
	code := cli.ExitCode(failed[0])
	for _, err := range failed {
		switch other := cli.ExitCode(err); {
		case other == code:
		case isRefusal(other) && isRefusal(code):
			code = cli.ExitRefused
		default:
			code = cli.ExitPartial
		}
	}
	return &cli.ExitError{Code: code, Err: fmt.Errorf("all %d failed: %w", n, failed[0]), Hint: cli.Hint(failed[0])}
}

func isRefusal(code int) bool { return code == cli.ExitNotFound || code == cli.ExitRefused }
