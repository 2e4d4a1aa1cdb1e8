package bulk

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"reseller/client"
)

const (
	// maxSilent is how many calls in a row may stay without an answer.
	maxSilent = 20
	// busyMost is how long a 429 is waited out.
	busyMost = 15 * time.Minute
)

// A SilentError stops a load that only fails.
type SilentError struct {
	Calls int // in a row that had no answer, or one that tells nothing
	Err   error
}

func (e *SilentError) Error() string {
	return fmt.Sprintf("%d calls in a row without an answer: %v", e.Calls, e.Err)
}

func (e *SilentError) Unwrap() error { return e.Err }

// fate is what the failure of a call means for its rows.
type fate uint8

const (
	stops   fate = iota // nothing more is sent; the call was not carried out
	blames              // one of the rows is to blame
	forbids             // all rows of the call are refused
	lost                // no answer, or none that tells anything
	unsent              // surely not carried out, and worth another attempt
	busy                // 429
)

func judge(err error) fate {
	var refusal *client.Error
	var network *client.NetworkError
	var source *client.TokenSourceError
	switch {
	case client.OutcomeUnknown(err):
		return lost
	case errors.As(err, &source):
		return stops
	case errors.As(err, &network):
		return unsent
	case !errors.As(err, &refusal):
		return stops
	}
	switch refusal.HTTPStatus {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed:
		return stops
	case http.StatusTooManyRequests:
		return busy
	case http.StatusServiceUnavailable:
		if refusal.Wait > busyMost {
			return stops
		}
		return unsent
	case http.StatusForbidden:
		return forbids
	}
	return blames
}

// work sends a batch and notes what became of it.
func (r *run) work(ctx context.Context, b *batch) {
	if r.stop() != nil || ctx.Err() != nil {
		r.giveBack(b)
		return
	}
	if why, dead := r.campaigns.dead(b.key); dead && b.part == 0 && !b.bring {
		r.mu.Lock()
		r.enter(b)
		r.record(batchEntry(b.id, why))
		r.mu.Unlock()
		return
	}
	if b.part == 0 && !b.bring && r.campaigns.hold(b.key) {
		r.giveBack(b)
		return
	}
	var left atomic.Bool
	calls := client.WithDrain(ctx, func() error {
		if left.Swap(true) {
			return nil
		}
		return r.leaves(b)
	})
	start := time.Now()
	outcomes, err := r.patiently(ctx, func() ([]Outcome, error) { return b.send(calls) })
	if left.Load() {
		r.mu.Lock()
		r.inFlight--
		r.mu.Unlock()
	}
	if err == nil && len(outcomes) != 1 && len(outcomes) != len(b.rows) {
		err = fmt.Errorf("%s: %d outcomes for %d rows", r.op.Name, len(outcomes), len(b.rows))
	}
	r.conclude(ctx, b, outcomes, err, left.Load(), time.Since(start))
	r.progress()
}

// leaves notes that a call begins. Where nothing can be read back, only now,
// and durably, that it may be sent: what never left is not in doubt.
func (r *run) leaves(b *batch) error {
	r.mu.Lock()
	known := b.known
	r.enter(b)
	r.record(numbersEntry(entryStart, b.id, since(r.begun)))
	r.inFlight++
	r.mu.Unlock()
	if known {
		return nil
	}
	return r.journal.sync()
}

// patiently waits out a 429, which is no failure.
func (r *run) patiently(ctx context.Context, call func() ([]Outcome, error)) ([]Outcome, error) {
	var first time.Time
	waited, wait := time.Duration(0), time.Second
	for {
		outcomes, err := call()
		var refusal *client.Error
		if err == nil || judge(err) != busy || !errors.As(err, &refusal) {
			return outcomes, err
		}
		if first.IsZero() {
			first = time.Now()
		}
		if refusal.Wait > busyMost || max(time.Since(first), waited) >= busyMost || r.stop() != nil {
			return nil, err
		}
		if err := r.o.Pause(ctx, wait); err != nil {
			return nil, err
		}
		waited += wait
		wait = min(2*wait, 30*time.Second)
	}
}

