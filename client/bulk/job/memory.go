package job

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/wal"
	"reseller/client/trust"
)

const (
	// MemoryTime is how long the rows that a job has sent are remembered. A list of the service shows them long before.
	MemoryTime = 24 * time.Hour
	// memoryPrefix begins the name of a log whose job was removed before MemoryTime had passed. The id of the job follows.
	memoryPrefix = ".acknowledged-"
	// singleID is the id of the logs of the commands without a job, each of which is of a day (see singleLog).
	singleID     = "single"
	singlePrefix = memoryPrefix + singleID + "."
	// singleLock is the id by whose lock others see that commands without a job are running.
	singleLock = ".single"
)

// A Memory has the rows that another job has sent or, while it is running, may send by its log, as far as they are looked for. The
// other job may have been removed.
type Memory struct {
	Job         string        // the id of the job; empty for a command that had none
	LastWritten time.Time     // the last change of the log
	Age         time.Duration // since then
	IsCorrupt   bool          // the log is corrupt, so the memory ends before the damage
	Recovery                  // of the rows that are in doubt
	LastID      int64         // see Table.LastID
	Rows        iter.Seq[SentRow]
	header      *Header
	isDoubted   bool // the job has ended, and a call of it got no response
}

// By returns words for who has sent the rows.
func (m *Memory) By() string { return nameOf(m.Job) }

func nameOf(id string) string {
	if id == "" {
		return "a command without a file"
	}
	return "job " + id
}

// Changes reports whether the job of the memory, which has ended without a response to some calls, may change the same records as
// j.
func (m *Memory) Changes(j *Job) bool {
	what, _, isOne := strings.Cut(m.header.Operation, ".") // a job with steps changes all
	own, _, isOwnOne := strings.Cut(j.Operation, ".")
	return m.isDoubted && (what == own || !isOne || !isOwnOne) && (j.Restarted || m.header.Hash() != j.Hash())
}

// A SentRow is a row of another job, or a field that a row of it changes.
type SentRow struct {
	dedupe.Fingerprint
	Row         int    // in the job that looks for it
	SameContent bool   // it has the content of that row
	State       State  // StateSent, unless the row is in doubt or open
	IsOpen      bool   // the other job is running, and has not finished with the row
	Fields      string // the JSON of the fields that the service returned for the row
	Reason      Reason
}

// IsInDoubt reports whether it is not known if the call of the row was carried out.
func (r SentRow) IsInDoubt() bool { return r.State == StateUnknown || r.State == StateRejectedBatch }

// A Find returns the row that a job looks for with a fingerprint, and reports whether the content is the
// same too. The row is -1 if it looks for none.
type Find = func(f dedupe.Fingerprint) (row int, sameContent bool)

// All is a Find for all that was sent.
func All(dedupe.Fingerprint) (row int, sameContent bool) { return 0, false }

// Lock keeps other processes from creating and removing jobs, and from looking into those of others, until unlock is called. It
// creates no file.
func (j *Job) Lock() (unlock func(), err error) {
	lock := j.store.newLock("", 0)
	return func() { _ = lock.Unlock() }, ignoreMissing(lock.Lock())
}

