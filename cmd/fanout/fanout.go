// Package fanout makes many calls, several at a time, and returns their records in the
// order of the calls.
package fanout

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/crash"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/trust"
	"reseller/cmd/cli"
	"reseller/output/summaryfile"
)

// A FanOut is a number of calls that are made several at a time. Their records come in
// the order of the calls.
type FanOut struct {
	Flags
	Calls  int
	Writes bool // make all calls even if the consumer stops, as for a failures file
	// Call makes the i-th call and hands its records, which must not be reused, to give.
	// An error of give ends the call.
	Call func(ctx context.Context, c *client.Client, i int, give func(record.Record) error) error
	// Finish, unless it is nil, computes with the data that the i-th Call has read; that Call has given no records and returned err.
	// It returns the error of the call. While it runs, the worker of the call makes the next one.
	Finish func(ctx context.Context, i int, err error) error
	// Row returns the i-th call as a row of the failures file, without the error.
	Row func(i int) []record.Pair
	// Options are the options of the command that the rows of the failures file hold, for another run with it.
	Options []record.Pair
	// Origin, unless it is nil, returns the place of the row of a file that asks for the i-th call, nil if none does.
	Origin func(i int) *summaryfile.Row

	failed   []failure
	stopper  *failure      // the call whose failure stopped the others; nil if none did
	isLost   func() bool   // reports whether nothing can be printed any more; may be nil
	ended    error         // why not all calls gave records, which a consumer that has stopped does not get
	consumed int           // calls whose records were consumed, or that failed
	buffered atomic.Int64  // bytes of records that were not consumed yet
	freed    chan struct{} // signaled when records were consumed
	stop     func()        // lets no further call begin
	last     atomic.Int64  // no call from this one on is made
}

type failure struct {
	call int
	err  error
}

const (
	// chunkSize is how many bytes of a call's records are collected before they are
	// passed on. If a call with fewer fails, none of its records are printed.
	chunkSize = 512 << 10
	// For each worker, maxStarted calls may be started and not consumed, and maxBuffered
	// bytes of their records may wait, before the next call is started. A large
	// maxStarted keeps all workers busy while one call is retried.
	maxStarted  = 64
	maxBuffered = 2 * chunkSize
	// fieldOverhead is about how many bytes a field takes besides its text.
	fieldOverhead = 40
)

// A slot is a started call with those of its records that were not consumed yet.
type slot struct {
	call   int
	chunks chan chunk
	// Valid once chunks is closed:
	rest chunk
	err  error
}

type chunk struct {
	records []record.Record
	size    int
}

// Run makes the calls and returns their records. If a call fails, the failure is
// reported and the others continue. An error that every call would get ends the
// iteration, and so does the aggregate error if all calls fail.
func Run(ctx context.Context, session *cli.Session, outcome *cli.Outcome, fan *FanOut) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		c, err := session.Client()
		if err != nil {
			yield(record.Record{}, err)
			return
		}
		consuming := true
		pass := func(rec record.Record, err error) bool {
			consuming = consuming && yield(rec, err)
			return consuming || fan.Writes || fan.Failures != "" && !(fan.isLost != nil && fan.isLost())
		}
		end := func(err error) {
			fan.ended = err
			pass(record.Record{}, err)
		}
		ctx, cancel := context.WithCancel(ctx)
		fan.begin(outcome)
		slots, wait := fan.start(ctx, c)
		defer wait()
		defer cancel()
		for s := range slots {
			if !fan.walk(s, pass) {
				return
			}
			if s.err == nil || !fan.stopsAfter(s.err) {
				fan.consumed++
			}
			switch {
			case s.err == nil:
				outcome.Summary.Sent++
				outcome.Summary.Remaining--
				continue
			case fan.stopsAfter(s.err):
				fan.stopper = &failure{s.call, s.err}
				if ctx.Err() == nil { // a call that is interrupted is not refused
					fan.summarize(outcome, s)
				}
				end(s.err)
				return
			case fan.Calls > 1:
				session.ReportFailure(s.err)
			}
			fan.failed = append(fan.failed, failure{s.call, s.err})
			fan.summarize(outcome, s)
		}
		outcome.Summary.State = summaryfile.StateFinished
		if ctx.Err() != nil {
			end(context.Cause(ctx))
		} else if fan.allFailed() {
			end(fan.err())
		}
	}
}

// Drain makes calls that give no records: it returns the error that ends the iteration.
func Drain(list iter.Seq2[record.Record, error]) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

