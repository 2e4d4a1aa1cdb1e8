//go:build linux

package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// settling is the time after the first call in which calls do not count.
const settling = 20 * time.Second

// buckets throttle calls, each with the rate and the burst in the path. There are no
// more than those that bench.sh asks for.
type buckets struct{ all sync.Map }

// A bucket throttles calls with a token bucket, and counts them.
type bucket struct {
	perSecond float64
	limiter   *rate.Limiter

	mu                sync.Mutex
	first, last       time.Time
	accepted, refused int // after the settling time
}

func (b *buckets) of(r *http.Request) *bucket {
	perSecond, _ := strconv.ParseFloat(r.PathValue("rate"), 64)
	burst, _ := strconv.Atoi(r.PathValue("burst"))
	found, _ := b.all.LoadOrStore(r.PathValue("rate")+"/"+r.PathValue("burst"),
		&bucket{perSecond: perSecond, limiter: rate.NewLimiter(rate.Limit(perSecond), burst)})
	return found.(*bucket)
}

// call answers a call, or refuses it with 429.
func (b *buckets) call(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if r.Method == http.MethodGet {
		answer(w, begin+"]"+end)
		return
	}
	if !b.of(r).take() {
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	answer(w, `{"data":{"account_id":1,"campaign_id":101,"keyword":"","keyword_type":"target"}`+end)
}

// take reports whether a call is accepted.
func (b *bucket) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	accepted := b.limiter.AllowN(now, 1)
	if b.first.IsZero() {
		b.first = now
	}
	if now.Sub(b.first) < settling {
		return accepted
	}
	b.last = now
	if accepted {
		b.accepted++
	} else {
		b.refused++
	}
	return accepted
}

// figures answers with the accepted calls in percent of those that were allowed, and the
// refused calls in percent of all.
func (b *buckets) figures(w http.ResponseWriter, r *http.Request) {
	found := b.of(r)
	found.mu.Lock()
	defer found.mu.Unlock()
	seconds := found.last.Sub(found.first.Add(settling)).Seconds()
	fmt.Fprintf(w, "%.1f %.1f\n", 100*float64(found.accepted)/(found.perSecond*seconds), 100*float64(found.refused)/float64(max(1, found.accepted+found.refused)))
}
