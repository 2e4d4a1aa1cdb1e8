package bulk

import (
	"fmt"
	"strings"
	"testing"

	"reseller/client/bulk/job"
)

var refused422 = job.Result{State: job.StateRefused, HTTPStatus: 422, Message: "no such campaign"}

func testBreakers() *breakers { return newBreakers(&Operation{Breaker: "campaign"}) }

func TestBreakerOpensAtTheThreshold(t *testing.T) {
	b := testBreakers()
	for n := range breakerThreshold {
		if _, open := b.open("a"); open {
			t.Fatalf("the breaker is open after %d refused rows, want %d", n, breakerThreshold)
		}
		b.recordRowFailure("a", refused422)
	}
	result, open := b.open("a")
	if !open || result.State != job.StateRefused || result.HTTPStatus != 422 || !strings.HasPrefix(result.Message, "no such campaign (not sent: 20 rows ") {
		t.Errorf("got open %t with %+v, want open with the refusal and how many rows it met", open, result)
	}
	if _, open := b.open("b"); open {
		t.Error("the breaker of another key is open")
	}
	b.recordSuccess("a")
	if _, open := b.open("a"); open {
		t.Error("the breaker is open although the key accepted a row")
	}
}

func TestBreakerStaysClosed(t *testing.T) {
	for name, c := range map[string]struct {
		breakers *breakers
		prepare  func(b *breakers)
		result   func(n int) job.Result
	}{
		"if the operation has none":      {newBreakers(&Operation{}), func(*breakers) {}, func(int) job.Result { return refused422 }},
		"if the key accepted a row":      {testBreakers(), func(b *breakers) { b.recordSuccess("a") }, func(int) job.Result { return refused422 }},
		"if the messages differ":         {testBreakers(), func(*breakers) {}, func(n int) job.Result { return job.Result{Message: fmt.Sprint(n)} }},
		"if the statuses differ":         {testBreakers(), func(*breakers) {}, func(n int) job.Result { return job.Result{HTTPStatus: 400 + n} }},
		"if too many keys are known":     {testBreakers(), fillAccepted, func(int) job.Result { return refused422 }},
		"if a success lies between them": {testBreakers(), func(*breakers) {}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := c.breakers
			c.prepare(b)
			for n := range 2*breakerThreshold - 2 {
				if c.result == nil {
					if n == breakerThreshold-1 {
						b.recordSuccess("a")
					}
					b.recordRowFailure("a", refused422)
					continue
				}
				b.recordRowFailure("a", c.result(n))
			}
			if result, open := b.open("a"); open {
				t.Errorf("the breaker is open with %+v, want it closed", result)
			}
		})
	}
}

// fillAccepted makes breakers remember maxAccepted keys.
func fillAccepted(b *breakers) {
	for n := uint64(0); len(b.accepted) < maxAccepted; n++ {
		b.accepted[n] = struct{}{}
	}
}

func TestRowsWaitUntilTheKeyIsProbed(t *testing.T) {
	b := testBreakers()
	for n := range waitThreshold {
		if b.shouldWait("a") {
			t.Fatalf("rows wait after %d refused batches, want %d", n, waitThreshold)
		}
		b.recordBatchFailure("a", uint32(10*n))
	}
	if b.takeWaiting() {
		t.Error("takeWaiting: got true before any row had to wait")
	}
	if !b.shouldWait("a") || b.shouldWait("b") {
		t.Errorf("shouldWait: got %t for the refused key and %t for another one, want true, false", b.shouldWait("a"), b.shouldWait("b"))
	}
	if !b.takeWaiting() || b.takeWaiting() {
		t.Error("takeWaiting: want true once")
	}
	probing := map[string]bool{}
	if probe, wait := b.probe(0, probing); !probe || wait {
		t.Errorf("the first batch: got probe %t, wait %t; want true, false", probe, wait)
	}
	if probe, wait := b.probe(10, probing); probe || !wait {
		t.Errorf("the second batch of the round: got probe %t, wait %t; want false, true", probe, wait)
	}
	if b.shouldWait("a") {
		t.Error("rows wait although the key was probed")
	}
	if probe, wait := b.probe(10, map[string]bool{}); probe || wait {
		t.Errorf("the next round: got probe %t, wait %t; want false, false", probe, wait)
	}
}

func TestNoProbe(t *testing.T) {
	accepted, disabled := testBreakers(), newBreakers(&Operation{})
	accepted.recordBatchFailure("a", 1)
	accepted.recordSuccess("a")
	disabled.recordBatchFailure("a", 1)
	for name, b := range map[string]*breakers{"of a key that accepted rows": accepted, "without breakers": disabled, "of an unknown batch": testBreakers()} {
		t.Run(name, func(t *testing.T) {
			if probe, wait := b.probe(1, map[string]bool{}); probe || wait {
				t.Errorf("got probe %t, wait %t; want false, false", probe, wait)
			}
		})
	}
}

func TestGroupKeyFollowsTheFirstRow(t *testing.T) {
	b := testBreakers()
	b.recordBatchFailure("a", 3)
	b.renameGroup(3, 3)
	b.renameGroup(3, 5)
	b.renameGroup(7, 8) // no batch begins with row 7, so nothing changes
	for first, want := range map[uint32]string{3: "", 5: "a", 8: ""} {
		t.Run(fmt.Sprint("batch from row ", first), func(t *testing.T) {
			if got := b.groupKey(first); got != want {
				t.Errorf("got the key %q, want %q", got, want)
			}
		})
	}
}

// TestCampaignThatRefusesEverything checks that few calls are made and few lists are read
// for a campaign whose rows are all refused, and that another campaign is loaded.
func TestCampaignThatRefusesEverything(t *testing.T) {
	var text strings.Builder
	text.WriteString(keywordHead)
	for i := range 5000 {
		fmt.Fprintf(&text, "1,1,bad %d,target\n1,2,good %d,target\n", i, i)
	}
	f := newUnreliableService(1)
	sum, err := runUnreliable(t, text.String(), f, f.op(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantCounts(t, sum, counts{Rows: 10_000, Sent: 5000, Refused: 5000})
	if f.posts > 50+30 || f.lists > 8 {
		t.Errorf("got %d posts and %d lists, want at most 80 and 8", f.posts, f.lists)
	}
}

// TestCampaignThatAcceptsRowsHasNoBreaker checks that every row of a campaign is sent
// once the campaign has accepted one.
func TestCampaignThatAcceptsRowsHasNoBreaker(t *testing.T) {
	text := keywordHead + "1,1,good,target\n"
	for i := range 60 {
		text += fmt.Sprintf("1,1,bad %d,target\n", i)
	}
	f := newUnreliableService(1)
	sum, err := runUnreliable(t, text+"1,1,better,target\n", f, f.op(), Options{BatchSize: 1})
	if err != nil {
		t.Fatal(err)
	}
	wantCounts(t, sum, counts{Rows: 62, Sent: 2, Refused: 60})
}