// Memories returns the memories of the other jobs, and of commands without one, for the same address and subject whose rows write
// the same (see Identities), or whose rows have changed anything, if writes is empty. Those whose logs were last written longer ago
// than within are left out, unless they are running. Those that were written last come first. The caller holds the Lock.
func (j *Job) Memories(writes string, within time.Duration, on Boot, find Find) iter.Seq2[*Memory, error] {
	return func(yield func(*Memory, error) bool) {
		logs, err := j.store.rememberedLogs(within)
		now, looked, all := j.store.steadyNow(), byte(kindIdentities), []rememberedLog(nil)
		if writes == "" {
			looked = kindChanges
		}
		for _, l := range logs {
			if l.id == singleID && strings.HasPrefix(filepath.Base(l.path), j.singleLog()) {
				singles, failed := singlesIn(l, now.Add(-within), looked, find)
				all, err = append(all, singles...), cmp.Or(err, failed)
			} else if l.id != singleID && l.path != j.store.path(j.ID, logSuffix) {
				all = append(all, l)
			}
		}
		slices.SortFunc(all, func(a, b rememberedLog) int { return b.lastWritten.Compare(a.lastWritten) })
		for i := 0; err == nil && i < len(all); i++ {
			var memories []*Memory
			memories, err = j.memoriesIn(all[i], writes, looked, on, find)
			for _, m := range memories {
				if m.Age = now.Sub(m.LastWritten); !yield(m, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// EachSent calls each with the rows of the Memories, under the Lock.
func (j *Job) EachSent(writes string, within time.Duration, on Boot, find Find, each func(*Memory, SentRow)) error {
	unlock, err := j.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	for m, err := range j.Memories(writes, within, on, find) {
		if err != nil {
			return err
		}
		for row := range m.Rows {
			each(m, row)
		}
	}
	return nil
}

// A rememberedLog is a log that may say which rows were sent in the last day.
type rememberedLog struct {
	path, id    string
	lastWritten time.Time
	isRunning   bool   // as it was before the log is read
	isCorrupt   bool   // the log is damaged, so that not all of it is known
	table       *Table // what the log says; nil if it was not read
	header      Header
}

// rememberedLogs returns the logs of all jobs, those that were kept of removed jobs, and those of commands without a job, which were
// written within a time or are running.
func (s Store) rememberedLogs(within time.Duration) ([]rememberedLog, error) {
	entries, err := os.ReadDir(string(s))
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var logs []rememberedLog
	now, singleRuns := s.steadyNow(), sync.OnceValue(func() bool { return s.isLocked(singleLock, (*flock.Flock).TryLock) })
	for _, e := range entries {
		id, isJob := strings.CutSuffix(e.Name(), logSuffix)
		if !isJob {
			id, _ = removedID(e.Name()) // which a job of today may have too
		}
		if id != singleID && !isID(id) {
			continue
		}
		path := filepath.Join(string(s), e.Name())
		at, ok := isRecent(path, now, within)
		l := rememberedLog{path: path, id: id, lastWritten: at, isRunning: isJob && s.isRunning(id) || id == singleID && singleRuns()}
		if ok || l.isRunning {
			logs = append(logs, l)
		}
	}
	return logs, nil
}

func removedID(name string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(name, memoryPrefix)
	id, _, found := strings.Cut(rest, ".")
	return id, ok && found
}

// isRecent returns when a log was last written, and reports whether that was within a time
// before now. A time in the future counts as now: the clock was set back.
func isRecent(path string, now time.Time, within time.Duration) (lastWritten time.Time, ok bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return lastWritten, false
	}
	if lastWritten = info.ModTime(); lastWritten.After(now) {
		lastWritten = now
	}
	return lastWritten, now.Sub(lastWritten) < within
}

// memoriesIn replays a log, unless that is done, and returns the memories of its job, one for each step that writes the same.
func (j *Job) memoriesIn(l rememberedLog, writes string, looked byte, on Boot, find Find) ([]*Memory, error) {
	if l.table != nil {
		return l.memories(writes, on), nil
	}
	if err := trust.Check(l.path); err != nil {
		return nil, fmt.Errorf("the journal %w", err)
	}
	isOther := func() bool { return l.table == nil || l.header.BaseURL != j.BaseURL || l.header.Subject != j.Subject }
	err := corrupted(l.id, replay(&l.header, &l.table, func(apply func([]byte) error) error {
		_, err := wal.Replay(l.path, isKind, func(e []byte) error {
			switch {
			case l.table == nil:
			case isOther(), e[0] == kindIdentities && writes != "" && !bytes.HasPrefix(e, Identities(writes)): // which all rows have in common
				return wal.ErrStop
			default:
				l.table.find, l.table.looked = find, looked
			}
			return apply(e)
		})
		return err
	}))
	l.isCorrupt = errors.As(err, new(*CorruptError))
	if err != nil && !l.isCorrupt && (l.table != nil || errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	if isOther() {
		return nil, nil // without a header, nothing was sent
	}
	return l.memories(writes, on), nil
}

func (l *rememberedLog) memories(writes string, on Boot) (memories []*Memory) {
	for _, t := range l.table.all() {
		if (writes == "" && !t.changes || writes != "" && t.writes != writes) && t.Len() > 0 {
			continue
		}
		t.recoverInFlight(on)
		m := &Memory{
			header: &l.header, Job: l.header.ID, LastWritten: l.lastWritten, IsCorrupt: l.isCorrupt, LastID: t.lastID,
			Recovery: Recovery{Rows: t.Count(StateUnknown, StateRejectedBatch), LongestCall: t.longestCall, Ago: on.since(t.doubted), SentAgo: on.since(t.sent), Evidence: t.evidence},
		}
		m.isDoubted = !l.isRunning && (m.Recovery.Rows > 0 || t.doubted != Boot{})
		m.Rows = func(yield func(SentRow) bool) {
			for _, f := range t.found {
				row := SentRow{f.Fingerprint, f.own, f.same, t.State(f.theirs), false, t.Fields(f.theirs), t.Reason(f.theirs)}
				row.IsOpen = l.isRunning && (row.State.IsUnfinished() || len(l.table.steps) > 0) // later steps may follow
				if (row.IsInDoubt() || row.IsOpen || row.State == StateSent) && !yield(row) {
					return
				}
			}
		}
		memories = append(memories, m)
	}
	return memories
}

func (s Store) isRunning(id string) bool {
	return s.isLocked(id, (*flock.Flock).TryRLock) // which others who ask may hold at the same time
}

func (s Store) isLocked(id string, try func(*flock.Flock) (bool, error)) bool {
	lock := s.newLock(id, 0)
	got, err := try(lock)
	_ = lock.Unlock()
	return err == nil && !got
}

// retire removes all files of a job. If its log was written in the last day, it is kept under another name until the day
// is over, since it may say which rows were sent.
func (s Store) retire(id string) {
	log := s.path(id, logSuffix)
	if at, ok := isRecent(log, s.steadyNow(), MemoryTime); ok {
		_ = os.Rename(log, filepath.Join(string(s), fmt.Sprintf("%s%s.%d", memoryPrefix, id, at.UnixNano())))
	}
	s.erase(id)
}

// Forget makes the store forget which rows were sent to an address, since the service
// there has lost its data. Unfinished jobs can be resumed as before.
func (s Store) Forget(baseURL string) error {
	logs, err := s.rememberedLogs(MemoryTime)
	if err != nil {
		return err
	}
	for _, l := range logs {
		if strings.HasPrefix(filepath.Base(l.path), singlePrefix+Key{BaseURL: baseURL}.Hash()[:16]) {
			_ = os.Remove(l.path)
		}
		var h Header
		_ = read(l.path, l.id, &h, nil)
		if h.BaseURL != baseURL {
			continue
		}
		long := s.steadyNow().Add(-2 * MemoryTime)
		if err := os.Chtimes(l.path, time.Time{}, long); ignoreMissing(err) != nil {
			return err
		}
	}
	return nil
}

// singleLog begins the names of the logs of the commands without a job that write to the address and for the subject of a key.
func (k Key) singleLog() string {
	return singlePrefix + Key{BaseURL: k.BaseURL}.Hash()[:16] + "." + Key{Subject: k.Subject}.Hash()[:16] + "."
}

// RememberSingle remembers that a command without a job is about to write rows by the operation of a key. events say which: see
// Identities and Changes. The command calls end after the write, with how long its call lasted, and with the result of all rows or
// of each: StatePending if it was surely not carried out.
func (s Store) RememberSingle(k Key, rows int, on Boot, events ...Event) (end func(lasted time.Duration, results ...Result)) {
	now := s.steadyNow()
	path := filepath.Join(string(s), fmt.Sprint(k.singleLog(), now.Unix()/int64((24*time.Hour).Seconds())))
	invalid := trust.Check(path)
	if errors.Is(invalid, fs.ErrNotExist) { // the first of the day
		if unlock, err := s.lockAll(); err == nil {
			s.removeOrphans()
			unlock()
		}
	}
	running := s.newLock(singleLock, os.O_CREATE)
	_ = running.RLock()
	var file *os.File // nil if it can't be opened, or somebody else may have put it there: no load can begin there either
	if ignoreMissing(invalid) == nil {
		file, _ = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|trust.NonBlocking, 0o600)
	}
	write := func(kind byte, parts ...any) { _, _ = file.Write(wal.AppendFrame(nil, encode(kind, parts...))) }
	number, all := uint64(now.UnixNano()), make([]uint32, rows)
	for i := range all {
		all[i] = uint32(i)
	}
	write(kindSingle, number, k.Operation, uint64(rows), append(slices.Clip(events), RunStarted(on), Intent(0, all), CallStarted(0, 0)))
	return func(lasted time.Duration, results ...Result) {
		events := []Event{Heartbeat(lasted)}
		for i := range all {
			events = append(events, RowResult(results[min(i, len(results)-1)], uint32(i)))
		}
		write(kindSingleEnded, number, lasted, append(events, BatchClosed(0)))
		_ = file.Sync()
		_ = file.Close()
		_ = running.Unlock()
	}
}

// IsBusy reports whether any job, or a command without one, is running.
func (s Store) IsBusy() bool {
	logs, _ := s.rememberedLogs(0)
	return len(logs) > 0
}

// singlesIn returns the commands in a log of commands without a job that are running, or were written since a time, each as a log of
// its own: if find is not nil, those that wrote what it finds. If the log is damaged, the last one says so.
func singlesIn(log rememberedLog, since time.Time, looked byte, find Find) (found []rememberedLog, err error) {
	var table *Table
	isCorrupt, err := replayDamaged(log.path, func(e []byte) error {
		r := reader{rest: e[1:]}
		began := time.Unix(0, int64(r.number()))
		if e[0] == kindSingle && (log.isRunning || since.Sub(began) < time.Hour) { // no call lasts that long
			l := rememberedLog{lastWritten: began, isRunning: log.isRunning, header: Header{Key: Key{Operation: r.text()}}}
			if n := int(min(r.number(), uint64(len(r.rest)))); table == nil || table.Len() != n { // each row has more than one byte
				table = NewTable(n)
			}
			table.find, table.looked = find, looked
			if table.applyParts(r.rest) {
				l.table, table = table, nil
				found = append(found, l)
			}
		}
		for i := len(found) - 1; e[0] == kindSingleEnded && i >= 0; i-- {
			if l := &found[i]; l.lastWritten.Equal(began) {
				l.lastWritten, l.isRunning = began.Add(r.time()), false
				l.table.applyParts(r.rest)
				break
			}
		}
		return nil
	})
	found = slices.DeleteFunc(found, func(l rememberedLog) bool { return !l.isRunning && l.lastWritten.Before(since) })
	if isCorrupt {
		found = append(found, rememberedLog{isCorrupt: true, table: NewTable(0)})
	}
	return found, err
}

// applyParts applies the events of a command without a job, and reports whether they are valid. It is false, too, if they have
// nothing that another job looks for.
func (t *Table) applyParts(parts []byte) bool {
	for r := (reader{rest: parts}); len(r.rest) > 0; {
		e := Event(r.bytes())
		if len(e) == 0 || e[0] == kindRunStarted && t.find != nil && len(t.found) == 0 || t.apply(e) != nil {
			return false
		}
	}
	return true
}

// replayDamaged calls apply with each event of a log, those behind damage too, and reports whether there is damage: what one command
// could not write whole is behind the events of others.
func replayDamaged(path string, apply func(event []byte) error) (isDamaged bool, err error) {
	if err := trust.Check(path); err != nil {
		return false, fmt.Errorf("the journal %w", err)
	}
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()
	for damage := (&wal.CorruptError{}); ; isDamaged = true {
		if _, err = wal.ReplayFrom(file, damage.Next, isKind, apply); !errors.As(err, &damage) {
			return isDamaged, err
		}
	}
}
