package loads

import (
	"testing"

	"reseller/client/record"
)

func TestIsAttached(t *testing.T) {
	for text, want := range map[string]bool{
		`{"service_plan_id":1}`:                     true,
		`{"attached_date":null,"status":null}`:      true,
		`{"attached_date":"","status":"available"}`: false,
		`{"status":"inactive"}`:                     false,
		`{"status":0}`:                              false,
		`{"attached_date":"2026-01-01"}`:            true,
		`{"status":"Active"}`:                       true,
		`{"status":"attached"}`:                     true,
		`{"status":1}`:                              true,
	} {
		t.Run(text, func(t *testing.T) {
			rec, err := record.Parse([]byte(text))
			noError(t, err)
			if got := isAttached(rec); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
