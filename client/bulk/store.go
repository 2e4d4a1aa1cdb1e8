package bulk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A Store is the folder of the jobs: for each a journal, a lock, and maybe a
// copy of its input and its rejects, all named by the job's id.
type Store string

const (
	journalEnding = ".journal"
	inputEnding   = ".input"
	inputTemp     = ".input-" // what an input is called until it is whole
	keptJobs      = 50        // finished ones
)

// UnknownJobError is an id that no job has.
type UnknownJobError struct{ ID string }

func (e *UnknownJobError) Error() string { return fmt.Sprintf("no job %q", e.ID) }

func (s Store) path(id, ending string) string { return filepath.Join(string(s), id+ending) }

// lock keeps other processes from making and removing jobs for a moment.
func (s Store) lock() (unlock func(), err error) {
	if err := os.MkdirAll(string(s), 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(string(s), ".lock"))
	if err := lock.Lock(); err != nil {
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}

// headers are those of all jobs, oldest first. Of one that is damaged there is
// only the id. A file that is no journal, or was torn when it was begun, is passed over.
func (s Store) headers() ([]Header, error) {
	names, err := filepath.Glob(s.path("*", journalEnding))
	if err != nil {
		return nil, err
	}
	var out []Header
	for _, name := range names {
		var h Header
		_, err := readJournal(name, func(text []byte) (*ledger, error) { return nil, json.Unmarshal(text, &h) })
		if damaged := (*DamagedError)(nil); errors.As(err, &damaged) {
			h, err = Header{ID: damaged.ID}, nil
		}
		if err == nil && h.ID == strings.TrimSuffix(filepath.Base(name), journalEnding) {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b Header) int { return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.ID, b.ID)) })
	return out, nil
}

// Begin takes up the unfinished job that is known by the same things, or
// begins a new one, unless the header has the id of the job that is to go on; with restart always that, the unfinished one being given
// up. Src was checked.
func (s Store) Begin(h Header, src *Source, restart bool) (*Job, error) {
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	all, err := s.headers()
	if err != nil {
		return nil, err
	}
	key, number := h.Key(), 1
	var given *GivenUp
	if old := newest(all, key); old != nil {
		number = numberOf(old.ID) + 1
		job, err := s.open(*old)
		damaged := (*DamagedError)(nil)
		switch {
		case restart && errors.As(err, &damaged):
			given = &GivenUp{ID: old.ID, Damaged: true}
		case err != nil:
			return nil, err
		case !job.Finished() && !restart:
			return job, nil
		default:
			if err := job.Close(); err != nil {
				return nil, err
			}
			held := job.noted.After(src.opened) && job.noted.Before(time.Now()) // when this load began
			if job.Finished() && (held || old.ID == h.ID) {
				return nil, &BusyError{ID: old.ID, Ended: true}
			}
			if !job.Finished() {
				given = &GivenUp{ID: old.ID, Doubt: job.ledger.counts[doubt] + job.ledger.counts[calling]}
			}
		}
		if given != nil {
			s.erase(old.ID)
		}
	}
	if len(all) >= keptJobs {
		s.prune(all)
	}
	h.ID, h.Started = fmt.Sprintf("%s-%d", key[:8], number), time.Now().UTC()
	for slices.ContainsFunc(all, func(old Header) bool { return old.ID == h.ID }) { // of another key
		number++
		h.ID = fmt.Sprintf("%s-%d", key[:8], number)
	}
	h.Rows, h.Shares, h.Duplicates, h.Invalid = src.all, src.report.Rows, src.report.Duplicates, src.report.Invalid
	s.sweep()
	if h.File == "-" && !h.Secret {
		// Before the journal: a job that is known can be gone on with.
		if err := s.keep(h.ID, src); err != nil {
			return nil, err
		}
	}
	job, err := s.create(h)
	if job != nil {
		job.GivenUp = given
	}
	return job, err
}

