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

// stage is the service that a trial talks to. It knows when to kill the program.
type stage struct {
	trial   trial
	service *mock.Service
	calm    *mock.Service // the same data without faults
	token   string
	db      string

	mu       sync.Mutex
	start    int
	process  *os.Process
	dice     *rand.Rand
	killAt   int    // the call at which the program dies; 0: at none
	killOf   string // the calls that count for it, by their method
	seen     int    // of them
	hidden   bool   // the last list missed rows
	refused  int    // the request that was last answered with 429
	requests int
	faults   map[string]int
	tokens   map[string]bool
}

func newStage(c trial, db string) (s *stage, err error) {
	s = &stage{trial: c, db: db, dice: rand.New(rand.NewPCG(uint64(c.seed), 4)), faults: map[string]int{}, tokens: map[string]bool{}}
	if s.service, err = mock.New(mock.Options{Path: db, Latency: 2 * time.Millisecond, Faults: s.fault}); err != nil {
		return nil, err
	}
	if s.calm, err = mock.New(mock.Options{Path: db}); err != nil {
		return nil, err
	}
	s.token, err = s.calm.Token(1)
	return s, err
}

// begin starts the program and decides when it dies.
func (s *stage) begin(n int, cmd *exec.Cmd) error {
	left := s.trial.load.calls(s.trial.batchSize, s.stored())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start, s.seen, s.killAt, s.killOf = n, 0, 0, http.MethodPost
	if n <= s.trial.kills && left > 0 {
		if s.killAt = 1 + s.dice.IntN(left); n == 1 {
			s.killAt = max(s.killAt, min(2, left))
		}
		if n > 1 && s.dice.IntN(4) == 0 { // while it reads back
			s.killAt, s.killOf = 1+s.dice.IntN(3), http.MethodGet
		}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.process = cmd.Process
	if n <= s.trial.kills && s.dice.IntN(6) == 0 { // wherever it is by then
		time.AfterFunc(time.Duration(s.dice.IntN(100))*time.Millisecond, func() { _ = cmd.Process.Kill() })
	}
	return nil
}

// fault is the weather, but for what would be no fair test.
func (s *stage) fault(n int, method, path string) fault.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.start >= calm || path == loginPath {
		return fault.Fault{}
	}
	f := s.trial.weather(n, method, path)
	// Two lists in a row that miss the newest rows can't be told from the truth.
	if f.HideNewest > 0 || f.Stale > 0 {
		if s.hidden {
			return fault.Fault{}
		}
	}
	if method == http.MethodGet {
		s.hidden = f.HideNewest > 0 || f.Stale > 0
	}
	// Refused all the time, the program crawls, as it should; minutes show nothing more.
	if f.Status == http.StatusTooManyRequests {
		if s.refused > 0 && n < s.refused+12 {
			return fault.Fault{}
		}
		s.refused = n
	}
	if f == (fault.Fault{}) {
		return f
	}
	s.faults[nameOf(f)]++
	if f.RetryAfter != "" && !s.trial.strict && s.dice.IntN(4) > 0 {
		f.RetryAfter = "0" // or all the time would go by waiting
	}
	if f.Defer > 0 && s.dice.IntN(3) == 0 {
		f.Delay = time.Duration(s.dice.IntN(1000)) * time.Millisecond
	}
	return f
}

const loginPath = "/api/v1/authentication/login"

// nameOf is the name of a fault of a plan.
func nameOf(f fault.Fault) string {
	for _, name := range fault.Names() {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if hook, err := fault.NewSchedule(0, 1, name); err == nil && hook(1, method, "/api/v1/keywords") == f {
				return name
			}
		}
	}
	return fmt.Sprintf("%+v", f)
}

// ServeHTTP kills the program before its call is carried out, after that but
// before it hears of it, or at about that time.
func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests++
	s.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] = true
	due, phase, pause, twice := false, s.dice.IntN(4), time.Duration(s.dice.IntN(4000))*time.Microsecond, s.dice.IntN(2) == 0
	if (r.Method == s.killOf || s.killOf == http.MethodPost && r.Method == http.MethodPut) && r.URL.Path != loginPath {
		s.seen++
		due = s.seen == s.killAt
	}
	process := s.process
	s.mu.Unlock()
	switch {
	case due && phase == 0:
		_ = process.Kill()
	case due && phase == 1:
		defer func() { _ = process.Kill() }() // the answer leaves only when this is over
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

// tear leaves half an entry at the end of a journal, now and then, as a program
// does that dies while it writes.
func (s *stage) tear(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	journals, _ := filepath.Glob(filepath.Join(dir, "reseller", "jobs", "*.journal"))
	if len(journals) == 0 || s.dice.IntN(3) > 0 {
		return nil
	}
	f, err := os.OpenFile(journals[len(journals)-1], os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	half := make([]byte, 1+s.dice.IntN(12))
	for i := range half {
		half[i] = byte(s.dice.IntN(64))
	}
	_, err = f.Write(half)
	return errors.Join(err, f.Close())
}

// leaks counts the secrets that are in the files below a folder.
func (s *stage) leaks(dir string) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	secrets := append([]string{"eyJ"}, s.trial.load.secrets...) // how each token begins
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
				err = errors.Join(err, fmt.Errorf("%s holds a secret: %.20s", path, secret))
			}
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return n, err
}
