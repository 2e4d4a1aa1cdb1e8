package output

import (
	"io"
	"sync/atomic"
	"time"
)

const (
	flushSize  = 64 << 10               // bytes of a full buffer
	flushDelay = 100 * time.Millisecond // how long a flush counts as recent
	maxKeptCap = 1 << 20                // a larger buffer is not used again
)

// sink collects output in one buffer that encoders append to.
type sink struct {
	w               io.Writer
	buf             []byte
	held            bool        // the buffer is not written yet, however long it is
	recentlyFlushed atomic.Bool // the last flush was less than flushDelay ago
	timer           *time.Timer // resets recentlyFlushed
	err             error       // of the first write that failed; nothing is written after it
}

// isDue reports whether the buffer is to be written: it is full, or the last flush is not recent, so
// that records that come slowly are shown at once.
func (s *sink) isDue() bool {
	return len(s.buf) >= flushSize || !s.recentlyFlushed.Load() || s.err != nil
}

// drain makes dst the buffer, writes it, and returns the empty buffer. The next flush
// returns the error of a write that failed.
func (s *sink) drain(dst []byte) []byte {
	s.buf = dst
	_ = s.flush()
	return s.buf
}

// drainLong writes the buffer if it is full, however recent the last flush is. The next
// flush returns the error of a write that failed.
func (s *sink) drainLong() {
	if len(s.buf) > flushSize {
		s.drain(s.buf)
	}
}

func (s *sink) flush() error {
	if s.err != nil {
		s.buf = s.buf[:0]
	}
	if len(s.buf) == 0 || s.held {
		return s.err
	}
	s.recentlyFlushed.Store(true)
	if s.timer == nil {
		s.timer = time.AfterFunc(flushDelay, func() { s.recentlyFlushed.Store(false) })
	} else {
		s.timer.Reset(flushDelay)
	}
	n, err := s.w.Write(s.buf)
	if err == nil && n < len(s.buf) {
		err = io.ErrShortWrite
	}
	s.buf = s.buf[:0]
	if cap(s.buf) > maxKeptCap { // after one huge record
		s.buf = nil
	}
	s.err = err
	return err
}
