package transport

import (
	"math"
	"time"
)

const (
	// minRate is the lowest rate, in calls per second, to which refusals lower a rate.
	minRate = 1.0 / 15
	// A refusal lowers the rate by leastFall. Refusals that follow soon lower it by twice as much each, up to mostFall.
	leastFall, mostFall = 0.05, 0.5
	// leastGrowth is the share by which the rate rises in the second after a fall. With the time it rises faster, by growthRise, up
	// to mostGrowth, and by mostRise with one call.
	leastGrowth, growthRise, mostGrowth, mostRise = 0.01, 0.0085, 0.7, 0.25
	// Where calls are frequent, a busy machine now and then sends two of them too close together: if a smaller share than this is
	// refused, the rate stays.
	rareRefusals = 0.028
)

// A pacer finds the rate of calls that the service allows, and keeps to it. It reads no clock and has no lock.
//
// The rate is unlimited until the service refuses a call with 429. From then on, the calls are sent at even intervals. A refusal
// lowers the rate, and each accepted call raises it, by the more the longer the last refusal is ago.
type pacer struct {
	ceiling float64       // the configured rate in calls per second; +Inf for none
	rate    float64       // the present rate; +Inf until a call is refused
	last    time.Time     // when the last call was sent
	gap     time.Duration // the least time from the last call to the next
	until   time.Time     // no call is sent before this time

	since             time.Time     // when the rate was last lowered or, as long as it is unlimited, the present second began
	accepted, refused int           // the calls that were sent since then
	before            int           // as long as the rate is unlimited: the calls that were accepted in the second before
	fall              float64       // the share by which the rate was last lowered
	searching         bool          // nothing is known of the allowed rate, but that it was lower
	hold              time.Duration // the wait that the service asked for with its last refusal
	credit            float64       // how many refusals leave the rate as it is
	latency           float64       // seconds from a call to its response, averaged
}

// A ticket has the facts about a call that a pacer needs when the response comes.
type ticket struct {
	sent   time.Time
	waited bool // for its time: only such calls show whether the service allows a higher rate
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

// send records that a call is sent. waited says that it had to wait for its time.
func (p *pacer) send(now time.Time, waited bool) ticket {
	t := ticket{now, waited}
	// Without a refusal, a call that was late does not delay the next one.
	if at := p.last.Add(p.gap); !p.isThrottled() && waited && now.Sub(at) < p.gap {
		now = at
	}
	p.last, p.gap = now, gapOf(min(p.rate, p.ceiling))
	return t
}

func gapOf(rate float64) time.Duration { return time.Duration(float64(time.Second) / rate) }

// respond records that there was a response to a call other than 429, or none. accepted says that the service took the call.
func (p *pacer) respond(now time.Time, t ticket, accepted bool) {
	if !p.isThrottled() && now.Sub(p.since) >= time.Second {
		p.since, p.before, p.accepted = now, p.accepted, 0
	}
	if !accepted || p.isThrottled() && t.sent.Before(p.since) {
		return
	}
	p.accepted++
	p.latency += (now.Sub(t.sent).Seconds() - p.latency) / 10
	if p.isThrottled() {
		p.credit = min(p.credit+rareRefusals, rareRefusals*p.rate)
	}
	if p.isThrottled() && t.waited {
		p.rate = min(p.rate*(1+min(mostRise, p.growth(now)/p.rate)), p.ceiling)
	}
}

// growth returns the share by which the rate rises in a second. The fewer calls there are, the slower the responses and the longer
// the wait after a refusal, the more time a rate needs to prove itself.
func (p *pacer) growth(now time.Time) float64 {
	slowness := 1 + 3.75*p.latency
	if p.searching {
		return mostGrowth / slowness
	}
	unit := slowness * max(1, 11.5/p.rate, 10*p.hold.Seconds())
	units := now.Sub(p.since).Seconds() / unit
	return min(leastGrowth+growthRise*units*units, mostGrowth) / unit
}

// refuse records that the service refused a call with 429, and for how long it asked to wait. Calls that were sent before the rate
// was last lowered say nothing of the present one.
func (p *pacer) refuse(now time.Time, t ticket, wait time.Duration) {
	if p.isThrottled() && t.sent.Before(p.since) {
		return
	}
	p.refused++
	if p.credit--; p.credit >= 0 && wait == 0 {
		return
	}
	rate := min(p.rate, p.ceiling)
	switch {
	case !p.isThrottled(): // a bucket may have been full: a second's worth of accepted calls is a beginning
		rate, p.fall, p.searching = min(rate, max(1, p.measured(now))), 0, true
	case p.accepted > 9*p.refused-6 || p.searching && p.accepted > 0:
		p.fall, p.searching = leastFall, false
	default:
		p.fall = min(2*p.fall, mostFall)
		p.searching = p.fall == mostFall && p.accepted == 0
	}
	p.rate = max(rate*(1-p.fall), min(minRate, p.ceiling))
	p.fall, p.hold = max(p.fall, leastFall), wait
	p.since, p.gap, p.accepted, p.refused, p.credit = now.Add(wait), gapOf(p.rate), 0, 0, rareRefusals*p.rate
}

// measured returns how many calls were accepted in a second, as long as the rate is unlimited.
func (p *pacer) measured(now time.Time) float64 {
	switch {
	case p.since.IsZero():
		return float64(p.accepted)
	case p.before == 0:
		return float64(p.accepted) / max(1, now.Sub(p.since).Seconds())
	}
	return float64(p.accepted+p.before) / (1 + now.Sub(p.since).Seconds())
}
