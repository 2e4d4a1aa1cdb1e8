package job

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"reseller/client/bulk/wal"
	"reseller/client/trust"
)

const (
	// singlePrefix begins the name of a log of the commands without a job of a day (see singleLog).
	singlePrefix = memoryPrefix + "single."
	// singleLock is the id by whose lock others see that commands without a job are running.
	singleLock = ".single"
)

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
	if _, err := os.Lstat(path); err != nil { // the first of the day
		if unlock, err := s.lockAll(); err == nil {
			s.removeOrphans()
			unlock()
		}
	}
	running := flock.New(s.path(singleLock, lockSuffix))
	_ = running.RLock()
	file, _ := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) // nil after an error: no load can begin there either
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
		_, _, _ = file.Sync(), file.Close(), running.Unlock()
	}
}

// IsBusy reports whether any job, or a command without one, is running.
func (s Store) IsBusy() bool {
	logs, _ := s.rememberedLogs(0)
	return len(logs) > 0
}

// singlesIn returns the commands in a log of commands without a job that are running, or were written since a time, each as a log of
// its own: if find is not nil, those that wrote what it finds. A last one stands for damage.
func singlesIn(log rememberedLog, since time.Time, looked byte, find Find) (found []rememberedLog, err error) {
	var table *Table
	isCorrupt, err := replayDamaged(log.path, func(e []byte) error {
		r := reader{rest: e[1:]}
		began := time.Unix(0, int64(r.number()))
		if e[0] == kindSingle && (log.isRunning || since.Sub(began) < time.Hour) { // no call lasts that long
			l := rememberedLog{lastWritten: began, isRunning: log.isRunning}
			l.header.Operation = r.text()
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
