package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"reseller/client"
	"reseller/client/bulk/breaker"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
)

type load struct {
	src   *rows.Source
	steps []Step
	opts  Options
	job   *job.Job // nil if nothing is recorded on disk
	rec   *job.Recorder
	began time.Time
	boot  job.Boot // of the machine, when the load began
	total int      // rows to send, including those that earlier runs have sent

	runs      []*run         // of the steps whose items are known
	inFlight  atomic.Int64   // the number of calls in flight
	waitUntil time.Time      // until when the load waits to find out what became of rows, zero until it has to
	blocked   map[int]string // why After has blocked the later steps of a row

	verification   *job.Verification // of the last reading; nil if there was none
	missingIn      job.ByState       // the rows that it does not show, by state
	unlisted       int               // rows and items that differ from what others have sent, and that no list shows yet
	isComplete     bool              // all rows have their final state
	rejectsWritten bool
	unknownWritten bool
}

// A run is the work of a load on one step, with the states of its items. In a load that writes the rows themselves, these are
// the items of the only step.
type run struct {
	load     *load
	step     Step
	src      *rows.Source // of the items
	op       Operation    // that of the step, for this load
	opts     Options
	rec      *job.Recorder
	table    *job.StepTable
	breakers *breaker.Set
	sender   *sender
	snapshot Snapshot     // the last snapshot; nil if rows are not compared with one
	reached  bool         // the load has reached the step
	isDryRun bool         // nothing is sent
	guarded  int          // the items that Step.Guard leaves unknown, so that --resend-unknown does not send them
	results  []StepResult // by row; nil unless the step has an After, which has got them
	// problem returns what the last reading shows to be wrong with an item, "" if nothing is; nil if there was no such reading.
	problem func(item uint32) (reason string, isDoubled bool)

	listed   bool // the last list shows a row that this job has sent
	isRead   bool // the last reading came whole
	unlisted bool // the last list lacks a row that this job, or another one, has sent
	unclear  bool // the last reading says of a row neither that the service holds it nor that it does not
	// lead is how long before the end of the settling time the canary is sent: as long as the list was late when it showed the
	// last witness, or as long as may be while nobody knows.
	lead   time.Duration
	lastID int64 // the largest id that the service listed before any row was sent whose outcome is unknown
	// suspected are rows that may be among the new records of the last list, by the reason.
	suspected map[job.Reason][]uint32

	held     lines // what the list says of rows that are not sent
	earlier  int   // rows that earlier runs have done, and that are not compared again
	vanished int   // acknowledged rows that the last list does not show, although it shows the witness
}

func (r *run) move(from, to job.State, condition bool) {
	if condition {
		r.rec.SetState(to, r.rec.Table().RowsIn(from))
	}
}

func (r *run) converges() bool { return r.opts.UpdateExisting && r.op.Converge != nil }

// heldBefore returns how many records of a row that the job has sent the service held before, 0 if that is unknown.
func (r *run) heldBefore(row uint32) int {
	if n := r.rec.Table().Baseline(row); r.opts.ResendExisting && r.rec.Table().State(row) == job.StateSent && n != unknownBaseline {
		return n
	}
	return 0
}

// list returns the last snapshot if it is one of a list, otherwise nil.
func (r *run) list() *ListSnapshot {
	list, _ := r.snapshot.(*ListSnapshot)
	return list
}

// A sender sends batches and records their outcomes. All workers share it. While no dispatcher
// is at work, what mu guards may be used without it.
type sender struct {
	*run
	answered chan struct{} // closed by answer
	// answer lets all workers send: a load starts with one call at a time until the service has answered one, so that a service
	// whose answers are lost is not sent more.
	answer       func()
	mu           sync.Mutex
	calls        int                   // the number of calls so far
	failures     int                   // the number of consecutive failures
	stopped      error                 // the error that stopped the run; nil while it continues
	rejected     time.Time             // the time of the last batch that was refused as a whole
	requeued     int                   // the number of rows of this round to send again
	held         map[uint32]rows.Texts // Outcome.Held of rows that were sent, or read by a call each
	told         map[string]uint32     // the row by each id that the response to its create tells
	first        *ListSnapshot         // that was read before the run sent a row; empty if it has no Listed
	untold       map[string]int        // how often responses lacked ids
	others       map[string]int        // how often responses were about Outcome.Other
	doubt        doubt                 // the calls with an unknown outcome
	witness      *witness              // the acknowledged row that was sent last; nil if there is none
	acknowledged time.Time             // when the last row was acknowledged
	evidence     job.Evidence          // how slow the service is
	listsInTime  bool                  // the first list that was read after the last witness showed it
	listsAtOnce  bool                  // the same, and it was read at once; no list of the job was ever late
	recorded     job.Evidence          // what the log has of evidence
}

