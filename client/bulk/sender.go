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
	// maxConsecutiveFailures is the number of consecutive calls without a response that
	// stops the run.
	maxConsecutiveFailures = 20
	// maxThrottleWait is the time after which a call is not repeated any more that the
	// service throttles (429).
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
	calls              int       // the number of calls so far
	failures           int       // the number of consecutive failures
	stopped            error     // the error that stopped the run; nil while it continues
	reconcileNotBefore time.Time // the earliest time to read back rows with an unknown outcome
	acknowledged       time.Time // the time of the last call with outcomes
	rejected           time.Time // the time of the last batch that was refused as a whole
	requeued           int       // the number of rows of this round to send again
	inFlight           int       // the number of calls in flight
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
		if s.breakers.shouldWait(b.key) {
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

// ensureIntent records the intent of a batch, unless it is recorded already.
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

// markInFlight records that the call of a batch starts. In an unverifiable operation, a
// batch has no intent before that: markInFlight records it and makes it durable, so that
// a row which was not sent can't end with an unknown outcome.
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

// callWithBackoff makes a call, and repeats it while the service throttles it. It waits
// between the attempts, each time twice as long as before.
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

// record records the outcome of a call. sent says that onSend was called, so that the
// request may have been written.
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

// recordFailure records the error of a call for the rows of its batch. The caller has
// locked mu.
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
		s.stopWith(err) // the request may have been carried out, so the batch stays in flight
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

// recordOutcomes records the outcomes that a response shows. The caller has locked mu.
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

// deferReconcile sets the earliest time to read back after a call with an unknown outcome
// that lasted so long. The service may work on the call for as long again.
func (s *sender) deferReconcile(lasted time.Duration) {
	if at := time.Now().Add(max(ReconcileDelay, lasted)); at.After(s.reconcileNotBefore) {
		s.reconcileNotBefore = at
	}
}

// stop stops the run with an error, unless it is stopped already.
func (s *sender) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopWith(err)
}

// stopWith is stop for a caller that has locked mu.
func (s *sender) stopWith(err error) {
	if s.stopped == nil {
		s.stopped = err
	}
}

// err returns the error that stopped the run, nil while it continues.
func (s *sender) err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped == nil {
		s.stopped = s.rec.Err()
	}
	return s.stopped
}

// isBusy reports whether a call is in flight.
func (s *sender) isBusy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inFlight > 0
}

// takeRequeued returns the number of rows to send again, and sets it to 0.
func (s *sender) takeRequeued() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.requeued
	s.requeued = 0
	return n
}

// progress passes the number of rows with a final state to Options.Progress.
func (s *sender) progress() {
	if s.opts.Progress == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Progress(s.rec.Done(), s.total)
}
