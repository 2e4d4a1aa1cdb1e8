package torture_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"reseller/client/mock"
	"reseller/client/mock/fault"
)

// A tortureService is the mock service of a run. It injects faults, and kills the
// program at one of its calls.
type tortureService struct {
	run       tortureRun
	service   *mock.Service
	faultless *mock.Service // the same database without faults
	token     string
	db        string

	mu            sync.Mutex
	start         int
	processes     []*os.Process
	random        *rand.Rand
	killAt        int            // the number of the call at which the program is killed, 0 for none
	killMethod    string         // the method of the calls that are counted for killAt
	calls         int            // the calls with that method since the start
	stopAt        int            // the number of the write at which the program is stopped, 0 for none
	writes        int            // the writes since the start
	connections   int            // the connections that are open
	closed        *sync.Cond     // signals that a connection was closed
	later         sync.WaitGroup // counts the calls that are carried out after a kill
	lastListStale bool           // the last list lacked rows
	throttled     int            // the number of the last request with the response 429
	requests      int
	faults        map[string]int
	tokens        map[string]bool
}

func newTortureService(r tortureRun, db string) (s *tortureService, err error) {
	s = &tortureService{run: r, db: db, random: rand.New(rand.NewPCG(uint64(r.seed), 4)), faults: map[string]int{}, tokens: map[string]bool{}}
	s.closed = sync.NewCond(&s.mu)
	if s.faultless, err = mock.Open(mock.Options{Path: db}); err != nil {
		return nil, err
	}
	if s.token, err = s.faultless.Token(1); err != nil {
		return nil, err
	}
	if r.input.prepare != nil {
		r.input.prepare(s) // before the other service begins to record how old records are
	}
	if s.service, err = mock.Open(mock.Options{Path: db, Latency: 2 * time.Millisecond, Faults: s.fault}); err != nil {
		return nil, err
	}
	return s, nil
}

// startProgram starts the program for the nth time, as one or several processes, and
// decides when they are killed, and when they are stopped.
func (s *tortureService) startProgram(n int, cmds ...*exec.Cmd) error {
	left := s.run.input.remainingCalls(s.run.batchSize, s.run.input.stored(s))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start, s.calls, s.killAt, s.killMethod, s.writes, s.stopAt = n, 0, 0, http.MethodPost, 0, 0
	kills := n <= s.run.kills && !s.run.disaster.spares(n)
	if kills && left > 0 {
		if s.killAt = 1 + s.random.IntN(left); n == 1 {
			s.killAt = max(s.killAt, min(2, left))
		}
		if n > 1 && s.random.IntN(4) == 0 { // while rows are read back
			s.killAt, s.killMethod = 1+s.random.IntN(3), http.MethodGet
		}
	}
	if n == s.run.disaster.start && s.run.disaster.kind == stopped {
		s.stopAt = 1 + s.random.IntN(max(1, min(left, 10)))
	}
	s.processes = nil
	for _, cmd := range cmds {
		if err := cmd.Start(); err != nil {
			return err
		}
		s.processes = append(s.processes, cmd.Process)
	}
	if kills && s.random.IntN(6) == 0 { // after a random time
		time.AfterFunc(time.Duration(s.random.IntN(100))*time.Millisecond, func() { _ = cmds[0].Process.Kill() })
	}
	return nil
}

// countWrites returns the number of writes since the start of the program.
func (s *tortureService) countWrites() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}

// signal sends a signal to all processes of the program.
func signal(processes []*os.Process, sig os.Signal) {
	for _, p := range processes {
		_ = p.Signal(sig)
	}
}

// stop stops processes for a time.
func stop(processes []*os.Process, d time.Duration) {
	for _, p := range processes {
		id := strconv.Itoa(p.Pid)
		if exec.Command("kill", "-STOP", id).Run() == nil {
			time.AfterFunc(d, func() {
				if p.Signal(syscall.Signal(0)) == nil { // it has not ended since
					_ = exec.Command("kill", "-CONT", id).Run()
				}
			})
		}
	}
}

// countConnections counts the open connections.
func (s *tortureService) countConnections(_ net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.connections++
	case http.StateClosed, http.StateHijacked:
		s.connections--
		s.closed.Broadcast()
	}
}

