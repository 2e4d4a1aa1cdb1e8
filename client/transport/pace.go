package transport

import (
	"math"
	"time"
)

const (
	// minRate is the lowest rate, in calls per second, to which refusals lower a rate.
	minRate = 1.0 / 30

	// A trial raises the rate by trialStep. When trials are refused, the next ones raise it by less, down to minTrialStep.
	// When they are accepted, the next ones raise it by more, up to maxTrialStep, which doubles it.
	trialStep, minTrialStep, maxTrialStep = 0.08, 0.02, 1.0

	// trialTime is how long the calls of a trial take. A trial has at least two calls, or one
	// while a search goes on at less than a call per second.
	trialTime = 100 * time.Millisecond

	// Trials that raise the rate follow each other after raisePause, and two calls at the new rate. After a refusal, there is
	// no trial for refusedPause, and for holdFactor times the wait that the service asked for, since that wait stops all calls.
	raisePause, refusedPause, holdFactor = 500 * time.Millisecond, 2 * time.Second, 20

	// Each accepted call earns trialCredit, and each refused one costs 1. A trial needs a credit of 1, so that in the long run
	// at most 3 % of the calls are refused. The credit rises to 1, or to the credit that the calls of a second earn, if that is
	// more. As long as it is 1 after a refusal, the refusal does not lower the rate: where calls are frequent, a busy machine
	// now and then sends two of them too close together. The credit does not fall below minCredit, and while a search goes on,
	// not below minSearchCredit.
	trialCredit, minCredit, minSearchCredit = 0.028, -2, -1

	// The accepted calls of a time say how many calls the service allows, if there are measuredCalls of them within a second
	// or more. When the service refuses most calls, answeredCalls say about as much.
	measuredCalls, answeredCalls = 10, 8
)

// A pacer finds the rate of calls that the service allows, and keeps to it. It reads no clock and has no lock.
//
// The rate is unlimited until the service refuses a call with 429. From then on, the calls are sent at even intervals. Now
// and then the pacer makes a trial: it sends a few calls at a higher rate. If at most one in twenty of them is refused, the
// rate is raised, and another trial with a larger step follows soon. Otherwise the rate stays as it is. When a call outside
// of a trial is refused, the rate falls to that of the calls accepted of late, unless refusals are rare. If it falls by
// far, the pacer searches: its trials halve the gap between the present rate and the one that was refused.
type pacer struct {
	ceiling float64       // the configured rate in calls per second; +Inf for none
	rate    float64       // the present rate; +Inf until a call is refused
	last    time.Time     // when the last call was sent
	gap     time.Duration // the least time from the last call to the next
	until   time.Time     // no call is sent before this time

	lowered  time.Time     // when the rate was last lowered: a refusal of an earlier call does not lower it again
	fall     float64       // the share by which another refusal lowers the rate, if there is nothing better to go by; 0 after a trial that raised it
	previous float64       // the rate before the last trial that raised it; 0 if a refusal has lowered it since
	hold     time.Duration // the wait that the service asked for with its last refusal
	latency  float64       // seconds from a call to its response, averaged

	since    time.Time // accepted and answered count the calls since this time
	sinceAt  float64   // the rate at that time
	accepted int
	answered int           // accepted or refused
	late     time.Duration // the sum of the times by which the calls since this time were sent too late
	before   int           // as long as the rate is unlimited: the calls that were accepted in the second before since

	credit    float64
	step      float64   // the share by which the next trial raises the rate
	notBefore time.Time // no trial begins before this time
	raising   bool      // the last trial raised the rate
	searching bool      // the allowed rate is between rate and top
	top       float64
	trial     trial
}

// A trial is a number of calls at a higher rate.
type trial struct {
	id       int
	running  bool
	rate     float64
	calls    int
	unsent   int
	accepted int
	answered int
}

// A ticket has the facts about a call that a pacer needs when the response comes.
type ticket struct {
	sent  time.Time
	trial int // the id of the trial to which the call belongs, or 0
}

func newPacer(perSecond float64) *pacer {
	p := &pacer{ceiling: math.Inf(1), rate: math.Inf(1)}
	if perSecond > 0 {
		p.ceiling = perSecond
	}
	return p
}

func (p *pacer) isThrottled() bool { return !math.IsInf(p.rate, 1) }

