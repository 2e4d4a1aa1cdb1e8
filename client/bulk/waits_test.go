package bulk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client/bulk/job"
)

// TestWaits loads 200 rows in 21 calls, some of which get no response, and checks for how
// long the load waits, in all its runs together: at most the settling time and until one more reading, also if the list is
// late. It does not wait for rows that the list shows.
//
//	go test ./client/bulk -run Waits -v
func TestWaits(t *testing.T) {
	for lost, isLost := range map[string]func(call int) bool{
		"first":  func(call int) bool { return call == 1 },
		"middle": func(call int) bool { return call == 10 },
		"last":   func(call int) bool { return call == 21 },
		"canary": func(call int) bool { return call == 1 || call == 20 }, // 20 is a row of the last batch alone
		"ten":    func(call int) bool { return call > 1 && call < 20 && call%2 == 0 || call == 19 },
	} {
		for _, isStored := range []bool{true, false} {
			for _, lag := range []time.Duration{0, 5 * time.Second, 30 * time.Second} {
				t.Run(fmt.Sprintf("%s stored %t lag %v", lost, isStored, lag), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						s := &lateService{random: rand.New(rand.NewPCG(1, 1)), lag: lag, latency: 100 * time.Millisecond, readsWhole: true, refusesLast: -1}
						s.loseCall = func(call int) (bool, bool) { return isLost(call), isStored }
						waited, runs, notes := s.loadUntilDone(t)
						most, mostRuns := lag+maxReconcileDelay, 1
						if !isStored {
							most = cutSettleTime + ReconcileDelay
						}
						if !isStored && (lag > maxLateWait || (lost == "last" || lost == "canary") && lag > 0) {
							mostRuns = 2 // the list does not show the witness in time, or there is none
						}
						isLed := lost != "canary" && lag > 0 && lag <= maxLateWait // the canary was sent before the end of the settling time
						if told := strings.Contains(notes, "then stored twice"); told != (!isStored && (lost == "last" || isLed)) {
							t.Errorf("told that rows may be stored twice: %t; only without a later witness a late list could deceive the load", told)
						}
						t.Logf("%-6s stored %-5t lag %2.0f s: waited %4.1f s, %d runs, %d lists", lost, isStored, lag.Seconds(), waited.Seconds(), runs, s.lists)
						if runs > mostRuns || waited > most {
							t.Errorf("the load waited %v in %d runs, want at most %v in %d; notes:\n%s", waited, runs, most, mostRuns, notes)
						}
					})
				})
			}
		}
	}
}

// loadUntilDone loads 200 rows, again and again until nothing is left to do, and returns for how long it has waited.
func (s *lateService) loadUntilDone(t *testing.T) (waited time.Duration, runs int, notes string) {
	path := writeFile(t, "k.csv", keywordRows(200))
	store := job.Store(filepath.Join(t.TempDir(), "jobs"))
	began := time.Now()
	o := Options{BatchSize: 10, Concurrency: 1, Retries: 4, Note: func(text string) { notes += text + "\n" }}
	o.sleep = func(_ context.Context, d time.Duration) error {
		time.Sleep(d)
		waited += d
		return nil
	}
	o.boot = func() job.Boot { return job.Boot{ID: "boot", Uptime: time.Since(began)} }
	var table *job.Table
	for isDone := false; !isDone && runs < 4; runs++ {
		if runs > 0 {
			time.Sleep(cutSettleTime + MaxListLag)
		}
		src, j := beginJob(t, store, path, createSchema())
		if _, err := Run(t.Context(), src, Rows(s.op()), j, o); err != nil {
			t.Error(err)
		}
		table, isDone = j.Table(), j.Finished()
		_, _ = j.Close(), src.Close()
	}
	time.Sleep(2 * maxLate)
	if twice, faults := s.check(table); table.Count(job.StateUnknown) > 0 || twice > 0 || faults != nil {
		t.Errorf("%d rows are unknown after %d runs: %s; %d are stored twice; %q", table.Count(job.StateUnknown), runs, strings.TrimSpace(notes), twice, faults)
	}
	return waited, runs, notes
}

// TestNamedTimeHolds loads rows of which the service answers the last calls with a 500 of its own, and checks that the load finds
// out what became of them when it is run again at the time that the first run names.
func TestNamedTimeHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &lateService{random: rand.New(rand.NewPCG(1, 1)), readsWhole: true}
		path, store, notes, began := writeFile(t, "k.csv", keywordRows(30)), newStore(t), "", time.Now()
		boot := func() job.Boot { return job.Boot{ID: "boot", Uptime: time.Since(began)} }
		load := func() job.Summary {
			notes = ""
			src, j := beginJob(t, store, path, createSchema())
			defer func() { _, _ = j.Close(), src.Close() }()
			sum, err := Run(t.Context(), src, Rows(s.op()), j, Options{BatchSize: 5, Concurrency: 1, Retries: 1, boot: boot, Note: func(text string) { notes += text + "\n" }})
			noError(t, err)
			return sum
		}
		s.refuses = 1
		if sum := load(); sum.Unknown == 0 {
			t.Fatalf("got %+v, want unknown rows", sum)
		}
		_, clock, _ := strings.Cut(notes, " stored, at ")
		at, err := time.ParseInLocation("15:04:05", clock[:min(8, len(clock))], time.Local)
		if err != nil {
			t.Fatalf("the notes %q name no time: %v", notes, err)
		}
		now := time.Now()
		left := at.AddDate(now.Year(), int(now.Month())-1, now.Day()-1).Sub(now)
		if left < 0 {
			left += 24 * time.Hour
		}
		time.Sleep(left + time.Second)
		s.refuses = 0
		wantCounts(t, load(), counts{Rows: 30, Sent: 30})
	})
}
