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
	"strings"
	"time"

	"github.com/gofrs/flock"

	"reseller/client/atomicfile"
	"reseller/client/bulk/wal"
)

// A Store is the folder of the jobs. Each job has a log and a lock, and may have a
// copy of its input and a rejects file. Their names begin with the job's id.
type Store string

const (
	logSuffix     = ".journal"
	lockSuffix    = ".lock"
	inputSuffix   = ".input"
	rejectsSuffix = ".rejects."
	maxFinished   = 50 // finished jobs that are kept
)

// An UnknownJobError is an id that no job has.
type UnknownJobError struct{ ID string }

func (e *UnknownJobError) Error() string { return fmt.Sprintf("no job %q", e.ID) }

// An Input is what a store has to know of the rows of a new job.
type Input struct {
	Rows       int // rows of the file, those of other shards included
	ShardRows  int
	Duplicates int
	Invalid    int
	Opened     time.Time // when the load opened the file
	CopyTo     func(io.Writer) error
}

func (s Store) path(id, suffix string) string { return filepath.Join(string(s), id+suffix) }

// withSuffix returns the names of the store's files with a suffix, without it.
func (s Store) withSuffix(suffix string) ([]string, error) {
	entries, err := os.ReadDir(string(s))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), suffix); ok && id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// lockAll keeps other processes from creating and removing jobs.
func (s Store) lockAll() (unlock func(), err error) {
	if err := os.MkdirAll(string(s), 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(string(s), lockSuffix))
	if err := lock.Lock(); err != nil {
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}

// headers returns the headers of all jobs, oldest first. The header of a corrupt log
// has an id only. A file that is no log, or was torn when it was created, is skipped.
func (s Store) headers() ([]Header, error) {
	ids, err := s.withSuffix(logSuffix)
	if err != nil {
		return nil, err
	}
	var out []Header
	for _, id := range ids {
		var h Header
		path := s.path(id, logSuffix)
		err := s.corrupt(id, replay(&h, nil, func(apply func([]byte) error) error {
			_, err := wal.Replay(path, isKind, apply)
			return err
		}))
		if corrupt := (*CorruptError)(nil); errors.As(err, &corrupt) {
			h, err = Header{ID: id}, nil
		}
		if err == nil && h.ID == id {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b Header) int { return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.ID, b.ID)) })
	return out, nil
}

// Begin resumes the unfinished job with the same key, or creates one. With restart
// it always creates one and abandons the unfinished job. If the header has an id,
// only that job is resumed.
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
		sequence = sequenceOf(old.ID) + 1
		var job *Job
		if job, abandoned, err = s.resume(old.ID, h.ID, in.Opened, restart); job != nil || err != nil {
			return job, err
		}
		if abandoned != nil {
			s.erase(old.ID)
		}
	}
	if len(all) >= maxFinished {
		s.removeOldest(all)
	}
	h.ID, h.Started = fmt.Sprintf("%s-%d", key[:8], sequence), time.Now().UTC()
	for slices.ContainsFunc(all, func(old Header) bool { return old.ID == h.ID }) { // a job with another key
		sequence++
		h.ID = fmt.Sprintf("%s-%d", key[:8], sequence)
	}
	h.Rows, h.ShardRows, h.Duplicates, h.Invalid = in.Rows, in.ShardRows, in.Duplicates, in.Invalid
	s.removeOrphans()
	if h.File == "-" && !h.Secret {
		// The copy comes before the log, so that every job with a log can be resumed.
		if err := s.copyInput(h.ID, in.CopyTo); err != nil {
			return nil, err
		}
	}
	job, err := s.create(h)
	if job != nil {
		job.Abandoned = abandoned
	}
	return job, err
}

// resume opens the latest job with a key. It returns the job if that is to be
// resumed, and what is abandoned if another job is to replace it. wanted is the id
// of the job that the caller wants to resume, if it named one.
func (s Store) resume(id, wanted string, opened time.Time, restart bool) (*Job, *Abandoned, error) {
	job, err := s.open(id)
	if corrupt := (*CorruptError)(nil); restart && errors.As(err, &corrupt) {
		return nil, &Abandoned{ID: id, Corrupt: true}, nil
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
		return nil, &Abandoned{ID: id, Unknown: job.Table().Count(StateUnknown, StateInFlight)}, nil
	}
	// Another run finished the job after this load had started.
	if overtaken := job.lastWritten.After(opened) && job.lastWritten.Before(time.Now()); overtaken || id == wanted {
		return nil, nil, &BusyError{ID: id, Finished: true}
	}
	return nil, nil, nil
}

// latest returns the job with a key that was created last: only that may be
// unfinished. A corrupt job is recognized by its id.
func latest(all []Header, key string) (found *Header) {
	for i, h := range all {
		match := h.Hash() == key || h.Operation == "" && strings.HasPrefix(h.ID, key[:8])
		if match && (found == nil || sequenceOf(h.ID) > sequenceOf(found.ID)) {
			found = &all[i]
		}
	}
	return found
}

// sequenceOf returns the number at the end of an id.
func sequenceOf(id string) int {
	n := 0
	_, _ = fmt.Sscanf(id[strings.LastIndexByte(id, '-')+1:], "%d", &n)
	return n
}

// copyInput stores standard input where Header.Input finds it.
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

// Input is where the rows of a job are read again: the file, or the copy of
// standard input.
func (h *Header) Input(s Store) string {
	if h.File == "-" && !h.Secret {
		return s.path(h.ID, inputSuffix)
	}
	return h.File
}

// removeOrphans removes inputs that were copied for jobs that were never created.
func (s Store) removeOrphans() {
	entries, _ := os.ReadDir(string(s))
	for _, e := range entries {
		id, isInput := strings.CutSuffix(e.Name(), inputSuffix)
		if isInput {
			_, err := os.Stat(s.path(id, logSuffix))
			isInput = errors.Is(err, fs.ErrNotExist)
		}
		if isInput || isStaleTemp(e) {
			_ = os.Remove(filepath.Join(string(s), e.Name()))
		}
	}
}

// staleAfter is the age at which no process is still writing a temporary file.
const staleAfter = 24 * time.Hour

// isStaleTemp reports whether a file is a temporary one that a killed process left
// behind. Other processes write theirs in the same folder.
func isStaleTemp(e os.DirEntry) bool {
	if !strings.HasPrefix(e.Name(), atomicfile.TempPrefix) {
		return false
	}
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > staleAfter
}

// removeOldest removes finished jobs, oldest first, until a new one has room.
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
		s.erase(finished[0])
	}
}

// endsFinished reports whether the end of a log shows that the job is finished.
// Unlike status it does not read the whole log, which may be large.
func (s Store) endsFinished(id string) bool {
	after, ok := wal.EventsAfter(s.path(id, logSuffix), Finished())
	return ok && (len(after) == 0 || len(after) == 1 && after[0][0] == kindRunEnded)
}

// erase removes all files of a job.
func (s Store) erase(id string) {
	entries, _ := os.ReadDir(string(s))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), id+".") {
			_ = os.Remove(filepath.Join(string(s), e.Name()))
		}
	}
}