func (fan *FanOut) begin(outcome *cli.Outcome) {
	outcome.RemoveOld()
	s := &outcome.Summary
	s.Summary = job.Summary{Operation: s.Operation, Rows: fan.Calls + s.Duplicates, Duplicates: s.Duplicates, Remaining: fan.Calls}
	s.State = summaryfile.StateStopped
	for i := 0; i < fan.Calls && fan.Row != nil; i++ {
		s.Subject = append(s.Subject, fan.subject(i))
	}
}

// subject returns the names and ids of the records of a call, such as account_id 1 campaign_id 101.
func (fan *FanOut) subject(i int) string {
	if fan.Row == nil {
		return ""
	}
	words := phrase.Each(fan.Row(i), func(field record.Pair) string { return field.Name + " " + safetext.Shorten(field.Value.Text()) })
	return strings.Join(words, " ")
}

func (fan *FanOut) summarize(outcome *cli.Outcome, s *slot) {
	outcome.Summary.Refused++
	outcome.Summary.Remaining--
	var row summaryfile.Row
	if fan.Origin != nil {
		if origin := fan.Origin(s.call); origin != nil {
			row = *origin
		}
	}
	row.Reason = safetext.Cut(strings.TrimSpace(s.err.Error()), safetext.MaxMessage)
	row.Record = cli.OrNull(fan.subject(s.call))
	row.HTTPStatus = cli.OrNull(statusOf(s.err))
	summaryfile.Add(&outcome.Summary.RefusedRows, row)
}

// walk passes the records of a call to pass, and tells the workers what memory is free again. It returns false if the consumer stops.
func (fan *FanOut) walk(s *slot, pass func(record.Record, error) bool) bool {
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
	for part := range s.chunks {
		if !all(part) {
			return false
		}
	}
	return all(s.rest)
}

// start starts the workers, which make calls ahead of the consumer, and the goroutines that finish the calls, one for each
// processor. For each worker, one call may wait to be finished. wait returns when all of them have ended.
func (fan *FanOut) start(ctx context.Context, c *client.Client) (slots chan *slot, wait func()) {
	more, stop := context.WithCancel(ctx)
	workers := min(max(fan.Concurrency, 1), max(fan.Calls, 1))
	slots = make(chan *slot, maxStarted*workers-1) // and the one that is being consumed
	work, made := make(chan *slot), make(chan *slot, workers)
	fan.freed, fan.stop = make(chan struct{}, 1), stop
	fan.last.Store(int64(fan.Calls))
	var calling, running sync.WaitGroup
	running.Go(func() {
		defer close(slots)
		defer close(work)
		defer crash.Recover()
		fan.beginCalls(more, slots, work, int64(maxBuffered*workers))
	})
	for range workers {
		calling.Go(func() {
			defer crash.Recover()
			fan.makeCalls(ctx, c, work, made)
		})
	}
	for range min(runtime.GOMAXPROCS(0), workers) {
		running.Go(func() {
			defer crash.Recover()
			for s := range made {
				s.err = fan.Finish(ctx, s.call, s.err)
				fan.stopAfter(s)
				close(s.chunks)
			}
		})
	}
	running.Go(func() {
		defer crash.Recover()
		calling.Wait()
		close(made)
	})
	return slots, func() { stop(); running.Wait() }
}

// beginCalls hands one slot for each call to the consumer and to a worker, while less than buffered bytes of records wait to be
// consumed.
func (fan *FanOut) beginCalls(ctx context.Context, slots, work chan<- *slot, buffered int64) {
	for i := range fan.Calls {
		for fan.buffered.Load() > buffered {
			select {
			case <-fan.freed:
			case <-ctx.Done():
				return
			}
		}
		s := &slot{call: i, chunks: make(chan chunk, 1)}
		select {
		case slots <- s:
			work <- s // a worker takes each of them
		case <-ctx.Done():
			return
		}
	}
}

func (fan *FanOut) makeCalls(ctx context.Context, c *client.Client, work <-chan *slot, made chan<- *slot) {
	for s := range work {
		if int64(s.call) >= fan.last.Load() {
			close(s.chunks)
			continue
		}
		s.makeCall(ctx, c, fan)
		fan.stopAfter(s)
		if fan.Finish == nil {
			close(s.chunks)
		} else {
			made <- s
		}
	}
}

// stopAfter lets no later call be made after one whose failure stops the others.
func (fan *FanOut) stopAfter(s *slot) {
	if s.err == nil || !fan.stopsAfter(s.err) {
		return
	}
	fan.stop()
	call := int64(s.call)
	for last := fan.last.Load(); call < last; last = fan.last.Load() {
		if fan.last.CompareAndSwap(last, call) {
			return
		}
	}
}

