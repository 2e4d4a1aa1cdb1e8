package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/transport"
)

// The settling time is how long after it was sent a call may still be carried out. If the
// list of the service does not show a row after that, the service does not hold it.
const (
	// unmeasuredSettleTime is the settling time while the job has no evidence of how
	// fast the service is.
	unmeasuredSettleTime = 30 * time.Second
	// cutSettleTime is the least settling time of a call that the service has not answered. The
	// service may work on such a call for long after its connection has ended.
	cutSettleTime = time.Minute
	// settleFactor times the slowest response is the settling time of a measured
	// service.
	settleFactor = 10
	// maxReconcileDelay is the longest time between two snapshots.
	maxReconcileDelay = 15 * time.Second
)

// SettleTime returns for how long the outcome of a call stays uncertain after its end, if nothing
// is known of how fast the service is. The call lasted for a time, and answered says whether the
// service itself has answered it.
func SettleTime(answered bool, lasted time.Duration) time.Duration {
	return settleTime(answered, lasted, job.Evidence{}) - lasted
}

// settleTime returns the settling time of a call, from when it was sent.
func settleTime(answered bool, lasted time.Duration, e job.Evidence) time.Duration {
	settle := unmeasuredSettleTime
	if e.Slowest > 0 {
		settle = max(settleFactor*e.Slowest, e.Lag, ReconcileDelay)
	}
	if answered {
		settle += lasted
	} else {
		settle = max(settle, cutSettleTime)
	}
	return max(settle, 2*lasted)
}

// Answered reports whether the service itself answered a call that failed with err. A gateway
// answers with any status, also while the service still works on the call: only the envelope
// of the service proves who answered, and with 502 and 504 even that tells of a gateway.
func Answered(err error) bool {
	refusal, ok := errors.AsType[*client.Error](err)
	return ok && refusal.Envelope &&
		refusal.HTTPStatus != http.StatusBadGateway && refusal.HTTPStatus != http.StatusGatewayTimeout
}

// A doubt is when the calls with an unknown outcome of a run were sent, and why it is unknown. A
// call that the service has answered and one that it has not have settling times of their own.
type doubt struct {
	// calls are first those that the service has not answered, then those that it has.
	calls [2]struct {
		sent   time.Time     // when the last of them was sent; zero if there was none
		lasted time.Duration // how long the longest of them lasted
	}
	ended time.Time // when the last of all these calls ended
}

func (d *doubt) add(answered bool, sent time.Time, lasted time.Duration) {
	calls := &d.calls[0]
	if answered {
		calls = &d.calls[1]
	}
	if sent.After(calls.sent) {
		calls.sent = sent
	}
	calls.lasted = max(calls.lasted, lasted)
	if ended := sent.Add(lasted); ended.After(d.ended) {
		d.ended = ended
	}
}

func (d *doubt) sent() time.Time {
	if d.calls[1].sent.After(d.calls[0].sent) {
		return d.calls[1].sent
	}
	return d.calls[0].sent
}

// settledAt returns when the service will have carried out, or dropped, all calls of the
// doubt. fixed replaces the settling time that follows from the evidence, unless it is
// nil or a call itself has lasted longer.
func (d *doubt) settledAt(fixed *time.Duration, e job.Evidence) time.Time {
	settled := d.ended
	for i, calls := range d.calls {
		settle := settleTime(i == 1, calls.lasted, e)
		if fixed != nil {
			settle = *fixed
		}
		if at := calls.sent.Add(settle); !calls.sent.IsZero() && at.After(settled) {
			settled = at
		}
	}
	return settled
}

// A pacer spaces out snapshots: each pause is longer than the one before.
type pacer struct{ least, pause time.Duration }

func newPacer(fixed *time.Duration) pacer {
	p := pacer{least: ReconcileDelay}
	if fixed != nil {
		p.least = min(p.least, max(*fixed, time.Millisecond))
	}
	return p
}

func (p *pacer) next(left time.Duration) time.Duration {
	p.pause = min(max(p.pause*3/2, p.least), maxReconcileDelay)
	if left > 0 {
		return min(p.pause, left)
	}
	return p.pause
}

// AwaitOutcome calls read until it finds that a write was carried out, at least in part,
// or until the settling time has passed. It returns what the last call found. A write
// that read does not find may still be carried out.
func AwaitOutcome(ctx context.Context, settle time.Duration, read func() (Outcome, error)) (Outcome, error) {
	pace, settled := newPacer(&settle), time.Now().Add(settle)
	for {
		began := time.Now()
		out, err := read()
		if err != nil || out.State == Present || out.State == Differs || !began.Before(settled) {
			return out, err
		}
		if err := transport.Sleep(ctx, pace.next(time.Until(settled))); err != nil {
			return Outcome{}, err
		}
	}
}

// recentDoubt is how long ago a job wrote its journal whose calls the service may still be carrying out.
const recentDoubt = 10 * time.Minute