func newSender(r *run) *sender {
	answered := make(chan struct{})
	s := &sender{
		run: r, answered: answered, answer: sync.OnceFunc(func() { close(answered) }), first: &ListSnapshot{},
		held: map[uint32]rows.Texts{}, told: map[string]uint32{}, untold: map[string]int{}, others: map[string]int{},
	}
	if r.op.Unverifiable() {
		s.answer() // no other row can show what became of one
	}
	return s
}

func (s *sender) send(ctx context.Context, b *batch) {
	if s.err() != nil || ctx.Err() != nil {
		s.abortIntent(b)
		return
	}
	if b.isRegular() {
		if result, open := s.breakers.Open(b.key); open {
			s.ensureIntent(b)
			s.rec.Record(job.BatchResult(b.id, result))
			return
		}
		if s.breakers.ShouldWait(b.key) {
			s.abortIntent(b)
			return
		}
	}
	var sent atomic.Bool
	var started atomic.Int64 // when the last attempt was sent, in nanoseconds since the run began
	onSend := func() error {
		at := s.elapsed()
		started.Store(int64(at))
		return s.markInFlight(b, at, !sent.Swap(true))
	}
	outcomes, err := s.callUntilAccepted(&started, func() ([]Outcome, error) { return b.call(ctx, onSend) })
	if sent.Load() {
		s.load.inFlight.Add(-1)
	}
	if err == nil && len(outcomes) != 1 && len(outcomes) != len(b.rows) {
		err = fmt.Errorf("%s: %s for %s", s.op.Name, phrase.Count(len(outcomes), "outcome", "outcomes"), phrase.Count(len(b.rows), "row", "rows"))
	}
	s.record(ctx, b, outcomes, err, sent.Load(), time.Duration(started.Load()))
	s.progress()
}

func (s *sender) ensureIntent(b *batch) {
	if !b.hasIntent {
		b.id, b.hasIntent = s.rec.RecordIntent(b.rows), true
	}
}

func (s *sender) abortIntent(batches ...*batch) {
	for _, b := range batches {
		if b.hasIntent {
			s.rec.Record(job.BatchResult(b.id, job.Result{State: job.StatePending}))
		}
	}
}

func (s *sender) elapsed() time.Duration { return s.opts.now().Sub(s.load.began) }

// markInFlight records that the call of a batch starts at a time, and writes this to the file of the log: after a kill, only
// rows whose call had started have an unknown outcome. In an unverifiable operation, a batch has no intent before that:
// markInFlight records it and makes it durable. isFirst is false for a further attempt of a call that was throttled.
func (s *sender) markInFlight(b *batch, at time.Duration, isFirst bool) error {
	hadIntent := b.hasIntent
	s.ensureIntent(b)
	s.rec.Record(job.CallStarted(b.id, at))
	if isFirst {
		s.load.inFlight.Add(1)
	}
	if hadIntent {
		return s.rec.Flush()
	}
	return s.rec.Sync()
}

// callUntilAccepted makes a call, and repeats it while the service throttles it. It does not wait: the transport does, before each attempt.
func (s *sender) callUntilAccepted(started *atomic.Int64, call func() ([]Outcome, error)) ([]Outcome, error) {
	for first := int64(-1); ; {
		outcomes, err := call()
		refusal, ok := errors.AsType[*client.Error](err)
		if !ok || classify(err) != classThrottled {
			return outcomes, err
		}
		if first < 0 {
			first = started.Load()
		}
		if refusal.Wait > maxThrottleWait || s.elapsed()-time.Duration(first) >= maxThrottleWait || s.err() != nil {
			return nil, err
		}
	}
}