// newest is the job of a key that was begun last: only that may be unfinished.
// One that is damaged at its beginning is known by its name.
func newest(all []Header, key string) (found *Header) {
	for i, old := range all {
		known := old.Key() == key || old.Operation == "" && strings.HasPrefix(old.ID, key[:8])
		if known && (found == nil || numberOf(old.ID) > numberOf(found.ID)) {
			found = &all[i]
		}
	}
	return found
}

// sweep removes inputs that were kept for jobs that then were not begun.
func (s Store) sweep() {
	left, _ := filepath.Glob(s.path(inputTemp, "*"))
	kept, _ := filepath.Glob(s.path("*", inputEnding))
	for _, input := range kept {
		if _, err := os.Stat(strings.TrimSuffix(input, inputEnding) + journalEnding); errors.Is(err, fs.ErrNotExist) {
			left = append(left, input)
		}
	}
	for _, path := range left {
		_ = os.Remove(path)
	}
}

func numberOf(id string) int {
	n := 0
	_, _ = fmt.Sscanf(id[strings.LastIndexByte(id, '-')+1:], "%d", &n)
	return n
}

// prune removes the oldest finished jobs.
func (s Store) prune(all []Header) {
	var finished []string
	for _, h := range all {
		over := endsFinished(s.path(h.ID, journalEnding)) // without reading what large loads have noted
		if !over {
			status, err := s.status(h)
			over = err == nil && status.State == Finished
		}
		if over {
			finished = append(finished, h.ID)
		}
	}
	for ; len(finished) >= keptJobs; finished = finished[1:] {
		s.erase(finished[0])
	}
}

func (s Store) erase(id string) {
	files, _ := filepath.Glob(s.path(id, ".*"))
	for _, file := range files {
		_ = os.Remove(file)
	}
}

// The states of a job.
const (
	Running  = "running"
	Stopped  = "stopped" // something is left to do
	Finished = "finished"
)

// Status is what a job is and how far it has come.
type Status struct {
	Header
	State   string
	Done    int
	Summary Summary
	Rejects string // empty where there are none
	Damaged error  // a *DamagedError: what is told is what was known before the damage
}

// List are all jobs, oldest first.
func (s Store) List() ([]Status, error) {
	all, err := s.headers()
	if err != nil {
		return nil, err
	}
	var out []Status
	for _, h := range all {
		status, err := s.status(h)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since
		}
		if err != nil {
			return nil, err
		}
		out = append(out, status)
	}
	return out, nil
}

// Find is the job of an id.
func (s Store) Find(id string) (Status, error) {
	all, err := s.headers()
	if err != nil {
		return Status{}, err
	}
	for _, h := range all {
		if h.ID == id {
			return s.status(h)
		}
	}
	return Status{}, &UnknownJobError{id}
}

func (s Store) status(h Header) (Status, error) {
	status := Status{Header: h, State: Stopped}
	l := newLedger(h.Rows)
	_, err := readJournal(s.path(h.ID, journalEnding), func([]byte) (*ledger, error) { return l, nil })
	if damaged := (*DamagedError)(nil); errors.As(err, &damaged) {
		status.Damaged = damaged
	} else if err != nil {
		return status, err
	}
	l.rollUp(nil)
	status.Summary = l.summary(h)
	status.Done = l.done()
	lock := flock.New(s.path(h.ID, ".lock"))
	switch got, err := lock.TryLock(); {
	case err == nil && !got:
		status.State = Running
	case l.finished:
		status.State = Finished
	}
	_ = lock.Unlock()
	for _, file := range []string{".rejects.csv", ".rejects.tsv", ".rejects.json", ".rejects.ndjson", ".rejects.yaml"} {
		if _, err := os.Stat(s.path(h.ID, file)); err == nil {
			status.Rejects = s.path(h.ID, file)
		}
	}
	return status, nil
}

// Remove removes a job and what is kept with it. One that runs is busy.
func (s Store) Remove(id string) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	status, err := s.Find(id)
	if err != nil {
		return err
	}
	if status.State == Running {
		return &BusyError{ID: id}
	}
	s.erase(id)
	return nil
}
