package bulk_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"reseller/client/mock"
)

// steps are loads in which one thing goes wrong: each fault at one of the first calls,
// and at one of the lists that are read to settle a lost answer.
func steps(first, last int) []trial {
	var trials []trial
	for _, name := range mock.Names() {
		hook, err := mock.NewSchedule(0, 1, name)
		if err != nil {
			panic(err)
		}
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			fault := hook(1, method, "/api/v1/keywords")
			for at := first; at <= last && fault != (mock.Fault{}); at++ {
				c := trial{
					seed: int64(len(trials)), load: keywords(rand.New(rand.NewPCG(1, 1)), 24, 0), batchSize: 8, workers: 1,
					blind: method == http.MethodPost, timeout: time.Minute,
					strict:  method != http.MethodGet || at > 1, // what can't be read at first ends a load, with nothing sent
					weather: once(method, at, fault), title: fmt.Sprintf("%s at %s %d", name, method, at),
				}
				trials = append(trials, c)
			}
		}
	}
	return trials
}

// once lets one call of a method fail. Where that is a read, an answer has been
// lost before, so that there is something to read.
func once(method string, at int, fault mock.Fault) mock.Schedule {
	seen := map[string]int{}
	return func(_ int, m, _ string) mock.Fault {
		seen[m]++
		switch {
		case m == method && seen[m] == at:
			return fault
		case method == http.MethodGet && m == http.MethodPost && seen[m] == 2:
			return mock.Fault{Reset: true}
		}
		return mock.Fault{}
	}
}
