package bulkcmd

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reseller/cmd/cli"
	"reseller/output/textwidth"
)

// TestProgressInALog updates the progress of a job whose stderr is no terminal:
// a line is written once in a while, and none with --quiet.
func TestProgressInALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		f := cli.NewFrame(cli.Streams{}, "")
		f.Err = &stderr
		p := newProgress(f.Session, "keywords.create", "rows")
		p.update(0, 1000)
		if got := stderr.String(); got != "" {
			t.Fatalf("at the start: got %q, want nothing", got)
		}
		time.Sleep(lineEvery)
		p.update(100, 1000)
		p.update(101, 1000)
		want := "keywords.create: 100 of 1000 rows, 10 per second, 1m30s left\n"
		if got := stderr.String(); got != want {
			t.Fatalf("after %s: got %q, want %q", lineEvery, got, want)
		}
		stderr.Reset()
		p.throttled = func() (float64, bool) { return 9.76, true }
		time.Sleep(lineEvery)
		p.update(200, 1000)
		want = "keywords.create: 200 of 1000 rows, 10 per second, 1m20s left, throttled to about 9.76 calls per second\n"
		if got := stderr.String(); got != want {
			t.Fatalf("while the service throttles the load: got %q, want %q", got, want)
		}
		stderr.Reset()
		time.Sleep(3 * lineEvery)
		p.update(200, 1000)
		want = "keywords.create: 200 of 1000 rows, 4 per second, throttled to about 9.76 calls per second\n"
		if got := stderr.String(); got != want {
			t.Fatalf("while the load waits for something else: got %q, want %q", got, want)
		}
		f.Flags.Quiet = true
		time.Sleep(lineEvery)
		p.update(200, 1000)
		if got := stderr.String(); got != want {
			t.Fatalf("with --quiet: got %q, want %q", got, want)
		}
	})
}

// TestProgressStatus makes the status of loads that have just begun, are slow, or nearly done: what is not known is
// left out, and the time left is bounded.
func TestProgressStatus(t *testing.T) {
	for _, c := range []struct {
		name             string
		after            time.Duration
		first, done, all int
		throttled        float64
		want             string
	}{
		{"just begun", 0, 0, 0, 1000, 0, "0 of 1000 rows"},
		{"one row", 5 * time.Second, 0, 0, 1, 0, "0 of 1 row"},
		{"too soon for a time", time.Millisecond * 500, 0, 10, 1000, 0, "10 of 1000 rows, 20 per second"},
		{"resumed, nothing yet", 5 * time.Second, 500, 500, 1000, 0, "500 of 1000 rows"},
		{"two rows in a minute", time.Minute, 0, 2, 100000, 0, "2 of 100000 rows, more than a day left"},
		{"hours", 10 * time.Second, 0, 100, 100100, 0, "100 of 100100 rows, 10 per second, 2h47m left"},
		{"an hour", 10 * time.Second, 0, 10, 3610, 0, "10 of 3610 rows, 1 per second, 1h left"},
		{"minutes", 10 * time.Second, 0, 100, 1333, 0, "100 of 1333 rows, 10 per second, 2m left"},
		{"the last second", 10 * time.Second, 0, 999, 1000, 0, "999 of 1000 rows, 100 per second, 1s left"},
		{"done", 10 * time.Second, 0, 1000, 1000, 0, "1000 of 1000 rows, 100 per second"},
		{"throttled", 10 * time.Second, 0, 5, 5, 1, "5 of 5 rows, 0.5 per second, throttled to about 1 call per second"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newProgress(cli.NewFrame(cli.Streams{}, "").Session, "keywords.create", "rows")
				p.first, p.throttled = c.first, func() (float64, bool) { return c.throttled, c.throttled > 0 }
				time.Sleep(c.after)
				if got := strings.Join(p.status(c.done, c.all), ", "); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			})
		})
	}
}

// TestProgressFitsTheTerminal draws the bar in narrow and wide terminals.
func TestProgressFitsTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProgress(cli.NewFrame(cli.Streams{}, "").Session, "keywords.create", "rows")
		p.first, p.throttled = 0, func() (float64, bool) { return 9.76, true }
		time.Sleep(10 * time.Second)
		for width, want := range map[int]string{
			10:  "500 of 10…",
			40:  "500 of 1000 rows, 50 per second",
			60:  "[========>       ] 500 of 1000 rows, 50 per second, 10s left",
			120: "[=======>      ] 500 of 1000 rows, 50 per second, 10s left, throttled to about 9.76 calls per second",
		} {
			if got := p.bar(500, 1000, width); got != want || textwidth.Of(got) > width {
				t.Errorf("in %d columns: got %q, want %q", width, got, want)
			}
		}
	})
}
