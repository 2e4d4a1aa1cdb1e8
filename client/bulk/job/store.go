package job

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"reseller/client/atomicfile"
	"reseller/client/bulk/wal"
	"reseller/client/trust"
)

// A Store is the path of the folder of the jobs. Each job has a log and a lock file in it, and may have a copy of its input and a
// rejects file. The names of these files begin with the id of the job.
type Store string

const (
	logSuffix     = ".journal"
	lockSuffix    = ".lock"
	inputSuffix   = ".input"
	rejectsSuffix = ".rejects."
	unknownSuffix = ".unknown."
	maxFinished   = 50                  // the number of finished jobs that the store keeps
	staleTime     = 90 * 24 * time.Hour // how long the store keeps a job that is stopped
	keyFile       = ".key"              // the key of the hashes that logs contain
	clockFile     = ".clock"            // the boot of the machine, and when that began by the clock
	maxSmallFile  = 1 << 20             // the bytes of these two, at most
)

type UnknownJobError struct{ ID string }

func (e *UnknownJobError) Error() string { return fmt.Sprintf("no job %q", e.ID) }

type Input struct {
	Counts
	Opened time.Time             // when the load opened the file
	CopyTo func(io.Writer) error // writes the content of the file, for a job that reads standard input
}

func (s Store) path(id, suffix string) string { return filepath.Join(string(s), id+suffix) }

// isID reports whether a text has the form of a job's id, which Begin makes. Files with other names are of no job.
func isID(text string) bool {
	hash, sequence, ok := strings.Cut(text, "-")
	return ok && len(hash) == 8 && strings.Trim(hash, "0123456789abcdef") == "" &&
		sequence != "" && sequence[0] != '0' && len(sequence) <= 9 && strings.Trim(sequence, "0123456789") == ""
}

func (s Store) lockAll() (unlock func(), err error) {
	if err := os.MkdirAll(string(s), 0o700); err != nil {
		return nil, err
	}
	lock := s.newLock("", os.O_CREATE)
	return func() { _ = lock.Unlock() }, lock.Lock()
}

// newLock returns the lock of a job, or that of all jobs if id is empty. Only with os.O_CREATE does it create its file. It never waits
// for the other end of a pipe.
func (s Store) newLock(id string, create int) *flock.Flock {
	return flock.New(s.path(id, lockSuffix), flock.SetFlag(create|os.O_RDONLY|trust.NonBlocking))
}

// headers returns the headers of all jobs, oldest first. The header of a corrupt log has an id only. A log that was torn when it
// was created is skipped. A log that somebody else may have written is an error, since nobody knows what it hides.
func (s Store) headers() ([]Header, error) {
	entries, err := os.ReadDir(string(s))
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var out []Header
	for _, e := range entries {
		id, isLog := strings.CutSuffix(e.Name(), logSuffix)
		if !isLog || !isID(id) {
			continue
		}
		var h Header
		path := s.path(id, logSuffix)
		if err := trust.Check(path); errors.Is(err, fs.ErrNotExist) {
			continue // it was removed meanwhile
		} else if err != nil {
			return nil, fmt.Errorf("the journal %w", err)
		}
		err := read(path, id, &h, nil)
		if errors.As(err, new(*CorruptError)) {
			h, err = Header{ID: id}, nil
		}
		if err == nil && h.ID == id {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b Header) int { return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.ID, b.ID)) })
	return out, nil
}