// record records the outcome of a call. sent says that onSend was called, so that the
// request may have been written, and started is the time of that since the run began.
func (s *sender) record(ctx context.Context, b *batch, outcomes []Outcome, err error, sent bool, started time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if err == nil && !sent && slices.ContainsFunc(outcomes, func(out Outcome) bool { return job.StateOf(out.State) == job.StateSent }) {
		s.stop(fmt.Errorf("%s: the call sent rows without calling onSend", s.op.Name))
	}
	if EndedEarly(ctx, err) {
		s.abortIntent(b)
		return
	}
	ended := s.opts.now()
	if class := classify(err); sent && (err == nil || Answered(err) && (class == classBadRow || class == classForbidden)) {
		s.measure(job.Evidence{Slowest: ended.Sub(s.load.began) - started})
		s.answer()
	}
	if err == nil {
		s.failures = 0
		s.recordOutcomes(b, outcomes, started, ended)
		return
	}
	s.recordFailure(b, err, sent, started)
}

// measure takes new evidence, and records what is much more than before.
func (s *sender) measure(now job.Evidence) {
	old := s.evidence
	s.evidence = job.Evidence{Slowest: max(old.Slowest, now.Slowest, 1), Lag: max(old.Lag, now.Lag)}
	if s.evidence.Slowest > s.recorded.Slowest*5/4 || s.evidence.Lag > s.recorded.Lag {
		s.recorded = s.evidence
		s.rec.Record(job.EvidenceFound(s.evidence))
	}
}

// recordFailure records the error of a call for the rows of its batch. The caller has locked mu.
func (s *sender) recordFailure(b *batch, err error, sent bool, started time.Duration) {
	class := classify(err)
	if class == classUnknown || class == classNotSent {
		if s.failures++; s.failures >= maxConsecutiveFailures {
			s.stop(&NoResponseError{s.failures, err})
		}
	} else {
		s.failures = 0
	}
	switch {
	case class == classUnknown:
		s.ensureIntent(b)
		s.rec.Record(job.Heartbeat(s.elapsed()), job.BatchResult(b.id, job.Result{State: job.StateUnknown, Message: message(err)}))
		s.doubt.add(Answered(err), s.load.began.Add(started), s.elapsed()-started)
	case class == classNotSent:
		s.abortIntent(b)
		s.requeued += len(b.rows)
	case class == classFatal && sent && !errors.As(err, new(*client.Error)) && !errors.As(err, new(*client.TokenSourceError)):
		s.stop(err) // the request may have been carried out, so the batch stays in flight
	case class == classFatal || class == classThrottled:
		s.stop(err)
		s.abortIntent(b)
	case class == classBadRow && len(b.rows) > 1:
		s.ensureIntent(b)
		s.rejected = s.opts.now()
		s.breakers.RecordBatchFailure(b.key, b.rows[0])
		s.rec.Record(job.BatchResult(b.id, failure(job.StateRejectedBatch, err)))
	default:
		s.ensureIntent(b)
		result := failure(job.StateRefused, err)
		s.rec.Record(job.BatchResult(b.id, result))
		if class == classBadRow {
			s.breakers.RecordRowFailure(b.key, result)
		}
	}
}

// keepHeld keeps, for the results, what the service holds of a row. The caller has locked mu.
func (s *sender) keepHeld(row uint32, out Outcome) {
	if out.Held != nil && s.opts.Results != "" {
		s.held[row] = out.Held
	}
}

