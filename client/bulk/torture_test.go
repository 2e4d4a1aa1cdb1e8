package bulk_test

import (
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

	"reseller/client/mock/fault"
)

// The torture loads files with the real program into a mock service that fails in
// every way it knows, kills the program in the middle, starts it again until it is
// done, and then compares what the service holds with the file.
//
//	go test ./client/bulk -run Torture/kills -v -timeout 0 -torture 2000
//	go test ./client/bulk -run Torture/kills -v -torture 1 -torture-seed SEED
//
// To see that it would notice: with the journal thrown away between kill and
// restart, and nothing but the journal to go by, this must report rows that are
// there twice, and fail:
//
//	go test ./client/bulk -run Torture/kills -v -torture 100 -torture-forget
var (
	tortureRuns    = flag.Int("torture", 0, "runs of the torture (default a few dozen, fewer with -short)")
	tortureSeed    = flag.Int64("torture-seed", 0, "seed of the first run; the next ones count up (default 1, or the clock with -torture)")
	tortureForget  = flag.Bool("torture-forget", false, "throw the journal away between kill and restart")
	tortureProgram = flag.String("torture-program", "", "program to torture (default: built from this source)")
	tortureOnly    = flag.Bool("torture-customers", false, "load customers only, who need several writes each (default every fourth run)")
	tortureAside   = flag.Int("torture-parallel", 32, "runs beside each other")
)

// build makes the real program.
func build(t *testing.T) string {
	t.Helper()
	if *tortureProgram != "" {
		return *tortureProgram
	}
	path := filepath.Join(t.TempDir(), "reseller.exe")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, "reseller").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// figures are what the torture did and found.
type figures struct {
	Runs, Starts, Requests, Rows int
	Kills, Missed, Interrupts    int // a kill counts when some rows were in, and not all
	Unknown, Lost, Twice, Leaks  int
	Faults                       map[string]int
	seconds                      float64
}

func (f *figures) add(o figures) {
	f.Runs, f.Starts, f.Requests, f.Rows = f.Runs+o.Runs, f.Starts+o.Starts, f.Requests+o.Requests, f.Rows+o.Rows
	f.Kills, f.Missed, f.Interrupts = f.Kills+o.Kills, f.Missed+o.Missed, f.Interrupts+o.Interrupts
	f.Unknown, f.Lost, f.Twice, f.Leaks = f.Unknown+o.Unknown, f.Lost+o.Lost, f.Twice+o.Twice, f.Leaks+o.Leaks
	if f.Faults == nil {
		f.Faults = map[string]int{}
	}
	for name, n := range o.Faults {
		f.Faults[name] += n
	}
}

func (f figures) String() string {
	total, kinds := 0, []string{}
	for _, name := range slices.Sorted(maps.Keys(f.Faults)) {
		total += f.Faults[name]
		kinds = append(kinds, fmt.Sprintf("%s %d", name, f.Faults[name]))
	}
	return fmt.Sprintf("%d runs, %d starts, %d kills in mid-load (%d more were not), %d interrupts, %d requests, %d faults, %d rows: %d lost, %d twice, %d unknown, %d secrets on disk (%.0f s)\nfaults: %s",
		f.Runs, f.Starts, f.Kills, f.Missed, f.Interrupts, f.Requests, total, f.Rows, f.Lost, f.Twice, f.Unknown, f.Leaks, f.seconds, strings.Join(kinds, ", "))
}

// torture runs trials beside each other and adds up what they found.
func torture(t *testing.T, program string, trials []trial) figures {
	t.Helper()
	var (
		begin  = time.Now()
		mu     sync.Mutex
		sum    figures
		group  sync.WaitGroup
		places = make(chan struct{}, *tortureAside)
	)
	for _, one := range trials {
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			start := time.Now()
			found, err := one.run(t, program)
			if took := time.Since(start); took > 20*time.Second && *tortureRuns == 0 {
				t.Logf("%v took %.0f s", one, took.Seconds())
			}
			mu.Lock()
			defer mu.Unlock()
			sum.add(found)
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
		var trials []trial
		for i := range int64(runs) {
			trials = append(trials, draw(max(first, 1)+i, *tortureForget))
		}
		if sum := torture(t, program, trials); runs >= 10 && !*tortureForget && (sum.Kills < runs/2 || len(sum.Faults) < 10) {
			t.Errorf("that was no torture: %v", sum)
		}
	})
	// The torture would notice: without a journal it finds rows that are there twice.
	t.Run("teeth", func(t *testing.T) {
		t.Parallel()
		var trials []trial
		for seed := range int64(6) {
			one := draw(1+seed, true)
			one.teeth = true
			trials = append(trials, one)
		}
		if sum := torture(t, program, trials); sum.Twice == 0 {
			t.Errorf("nothing is twice after %d kills without a journal", sum.Kills)
		}
	})
	t.Run("steps", func(t *testing.T) {
		t.Parallel()
		first, last := 2, 2
		if *tortureRuns > 0 {
			first, last = 1, 3
		}
		torture(t, program, steps(first, last))
	})
	t.Run("customers", func(t *testing.T) {
		t.Parallel()
		kinds := []string{"reset-before", "reset-after", "garbled"}
		if *tortureRuns > 0 {
			kinds = fault.Names()
		}
		torture(t, program, customerSteps(kinds))
	})
}
