package torture_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The torture loads files with the real program into a mock service that injects all its
// faults, kills the program in mid-load, starts it again until the job is finished, and
// then compares what the service stores with the file.
//
//	go test ./client/bulk/torture -run Torture/kills -v -timeout 0 -torture 2000
//	go test ./client/bulk/torture -run Torture/kills -v -torture 1 -torture-seed SEED
//
// A disaster befalls two of three runs: a full disk, a journal that was damaged, and others
// (disasterKinds). A service that is late by up to a minute takes several minutes a run:
//
//	go test ./client/bulk/torture -run Torture/kills -v -timeout 0 -torture 200 -torture-late -torture-parallel 200
//
// The following shows that the torture would notice a lost log: the log is removed
// between kill and restart, and nothing else says which rows were sent. It must report
// repeated rows, and fail:
//
//	go test ./client/bulk/torture -run Torture/kills -v -torture 100 -torture-forget
var (
	tortureRuns      = flag.Int("torture", 0, "runs of the torture (default a few dozen, fewer with -short)")
	tortureSeed      = flag.Int64("torture-seed", 0, "seed of the first run; the next ones count up (default 1, or the clock with -torture)")
	tortureForget    = flag.Bool("torture-forget", false, "remove the log between kill and restart")
	tortureProgram   = flag.String("torture-program", "", "program to run (default: built from this source)")
	tortureCustomers = flag.Bool("torture-customers", false, "load only customers, each of which needs several writes (default every fourth run)")
	torturePortfolio = flag.Bool("torture-portfolio", false, "apply only portfolios (default every eighth run)")
	tortureLate      = flag.Bool("torture-late", false, "run against a service whose lists and writes are late by up to a minute, without --settle-time")
	tortureParallel  = flag.Int("torture-parallel", 32, "runs at a time")
)

// build builds the real program and returns its path.
func build(t *testing.T) string {
	t.Helper()
	if *tortureProgram != "" {
		return *tortureProgram
	}
	path := filepath.Join(t.TempDir(), "reseller.exe")
	args := []string{"build", "-ldflags=-s -w", "-o", path}
	if *tortureRuns > 0 {
		overlay, err := buildOverlay(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "-overlay", overlay)
	}
	out, err := exec.CommandContext(t.Context(), "go", append(args, "../../..")...).CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// totals count what runs did and found.
type totals struct {
	Runs, Starts, Requests, Rows  int
	Kills, Missed, Interrupts     int // a kill counts if some rows were stored, and not all
	Unknown, Lost, Twice, Secrets int
	Told                          int // stored twice, as the program has told that it may be
	Faults                        map[string]int
	seconds                       float64
	kinds                         map[string]totals // by the kind of input, and of disaster
}

// addKind adds what a run found to the totals of its kinds, too.
func (f *totals) addKind(o totals, kinds ...string) {
	f.add(o)
	if f.kinds == nil {
		f.kinds = map[string]totals{}
	}
	for _, kind := range kinds {
		sum := f.kinds[kind]
		sum.add(o)
		f.kinds[kind] = sum
	}
}

func (f *totals) add(o totals) {
	f.Runs, f.Starts, f.Requests, f.Rows = f.Runs+o.Runs, f.Starts+o.Starts, f.Requests+o.Requests, f.Rows+o.Rows
	f.Kills, f.Missed, f.Interrupts = f.Kills+o.Kills, f.Missed+o.Missed, f.Interrupts+o.Interrupts
	f.Unknown, f.Lost, f.Twice, f.Secrets = f.Unknown+o.Unknown, f.Lost+o.Lost, f.Twice+o.Twice, f.Secrets+o.Secrets
	f.Told += o.Told
	if f.Faults == nil {
		f.Faults = map[string]int{}
	}
	for name, n := range o.Faults {
		f.Faults[name] += n
	}
}

func (f totals) String() string {
	total, kinds := 0, []string{}
	for _, name := range slices.Sorted(maps.Keys(f.Faults)) {
		total += f.Faults[name]
		kinds = append(kinds, fmt.Sprintf("%s %d", name, f.Faults[name]))
	}
	text := fmt.Sprintf("%d runs, %d starts, %d kills in mid-load (%d more were not), %d interrupts, %d requests, %d faults, %d rows: %d lost, %d twice (%d more were told), %d unknown, %d secrets on disk",
		f.Runs, f.Starts, f.Kills, f.Missed, f.Interrupts, f.Requests, total, f.Rows, f.Lost, f.Twice, f.Told, f.Unknown, f.Secrets)
	if f.kinds == nil {
		return text
	}
	text += fmt.Sprintf(" (%.0f s)\nfaults: %s", f.seconds, strings.Join(kinds, ", "))
	for _, kind := range slices.Sorted(maps.Keys(f.kinds)) {
		text += fmt.Sprintf("\n%s: %v", kind, f.kinds[kind])
	}
	return text
}

// torture runs all runs, several at a time, and adds up what they found.
func torture(t *testing.T, program string, runs []tortureRun) totals {
	t.Helper()
	var (
		begin = time.Now()
		mu    sync.Mutex
		sum   totals
		group sync.WaitGroup
		slots = make(chan struct{}, *tortureParallel)
	)
	for _, one := range runs {
		if one.disaster == nil {
			one.disaster = &disaster{}
		}
		name := cmp.Or(one.disaster.kind, "no disaster") // a disaster that can't be had becomes none
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			start := time.Now()
			found, err := one.run(t, program)
			if took := time.Since(start); took > 20*time.Second && *tortureRuns == 0 {
				t.Logf("%v took %.0f s", one, took.Seconds())
			}
			mu.Lock()
			defer mu.Unlock()
			sum.addKind(found, one.input.name, name)
			if err != nil {
				t.Errorf("%v: %v", one, err)
			}
			if sum.Runs%250 == 0 {
				sum.seconds = time.Since(begin).Seconds()
				t.Log(sum)
			}
		})
	}
	group.Wait()
	sum.seconds = time.Since(begin).Seconds()
	t.Log(sum)
	return sum
}

