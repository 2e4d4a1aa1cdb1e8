package fault_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"reseller/client/mock"
	"reseller/client/mock/fault"
)

// Each fault: what the client receives, and what is stored.
func TestFaults(t *testing.T) {
	const (
		noResponse = 0
		cutShort   = -1
	)
	isHTML := func(r received) bool {
		return strings.HasPrefix(r.body, "<html>") && r.header.Get("Content-Type") == "text/html"
	}
	retryAfter := func(want string) func(received) bool {
		return func(r received) bool { return r.header.Get("Retry-After") == want }
	}
	const all = "x1 x2 x3"
	for name, c := range map[string]struct {
		fault  fault.Fault
		status int
		stored string
		check  func(received) bool
	}{
		"none":               {fault.Fault{}, 200, all, nil},
		"reset before":       {fault.Fault{Execute: fault.ExecuteNone, Reset: true}, noResponse, "", nil},
		"reset after":        {fault.Fault{Reset: true}, noResponse, all, nil},
		"status before":      {fault.Fault{Execute: fault.ExecuteNone, Status: 500}, 500, "", nil},
		"status after":       {fault.Fault{Status: 502}, 502, all, nil},
		"not executed":       {fault.Fault{Execute: fault.ExecuteNone}, 503, "", nil},
		"page":               {fault.Fault{Execute: fault.ExecuteNone, Status: 503, HTML: true}, 503, "", isHTML},
		"page at 200":        {fault.Fault{HTML: true}, 200, all, func(r received) bool { return isHTML(r) && strings.Contains(r.body, "200 OK") }},
		"retry later":        {fault.Fault{Execute: fault.ExecuteNone, RetryAfter: "7"}, 503, "", retryAfter("7")},
		"throttled":          {fault.Fault{Execute: fault.ExecuteNone, Status: 429}, 429, "", retryAfter("")},
		"throttled, wait":    {fault.Fault{Execute: fault.ExecuteNone, Status: 429, RetryAfter: "1"}, 429, "", retryAfter("1")},
		"truncated":          {fault.Fault{Truncate: true}, cutShort, all, func(r received) bool { return errors.Is(r.err, io.ErrUnexpectedEOF) && r.status == 200 }},
		"garbled":            {fault.Fault{Body: `{"data":{`}, 200, all, func(r received) bool { return r.body == `{"data":{` }},
		"half":               {fault.Fault{Execute: fault.ExecuteHalf}, 422, "x1 x3", func(r received) bool { return strings.Contains(r.body, "Unprocessable Entity") }},
		"half, other status": {fault.Fault{Execute: fault.ExecuteHalf, Status: 413}, 413, "x1 x3", nil},
		"half, no response":  {fault.Fault{Execute: fault.ExecuteHalf, Reset: true}, noResponse, "x1 x3", nil},
		"deferred":           {fault.Fault{Defer: time.Millisecond}, 504, all, nil},
		"deferred half":      {fault.Fault{Execute: fault.ExecuteHalf, Defer: time.Millisecond}, 422, "x1 x3", nil},
		"deferred reset":     {fault.Fault{Defer: time.Millisecond, Reset: true}, noResponse, all, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, mock.Options{})
			r := s.sendWith(c.fault, http.MethodPost, keywordsPath, batchBody("x1", "x2", "x3"))
			s.faulty.Wait()
			switch {
			case c.status == noResponse && (r.err == nil || !errors.Is(r.err, syscall.ECONNRESET) && !errors.Is(r.err, io.EOF)):
				t.Errorf("got %+v, want a reset", r)
			case c.status > 0 && (r.err != nil || r.status != c.status):
				t.Errorf("got %+v, want status %d", r, c.status)
			case c.check != nil && !c.check(r):
				t.Errorf("got %+v", r)
			}
			if c.status >= 300 && !c.fault.HTML && !json.Valid([]byte(r.body)) {
				t.Errorf("got %s, want JSON", r.body)
			}
			if got := strings.Join(s.stored(), " "); got != c.stored {
				t.Errorf("stored %q, want %q", got, c.stored)
			}
		})
	}
}

