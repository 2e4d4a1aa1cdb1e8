package bulkcmd

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"reseller/cmd/cli"
)

const (
	lineEvery = 10 * time.Second
	barWidth  = 100
)

// A progress shows how far a load is: as a bar on a terminal, as a line every ten
// seconds elsewhere, and not at all with --quiet.
type progress struct {
	f       *cli.Factory
	what    string
	unit    string // the unit that is counted
	started time.Time
	// throttled returns to how many calls per second the service throttles the load, if
	// it does; may be nil.
	throttled func() (float64, bool)

	mu         sync.Mutex
	last       time.Time
	first      int // the rows that were done when this run started, -1 before the first update
	pool       *mpb.Progress
	bar        *mpb.Bar
	statusText atomic.Pointer[string] // the text of the bar, which must not wait for mu
}

func newProgress(f *cli.Factory, what, unit string) *progress {
	return &progress{f: f, what: what, unit: unit, started: time.Now(), last: time.Now(), first: -1}
}

func (p *progress) update(done, total int) {
	if p.f.Flags.Quiet || total == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first < 0 {
		p.first = done
	}
	if p.f.ErrTTY {
		p.render(done, total)
		return
	}
	if time.Since(p.last) >= lineEvery {
		p.last = time.Now()
		fmt.Fprintf(p.f.Err, "%s: %s\n", p.what, p.status(done, total))
	}
}

func (p *progress) render(done, total int) {
	words := " " + p.status(done, total)
	p.statusText.Store(&words)
	if p.bar == nil {
		p.pool = mpb.New(mpb.WithOutput(p.f.Err), mpb.WithWidth(barWidth), mpb.WithAutoRefresh())
		p.bar = p.pool.New(int64(total), mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
				return *p.statusText.Load()
			})))
	}
	// A full bar would be completed, but it is removed at the end.
	p.bar.SetCurrent(int64(min(done, total-1)))
}

// status returns how far the load is, its speed and the time left.
func (p *progress) status(done, total int) string {
	rate := float64(done-p.first) / time.Since(p.started).Seconds()
	if rate <= 0 {
		return fmt.Sprintf("%d of %d %s", done, total, p.unit)
	}
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	digits := 0
	if rate < 1 {
		digits = 1
	}
	text := fmt.Sprintf("%d of %d %s, %.*f per second, %s left", done, total, p.unit, digits, rate, left.Round(time.Second))
	if p.throttled != nil {
		if calls, ok := p.throttled(); ok {
			text += fmt.Sprintf(", throttled to about %.3g calls per second", calls)
		}
	}
	return text
}

// end removes the bar.
func (p *progress) end() {
	p.mu.Lock()
	bar, pool := p.bar, p.pool
	p.bar, p.pool = nil, nil
	p.mu.Unlock()
	if bar != nil {
		bar.Abort(true)
		pool.Wait()
	}
}