// conclude notes what a call's end means for its rows.
func (r *run) conclude(ctx context.Context, b *batch, outcomes []Outcome, err error, left bool, lasted time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	if ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, ctx.Err())) && !client.OutcomeUnknown(err) {
		r.unsend(b, false) // only the waits ahead of a call end with ctx
		return
	}
	if err == nil {
		r.silent = 0
		r.enter(b)
		r.answered(b, outcomes, lasted)
		return
	}
	what := judge(err)
	if what == lost || what == unsent {
		if r.silent++; r.silent >= maxSilent && r.stopped == nil {
			r.stopped = &SilentError{r.silent, err}
		}
	} else {
		r.silent = 0
	}
	var refusal *client.Error
	switch {
	case what == lost:
		r.enter(b)
		r.record(numbersEntry(entryTick, since(r.begun)))
		r.record(batchEntry(b.id, verdict{state: doubt, words: words(err)}))
		r.doubtful(lasted)
	case what == unsent:
		r.unsend(b, true)
	case what == stops && left && !errors.As(err, &refusal) && ctx.Err() == nil:
		r.halt(err) // who knows how far it came: it stays in doubt
	case what == stops || what == busy:
		r.halt(err)
		r.unsend(b, false)
	case what == blames && len(b.rows) > 1:
		r.enter(b)
		r.refused = time.Now()
		r.campaigns.refusedTogether(b.key, b.rows[0])
		r.record(batchEntry(b.id, failure(split, err)))
	default:
		r.enter(b)
		why := failure(refused, err)
		r.record(batchEntry(b.id, why))
		if what == blames {
			r.campaigns.refusedAlone(b.key, why)
		}
	}
}

func (r *run) halt(err error) {
	if r.stopped == nil {
		r.stopped = err
	}
}

// unsend notes that a batch was surely not carried out.
func (r *run) unsend(b *batch, again bool) {
	if b.known {
		r.record(batchEntry(b.id, verdict{state: todo}))
	}
	if again {
		r.again += len(b.rows)
	}
}

// doubtful puts off the reading back: a call may still be at work for as long
// as it has lasted.
func (r *run) doubtful(lasted time.Duration) {
	if ripe := time.Now().Add(max(settlePause, lasted)); ripe.After(r.ripe) {
		r.ripe = ripe
	}
}

// answered notes the outcomes that an answer gave.
func (r *run) answered(b *batch, outcomes []Outcome, lasted time.Duration) {
	r.acked = time.Now()
	plain := true
	for i := range outcomes {
		plain = plain && outcomes[i].State == outcomes[0].State && outcomes[i].Message == "" && (len(outcomes) == 1 || outcomes[i].Result.Len() == 0)
	}
	if state := stateOf[outcomes[0].State]; plain && state == sent {
		r.campaigns.took(b.key)
		r.record(batchEntry(b.id, verdict{state: state, result: r.result(outcomes[0].Result)}))
		return
	}
	for i, out := range outcomes {
		v := verdict{state: stateOf[out.State], status: out.HTTPStatus, words: out.Message, result: r.result(out.Result)}
		switch v.state {
		case doubt:
			r.record(numbersEntry(entryTick, since(r.begun)))
			r.doubtful(lasted)
		case sent, present:
			v.status = 0
			r.campaigns.took(b.key)
		}
		rows := b.rows
		if len(outcomes) > 1 {
			rows = rows[i : i+1]
		}
		r.record(rowsEntry(v, rows...))
	}
	r.record(numbersEntry(entryClose, b.id))
}

// failure is the outcome of all rows of a failed call.
func failure(state rowState, err error) verdict {
	v := verdict{state: state, words: words(err)}
	var refusal *client.Error
	if errors.As(err, &refusal) {
		v.status = refusal.HTTPStatus
	}
	return v
}

// words are the service's own, where it had any.
func words(err error) string {
	var refusal *client.Error
	if errors.As(err, &refusal) && len(refusal.Messages) > 0 {
		return strings.Join(refusal.Messages, "; ")
	}
	return err.Error()
}

func (r *run) progress() {
	if r.o.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.o.Progress(r.ledger.done(), r.total)
}