// A batch with a bad keyword is refused, and under ExecuteHalf its good ones are stored
// all the same.
func TestHalfOfBadBatch(t *testing.T) {
	half := fault.Fault{Execute: fault.ExecuteHalf}
	s := serve(t, mock.Options{})
	if r := s.send(http.MethodPost, keywordsPath, batchBody("x1", "x2", " ")); r.status != 422 || s.stored() != nil {
		t.Errorf("without a fault: got %+v, stored %q", r, s.stored())
	}
	r := s.sendWith(half, http.MethodPost, keywordsPath, batchBody("x1", "x2", " ", "x4", "x5"))
	if want := []string{"x1", "x5"}; r.status != 422 || !slices.Equal(s.stored(), want) {
		t.Errorf("got %+v, stored %q, want 422 and %q", r, s.stored(), want)
	}
	for _, body := range []string{"", "x", "[]", `{"keywords":1}`, batchBody()} {
		t.Run("body "+body, func(t *testing.T) {
			if r := s.sendWith(half, http.MethodPost, keywordsPath, body); r.status != 400 {
				t.Errorf("got %+v, want 400", r)
			}
		})
	}
	if r := s.sendWith(half, http.MethodPost, keywordsPath, batchBody("x9")); r.status != 200 || len(s.stored()) != 3 {
		t.Errorf("a batch of one: got %+v, stored %q", r, s.stored())
	}
	if r := s.sendWith(half, http.MethodPost, accountsPath, accountBody); r.status != 200 {
		t.Errorf("an account: got %+v, want 200", r)
	}
}

// A deferred request is carried out when it is due, not before.
func TestDefer(t *testing.T) {
	const deferral = 400 * time.Millisecond
	s := serve(t, mock.Options{})
	begin := time.Now()
	if r := s.sendWith(fault.Fault{Defer: deferral}, http.MethodPost, keywordsPath, batchBody("x1")); r.status != 504 {
		t.Errorf("got %+v, want 504", r)
	}
	if stored := s.stored(); time.Since(begin) < deferral && stored != nil {
		t.Errorf("stored %q before %v, want nothing", stored, deferral)
	}
	s.faulty.Wait()
	if took, stored := time.Since(begin), s.stored(); len(stored) != 1 || took < deferral {
		t.Errorf("after %v: stored %q, want one keyword after %v", took, stored, deferral)
	}
}

// Requests that come during a Wait are carried out, too: the race detector finds a WaitGroup that counts from zero meanwhile.
func TestWaitDuringRequests(t *testing.T) {
	s := serve(t, mock.Options{})
	waited := make(chan struct{})
	go func() {
		defer close(waited)
		for range 100 {
			s.faulty.Wait()
		}
	}()
	for range 5 {
		s.sendWith(fault.Fault{Defer: time.Microsecond}, http.MethodPost, keywordsPath, batchBody("x1"))
	}
	<-waited
	if s.faulty.Wait(); len(s.stored()) != 5 {
		t.Errorf("stored %q, want five keywords", s.stored())
	}
}

func TestFoldText(t *testing.T) {
	fold := fault.Fault{FoldText: true}
	s := serve(t, mock.Options{})
	if r := s.sendWith(fold, http.MethodPost, keywordsPath, batchBody("X  Ä\tb ", "x")); r.status != 200 {
		t.Errorf("got %+v, want 200", r)
	}
	if want := []string{"x ä b", "x"}; !slices.Equal(s.stored(), want) {
		t.Errorf("stored %q, want %q", s.stored(), want)
	}
	for _, body := range []string{"", "x", `{"keywords":[1]}`, `{"keywords":[{"keyword":1}]}`} {
		t.Run("body "+body, func(t *testing.T) {
			if r := s.sendWith(fold, http.MethodPost, keywordsPath, body); r.status != 400 {
				t.Errorf("got %+v, want 400", r)
			}
		})
	}
}

func TestDelay(t *testing.T) {
	const delay = 100 * time.Millisecond
	s := serve(t, mock.Options{})
	begin := time.Now()
	r := s.sendWith(fault.Fault{Delay: delay}, http.MethodPost, keywordsPath, batchBody("x1"))
	if took := time.Since(begin); r.status != 200 || took < delay {
		t.Errorf("got %+v after %v, want 200 after %v", r, took, delay)
	}
}

// An expired token is refused until the client has another one.
func TestExpireToken(t *testing.T) {
	s := serve(t, mock.Options{})
	s.inject(fault.Fault{ExpireToken: true})
	for range 3 {
		if r := s.send(http.MethodPost, keywordsPath, batchBody("x1")); r.status != 401 || !strings.Contains(r.body, "Invalid Authorization") {
			t.Errorf("got %+v, want 401", r)
		}
	}
	s.newToken()
	if r := s.send(http.MethodPost, keywordsPath, batchBody("x2")); r.status != 200 {
		t.Errorf("with a new token: got %+v, want 200", r)
	}
	if want := []string{"x2"}; !slices.Equal(s.stored(), want) {
		t.Errorf("stored %q, want %q", s.stored(), want)
	}
}
