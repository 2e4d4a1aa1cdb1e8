package fault_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client/mock"
	"reseller/client/mock/fault"
)

func TestFailRate(t *testing.T) {
	run := func(seed int64) (trace []int, seen map[string]int) {
		s := serve(t, mock.Options{Faults: fault.NewSchedule(seed, 0.5)})
		seen = map[string]int{}
		const requests = 300
		succeeded, before := 0, 0
		for i := range requests {
			r := s.send(http.MethodPost, keywordsPath, batchBody(fmt.Sprint("x", i)))
			after := len(s.stored())
			executed := after > before
			before = after
			trace = append(trace, r.status)
			if r.status == http.StatusOK {
				succeeded++
				if !executed {
					t.Fatal("a request that succeeded was not carried out")
				}
				continue
			}
			if executed {
				seen["after"]++
			} else {
				seen["before"]++
			}
			seen[strconv.Itoa(r.status)]++
			if strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
				seen["html"]++
			}
			if r.header.Get("Retry-After") != "" {
				seen["retry-after"]++
				if executed || r.status != http.StatusServiceUnavailable {
					t.Errorf("Retry-After with status %d, carried out: %v", r.status, executed)
				}
			}
		}
		if succeeded < requests/3 || succeeded > 2*requests/3 {
			t.Errorf("%d of %d requests succeeded at a fail rate of 0.5", succeeded, requests)
		}
		return trace, seen
	}
	trace, seen := run(1)
	for _, kind := range []string{"after", "before", "500", "502", "503", "html", "retry-after"} {
		if seen[kind] == 0 {
			t.Errorf("no failure is %s: %v", kind, seen)
		}
	}
	if again, _ := run(1); !slices.Equal(again, trace) {
		t.Error("the same seed gave other statuses")
	}
	if other, _ := run(2); slices.Equal(other, trace) {
		t.Error("another seed gave the same statuses")
	}
}

func TestRateLimit(t *testing.T) {
	t.Run("Retry-After", func(t *testing.T) {
		s := serve(t, mock.Options{RateLimit: 0.5})
		s.mustSend(http.MethodGet, campaignsPath, "")
		r := s.send(http.MethodGet, campaignsPath, "")
		if got := r.header.Get("Retry-After"); r.status != http.StatusTooManyRequests || got != "2" {
			t.Errorf("got %d with Retry-After %q, want 429 with 2", r.status, got)
		}
		if !strings.Contains(r.body, `"messages":["Too Many Requests"]`) {
			t.Errorf("got %s", r.body)
		}
	})
	t.Run("burst", func(t *testing.T) {
		s := serve(t, mock.Options{RateLimit: 20})
		refused := 0
		for range 40 {
			if s.send(http.MethodGet, "/api/v1/accounts/1", "").status == http.StatusTooManyRequests {
				refused++
			}
		}
		if refused < 5 || refused > 20 {
			t.Errorf("%d of 40 requests refused at 20 a second, want 5 to 20", refused)
		}
	})
}

// Slow responses delay no other request: eight together take as long as one.
func TestLatency(t *testing.T) {
	const latency = 150 * time.Millisecond
	s := serve(t, mock.Options{Latency: latency})
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				r := httptest.NewRequest(http.MethodGet, campaignsPath, nil)
				r.Header.Set("Authorization", "Bearer "+s.token)
				s.faulty.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
		group.Wait()
		if took := time.Since(begin); took != latency {
			t.Errorf("eight requests took %v, want %v", took, latency)
		}
	})
}

func TestLatencyEndsWithTheRequest(t *testing.T) {
	s := serve(t, mock.Options{Latency: time.Hour})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	r := httptest.NewRequest(http.MethodGet, campaignsPath, nil).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+s.token)
	w := httptest.NewRecorder()
	s.faulty.ServeHTTP(w, r) // it would take an hour
	if w.Code == http.StatusOK {
		t.Errorf("got %d", w.Code)
	}
}