// finishCalls returns when the service has carried out all calls of a program that has
// ended.
func (s *tortureService) finishCalls() {
	s.mu.Lock()
	for s.connections > 0 {
		s.closed.Wait()
	}
	s.mu.Unlock()
	s.later.Wait()
	s.service.Wait()
}

// fault returns the fault that the schedule has for a call, except for those that would
// not be a fair test.
func (s *tortureService) fault(n int, method, path string) fault.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.start >= firstFaultlessStart || path == loginPath {
		return fault.Fault{}
	}
	f := s.run.schedule(n, method, path)
	if s.run.late {
		return s.lateFault(f, method)
	}
	// --restart passes over what is remembered, so only a list shows what is stored.
	if (f.HideNewest > 0 || f.Stale > 0) && s.run.disaster.isDamaged {
		return fault.Fault{}
	}
	// Nothing distinguishes two stale lists in a row from the truth.
	if f.HideNewest > 0 || f.Stale > 0 {
		if s.lastListStale {
			return fault.Fault{}
		}
	}
	if method == http.MethodGet {
		s.lastListStale = f.HideNewest > 0 || f.Stale > 0
	}
	// The program slows down if it is throttled, as it should. One 429 in 12 requests is
	// enough.
	if f.Status == http.StatusTooManyRequests {
		if s.throttled > 0 && n < s.throttled+12 {
			return fault.Fault{}
		}
		s.throttled = n
	}
	if f == (fault.Fault{}) {
		return f
	}
	s.faults[faultName(f)]++
	if f.RetryAfter != "" && !s.run.firstStartOnly && s.random.IntN(4) > 0 {
		f.RetryAfter = "0" // so that the run does not only wait
	}
	if f.Defer > 0 && s.random.IntN(3) == 0 {
		f.Delay = time.Duration(s.random.IntN(1000)) * time.Millisecond
	}
	return f
}

const loginPath = "/api/v1/authentication/login"

// faultName returns the name of a fault of a schedule.
func faultName(f fault.Fault) string {
	for _, name := range faultNames() {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if newSchedule(0, 1, name)(1, method, "/api/v1/keywords") == f {
				return name
			}
		}
	}
	return fmt.Sprintf("%+v", f)
}

// maxLate is how late lists are, and writes that the service has not answered. The program waits for a minute; the machine may
// be slow.
const maxLate = 56 * time.Second

// Which lists of a late service are late.
const (
	allLate     = iota // all, each by a time of its own
	someLate           // one of five, by any time
	noneLate           // none: only writes are
	equallyLate        // all, by the same time
	numLatenesses
)

// lateGateways are what gateways answer for a service that still works on the call.
var lateGateways = []fault.Fault{
	{Reset: true},
	{Status: 200, HTML: true}, {Status: 200, Body: "\n"}, {Status: 200, Body: `{"message":"Accepted"}`},
	{Status: 408, HTML: true}, {Status: 500, HTML: true}, {Status: 500, Body: `{"timestamp":1,"status":500,"error":"Internal Server Error","path":"/"}`},
	{Status: 502, HTML: true}, {Status: 502, Body: `{"message":"Bad Gateway"}`}, {Status: 503, Body: `{"message":"Service Unavailable"}`},
	{Status: 503, HTML: true, RetryAfter: "1"}, {Status: 504, HTML: true}, {Status: 504, Body: `{"message":"Endpoint request timed out"}`}, {Status: 504},
	{Status: 520, Body: "error code: 520"}, {Status: 522, HTML: true}, {Status: 524, Body: "error code: 524"}, {Status: 529, Body: "\n"},
}

// latest returns how late the writes are whose caller lives on. Those of a caller that is killed are the later, the sooner the
// others are carried out: one call may be both.
func (s *tortureService) latest() time.Duration { return maxLate * time.Duration(s.run.seed%4) / 3 }

// lateFault returns the fault of a call of a late service.
func (s *tortureService) lateFault(f fault.Fault, method string) fault.Fault {
	late := time.Duration(s.random.Int64N(int64(maxLate)))
	switch lateness := s.run.lateness; {
	case method == http.MethodGet && (lateness == noneLate || lateness == someLate && s.random.IntN(5) > 0):
		f.HideNewest, f.Stale = 0, 0
	case method == http.MethodGet && lateness == equallyLate:
		f.HideNewest, f.Stale = 0, maxLate
	case method == http.MethodGet:
		f.HideNewest, f.Stale = 0, late
	case f.Defer > 0:
		f = lateGateways[s.random.IntN(len(lateGateways))]
		f.Defer = min(late, s.latest()) + time.Millisecond
	}
	if f.Status == http.StatusTooManyRequests {
		f = fault.Fault{}
	}
	if f != (fault.Fault{}) {
		s.faults["late "+method]++
	}
	return f
}