// Begin resumes the unfinished job with the same key, or creates one. With restart it always creates one, and removes the
// unfinished job. h.ID is the id of the job that the user asked to resume, empty if they named none: if that job is finished
// already, Begin returns a *BusyError instead of creating a job.
func (s Store) Begin(h Header, in Input, restart bool) (*Job, error) {
	unlock, err := s.lockAll()
	if err != nil {
		return nil, err
	}
	defer unlock()
	all, err := s.headers()
	if err != nil {
		return nil, err
	}
	key, sequence := h.Hash(), 1
	var abandoned *Abandoned
	if old := latest(all, key); old != nil {
		var job *Job
		if job, abandoned, err = s.resume(old.ID, h.ID, in.Opened, restart); job != nil || err != nil {
			return job, err
		}
		if abandoned != nil {
			h.Since = abandoned.since
			s.retire(old.ID)
		}
	}
	if len(all) >= maxFinished {
		s.removeOldest(all)
	}
	for _, old := range all {
		if strings.HasPrefix(old.ID, key[:8]) { // also that of another key
			sequence = max(sequence, sequenceOf(old.ID)+1)
		}
	}
	h.ID, h.Started = fmt.Sprintf("%s-%d", key[:8], sequence), time.Now().UTC()
	h.Counts, h.Restarted = in.Counts, restart
	if h.Rows > maxRows {
		return nil, fmt.Errorf("the file has %d rows; a job can have %d", h.Rows, maxRows)
	}
	s.removeOrphans()
	if h.keepsInput() {
		// The input is copied before the log is created: every job with a log has its input.
		if err := s.copyInput(h.ID, in.CopyTo); err != nil {
			return nil, err
		}
	}
	job, err := s.create(h)
	if job != nil {
		job.Abandoned, job.Stale = abandoned, s.removeStale(all)
	}
	return job, err
}

// resume opens the latest job with a key, whose id is id. It returns the job if the load resumes it, an Abandoned if a new job
// must replace it, and neither if it is finished. wanted is the id of the job that the user asked to resume, empty if they named
// none. opened is the time at which the load opened the file.
func (s Store) resume(id, wanted string, opened time.Time, restart bool) (*Job, *Abandoned, error) {
	var written time.Time
	if info, err := os.Stat(s.path(id, logSuffix)); err == nil {
		written = info.ModTime()
	}
	if !s.endsFinished(id) || s.isRunning(id) { // otherwise nothing of the log need be read
		job, err := s.open(id)
		if restart && errors.As(err, new(*CorruptError)) {
			var h Header
			t := NewTable(0)
			_ = read(s.path(id, logSuffix), id, &h, &t) // up to the damage
			return nil, &Abandoned{ID: id, Corrupt: true, since: cmp.Or(h.since(t), new(int64))}, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if !job.Finished() && !restart {
			return job, nil, nil
		}
		if err := job.Close(); err != nil {
			return nil, nil, err
		}
		if !job.Finished() {
			return nil, &Abandoned{ID: id, Unknown: job.Table().Count(StateUnknown, StateInFlight), since: job.since(job.Table())}, nil
		}
	}
	// If the log was written after this load had opened its file, another run has finished
	// the job meanwhile. A time in the future shows only that the clock was set back.
	if overtaken := written.After(opened) && written.Before(time.Now()); overtaken || id == wanted {
		return nil, nil, &BusyError{ID: id, Finished: true}
	}
	return nil, nil, nil
}

// since returns Since for a job that replaces the job with a header and a table.
func (h *Header) since(t *Table) *int64 {
	if before := t.first().lastID; h.Since == nil && before >= 0 {
		return &before
	}
	return h.Since
}

// latest returns the last job that was created with a key, nil if there is none. All earlier jobs with that key are finished. A
// corrupt job is recognized by its id, which begins with the hash of its key.
func latest(all []Header, key string) (found *Header) {
	for i, h := range all {
		match := h.Hash() == key || h.Operation == "" && strings.HasPrefix(h.ID, key[:8])
		if match && (found == nil || sequenceOf(h.ID) > sequenceOf(found.ID)) {
			found = &all[i]
		}
	}
	return found
}

func sequenceOf(id string) int {
	n, _ := strconv.Atoi(id[strings.LastIndexByte(id, '-')+1:])
	return n
}

func (s Store) copyInput(id string, copyTo func(io.Writer) error) error {
	f, err := atomicfile.Create(s.path(id, inputSuffix), 0o600)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := copyTo(f); err != nil {
		return err
	}
	return f.Commit()
}

// keepsInput reports whether the store has a copy of the job's input.
func (h *Header) keepsInput() bool { return h.File == "-" && !h.Secret }

// Input returns the path of the rows for a run that resumes the job: the file, or the copy of standard input; "-" if it was not copied.
func (h *Header) Input(s Store) string {
	if h.keepsInput() {
		return s.path(h.ID, inputSuffix)
	}
	return h.File
}

// removeOrphans removes the files that killed runs left of jobs that were never created: inputs without a log, and temporary
// files. It also removes the files of removed jobs, which are kept for a day.
func (s Store) removeOrphans() {
	atomicfile.Sweep(string(s))
	entries, _ := os.ReadDir(string(s))
	now := sync.OnceValue(s.steadyNow)
	for _, e := range entries {
		path, isOrphan := filepath.Join(string(s), e.Name()), false
		if id, isInput := strings.CutSuffix(e.Name(), inputSuffix); isInput && isID(id) {
			_, err := os.Lstat(s.path(id, logSuffix))
			isOrphan = errors.Is(err, fs.ErrNotExist)
		} else if _, isKept := removedID(e.Name()); isKept {
			_, isRecent := isRecent(path, now(), MemoryTime)
			isOrphan = !isRecent
		}
		if isOrphan {
			_ = os.Remove(path)
		}
	}
}

func (s Store) removeOldest(all []Header) {
	var finished []string
	for _, h := range all {
		if s.endsFinished(h.ID) {
			finished = append(finished, h.ID)
		} else if status, err := s.status(h); err == nil && status.State == JobFinished {
			finished = append(finished, h.ID)
		}
	}
	for ; len(finished) >= maxFinished; finished = finished[1:] {
		s.retire(finished[0])
	}
}

// removeStale removes stopped jobs that nobody has resumed for staleTime, and returns their ids.
func (s Store) removeStale(all []Header) (removed []string) {
	now := sync.OnceValue(s.steadyNow)
	for _, h := range all {
		if _, isRecent := isRecent(s.path(h.ID, logSuffix), now(), staleTime); isRecent || s.endsFinished(h.ID) {
			continue
		}
		if status, err := s.status(h); err == nil && status.State == JobStopped { // an error if the job was removed since it was listed
			s.erase(h.ID)
			removed = append(removed, h.ID)
		}
	}
	return removed
}

// endsFinished reports whether a log ends with the event Finished, which RunEnded may follow. It reads only the end of the log,
// while status reads all of it. If the result is false, the job may be finished nevertheless.
func (s Store) endsFinished(id string) bool {
	return wal.EndsWith(s.path(id, logSuffix), Finished(), kindRunEnded)
}

func (s Store) erase(id string) {
	entries, _ := os.ReadDir(string(s))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), id+".") {
			_ = os.Remove(filepath.Join(string(s), e.Name()))
		}
	}
}