func TestTorture(t *testing.T) {
	t.Parallel()
	program := build(t)
	t.Run("kills", func(t *testing.T) {
		t.Parallel()
		runs, first := *tortureRuns, *tortureSeed
		switch {
		case runs > 0 && first == 0:
			first = time.Now().Unix()
		case runs == 0 && testing.Short():
			runs = 12
		case runs == 0:
			runs = 36
		}
		var all []tortureRun
		for i := range int64(runs) {
			all = append(all, newTortureRun(max(first, 1)+i, *tortureForget))
		}
		if sum := torture(t, program, all); runs >= 10 && !*tortureForget && !*tortureLate && (sum.Kills < runs/2 || len(sum.Faults) < 10) {
			t.Errorf("got %d kills and %d kinds of faults, want at least %d and 10", sum.Kills, len(sum.Faults), runs/2)
		}
	})
	// Without a log the torture finds repeated rows: it would notice a broken log.
	t.Run("without log", func(t *testing.T) {
		t.Parallel()
		var runs []tortureRun
		for seed := range int64(6) {
			one := newTortureRun(1+seed, true)
			one.expectDuplicates = true
			runs = append(runs, one)
		}
		if sum := torture(t, program, runs); sum.Twice == 0 {
			t.Errorf("got no repeated rows after %d kills without a log, want some", sum.Kills)
		}
	})
	t.Run("single faults", func(t *testing.T) {
		t.Parallel()
		first, last := 2, 2
		if *tortureRuns > 0 {
			first, last = 1, 3
		}
		torture(t, program, singleFaults(first, last))
	})
	t.Run("customers", func(t *testing.T) {
		t.Parallel()
		kinds := []string{"reset-before", "reset-after", "garbled"}
		if *tortureRuns > 0 {
			kinds = faultNames()
		}
		torture(t, program, customerFaults(kinds))
	})
}
