package job

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"reseller/client/atomicfile"
	"reseller/client/bulk/wal"
	"reseller/client/trust"
)

const (
	// memoryTime is how long the rows that a job has sent are remembered. A list of the
	// service shows them long before.
	memoryTime = 24 * time.Hour
	// memoryPrefix begins the name of a log whose job was removed before memoryTime had
	// passed. The id of the job follows.
	memoryPrefix = ".acknowledged-"
	// keyFile is the file with the key of the hashes that logs contain.
	keyFile = ".key"
	// clockFile is the file with the boot of the machine, and when that began by the clock.
	clockFile = ".clock"
)

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
	text, err := readStart(path, len(key))
	switch err = ignoreMissing(err); {
	case err == nil && len(text) >= len(key):
		return [16]byte(text), nil
	case err != nil || proposed == key:
		return key, err
	}
	return proposed, atomicfile.WriteFile(path, proposed[:], 0o600)
}

// readStart reads at most n bytes of a file that nobody else may have written.
func readStart(path string, n int) ([]byte, error) {
	if err := trust.Check(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, int64(n)))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A Memory is what the log of another job says of the rows that the job has sent, as far
// as they have identities. The job may have been removed, and it may be running.
type Memory struct {
	Job         string    // the id of the job
	LastWritten time.Time // the last change of the log
	IsCorrupt   bool      // the log is corrupt, so the memory ends before the damage
	Recovery              // of the rows that are in doubt

	path  string
	step  int // the number of the step, -1 for a job without steps
	table *Table
}

// Memories returns what other jobs have sent, for the same address and subject, that
// creates the same things. Jobs whose logs were last written more than a day ago are left
// out.
func (j *Job) Memories(creates string, on Boot) iter.Seq2[*Memory, error] {
	return func(yield func(*Memory, error) bool) {
		seen := map[string]bool{j.store.path(j.ID, logSuffix): true}
		for {
			logs, err := j.store.rememberedLogs()
			if err != nil {
				yield(nil, err)
				return
			}
			logs = slices.DeleteFunc(logs, func(l rememberedLog) bool { return seen[l.path] })
			if len(logs) == 0 {
				return
			}
			for _, l := range logs {
				seen[l.path] = true
				memories, err := j.memoriesIn(l, creates, on)
				if errors.Is(err, fs.ErrNotExist) {
					continue // another process has removed the job: its log has another name now
				}
				if err != nil {
					yield(nil, err)
					return
				}
				for _, m := range memories {
					if !yield(m, nil) {
						return
					}
				}
			}
		}
	}
}

// A rememberedLog is a log that may say which rows were sent in the last day.
type rememberedLog struct {
	path, id    string
	lastWritten time.Time
}

// rememberedLogs returns the logs of all jobs, and those that were kept of removed jobs,
// which were written in the last day. The oldest come first.
func (s Store) rememberedLogs() ([]rememberedLog, error) {
	entries, err := os.ReadDir(string(s))
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var logs []rememberedLog
	for _, e := range entries {
		id, isLog := strings.CutSuffix(e.Name(), logSuffix)
		if !isLog {
			id, isLog = removedID(e.Name())
		}
		path := filepath.Join(string(s), e.Name())
		if !isLog || !isID(id) {
			continue
		}
		if at, ok := s.isRecent(path); ok {
			logs = append(logs, rememberedLog{path, id, at})
		}
	}
	slices.SortFunc(logs, func(a, b rememberedLog) int { return a.lastWritten.Compare(b.lastWritten) })
	return logs, nil
}

// removedID returns the id of the removed job that a log with a name was kept of.
func removedID(name string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(name, memoryPrefix)
	id, _, found := strings.Cut(rest, ".")
	return id, ok && found
}

// isRecent returns when a log was last written, and reports whether that was in the last
// day. A time in the future counts as now: the clock was set back.
func (s Store) isRecent(path string) (lastWritten time.Time, ok bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return lastWritten, false
	}
	now := s.now()
	if lastWritten = info.ModTime(); lastWritten.After(now) {
		lastWritten = now
	}
	return lastWritten, now.Sub(lastWritten) < memoryTime
}

// now returns the time by the clock as it was when this boot of the machine first used the store, so that
// nothing becomes old because somebody sets the clock forward. A file of the store says when the boot began.
func (s Store) now() time.Time {
	now, on, path := time.Now(), BootClock()(), filepath.Join(string(s), clockFile)
	if on.ID == "" {
		return now
	}
	began := now.Add(-on.Uptime).UnixMilli()
	if text, err := readStart(path, 100); err == nil {
		const slack = 1000 // milliseconds, as the uptime and the time are read one after the other
		id, at, _ := strings.Cut(string(text), " ")
		if before, err := strconv.ParseInt(at, 10, 64); err == nil && id == on.ID && before <= began+slack {
			return time.UnixMilli(before).Add(on.Uptime)
		}
	}
	_ = atomicfile.WriteFile(path, fmt.Appendf(nil, "%s %d", on.ID, began), 0o600)
	return now
}

