package bulk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/record"
)

const (
	// maxConsecutiveFailures calls in a row without a response stop the run.
	maxConsecutiveFailures = 20
	// maxThrottleWait is how long a call is repeated that the service throttles (429).
	maxThrottleWait = 15 * time.Minute
	// minThrottleWait and maxThrottlePause bound the pause between two attempts.
	minThrottleWait  = time.Second
	maxThrottlePause = 30 * time.Second
)

// A sender sends batches and records their outcomes. All workers share it.
type sender struct {
	op       *Operation
	opts     *Options
	rec      *job.Recorder
	breakers *breakers
	began    time.Time
	total    int

	mu                 sync.Mutex
	calls              int
	failures           int       // consecutive failures
	stopped            error     // why the run was stopped; nil while it goes on
	reconcileNotBefore time.Time // the earliest time to read back rows with an unknown outcome
	acknowledged       time.Time // when a call was last acknowledged
	rejected           time.Time // when a batch was last refused as a whole
	requeued           int       // rows of this round that are to be sent again
	inFlight           int
}

// send sends a batch and records its outcome.
func (s *sender) send(ctx context.Context, b *batch) {
	if s.err() != nil || ctx.Err() != nil {
		s.abortIntent(b)
		return
	}
	if b.isRegular() {
		if result, open := s.breakers.open(b.key); open {
			s.ensureIntent(b)
			s.rec.Record(job.BatchResult(b.id, result))
			return
		}
		if s.breakers.shouldHold(b.key) {
			s.abortIntent(b)
			return
		}
	}
	var sent atomic.Bool
	onSend := func() error {
		if sent.Swap(true) {
			return nil
		}
		return s.markInFlight(b)
	}
	start := time.Now()
	outcomes, err := s.callWithBackoff(ctx, func() ([]Outcome, error) { return b.call(ctx, onSend) })
	if sent.Load() {
		s.mu.Lock()
		s.inFlight--
		s.mu.Unlock()
	}
	if err == nil && len(outcomes) != 1 && len(outcomes) != len(b.rows) {
		err = fmt.Errorf("%s: %d outcomes for %d rows", s.op.Name, len(outcomes), len(b.rows))
	}
	if err == nil && !sent.Load() && slices.ContainsFunc(outcomes, func(out Outcome) bool { return job.StateOf(out.State) == job.StateSent }) {
		s.stop(fmt.Errorf("%s: the call sent rows without calling onSend", s.op.Name))
	}
	s.record(ctx, b, outcomes, err, sent.Load(), time.Since(start))
	s.progress()
}

// ensureIntent records that a batch may be sent, unless that is recorded already.
func (s *sender) ensureIntent(b *batch) {
	if !b.hasIntent {
		b.id, b.hasIntent = s.rec.RecordIntent(b.rows), true
	}
}

// abortIntent records that batches with an intent were not sent.
func (s *sender) abortIntent(batches ...*batch) {
	for _, b := range batches {
		if b.hasIntent {
			s.rec.Record(job.BatchResult(b.id, job.Result{State: job.StatePending}))
		}
	}
}

// markInFlight records that the call of a batch starts. The batches of an operation
// that is unverifiable have no intent before that: markInFlight records it and makes it
// durable, so that only rows that were really sent can end with an unknown outcome.
func (s *sender) markInFlight(b *batch) error {
	hadIntent := b.hasIntent
	s.ensureIntent(b)
	s.rec.Record(job.CallStarted(b.id, time.Since(s.began)))
	s.mu.Lock()
	s.inFlight++
	s.mu.Unlock()
	if hadIntent {
		return nil
	}
	return s.rec.Sync()
}

// callWithBackoff makes a call, and repeats it with growing waits while the service
// throttles it.
func (s *sender) callWithBackoff(ctx context.Context, call func() ([]Outcome, error)) ([]Outcome, error) {
	var first time.Time
	waited, wait := time.Duration(0), minThrottleWait
	for {
		outcomes, err := call()
		var refusal *client.Error
		if err == nil || classify(err) != classThrottled || !errors.As(err, &refusal) {
			return outcomes, err
		}
		if first.IsZero() {
			first = time.Now()
		}
		if refusal.Wait > maxThrottleWait || max(time.Since(first), waited) >= maxThrottleWait || s.err() != nil {
			return nil, err
		}
		if err := s.opts.Sleep(ctx, wait); err != nil {
			return nil, err
		}
		waited += wait
		wait = min(2*wait, maxThrottlePause)
	}
}

// record records the outcome of a call for its rows. sent says that the request was, or
// may have been, sent.
func (s *sender) record(ctx context.Context, b *batch, outcomes []Outcome, err error, sent bool, lasted time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, ctx.Err())) && !client.OutcomeUnknown(err) {
		s.abortIntent(b) // ctx ends only the waits before a call is written
		return
	}
	if err == nil {
		s.failures = 0
		s.recordOutcomes(b, outcomes, lasted)
		return
	}
	s.recordFailure(ctx, b, err, sent, lasted)
}

