package wal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func create(t *testing.T) *Log {
	t.Helper()
	l, err := Create(filepath.Join(t.TempDir(), "log"))
	noError(t, err)
	return l
}

func TestAppendedEventsAreReplayedAfterSync(t *testing.T) {
	l := create(t)
	defer func() { _ = l.Close() }()
	wantEvents(t, l.file.Name())
	l.Append([]byte("A1"))
	l.Append([]byte("B"))
	if size := fileSize(t, l.file.Name()); size != 0 {
		t.Errorf("before Sync the file has %d bytes, want none", size)
	}
	for range 2 { // a second Sync writes nothing
		noError(t, l.Sync())
		wantEvents(t, l.file.Name(), "A1", "B")
	}
	l.Append([]byte(longEvent))
	noError(t, l.Sync())
	wantEvents(t, l.file.Name(), "A1", "B", longEvent)
	if info, err := os.Stat(l.file.Name()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v (%v), want 0600", info.Mode(), err)
	}
}

func TestCreateEmptiesAnExistingFile(t *testing.T) {
	path := writeLog(t, frames("A", "B"))
	l, err := Create(path)
	noError(t, err)
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	wantEvents(t, path)
}

func TestCloseMakesEventsDurable(t *testing.T) {
	l := create(t)
	l.Append([]byte("A"))
	noError(t, l.Close())
	wantEvents(t, l.file.Name(), "A")
}

func TestOpenReplaysAndAppends(t *testing.T) {
	whole := frames("A", "Bee")
	for name, c := range map[string]struct {
		text []byte
		want []string
	}{
		"empty":           {nil, nil},
		"whole":           {whole, []string{"A", "Bee"}},
		"torn length":     {append(slices.Clip(whole), 0x80), []string{"A", "Bee"}},
		"torn event":      {append(slices.Clip(whole), frames("Cee")[:3]...), []string{"A", "Bee"}},
		"torn checksum":   {whole[:len(whole)-1], []string{"A"}},
		"random torn end": {append(slices.Clip(whole), "\x05abcde1234567"...), []string{"A", "Bee"}},
		"zeros at end":    {append(slices.Clip(whole), make([]byte, 4096)...), []string{"A", "Bee"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeLog(t, c.text)
			var got []string
			l, err := Open(path, isLetter, func(event []byte) error {
				got = append(got, string(event))
				return nil
			})
			if err != nil || !slices.Equal(got, c.want) {
				t.Fatalf("Open: got events %q, error %v; want %q", got, err, c.want)
			}
			if size := fileSize(t, path); size != int64(len(frames(c.want...))) {
				t.Errorf("Open left %d bytes, want %d: a torn end is cut off", size, len(frames(c.want...)))
			}
			l.Append([]byte("D"))
			noError(t, l.Close())
			wantEvents(t, path, append(slices.Clip(c.want), "D")...)
		})
	}
}

func TestOpenFailsWithoutTouchingTheFile(t *testing.T) {
	failure := errors.New("invalid event")
	corrupt := slices.Concat(flipped(frames("A"), 1, 1), frames("B"))
	for name, c := range map[string]struct {
		text  []byte
		apply error
		is    func(error) bool
	}{
		"corrupt":     {corrupt, nil, func(err error) bool { _, ok := errors.AsType[*CorruptError](err); return ok }},
		"apply fails": {append(frames("A"), "torn"...), failure, func(err error) bool { return errors.Is(err, failure) && strings.Contains(err.Error(), "log") }},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeLog(t, c.text)
			l, err := Open(path, isLetter, func([]byte) error { return c.apply })
			if l != nil || err == nil || !c.is(err) {
				t.Errorf("Open: got log %v, error %v", l, err)
			}
			if size := fileSize(t, path); size != int64(len(c.text)) {
				t.Errorf("the file has %d bytes, want all %d", size, len(c.text))
			}
		})
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "log")
	apply := func([]byte) error { return nil }
	if _, err := Create(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Create: got error %v, want %v", err, fs.ErrNotExist)
	}
	if _, err := Open(missing, isLetter, apply); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open: got error %v, want %v", err, fs.ErrNotExist)
	}
	readOnly := writeLog(t, frames("A"))
	noError(t, os.Chmod(readOnly, 0o400))
	if f, err := os.OpenFile(readOnly, os.O_RDWR, 0); err == nil { // root may write read-only files
		_ = f.Close()
	} else if _, err := Open(readOnly, isLetter, apply); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Open of a read-only file: got error %v, want %v", err, fs.ErrPermission)
	}
}

