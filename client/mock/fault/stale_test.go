package fault_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"reseller/client/mock"
	"reseller/client/mock/fault"
)

// A stale list shows the records that there were a while ago.
func TestStaleList(t *testing.T) {
	at := newClock()
	s := serve(t, mock.Options{Now: at.now})
	for i := range 3 {
		at.at = at.at.Add(time.Second)
		s.mustSend(http.MethodPost, keywordsPath, batchBody(fmt.Sprint("x", i)))
		s.mustSend(http.MethodPost, accountsPath, accountBody)
	}
	at.at = at.at.Add(500 * time.Millisecond) // the records are 0.5, 1.5 and 2.5 s old
	lists := map[string]int{keywordsPath: 30, "/api/v1/accounts": 5, accountsPath: 5, campaignsPath: 5}
	for stale, created := range map[time.Duration]int{
		0: 3, 400 * time.Millisecond: 3, 600 * time.Millisecond: 2, 1600 * time.Millisecond: 1, 2600 * time.Millisecond: 0, time.Hour: 0,
	} {
		for path, seeded := range lists {
			t.Run(fmt.Sprint(path, " ", stale), func(t *testing.T) {
				if got := s.sendWith(fault.Fault{Stale: stale}, http.MethodGet, path, "").total(); got != seeded+created {
					t.Errorf("got %d records, want %d", got, seeded+created)
				}
			})
		}
	}
}

func TestHideNewest(t *testing.T) {
	at := newClock()
	s := serve(t, mock.Options{Now: at.now})
	for i := range 3 {
		at.at = at.at.Add(time.Second)
		s.mustSend(http.MethodPost, keywordsPath, batchBody(fmt.Sprint("x", i)))
	}
	for name, c := range map[string]struct {
		fault fault.Fault
		want  int
	}{
		"two":                  {fault.Fault{HideNewest: 2}, 31},
		"more than there are":  {fault.Fault{HideNewest: 100}, 0},
		"one of a stale list":  {fault.Fault{Stale: 600 * time.Millisecond, HideNewest: 1}, 31},
		"none of a stale list": {fault.Fault{Stale: 600 * time.Millisecond}, 32},
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.sendWith(c.fault, http.MethodGet, keywordsPath, "").total(); got != c.want {
				t.Errorf("got %d records, want %d", got, c.want)
			}
		})
	}
	t.Run("the last ones", func(t *testing.T) {
		r := s.sendWith(fault.Fault{HideNewest: 1}, http.MethodGet, keywordsPath, "")
		if !strings.Contains(r.body, `"keyword":"x1"`) || strings.Contains(r.body, `"keyword":"x2"`) {
			t.Error("want x1 and not x2 in the list")
		}
	})
	t.Run("no list", func(t *testing.T) {
		for _, path := range []string{"/api/v1/accounts/1", "/api/v1/keywords/1001"} {
			s.inject(fault.Fault{HideNewest: 1, Stale: time.Hour})
			s.mustSend(http.MethodGet, path, "")
		}
	})
}

// What another service on the same database stores counts as old as soon as this
// service sees it, unless this service has recorded that it was not there.
func TestStaleListWithOtherWriters(t *testing.T) {
	at := newClock()
	s := serve(t, mock.Options{Now: at.now})
	other := serve(t, mock.Options{Path: s.path, Now: at.now})
	stale := fault.Fault{Stale: time.Second}
	other.mustSend(http.MethodPost, keywordsPath, batchBody("x1"))
	at.at = at.at.Add(time.Minute)
	if got := s.sendWith(stale, http.MethodGet, keywordsPath, "").total(); got != 30 {
		t.Errorf("before a write of its own: got %d records, want 30", got)
	}
	s.mustSend(http.MethodPost, keywordsPath, batchBody("x2"))
	at.at = at.at.Add(time.Minute)
	if got := s.sendWith(stale, http.MethodGet, keywordsPath, "").total(); got != 32 {
		t.Errorf("after a write of its own: got %d records, want 32", got)
	}
}
