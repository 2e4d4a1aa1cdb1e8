package mock

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"reseller/client/mock/fault"
)

// A list that lags shows what was there a while ago, whatever is stored now.
func TestLag(t *testing.T) {
	at := newClock()
	w := onWire(t, Options{Now: at.now})
	seen := func(f fault.Fault, path string) int {
		t.Helper()
		w.play(f)
		r := w.ok("GET", path, "", nil)
		return *r.Pagination.TotalRecords
	}
	for i := range 3 {
		at.at = at.at.Add(time.Second)
		w.ok("POST", keywordsPath, batch(fmt.Sprint("x", i)), nil)
		w.ok("POST", "/api/v2/accounts", createV2, nil)
	}
	at.at = at.at.Add(500 * time.Millisecond) // the records are 0.5, 1.5 and 2.5 s old
	for lag, made := range map[time.Duration]int{
		0: 3, 400 * time.Millisecond: 3, 600 * time.Millisecond: 2, 1600 * time.Millisecond: 1, 2600 * time.Millisecond: 0, time.Hour: 0,
	} {
		for path, before := range map[string]int{keywordsPath: 30, "/api/v1/accounts": 5, "/api/v2/accounts": 5, "/api/v1/campaigns": 5} {
			if got := seen(fault.Fault{Stale: lag}, path); got != before+made {
				t.Errorf("%s, %v behind: %d records, want %d", path, lag, got, before+made)
			}
		}
	}
	if got := seen(fault.Fault{HideNewest: 2}, keywordsPath); got != 31 {
		t.Errorf("without the 2 newest: %d", got)
	}
	if got := seen(fault.Fault{HideNewest: 100}, keywordsPath); got != 0 {
		t.Errorf("without the 100 newest: %d", got)
	}
	if got := seen(fault.Fault{Stale: 600 * time.Millisecond, HideNewest: 1}, keywordsPath); got != 31 {
		t.Errorf("behind and without the newest: %d", got)
	}
	w.play(fault.Fault{HideNewest: 1})
	if r := w.ok("GET", keywordsPath, "", nil); !strings.Contains(r.body, `"keyword":"x1"`) || strings.Contains(r.body, `"keyword":"x2"`) {
		t.Error("not the newest is missing")
	}
	for _, path := range []string{"/api/v1/accounts/1", "/api/v1/keywords/1001"} {
		w.play(fault.Fault{HideNewest: 1, Stale: time.Hour})
		w.ok("GET", path, "", nil)
	}
}

// What another service on the same database stores while this one looks away is
// old for it as soon as it sees it.
func TestLagBesideOthers(t *testing.T) {
	at := newClock()
	w := onWire(t, Options{Now: at.now})
	other := start(t, Options{Path: w.s.db.Path(), Now: at.now})
	other.ok("POST", keywordsPath, batch("x1"), nil)
	at.at = at.at.Add(time.Minute)
	w.play(fault.Fault{Stale: time.Second})
	if got := *w.ok("GET", keywordsPath, "", nil).Pagination.TotalRecords; got != 30 {
		t.Errorf("%d records", got)
	}
	w.ok("POST", keywordsPath, batch("x2"), nil)
	at.at = at.at.Add(time.Minute)
	w.play(fault.Fault{Stale: time.Second})
	if got := *w.ok("GET", keywordsPath, "", nil).Pagination.TotalRecords; got != 32 {
		t.Errorf("%d records", got)
	}
}