// TestWriteErrorIsKept checks that after the first error of the file nothing more
// is written to it, and every Sync reports that error.
func TestWriteErrorIsKept(t *testing.T) {
	path := writeLog(t, frames("A"))
	file, err := os.Open(path) // a file opened like this can't be written
	noError(t, err)
	l := &Log{file: file}
	if err := l.Err(); err != nil {
		t.Errorf("Err before the first write: got %v, want none", err)
	}
	l.Append([]byte("B"))
	first := l.Sync()
	if first == nil || !strings.Contains(first.Error(), "the job's journal can't be written: ") {
		t.Fatalf("Sync: got error %v, want one that says that the journal can't be written", first)
	}
	if l.file, err = os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0); err != nil { // from now on the file could be written
		t.Fatal(err)
	}
	_ = file.Close()
	l.Append([]byte("C"))
	for name, got := range map[string]error{"Sync": l.Sync(), "Err": l.Err(), "Halt": l.Halt(), "Close": l.Close()} {
		if !errors.Is(got, first) {
			t.Errorf("%s after the failure: got %v, want %v", name, got, first)
		}
	}
	wantEvents(t, path, "A")
}

// TestSyncErrorIsKept checks that Sync and Err return the error of the system call that
// makes the file durable.
func TestSyncErrorIsKept(t *testing.T) {
	l := create(t)
	noError(t, l.file.Close())
	if err := l.Sync(); err == nil || l.Err() != err {
		t.Errorf("Sync without events: got %v, then Err %v; want the same error", err, l.Err())
	}
}

func TestZeroLogDropsEvents(t *testing.T) {
	l := &Log{}
	l.Append([]byte("A"))
	for name, err := range map[string]error{"Sync": l.Sync(), "Err": l.Err(), "Halt": l.Halt()} {
		if err != nil {
			t.Errorf("%s: got error %v, want none", name, err)
		}
	}
}

func TestStartWritesInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := create(t)
		l.Start(func() []byte { return nil })
		l.Append([]byte("A"))
		time.Sleep(flushInterval + time.Millisecond)
		wantEvents(t, l.file.Name(), "A")
		if err := l.Halt(); err != nil {
			t.Error(err)
		}
		l.Append([]byte("B"))
		time.Sleep(time.Minute)
		wantEvents(t, l.file.Name(), "A") // Halt ended the background writes
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		wantEvents(t, l.file.Name(), "A", "B")
	})
}

func TestHeartbeatWhenNothingIsAppended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := create(t)
		began, busy := time.Now(), false
		var mu sync.Mutex
		setBusy := func(b bool) { mu.Lock(); defer mu.Unlock(); busy = b }
		l.Start(func() []byte {
			mu.Lock()
			defer mu.Unlock()
			if !busy {
				return nil
			}
			return []byte("K" + time.Since(began).Truncate(time.Second).String())
		})
		time.Sleep(5 * time.Second)
		wantEvents(t, l.file.Name()) // nothing is in progress
		setBusy(true)
		time.Sleep(3500 * time.Millisecond)
		want := []string{"K5s", "K6s", "K7s", "K8s"}
		wantEvents(t, l.file.Name(), want...)
		for range 20 { // an appended event takes the place of the heartbeat
			l.Append([]byte("A"))
			want = append(want, "A")
			time.Sleep(heartbeatInterval / 2)
		}
		wantEvents(t, l.file.Name(), want...)
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		wantEvents(t, l.file.Name(), want...)
	})
}

// TestConcurrentAppends checks that the log contains all events that several goroutines
// append, and the events of each goroutine in their order.
func TestConcurrentAppends(t *testing.T) {
	l := create(t)
	l.Start(func() []byte { return nil })
	const workers, events = 8, 200
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for n := range events {
				l.Append([]byte{'A' + byte(w), byte(n)})
				if n%50 == 0 {
					if err := l.Sync(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
	noError(t, l.Close())
	got, _, err := replayAll(l.file.Name())
	if err != nil || len(got) != workers*events {
		t.Fatalf("got %d events, error %v; want %d", len(got), err, workers*events)
	}
	next := map[byte]byte{}
	for _, e := range got {
		if e[1] != next[e[0]] {
			t.Fatalf("goroutine %c: got event %d, want %d", e[0], e[1], next[e[0]])
		}
		next[e[0]]++
	}
}
