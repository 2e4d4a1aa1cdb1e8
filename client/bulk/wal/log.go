package wal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"time"

	"reseller/client/crash"
)

const (
	// flushInterval is the time after which the goroutine of Start writes new events to
	// the file. Until then a crash of the process loses them, unless Sync is called.
	flushInterval = 50 * time.Millisecond
	// heartbeatInterval is the time without events after which the goroutine of Start appends a heartbeat.
	heartbeatInterval = time.Second
)

// A Log is a file that events are appended to. Append adds an event in memory, and Sync
// makes all appended events durable. The zero Log has no file and drops all events.
type Log struct {
	file *os.File

	mu  sync.Mutex // guards buf and err
	buf []byte     // the frames of events that were not written yet
	err error      // the first error of the file; nothing is written after it

	writing sync.Mutex    // guards spare, and keeps the writes in the order of the events
	spare   []byte        // the memory of the next buf
	stop    chan struct{} // closed by Halt to stop the goroutine of Start; nil if it does not run
	done    chan struct{} // closed when the goroutine of Start has ended
}

// Create creates an empty log, with mode 0600. What is at the path is removed, and not followed if it is a symbolic link.
func Create(path string) (*Log, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return &Log{file: file}, nil
}

// Open replays a log (see Replay) and opens it to append further events. It cuts off an incomplete event at the end.
func Open(path string, isKind func(byte) bool, apply func(event []byte) error) (*Log, error) {
	end, err := Replay(path, isKind, apply)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Size() != end {
		err = file.Truncate(end)
	}
	if err == nil {
		_, err = file.Seek(end, io.SeekStart)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &Log{file: file}, nil
}

// Start starts a goroutine that writes events to the file in the background. After each second without an event the
// goroutine calls heartbeat, and appends the event that heartbeat returns, unless it is nil.
func (l *Log) Start(heartbeat func() []byte) {
	l.stop, l.done = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(l.done)
		ticker := time.NewTicker(flushInterval)
		defer ticker.Stop()
		defer crash.Recover()
		last := time.Now()
		for {
			select {
			case <-l.stop:
				return
			case <-ticker.C:
			}
			if wrote, _ := l.flush(); wrote {
				last = time.Now()
			} else if time.Since(last) > heartbeatInterval {
				if event := heartbeat(); event != nil {
					l.Append(event)
				}
			}
		}
	}()
}

// Append adds an event. It is durable after the next Sync.
func (l *Log) Append(event []byte) {
	if l.file == nil {
		return
	}
	l.mu.Lock()
	l.buf = AppendFrame(l.buf, event)
	l.mu.Unlock()
}

func (l *Log) flush() (wrote bool, err error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	out := l.buf
	l.buf = l.spare[:0]
	err = l.err
	l.mu.Unlock()
	if err == nil && len(out) > 0 {
		if _, err = l.file.Write(out); err != nil {
			err = l.fail(err)
		}
	}
	l.spare = out
	return len(out) > 0, err
}

func (l *Log) fail(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = fmt.Errorf("the job's journal can't be written: %w", err)
	}
	return l.err
}

// Flush writes all events to the file that were appended. They outlive the process, but not a failure of the machine.
func (l *Log) Flush() error {
	runtime.Gosched() // so that goroutines which append at the same time share one write
	_, err := l.flush()
	return err
}

// Sync makes all appended events durable.
func (l *Log) Sync() error {
	if _, err := l.flush(); err != nil || l.file == nil {
		return err
	}
	if err := l.file.Sync(); err != nil {
		return l.fail(err)
	}
	return nil
}

func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Halt stops the goroutine of Start and makes all events durable.
func (l *Log) Halt() error {
	if l.stop != nil {
		close(l.stop)
		<-l.done
		l.stop = nil
	}
	return l.Sync()
}

func (l *Log) Close() error { return errors.Join(l.Halt(), l.file.Close()) }