// recordOutcomes records the outcomes that a response shows. The caller has locked mu.
func (s *sender) recordOutcomes(b *batch, outcomes []Outcome, started time.Duration, ended time.Time) {
	s.ensureIntent(b)
	uniform := true
	for i := range outcomes {
		s.doubtIDs(&outcomes[i], b.rows[i])
		out := outcomes[i]
		s.keepHeld(b.rows[i], out)
		if out.Other != "" {
			s.others[out.Other]++
		}
		if out.Untold != nil {
			s.untold[strings.Join(out.Untold, " and no ")]++
		}
		uniform = uniform && outcomes[i].State == outcomes[0].State && outcomes[i].Message == "" && (len(outcomes) == 1 || out.Result.Len() == 0)
	}
	s.rememberWitness(b, outcomes, started, ended)
	if state := job.StateOf(outcomes[0].State); uniform && state == job.StateSent {
		s.breakers.RecordSuccess(b.key)
		s.rec.Record(job.BatchResult(b.id, job.Result{State: state, Fields: s.op.ResultFields(outcomes[0].Result)}))
		return
	}
	for i, out := range outcomes {
		result := job.Result{State: job.StateOf(out.State), HTTPStatus: out.HTTPStatus, Message: out.Message, Fields: s.op.ResultFields(out.Result)}
		switch result.State {
		case job.StateUnknown:
			s.rec.Record(job.Heartbeat(s.elapsed()))
			s.doubt.add(true, s.load.began.Add(started), s.elapsed()-started)
		case job.StateRefused:
			result.Message = cmp.Or(result.Message, http.StatusText(result.HTTPStatus), "the service gives no reason")
		case job.StateSent, job.StatePresent:
			result.HTTPStatus = 0
			s.breakers.RecordSuccess(b.key)
		}
		batchRows := b.rows
		if len(outcomes) > 1 {
			batchRows = batchRows[i : i+1]
		}
		s.rec.Record(job.RowResult(result, batchRows...))
	}
	s.rec.Record(job.BatchClosed(b.id))
}

// doubtIDs makes the outcome of a create unknown whose response tells an id of another record: of one that the service listed
// before, or of that of another row, which is then in doubt as well. A record that was listed for the row itself is present.
// The caller has locked mu.
func (s *sender) doubtIDs(out *Outcome, row uint32) {
	if s.op.Creates == "" {
		return
	}
	for _, id := range out.IDs {
		rival, isTold := s.told[id]
		isRivals, listed, why := isTold && rival != row, s.first.Listed[id], "that of another row"
		switch {
		case listed != 0 && slices.Contains(s.first.IDs(int(row)), listed):
			out.State = Present
			continue
		case listed != 0:
			why = "which the service listed before"
		case !isRivals:
			s.told[id] = row
			continue
		}
		*out = Outcome{State: Unknown, HTTPStatus: http.StatusOK, Message: fmt.Sprintf("the response tells %s, %s", id, why)}
		if isRivals {
			s.rec.Record(job.RowResult(job.Result{State: job.StateUnknown, HTTPStatus: out.HTTPStatus, Message: out.Message, Fields: job.NoFields}, rival))
		}
		return
	}
}

// rememberWitness keeps the first row that a response acknowledges, if its call was sent after that of the row kept so far.
func (s *sender) rememberWitness(b *batch, outcomes []Outcome, started time.Duration, ended time.Time) {
	first := slices.IndexFunc(outcomes, func(out Outcome) bool { return job.StateOf(out.State) == job.StateSent })
	if first < 0 {
		return
	}
	w := &witness{row: b.rows[first], sent: s.load.began.Add(started), acknowledged: ended, others: s.acknowledged}
	s.acknowledged = w.acknowledged
	if s.witness == nil || w.sent.After(s.witness.sent) {
		s.witness = w
	} else {
		s.witness.others = w.acknowledged
	}
}

// stop stops the run with an error, unless it is stopped already. The caller has locked mu.
func (s *sender) stop(err error) { s.stopped = cmp.Or(s.stopped, err) }

func (s *sender) err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop(s.rec.Err())
	return s.stopped
}

func (s *sender) settledAt() time.Time { return s.doubt.settledAt(s.opts.SettleTime, s.evidence) }

// writesRows reports whether the rows themselves are written, and not items of them.
func (l *load) writesRows() bool { return l.steps[0].Items == nil }

func (l *load) progress() {
	if l.opts.Progress == nil {
		return
	}
	if l.writesRows() {
		l.opts.Progress(l.rec.Done(), l.total)
		return
	}
	done, total := 0, 0
	for _, r := range l.runs {
		done, total = done+r.rec.Done(), total+r.table.Len()
	}
	l.opts.Progress(done, total)
}

func (s *sender) progress() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load.progress()
}

// maxConsecutiveFailures is the number of consecutive calls without a response that stops the run.
const maxConsecutiveFailures = 20

func (r *run) recalls(item uint32) bool {
	return r.op.Recall != nil && (r.step.Recalls == nil || r.step.Recalls(int(r.table.Rows()[item])))
}