func (p *pacer) next() time.Time {
	at := p.last.Add(p.gap)
	if p.until.After(at) {
		return p.until
	}
	return at
}

// holdFor holds back all calls for a while. It reports whether they were not held back for as long already.
func (p *pacer) holdFor(now time.Time, wait time.Duration) bool {
	until := now.Add(wait)
	if !until.After(p.until) {
		return false
	}
	p.until = until
	return true
}

// send records that a call is sent. waited says that it had to wait for its time: only
// such calls show whether the service allows a higher rate.
func (p *pacer) send(now time.Time, waited bool) ticket {
	t := ticket{sent: now}
	if waited {
		p.late += now.Sub(p.next())
	}
	switch {
	case p.trial.running && p.trial.unsent > 0 && waited:
		t.trial = p.trial.id
		p.trial.unsent--
	case p.trial.running && p.trial.unsent > 0:
		p.trial.running = false
	case !p.trial.running && waited:
		p.beginTrial(now)
	}
	rate := min(p.rate, p.ceiling)
	if p.trial.running && p.trial.unsent > 0 {
		rate = p.trial.rate
	}
	// Without a refusal, a call that was late does not delay the next one.
	if at := p.last.Add(p.gap); !p.isThrottled() && waited && now.Sub(at) < p.gap {
		now = at
	}
	p.last, p.gap = now, gapOf(rate)
	return t
}

func gapOf(rate float64) time.Duration { return time.Duration(float64(time.Second) / rate) }

func (p *pacer) beginTrial(now time.Time) {
	if !p.isThrottled() || p.rate >= p.ceiling || now.Before(p.notBefore) || !p.searching && !p.raising && p.credit < 1 {
		return
	}
	rate := min(p.rate*(1+p.step), p.ceiling)
	calls := max(2, int(rate*trialTime.Seconds()))
	if p.searching && p.rate < 1 {
		calls = 1 // so that a rate that fell by far is soon found again
	}
	p.trial = trial{id: p.trial.id + 1, running: true, rate: rate, calls: calls, unsent: calls}
}

// respond records that there was a response to a call other than 429, or none. accepted says that the service took the call.
func (p *pacer) respond(now time.Time, t ticket, accepted bool) {
	if !p.isThrottled() && now.Sub(p.since) >= time.Second {
		p.since, p.before, p.accepted = now, p.accepted, 0
	}
	p.answered++
	if accepted {
		p.accepted++
		p.credit = min(p.credit+trialCredit, max(1, trialCredit*p.rate))
		p.latency += (now.Sub(t.sent).Seconds() - p.latency) / 10
	}
	if !p.trial.running || t.trial != p.trial.id {
		return
	}
	p.trial.answered++
	if accepted {
		p.trial.accepted++
	}
	switch most := p.trial.calls - p.trial.calls/8; { // does not wait for the slowest few
	case p.trial.accepted >= most:
		p.raise(now)
	case p.trial.answered == p.trial.calls:
		p.trial.running = false
		p.notBefore = now.Add(raisePause)
	}
}

func (p *pacer) raise(now time.Time) {
	p.previous, p.rate, p.fall = p.rate, p.trial.rate, 0
	p.trial.running = false
	if p.rate > 1.3*p.sinceAt {
		p.measureFrom(now)
	}
	p.raising = true
	if p.searching && p.top > p.rate {
		p.notBefore = now.Add(raisePause)
		p.narrow()
		return
	}
	p.notBefore = now.Add(max(raisePause, 2*gapOf(p.rate)))
	p.top = math.Inf(1)
	// The slower the responses are, the later they tell of a rate that is too high.
	p.step = min(max(2*p.step, trialStep), maxTrialStep/(1+2*p.latency))
}

// narrow sets the step that halves the gap between the rate and top. It ends the search when the gap is small.
func (p *pacer) narrow() {
	p.step = min(math.Sqrt(p.top/p.rate)-1, maxTrialStep)
	if p.step < trialStep/2 {
		p.searching, p.raising = false, false
		p.step = trialStep / 2
	}
}

// measureFrom begins to count accepted calls anew.
func (p *pacer) measureFrom(at time.Time) {
	p.since, p.sinceAt, p.accepted, p.answered, p.late, p.before = at, p.rate, 0, 0, 0, 0
}