func (s *slot) makeCall(ctx context.Context, c *client.Client, fan *FanOut) {
	passed := false
	s.err = fan.Call(ctx, c, s.call, func(rec record.Record) error {
		size := len(rec.Raw()) + fieldOverhead*rec.Len()
		fan.buffered.Add(int64(size))
		s.rest.records = append(s.rest.records, rec)
		if s.rest.size += size; s.rest.size < chunkSize {
			return nil
		}
		select {
		case s.chunks <- s.rest:
			s.rest, passed = chunk{}, true
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	switch {
	case s.err == nil:
	case passed:
		s.err = fmt.Errorf("%w; its rows are incomplete", s.err)
	default:
		s.rest.records = nil
	}
}

func (fan *FanOut) stopsAfter(err error) bool { return fan.FailFast || IsFatal(err) }

// IsFatal reports whether every other call of the command would fail with the same
// error. A 403 may be about one account only.
func IsFatal(err error) bool {
	var refusal *client.Error
	switch {
	case errors.As(err, &refusal):
		return refusal.HTTPStatus == http.StatusUnauthorized
	case errors.As(err, new(*client.UnreadableError)), errors.As(err, new(*client.RedirectError)), errors.As(err, new(*portfolio.NotShownError)):
		return false
	case errors.As(err, new(cli.Interrupted)), errors.Is(err, context.Canceled):
		return true
	}
	code := cli.ExitCode(err)
	return code == cli.ExitUsage || code == cli.ExitAuth || code == cli.ExitFailed && !errors.As(err, new(*client.NetworkError))
}

func (fan *FanOut) allFailed() bool { return fan.Calls > 0 && len(fan.failed) == fan.Calls }

func (fan *FanOut) err() error {
	var errs []error
	listed := false // whether the failures file has a row
	for _, f := range fan.failed {
		errs = append(errs, f.err)
		listed = listed || fan.Failures != "" && fan.Row(f.call) != nil
	}
	err := AggregateErrors(fan.Calls, errs)
	if coded, ok := errors.AsType[*cli.ExitError](err); ok && listed {
		coded.Hint = "`--file " + trust.ShellWord(fan.Failures) + "` retries what failed"
	}
	return err
}

// AggregateErrors returns the error of n calls of which some failed, with the exit code of cli.JointExitCode.
func AggregateErrors(n int, failed []error) error {
	if len(failed) == 0 {
		return nil
	}
	codes := make([]int, len(failed))
	for i, err := range failed {
		codes[i] = cli.ExitCode(err)
	}
	out := &cli.ExitError{Code: cli.JointExitCode(n, codes...)}
	words := fmt.Sprintf("%d of %d failed", len(failed), n)
	switch {
	case n == 1:
		return failed[0]
	case slices.Contains(codes, cli.ExitPartial):
		words += " or are incomplete"
	case len(failed) < n:
	case n == 2:
		words, out.Hint = "both failed", cli.Hint(failed[0])
	default:
		words, out.Hint = fmt.Sprintf("all %d failed", n), cli.Hint(failed[0])
	}
	first := failed[0]
	if of, ok := errors.AsType[*aggregate](first); ok {
		first = of.first // one sentence has one count
	}
	out.Err = &aggregate{words: words, first: first, others: failed[1:]}
	return out
}

// PartErrors returns the error of a call that makes n requests, of which some failed. It tells how each of them did, which nothing else does.
func PartErrors(n int, failed []error) error {
	err := AggregateErrors(n, failed)
	if of, ok := errors.AsType[*aggregate](err); ok {
		if of.rest = of.others; len(failed) < n {
			of.words = fmt.Sprintf("%d of %s could not be read", len(failed), phrase.Count(n, "part", "parts"))
		}
	}
	return err
}

// Causes returns the text of an error without the count of an aggregate.
func Causes(err error) string {
	if of, ok := errors.AsType[*aggregate](err); ok {
		return strings.Join(phrase.Each(append([]error{of.first}, of.rest...), error.Error), "; ")
	}
	return err.Error()
}

// statusOf returns the HTTP status of a failure, 0 if it is of several calls with different ones.
func statusOf(err error) int {
	status := cli.Info(err).HTTPStatus
	if of, ok := errors.AsType[*aggregate](err); ok && slices.ContainsFunc(of.others, func(other error) bool { return cli.Info(other).HTTPStatus != status }) {
		return 0
	}
	return status
}

// An aggregate tells how many calls failed, and how the first of them did, or all.
type aggregate struct {
	words  string
	first  error
	others []error // that failed after the first
	rest   []error // of others, those that are told
}

func (e *aggregate) Error() string { return e.words + ": " + Causes(e) }
func (e *aggregate) Unwrap() error { return e.first }
