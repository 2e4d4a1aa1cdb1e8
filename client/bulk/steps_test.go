package bulk_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"reseller/client/mock/fault"
)

// steps are loads in which one thing goes wrong: each fault at one of the first calls,
// and at one of the lists that are read to settle a lost answer.
func steps(first, last int) []trial {
	var trials []trial
	for _, name := range fault.Names() {
		hook, err := fault.NewSchedule(0, 1, name)
		if err != nil {
			panic(err)
		}
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			injected := hook(1, method, "/api/v1/keywords")
			for at := first; at <= last && injected != (fault.Fault{}); at++ {
				c := trial{
					seed: int64(len(trials)), load: keywords(rand.New(rand.NewPCG(1, 1)), 24, 0), batchSize: 8, workers: 1,
					blind: method == http.MethodPost, timeout: time.Minute,
					strict:  method != http.MethodGet || at > 1, // what can't be read at first ends a load, with nothing sent
					weather: once(method, at, injected), title: fmt.Sprintf("%s at %s %d", name, method, at),
				}
				trials = append(trials, c)
			}
		}
	}
	return trials
}

// once lets one call of a method fail. Where that is a read, an answer has been
// lost before, so that there is something to read.
func once(method string, at int, injected fault.Fault) fault.Schedule {
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
