package output

import (
	"io"
	"sync/atomic"
	"time"
)

const (
	sinkSize  = 32 << 10
	sinkLarge = 1 << 20
	sinkDelay = 100 * time.Millisecond
)

// sink gathers output in one buffer that encoders append to.
type sink struct {
	w     io.Writer
	buf   []byte
	young atomic.Bool // the last writing was less than sinkDelay ago
	clock *time.Timer
}

// pace writes the buffer when it is full, and when the last writing is so
// long ago that records seem to come slowly: a reader sees them as they come.
func (s *sink) pace() error {
	if len(s.buf) < sinkSize && s.young.Load() {
		return nil
	}
	return s.flush()
}

func (s *sink) flush() error {
	if len(s.buf) == 0 {
		return nil
	}
	s.young.Store(true)
	if s.clock == nil {
		s.clock = time.AfterFunc(sinkDelay, func() { s.young.Store(false) })
	} else {
		s.clock.Reset(sinkDelay)
	}
	n, err := s.w.Write(s.buf)
	if err == nil && n < len(s.buf) {
		err = io.ErrShortWrite
	}
	s.buf = s.buf[:0]
	if cap(s.buf) > sinkLarge { // one huge record must not stay in memory
		s.buf = nil
	}
	return err
}