// refuse records that the service refused a call with 429, and for how long it asked to wait.
func (p *pacer) refuse(now time.Time, t ticket, wait time.Duration) {
	p.answered++
	p.hold = wait
	p.credit = max(p.credit-1, minCredit)
	if p.searching {
		p.credit = max(p.credit, minSearchCredit)
	}
	switch isOfTrial := t.trial > 0 && t.trial == p.trial.id; {
	case isOfTrial && p.trial.running:
		p.trial.answered++
		// Where calls are frequent, a few come too close together at any rate.
		if p.trial.answered-p.trial.accepted > p.trial.calls/20 {
			p.endTrial(now)
		}
	case t.sent.Before(p.lowered), isOfTrial && p.rate < p.trial.rate, p.mayBeClose(now, wait):
		// The refusal says nothing of the present rate.
	default:
		p.lower(now)
	}
}

// mayBeClose reports whether a call may have been refused since it came too close to another one, as a few do at any rate: there
// is credit, or the credit is not earned anew yet.
func (p *pacer) mayBeClose(now time.Time, wait time.Duration) bool {
	if !p.isThrottled() || p.searching || wait > 0 {
		return false
	}
	refused := float64(p.answered - p.accepted)
	return p.credit >= 1 || now.Sub(p.lowered) < refusedPause && refused <= trialCredit*float64(p.answered)
}

func (p *pacer) endTrial(now time.Time) {
	p.trial.running, p.raising = false, false
	p.gap = gapOf(p.rate)
	if p.searching {
		p.top = p.trial.rate
		p.narrow()
	} else if p.step /= 2; p.step < minTrialStep {
		p.step = trialStep
	}
	p.pauseTrials(now, 4)
}

// pauseTrials sets the time of the next trial after a refusal. While a search goes on,
// that is after a number of calls, which show whether the present rate is accepted.
func (p *pacer) pauseTrials(now time.Time, calls int) {
	pause := max(refusedPause, holdFactor*p.hold)
	if p.searching {
		pause = max(raisePause, p.hold, time.Duration(calls)*gapOf(p.rate))
	}
	p.notBefore = now.Add(pause)
}

// lower lowers the rate after a refusal outside of a trial.
func (p *pacer) lower(now time.Time) {
	old := min(p.rate, p.ceiling)
	less := 0.97 * old
	elapsed := (now.Sub(p.since) - p.late).Seconds() // calls that are late say nothing of the rate that the service allows
	isMeasured := p.accepted >= measuredCalls && elapsed >= 1
	if p.fall == 0 {
		p.top = old
	}
	rate := old * (1 - max(p.fall, 0.03))
	switch {
	case !p.isThrottled():
		// What is allowed is not known: a bucket may have been full. A second's worth of accepted calls is a beginning.
		isMeasured, p.top = false, math.Inf(1)
		if p.since.IsZero() {
			elapsed = 0
		}
		rate = max(1, float64(p.accepted+p.before)/(1+elapsed))
		if p.before == 0 {
			rate = max(1, float64(p.accepted)/max(1, elapsed))
		}
	case isMeasured:
		rate = 0.98 * float64(p.accepted) / elapsed
		if p.fall == 0 && p.previous > 1.1*rate {
			// The rate rose fast. Either it went too high, and the calls used up
			// the credit that a bucket had saved, or it was low for a long time before.
			rate = math.Sqrt(rate * min(p.previous, less))
		}
	case p.previous > 0 && p.previous < less:
		rate = p.previous
	case p.answered >= answeredCalls:
		rate = max(min(float64(p.accepted)/elapsed, 0.9*old), old/4)
	}
	p.rate = max(min(rate, less), min(minRate, p.ceiling))
	p.fall = min(max(2*p.fall, 0.06), 0.5)
	p.previous = 0
	p.lowered, p.gap = now, gapOf(p.rate)
	p.measureFrom(now.Add(p.hold))
	p.trial.running, p.raising = false, false
	p.step = trialStep
	if p.searching = !isMeasured && (p.searching || p.rate < 0.85*old); p.searching {
		p.step = max(min(math.Sqrt(p.top/p.rate)-1, maxTrialStep), trialStep)
	}
	p.pauseTrials(now, 0)
}
