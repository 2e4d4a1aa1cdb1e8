package transport

import (
	"math"
	"testing"
	"time"
)

// TestOneRefusalAmongManyIsPaidFor checks that a refusal for which enough accepted calls have paid leaves the rate as it is,
// so that a fast load does not slow down for calls that came too close together.
func TestOneRefusalAmongManyIsPaidFor(t *testing.T) {
	now := time.Now()
	for credit, want := range map[float64]float64{2.5: 100, 1.5: 97} {
		p := &pacer{ceiling: math.Inf(1), rate: 100, credit: credit, lowered: now.Add(-time.Hour)}
		if p.refuse(now, ticket{sent: now}, 0); p.rate != want {
			t.Errorf("with a credit of %v: got a rate of %v, want %v", credit, p.rate, want)
		}
	}
}

// TestMeasuredRateIsTaken checks that after a refusal the rate is what the service has accepted, unless it had risen fast.
func TestMeasuredRateIsTaken(t *testing.T) {
	now := time.Now()
	for previous, want := range map[float64]float64{52: 49, 64: 56} {
		p := &pacer{ceiling: math.Inf(1), rate: 80, accepted: 500, answered: 510, since: now.Add(-10 * time.Second), previous: previous}
		if p.lower(now); math.Abs(p.rate-want) > 1e-9 {
			t.Errorf("after a rate of %v before: got %v, want %v", previous, p.rate, want)
		}
	}
}
