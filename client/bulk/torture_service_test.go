package bulk_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
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
	process       *os.Process
	random        *rand.Rand
	killAt        int    // the number of the call at which the program is killed, 0 for none
	killMethod    string // the method of the calls that are counted for killAt
	calls         int    // the calls with that method since the start
	lastListStale bool   // the last list lacked rows
	throttled     int    // the number of the last request with the response 429
	requests      int
	faults        map[string]int
	tokens        map[string]bool
}

func newTortureService(r tortureRun, db string) (s *tortureService, err error) {
	s = &tortureService{run: r, db: db, random: rand.New(rand.NewPCG(uint64(r.seed), 4)), faults: map[string]int{}, tokens: map[string]bool{}}
	if s.service, err = mock.New(mock.Options{Path: db, Latency: 2 * time.Millisecond, Faults: s.fault}); err != nil {
		return nil, err
	}
	if s.faultless, err = mock.New(mock.Options{Path: db}); err != nil {
		return nil, err
	}
	s.token, err = s.faultless.Token(1)
	return s, err
}

// startProgram starts the program for the nth time and decides when it is killed.
func (s *tortureService) startProgram(n int, cmd *exec.Cmd) error {
	left := s.run.input.remainingCalls(s.run.batchSize, s.stored())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start, s.calls, s.killAt, s.killMethod = n, 0, 0, http.MethodPost
	if n <= s.run.kills && left > 0 {
		if s.killAt = 1 + s.random.IntN(left); n == 1 {
			s.killAt = max(s.killAt, min(2, left))
		}
		if n > 1 && s.random.IntN(4) == 0 { // while rows are read back
			s.killAt, s.killMethod = 1+s.random.IntN(3), http.MethodGet
		}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.process = cmd.Process
	if n <= s.run.kills && s.random.IntN(6) == 0 { // after a random time
		time.AfterFunc(time.Duration(s.random.IntN(100))*time.Millisecond, func() { _ = cmd.Process.Kill() })
	}
	return nil
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
	for _, name := range fault.Names() {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if hook, err := fault.NewSchedule(0, 1, name); err == nil && hook(1, method, "/api/v1/keywords") == f {
				return name
			}
		}
	}
	return fmt.Sprintf("%+v", f)
}

// ServeHTTP serves a call. If it is the one at which the program is killed, that happens
// before the call is carried out, before its response is sent, or at about that time. It
// may also be interrupted, once or twice, instead of killed.
func (s *tortureService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests++
	s.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] = true
	due, phase, pause, twice := false, s.random.IntN(4), time.Duration(s.random.IntN(4000))*time.Microsecond, s.random.IntN(2) == 0
	if (r.Method == s.killMethod || s.killMethod == http.MethodPost && r.Method == http.MethodPut) && r.URL.Path != loginPath {
		s.calls++
		due = s.calls == s.killAt
	}
	process := s.process
	s.mu.Unlock()
	switch {
	case due && phase == 0:
		_ = process.Kill()
	case due && phase == 1:
		defer func() { _ = process.Kill() }() // the response is sent when ServeHTTP returns
	case due && phase == 2:
		time.AfterFunc(pause, func() { _ = process.Kill() })
	case due:
		time.AfterFunc(pause, func() { _ = process.Signal(os.Interrupt) })
		if twice {
			time.AfterFunc(2*pause, func() { _ = process.Signal(os.Interrupt) })
		}
	}
	s.service.ServeHTTP(w, r)
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
	secrets := append([]string{"eyJ"}, s.run.input.secrets...) // every token begins with eyJ
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