// HashKey returns the key that makes the identities. If the store has none yet, the key
// becomes the proposed one, unless that is zero.
func (s Store) HashKey(proposed [16]byte) (key [16]byte, err error) {
	path := filepath.Join(string(s), keyFile)
	if proposed != key {
		unlock, err := s.lockAll()
		if err != nil {
			return key, err
		}
		defer unlock()
	}
	text, err := trust.ReadFile(path, "", maxSmallFile)
	switch err = ignoreMissing(err); {
	case err == nil && len(text) >= len(key):
		return [16]byte(text), nil
	case err != nil || proposed == key:
		return key, err
	}
	return proposed, atomicfile.WriteFile(path, proposed[:], 0o600)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// steadyNow returns the time by the clock as it was when this boot of the machine first used the store, so that nothing becomes
// old because somebody sets the clock forward. It writes to a file when the boot began, and once more if the clock was set back.
func (s Store) steadyNow() time.Time {
	now, on, path := time.Now(), BootClock()(), filepath.Join(string(s), clockFile)
	if on.ID == "" {
		return now
	}
	began := now.Add(-on.Uptime)
	text, err := trust.ReadFile(path, "", maxSmallFile)
	id, at, _ := strings.Cut(string(text), " ")
	noted, parseErr := strconv.ParseInt(at, 10, 64)
	latest := began.Add(time.Second) // the clock and the uptime are read one after the other
	if err == nil && parseErr == nil && id == on.ID && !time.UnixMilli(noted).After(latest) {
		return time.UnixMilli(noted).Add(on.Uptime)
	}
	_ = atomicfile.WriteFile(path, fmt.Appendf(nil, "%s %d", on.ID, began.UnixMilli()), 0o600)
	return now
}
