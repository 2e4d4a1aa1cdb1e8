package output

import (
	"io"
	"time"
)

const (
	sinkSize  = 32 << 10
	sinkLarge = 1 << 20
	sinkDelay = 100 * time.Millisecond
)

// sink gathers output in one buffer that encoders append to.
type sink struct {
	w       io.Writer
	buf     []byte
	flushed time.Time
}

// pace writes the buffer when it is full, and when the last writing is so
// long ago that records seem to come slowly: a reader sees them as they come.
func (s *sink) pace() error {
	if len(s.buf) < sinkSize && time.Since(s.flushed) < sinkDelay {
		return nil
	}
	return s.flush()
}

func (s *sink) flush() error {
	s.flushed = time.Now()
	if len(s.buf) == 0 {
		return nil
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