// memoriesIn replays a log and returns the memories of its job, one for each step that
// creates the things.
func (j *Job) memoriesIn(l rememberedLog, creates string, on Boot) ([]*Memory, error) {
	if err := trust.Check(l.path); err != nil {
		return nil, fmt.Errorf("the journal %w", err)
	}
	var h Header
	err := read(l.path, l.id, &h, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil || h.BaseURL != j.BaseURL || h.Subject != j.Subject {
		return nil, nil // without a header, nothing was sent
	}
	if j.store.isRunning(l.id) {
		on = Boot{} // its batches in flight may be sent at any time
	}
	var table *Table
	err = read(l.path, l.id, &h, &table)
	isCorrupt := errors.As(err, new(*CorruptError))
	if err != nil && !isCorrupt {
		return nil, err
	}
	var found []*Memory
	add := func(step int, t *Table) {
		if t.creates != creates {
			return
		}
		t.recoverInFlight(on)
		found = append(found, &Memory{
			Job: l.id, LastWritten: l.lastWritten, IsCorrupt: isCorrupt, path: l.path, step: step, table: t,
			Recovery: Recovery{Rows: t.Count(StateUnknown, StateRejectedBatch), LongestCall: t.longestCall, Ago: on.since(t.doubted)},
		})
	}
	add(-1, table)
	for i, s := range table.steps {
		add(i, s.Table)
	}
	return found, nil
}

// isRunning reports whether a process works on a job.
func (s Store) isRunning(id string) bool {
	lock := flock.New(s.path(id, lockSuffix), flock.SetFlag(os.O_RDONLY)) // does not create the file
	got, err := lock.TryLock()
	_ = lock.Unlock()
	return err == nil && !got
}

// A SentRow is what a Memory says of one row.
type SentRow struct {
	IsInDoubt bool   // it is not known whether the call of the row was carried out; otherwise it was
	Fields    string // the JSON of the fields that the service returned for the row
}

// Each calls visit with each row that the job has sent. It reads the log again, since the
// identities of many rows would take much memory.
func (m *Memory) Each(visit func(Identity, SentRow)) error {
	_, err := wal.Replay(m.path, isKind, func(e []byte) error {
		if e[0] == kindStep && m.step >= 0 && len(e) > 2 && int(e[1]) == m.step {
			e = e[2:]
		} else if m.step >= 0 {
			return nil
		}
		if e[0] != kindIdentities {
			return nil
		}
		r := reader{rest: e[1:]}
		_, rows := r.identities()
		for row, id := range rows {
			if int(row) >= m.table.Len() {
				return nil // another process has added the row since
			}
			switch m.table.State(row) {
			case StateSent:
				visit(id, SentRow{Fields: m.table.Fields(row)})
			case StateUnknown, StateRejectedBatch:
				visit(id, SentRow{IsInDoubt: true})
			}
		}
		return nil
	})
	if errors.As(err, new(*wal.CorruptError)) {
		err = nil // IsCorrupt says so
	}
	return err
}

// retire removes all files of a job. If its log says which rows were sent in the last day,
// the log is kept under another name until the day is over.
func (s Store) retire(id string) {
	log := s.path(id, logSuffix)
	if at, ok := s.isRecent(log); ok && hasIdentities(log) {
		_ = os.Rename(log, filepath.Join(string(s), fmt.Sprintf("%s%s.%d", memoryPrefix, id, at.UnixNano())))
	}
	s.erase(id)
}

// hasIdentities reports whether a log has the identities of rows.
func hasIdentities(path string) (found bool) {
	_, _ = wal.Replay(path, isKind, func(e []byte) error {
		if e[0] == kindIdentities || e[0] == kindStep && len(e) > 2 && e[2] == kindIdentities {
			found = true
			return wal.ErrStop
		}
		return nil
	})
	return found
}

// Forget makes the store forget which rows were sent to an address, since the service
// there has lost its data. Unfinished jobs can be resumed as before.
func (s Store) Forget(baseURL string) error {
	logs, err := s.rememberedLogs()
	if err != nil {
		return err
	}
	for _, l := range logs {
		var h Header
		_ = read(l.path, l.id, &h, nil)
		if h.BaseURL != baseURL {
			continue
		}
		long := s.now().Add(-2 * memoryTime)
		if err := os.Chtimes(l.path, time.Time{}, long); ignoreMissing(err) != nil {
			return err
		}
	}
	return nil
}
