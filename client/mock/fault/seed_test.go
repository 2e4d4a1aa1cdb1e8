package fault

import "testing"

// TestScheduleFollowsItsSeed checks that a schedule lets a share of the requests fail, by each of the faults, and that its seed
// decides which. A 503 with Retry-After, which clients read as "not carried out", is never sent for a request that was.
func TestScheduleFollowsItsSeed(t *testing.T) {
	const requests, share = 20_000, 0.25
	for name, faults := range map[string][]Fault{"server errors": nil, "one": {{Truncate: true}}, "two": {{HTML: true}, {Reset: true}}} {
		t.Run(name, func(t *testing.T) {
			one, again, other := NewSchedule(1, share, faults...), NewSchedule(1, share, faults...), NewSchedule(2, share, faults...)
			seen, differ := map[Fault]int{}, false
			for n := 1; n <= requests; n++ {
				f := one(n, "POST", "")
				seen[f]++
				if got := again(n, "POST", ""); got != f {
					t.Fatalf("request %d with the same seed: got %+v, want %+v", n, got, f)
				}
				differ = differ || f != other(n, "POST", "")
				if f.RetryAfter != "" && f.Execute != ExecuteNone {
					t.Errorf("got Retry-After for a request that is carried out: %+v", f)
				}
			}
			if !differ {
				t.Error("another seed gave the same faults")
			}
			if got := 1 - float64(seen[Fault{}])/requests; got < share-0.02 || got > share+0.02 {
				t.Errorf("got a share of %v, want %v", got, share)
			}
			if faults == nil {
				faults = serverErrors
			}
			for _, f := range faults {
				if seen[f] < 100 {
					t.Errorf("%+v: got %d requests with it, want more", f, seen[f])
				}
			}
		})
	}
}
