package breaker

import (
	"fmt"
	"strings"
	"testing"

	"reseller/client/bulk/job"
)

var refused422 = job.Result{State: job.StateRefused, HTTPStatus: 422, Message: "no such campaign"}

func testBreakers() *Set { return New("campaign") }

func TestBreakerOpensAtTheThreshold(t *testing.T) {
	b := testBreakers()
	for n := range Threshold {
		if _, open := b.Open("a"); open {
			t.Fatalf("the breaker is open after %d refused rows, want %d", n, Threshold)
		}
		b.RecordRowFailure("a", refused422)
	}
	result, open := b.Open("a")
	if !open || result.State != job.StateRefused || result.HTTPStatus != 422 || !strings.HasPrefix(result.Message, "no such campaign (not sent: 20 rows ") {
		t.Errorf("got open %t with %+v, want open with the refusal and how many rows it met", open, result)
	}
	if _, open := b.Open("b"); open {
		t.Error("the breaker of another key is open")
	}
	b.RecordSuccess("a")
	if _, open := b.Open("a"); open {
		t.Error("the breaker is open although the key accepted a row")
	}
}

func TestBreakerStaysClosed(t *testing.T) {
	for name, c := range map[string]struct {
		breakers *Set
		prepare  func(b *Set)
		result   func(n int) job.Result
	}{
		"if the operation has none":      {New(""), func(*Set) {}, func(int) job.Result { return refused422 }},
		"if the key accepted a row":      {testBreakers(), func(b *Set) { b.RecordSuccess("a") }, func(int) job.Result { return refused422 }},
		"if the messages differ":         {testBreakers(), func(*Set) {}, func(n int) job.Result { return job.Result{Message: fmt.Sprint(n)} }},
		"if the statuses differ":         {testBreakers(), func(*Set) {}, func(n int) job.Result { return job.Result{HTTPStatus: 400 + n} }},
		"if too many keys are known":     {testBreakers(), fillAccepted, func(int) job.Result { return refused422 }},
		"if a success lies between them": {testBreakers(), func(*Set) {}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := c.breakers
			c.prepare(b)
			for n := range 2*Threshold - 2 {
				if c.result == nil {
					if n == Threshold-1 {
						b.RecordSuccess("a")
					}
					b.RecordRowFailure("a", refused422)
					continue
				}
				b.RecordRowFailure("a", c.result(n))
			}
			if result, open := b.Open("a"); open {
				t.Errorf("the breaker is open with %+v, want it closed", result)
			}
		})
	}
}

// fillAccepted makes breakers remember maxAccepted keys.
func fillAccepted(b *Set) {
	for n := uint64(0); len(b.accepted) < maxAccepted; n++ {
		b.accepted[n] = struct{}{}
	}
}

func TestRowsWaitUntilTheKeyIsProbed(t *testing.T) {
	b := testBreakers()
	for n := range waitThreshold {
		if b.ShouldWait("a") {
			t.Fatalf("rows wait after %d refused batches, want %d", n, waitThreshold)
		}
		b.RecordBatchFailure("a", uint32(10*n))
	}
	if b.TakeWaiting() {
		t.Error("TakeWaiting: got true before any row had to wait")
	}
	if !b.ShouldWait("a") || b.ShouldWait("b") {
		t.Errorf("ShouldWait: got %t for the refused key and %t for another one, want true, false", b.ShouldWait("a"), b.ShouldWait("b"))
	}
	if !b.TakeWaiting() || b.TakeWaiting() {
		t.Error("TakeWaiting: want true once")
	}
	probing := map[string]bool{}
	if probe, wait := b.Probe(0, probing); !probe || wait {
		t.Errorf("the first batch: got probe %t, wait %t; want true, false", probe, wait)
	}
	if probe, wait := b.Probe(10, probing); probe || !wait {
		t.Errorf("the second batch of the round: got probe %t, wait %t; want false, true", probe, wait)
	}
	if b.ShouldWait("a") {
		t.Error("rows wait although the key was probed")
	}
	if probe, wait := b.Probe(10, map[string]bool{}); probe || wait {
		t.Errorf("the next round: got probe %t, wait %t; want false, false", probe, wait)
	}
}

func TestNoProbe(t *testing.T) {
	accepted, disabled := testBreakers(), New("")
	accepted.RecordBatchFailure("a", 1)
	accepted.RecordSuccess("a")
	disabled.RecordBatchFailure("a", 1)
	for name, b := range map[string]*Set{"of a key that accepted rows": accepted, "without breakers": disabled, "of an unknown batch": testBreakers()} {
		t.Run(name, func(t *testing.T) {
			if probe, wait := b.Probe(1, map[string]bool{}); probe || wait {
				t.Errorf("got probe %t, wait %t; want false, false", probe, wait)
			}
		})
	}
}

func TestKeyOfABatchFollowsTheFirstRow(t *testing.T) {
	b := testBreakers()
	b.RecordBatchFailure("a", 3)
	b.RenameGroup(3, 3)
	b.RenameGroup(3, 5)
	b.RenameGroup(7, 8) // no batch begins with row 7, so nothing changes
	for first, want := range map[uint32]string{3: "", 5: "a", 8: ""} {
		t.Run(fmt.Sprint("batch from row ", first), func(t *testing.T) {
			if got := b.groups[first]; got != want {
				t.Errorf("got the key %q, want %q", got, want)
			}
		})
	}
}
