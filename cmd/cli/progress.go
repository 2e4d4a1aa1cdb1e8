package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	barEvery  = 100 * time.Millisecond
	lineEvery = 10 * time.Second
	barCells  = 24
)

// A progress tells how far a load is: a bar on a terminal, a line now and then
// elsewhere, nothing where it is to be quiet.
type progress struct {
	f     *Factory
	what  string
	begun time.Time

	mu    sync.Mutex
	last  time.Time
	first int // rows that were done when this run began, -1 before it is known
	drawn bool
}

func (f *Factory) progress(what string) *progress {
	return &progress{f: f, what: what, begun: time.Now(), last: time.Now(), first: -1}
}

func (p *progress) show(done, total int) {
	if p.f.Flags.Quiet || total == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first < 0 {
		p.first = done
	}
	every := lineEvery
	if p.f.ErrTTY {
		every = barEvery
	}
	if time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	line := fmt.Sprintf("%d of %d rows, %s", done, total, p.pace(done, total))
	if !p.f.ErrTTY {
		fmt.Fprintf(p.f.Err, "%s: %s\n", p.what, line)
		return
	}
	full := barCells * done / total
	fmt.Fprintf(p.f.Err, "\r\x1b[K[%s%s] %s", strings.Repeat("=", full), strings.Repeat(" ", barCells-full), line)
	p.drawn = true
}

// pace is the rate and the time left.
func (p *progress) pace(done, total int) string {
	passed := time.Since(p.begun)
	rate := float64(done-p.first) / passed.Seconds()
	if rate <= 0 {
		return "waiting"
	}
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	return fmt.Sprintf("%.0f a second, %s left", rate, left.Round(time.Second))
}

// note tells something without getting in the way of the bar.
func (p *progress) note(text string) {
	p.end()
	p.f.Note("%s", text)
}

// end takes the bar away.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.f.Err, "\r\x1b[K")
		p.drawn = false
	}
}