// AwaitUpdates waits until the service has carried out, or dropped, the calls of other jobs that change what the job of j
// changes, and got no response: they would overtake what j sends. j may be a job.Store.Preview.
func AwaitUpdates(ctx context.Context, j *job.Job, o Options) error {
	o = o.withDefaults()
	rest, last, err := unsettled(j, &o)
	if err != nil || last == "" {
		return err
	}
	o.Note(fmt.Sprintf("waiting up to %.0f s: the service may still be working on changes of %s, which would replace those of this load%s",
		math.Ceil(rest.Seconds()), last, o.Words.Of("; Ctrl-C stops, nothing is lost")))
	return o.sleep(ctx, rest)
}

// unsettled returns how long the service may still be working on such calls, and who has sent the last one.
func unsettled(j *job.Job, o *Options) (rest time.Duration, last string, err error) {
	now := o.now()
	unlock, err := j.Lock()
	if err != nil {
		return 0, "", err
	}
	defer unlock()
	for m, err := range j.Memories("", recentDoubt, o.boot(), nil) {
		if err != nil {
			return 0, "", err
		}
		d := doubt{}
		d.add(false, now.Add(-m.Ago), m.LongestCall)
		if left := d.settledAt(o.SettleTime, m.Evidence).Sub(now); m.Changes(j) && left > rest {
			rest, last = left, m.By()
		}
	}
	return rest, last, nil
}

// Unsettled returns how long the service may still be working on changes that got no response, and who has sent the last one.
func (m *Memory) Unsettled(o Options) (rest time.Duration, last string, err error) {
	o = o.withDefaults()
	return unsettled(m.store.Preview(job.Header{Key: m.to}, 0), &o)
}

// A witness is a row that the service acknowledged. A list that shows the row shows
// everything that the service had carried out before the row was sent, however late the
// list is.
type witness struct {
	row                uint32
	sent, acknowledged time.Time
	others             time.Time // when the last other call was acknowledged; zero if there was none
	wasRefused         bool      // with its batch, which may have stored it before it was sent alone
}

// isVoid reports whether the witness vouches for nothing: see reconciler.read.
func (w *witness) isVoid() bool { return w != nil && w.sent.IsZero() }

// isLast reports whether a list that shows the witness shows all acknowledged rows.
func (w *witness) isLast() bool { return !w.sent.Before(w.others) }

// vouchesFor reports whether a list that shows the witness also shows every call that
// the service had carried out at a time.
func (w *witness) vouchesFor(at time.Time) bool { return w != nil && !w.sent.Before(at) }

// A NoResponseError stops a run after too many consecutive failures.
type NoResponseError struct {
	Calls int // the number of consecutive calls without a response that shows the outcome
	Err   error
}

func (e *NoResponseError) Error() string {
	return fmt.Sprintf("%d consecutive calls failed: %v", e.Calls, e.Err)
}

func (e *NoResponseError) Unwrap() error { return e.Err }

// A failureClass says what a failed call means for the rows of its batch.
type failureClass uint8

const (
	classFatal     failureClass = iota // the call was not carried out, and every other call would fail likewise
	classBadRow                        // the service refused the batch because of one of its rows
	classForbidden                     // the service refused all rows of the batch
	classUnknown                       // the call may have been carried out
	classNotSent                       // the call was certainly not carried out; another attempt may succeed
	classThrottled                     // the service answered 429 (too many requests); wait and send again
)

func classify(err error) failureClass {
	var refusal *client.Error
	switch {
	case client.OutcomeUnknown(err):
		return classUnknown
	case errors.As(err, new(*client.TokenSourceError)):
		return classFatal
	case errors.As(err, new(*client.NetworkError)):
		return classNotSent
	case !errors.As(err, &refusal):
		return classFatal
	}
	switch refusal.HTTPStatus {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed:
		return classFatal
	case http.StatusTooManyRequests:
		return classThrottled
	case http.StatusServiceUnavailable:
		if refusal.Wait > maxThrottleWait {
			return classFatal
		}
		return classNotSent
	case http.StatusForbidden:
		return classForbidden
	}
	return classBadRow
}

// EndedEarly reports whether the end of ctx is why a call failed. It ends only the waits before a call is written, or is
// written again after a response that shows that it was not carried out.
func EndedEarly(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, ctx.Err())) && !client.OutcomeUnknown(err)
}

func failure(state job.State, err error) job.Result {
	result := job.Result{State: state, Message: message(err)}
	if refusal, ok := errors.AsType[*client.Error](err); ok {
		result.HTTPStatus = refusal.HTTPStatus
		if len(refusal.Items) == 1 {
			result.HTTPStatus = max(refusal.HTTPStatus, int(refusal.Items[0].StatusCode)) // an item need not have one
		}
	}
	return result
}

// message returns the messages of the service in err, or the text of err if there are
// none, cut after 2 KB: the journal and the rejects file have it for each row.
func message(err error) string {
	text := err.Error()
	if refusal, ok := errors.AsType[*client.Error](err); ok {
		text = cmp.Or(phrase.Sentences(refusal.Reasons()...), text)
	}
	return safetext.Cut(text, safetext.MaxMessage)
}

// maxThrottleWait is the time after which a call is not repeated any more that the service throttles (429).
const maxThrottleWait = 15 * time.Minute
