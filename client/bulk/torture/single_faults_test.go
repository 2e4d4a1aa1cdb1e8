package torture_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"reseller/client/mock/fault"
)

// singleFaults returns runs of keyword files with one fault each: every fault at each
// of the calls from first to last, and at each of the lists that are read to reconcile
// a call whose response was lost.
func singleFaults(first, last int) []tortureRun {
	var runs []tortureRun
	for _, name := range faultNames() {
		hook := newSchedule(0, 1, name)
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			injected := hook(1, method, "/api/v1/keywords")
			for at := first; at <= last && injected != (fault.Fault{}); at++ {
				c := tortureRun{
					seed: int64(len(runs)), input: keywordFile(rand.New(rand.NewPCG(1, 1)), 24, 0), batchSize: 8, concurrency: 1,
					noSkip: method == http.MethodPost, timeout: time.Minute,
					firstStartOnly: method != http.MethodGet || at > 1, // a first list that can't be read ends the load before anything is sent
					schedule:       atCall(method, at, injected), title: fmt.Sprintf("%s at %s %d", name, method, at),
				}
				runs = append(runs, c)
			}
		}
	}
	return runs
}

// atCall injects a fault into one call of a method. If that is a read, the response to a
// write is lost before it, so that rows are read back.
func atCall(method string, at int, injected fault.Fault) fault.Schedule {
	seen := map[string]int{}
	return func(_ int, m, _ string) fault.Fault {
		seen[m]++
		switch {
		case m == method && seen[m] == at:
			return injected
		case method == http.MethodGet && m == http.MethodPost && seen[m] == 2:
			return fault.Fault{Reset: true}
		}
		return fault.Fault{}
	}
}
