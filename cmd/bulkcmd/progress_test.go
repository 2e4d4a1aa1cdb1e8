package bulkcmd

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"reseller/cmd/cli"
)

// TestProgressInALog updates the progress of a job whose stderr is no terminal:
// a line is written once in a while, and none with --quiet.
func TestProgressInALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		f := &cli.Factory{}
		f.Err = &stderr
		p := newProgress(f, "keywords.create", "rows")
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
		f.Flags.Quiet = true
		time.Sleep(lineEvery)
		p.update(200, 1000)
		if got := stderr.String(); got != want {
			t.Fatalf("with --quiet: got %q, want %q", got, want)
		}
	})
}
