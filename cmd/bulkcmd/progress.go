package bulkcmd

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"reseller/client/phrase"
	"reseller/cmd/cli"
	"reseller/output/textwidth"
)

const (
	lineEvery = 10 * time.Second
	drawEvery = 100 * time.Millisecond
	barWidth  = 100 // the greatest width of the bar with the words behind it
	leastBar  = 10  // a narrower bar is left out
)

// A progress shows how far a load is: as a bar on a terminal, as a line every ten
// seconds elsewhere, and not at all with --quiet.
type progress struct {
	session *cli.Session
	what    string
	unit    string // the unit that is counted
	started time.Time
	// throttled returns to how many calls per second the service throttles the load, if
	// it does; may be nil.
	throttled func() (float64, bool)

	mu      sync.Mutex
	last    time.Time // when it was shown
	first   int       // the rows that were done when this run started, -1 before the first update
	done    int       // the rows that were done at the last update
	changed time.Time // when they became so many
	isDrawn bool      // there is a bar on the terminal
}

func newProgress(session *cli.Session, what, unit string) *progress {
	return &progress{session: session, what: what, unit: unit, started: time.Now(), last: time.Now(), first: -1}
}

func (p *progress) update(done, total int) {
	if p.session.Flags.Quiet || total == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first < 0 {
		p.first = done
	}
	if p.done != done {
		p.done, p.changed = done, time.Now()
	}
	switch since := time.Since(p.last); {
	case p.session.ErrTTY && (!p.isDrawn || since >= drawEvery):
		p.isDrawn = true
		fmt.Fprintf(p.session.Err, "\r%s\x1b[K", p.bar(done, total, p.session.Width()-1))
	case !p.session.ErrTTY && since >= lineEvery:
		fmt.Fprintf(p.session.Err, "%s: %s\n", p.what, strings.Join(p.status(done, total), ", "))
	default:
		return
	}
	p.last = time.Now()
}

// bar returns a bar with the status behind it, of which as much is left out as the width has no room for.
func (p *progress) bar(done, total, width int) string {
	words := p.status(done, total)
	text := words[0]
	for _, more := range words[1:] {
		if textwidth.Of(text+more)+2 <= width {
			text += ", " + more
		}
	}
	if room := min(width, barWidth) - textwidth.Of(text) - len("[] "); room >= leastBar {
		text = fmt.Sprintf("[%-*s] %s", room, (strings.Repeat("=", room*done/total) + ">")[:min(room*done/total+1, room)], text)
	}
	return textwidth.Truncate(text, width)
}

// status returns how far the load is, its speed and the time left, as far as they are known.
func (p *progress) status(done, total int) []string {
	words := []string{fmt.Sprintf("%d of %s", done, phrase.Count(total, strings.TrimSuffix(p.unit, "s"), p.unit))}
	elapsed := time.Since(p.started)
	rate := float64(done-p.first) / elapsed.Seconds()
	digits := 0
	if rate < 1 {
		digits = 1
	}
	if speed := fmt.Sprintf("%.*f", digits, rate); done > p.first && speed != "0.0" {
		words = append(words, speed+" per second")
	}
	waits := p.done == done && time.Since(p.changed) > max(2*time.Second, 3*p.changed.Sub(p.started)/time.Duration(max(done-p.first, 1)))
	if done > p.first && done < total && elapsed >= time.Second && !waits {
		words = append(words, timeLeft(float64(total-done)/rate)+" left")
	}
	if p.throttled != nil {
		if calls, ok := p.throttled(); ok {
			speed := fmt.Sprintf("%.3g calls", calls)
			if speed == "1 calls" {
				speed = "1 call"
			}
			words = append(words, "throttled to about "+speed+" per second")
		}
	}
	return words
}

// timeLeft returns a time in words that are no more exact than it can be known.
func timeLeft(seconds float64) string {
	unit := time.Second
	switch {
	case seconds > 24*60*60:
		return "more than a day"
	case seconds >= 60*60:
		unit = time.Minute
	case seconds >= 60:
		unit = 10 * time.Second
	}
	left := max(time.Duration(seconds*float64(time.Second)).Round(unit), time.Second).String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(left, zero) {
			left = left[:len(left)-len("0s")]
		}
	}
	return left
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isDrawn {
		p.isDrawn = false
		fmt.Fprint(p.session.Err, "\r\x1b[K")
	}
}