// ServeHTTP serves a call. If it is the one at which the program is killed, that happens
// before the call is carried out, before its response is sent, or at about that time. It
// may also be interrupted, once or twice, instead of killed. A late service carries out
// some calls only long after the program was killed.
func (s *tortureService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests++
	s.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] = true
	due, phase, pause, twice := false, s.random.IntN(4), time.Duration(s.random.IntN(4000))*time.Microsecond, s.random.IntN(2) == 0
	late := time.Duration(s.random.Int64N(int64(maxLate))) - s.latest()
	isWrite := r.Method != http.MethodGet && r.URL.Path != loginPath
	if r.Method == s.killMethod || s.killMethod == http.MethodPost && isWrite {
		s.calls++
		due = s.calls == s.killAt
	}
	if isWrite {
		if s.writes++; s.writes == s.stopAt {
			stop(s.processes, s.run.disaster.stopTime())
		}
	}
	processes := s.processes
	s.mu.Unlock()
	if s.run.alters && isWrite {
		alterTexts(r)
	}
	switch {
	case due && phase == 0 && s.run.late:
		s.carryOutLater(r, late)
		signal(processes, os.Kill)
		return
	case due && phase == 0:
		signal(processes, os.Kill)
	case due && phase == 1:
		defer signal(processes, os.Kill) // the response is sent when ServeHTTP returns
	case due && phase == 2:
		time.AfterFunc(pause, func() { signal(processes, os.Kill) })
	case due:
		time.AfterFunc(pause, func() { signal(processes, os.Interrupt) })
		if twice {
			time.AfterFunc(2*pause, func() { signal(processes, os.Interrupt) })
		}
	}
	s.service.ServeHTTP(w, r)
}

// alteredKeyword finds the keywords that a service stores otherwise than they were sent.
var alteredKeyword = regexp.MustCompile(`(?i)k\d{5}3`)

// alterTexts changes texts of a call, as a service does that escapes them.
func alterTexts(r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	body = alteredKeyword.ReplaceAll(body, []byte("$0&amp;"))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
}

// carryOutLater carries out a call after a while, when its connection has ended.
func (s *tortureService) carryOutLater(r *http.Request, after time.Duration) {
	body, _ := io.ReadAll(r.Body)
	later := r.Clone(context.Background())
	later.Body = io.NopCloser(bytes.NewReader(body))
	s.later.Add(1)
	time.AfterFunc(after, func() {
		defer s.later.Done()
		defer func() { _ = recover() }() // of a response that is cut off, which nobody reads
		s.service.ServeHTTP(httptest.NewRecorder(), later)
	})
}

// tearLog sometimes appends a partial event to the log of the job, as a program leaves
// it that is killed while it writes.
func (s *tortureService) tearLog(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	logs, _ := filepath.Glob(filepath.Join(dir, "reseller", "jobs", "*.journal"))
	if len(logs) == 0 || s.random.IntN(3) > 0 {
		return nil
	}
	f, err := os.OpenFile(logs[len(logs)-1], os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	partial := make([]byte, 1+s.random.IntN(12))
	for i := range partial {
		partial[i] = byte(s.random.IntN(64))
	}
	_, err = f.Write(partial)
	return errors.Join(err, f.Close())
}

// findSecrets returns the number of secrets in the files of a folder, and an error that
// names them.
func (s *tortureService) findSecrets(dir string) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	secrets := append([]string{"eyJhbGciOi"}, s.run.input.secrets...) // as every token begins; fewer letters are found by chance
	for token := range s.tokens {
		if token != "" {
			secrets = append(secrets, token)
		}
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, secret := range secrets {
			if bytes.Contains(text, []byte(secret)) {
				n++
				err = errors.Join(err, fmt.Errorf("%s contains a secret: %.20s", path, secret))
			}
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return n, err
}