func (s *sender) recordFailure(ctx context.Context, b *batch, err error, sent bool, lasted time.Duration) {
	class := classify(err)
	if class == classUnknown || class == classNotSent {
		if s.failures++; s.failures >= maxConsecutiveFailures {
			s.stopWith(&NoResponseError{s.failures, err})
		}
	} else {
		s.failures = 0
	}
	var refusal *client.Error
	switch {
	case class == classUnknown:
		s.ensureIntent(b)
		s.rec.Record(job.Heartbeat(time.Since(s.began)), job.BatchResult(b.id, job.Result{State: job.StateUnknown, Message: message(err)}))
		s.deferReconcile(lasted)
	case class == classNotSent:
		s.abortIntent(b)
		s.requeued += len(b.rows)
	case class == classFatal && sent && !errors.As(err, &refusal) && ctx.Err() == nil:
		s.stopWith(err) // nobody knows how far the call came: it stays in flight
	case class == classFatal || class == classThrottled:
		s.stopWith(err)
		s.abortIntent(b)
	case class == classBadRow && len(b.rows) > 1:
		s.ensureIntent(b)
		s.rejected = time.Now()
		s.breakers.recordBatchFailure(b.key, b.rows[0])
		s.rec.Record(job.BatchResult(b.id, failure(job.StateRejectedBatch, err)))
	default:
		s.ensureIntent(b)
		result := failure(job.StateRefused, err)
		s.rec.Record(job.BatchResult(b.id, result))
		if class == classBadRow {
			s.breakers.recordRowFailure(b.key, result)
		}
	}
}

// recordOutcomes records the outcomes that a response gave.
func (s *sender) recordOutcomes(b *batch, outcomes []Outcome, lasted time.Duration) {
	s.ensureIntent(b)
	s.acknowledged = time.Now()
	uniform := true
	for _, out := range outcomes {
		uniform = uniform && out.State == outcomes[0].State && out.Message == "" && (len(outcomes) == 1 || out.Result.Len() == 0)
	}
	if state := job.StateOf(outcomes[0].State); uniform && state == job.StateSent {
		s.breakers.recordSuccess(b.key)
		s.rec.Record(job.BatchResult(b.id, job.Result{State: state, Fields: s.op.resultFields(outcomes[0].Result)}))
		return
	}
	for i, out := range outcomes {
		result := job.Result{State: job.StateOf(out.State), HTTPStatus: out.HTTPStatus, Message: out.Message, Fields: s.op.resultFields(out.Result)}
		switch result.State {
		case job.StateUnknown:
			s.rec.Record(job.Heartbeat(time.Since(s.began)))
			s.deferReconcile(lasted)
		case job.StateSent, job.StatePresent:
			result.HTTPStatus = 0
			s.breakers.recordSuccess(b.key)
		}
		batchRows := b.rows
		if len(outcomes) > 1 {
			batchRows = batchRows[i : i+1]
		}
		s.rec.Record(job.RowResult(result, batchRows...))
	}
	s.rec.Record(job.BatchClosed(b.id))
}

// resultFields returns the JSON of the fields that the results file shows, empty if
// rec has none of them.
func (op *Operation) resultFields(rec record.Record) string {
	var pairs []record.Pair
	for _, name := range op.Results {
		if v := rec.Get(name); v != nil {
			pairs = append(pairs, record.Pair{Name: name, Value: v})
		}
	}
	if pairs == nil {
		return ""
	}
	return string(emptyRecord().Prepend(pairs...).Raw())
}

// deferReconcile sets the earliest time to read back after a call with an unknown
// outcome: the service may go on working on the call for as long as the call lasted.
func (s *sender) deferReconcile(lasted time.Duration) {
	if at := time.Now().Add(max(ReconcileDelay, lasted)); at.After(s.reconcileNotBefore) {
		s.reconcileNotBefore = at
	}
}

// stop is stopWith for a caller that does not hold the lock.
func (s *sender) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopWith(err)
}

// stopWith stops the run. The lock is held.
func (s *sender) stopWith(err error) {
	if s.stopped == nil {
		s.stopped = err
	}
}

// err returns why the run was stopped, nil while it goes on.
func (s *sender) err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped == nil {
		s.stopped = s.rec.Err()
	}
	return s.stopped
}

func (s *sender) isBusy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inFlight > 0
}

// takeRequeued returns the number of rows to send again, and resets it.
func (s *sender) takeRequeued() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.requeued
	s.requeued = 0
	return n
}

func (s *sender) progress() {
	if s.opts.Progress == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Progress(s.rec.Done(), s.total)
}
