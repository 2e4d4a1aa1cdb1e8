package wal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// ErrStop ends a replay early: if the apply function of Replay returns it, Replay returns no error.
var ErrStop = errors.New("stop the replay")

// A CorruptError says that a log has valid events behind an invalid one. A crash can't
// cause that: it leaves at most an incomplete event at the end.
type CorruptError struct {
	Path   string
	Offset int64 // the offset at which the invalid event begins
	Next   int64 // the offset at which the valid ones begin again
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s is corrupt at byte %d", e.Path, e.Offset)
}

// Replay calls apply with each event of a log, from the first one on, and returns the offset at which the last complete
// event ends. isKind reports whether a byte is the kind of an event; Replay uses it to distinguish events from random bytes.
// If valid events follow an invalid one, the error is a *CorruptError.
func Replay(path string, isKind func(byte) bool, apply func(event []byte) error) (end int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	return ReplayFrom(file, 0, isKind, apply)
}

// ReplayFrom is Replay for the events from an offset on, at which an event begins or the file ends.
func ReplayFrom(file *os.File, offset int64, isKind func(byte) bool, apply func(event []byte) error) (end int64, err error) {
	// The buffer is small, since most logs are only read up to their header.
	in := bufio.NewReaderSize(io.NewSectionReader(file, offset, math.MaxInt64-offset), 16<<10)
	for end = offset; ; {
		event, size := readFrame(in)
		if event == nil {
			info, err := file.Stat()
			if err != nil {
				return 0, err
			}
			if next := findFrame(file, end, info.Size(), isKind); next > end { // an event at end was completed by another process meanwhile
				return end, &CorruptError{file.Name(), end, next}
			}
			return end, nil
		}
		if err := apply(event); err == ErrStop {
			return end + size, nil
		} else if err != nil {
			return 0, fmt.Errorf("%s: %w", file.Name(), err)
		}
		end += size
	}
}

// tailSize is the number of bytes at the end of a log that EndsWith reads.
const tailSize = 64

// EndsWith reports whether a log ends with an event, behind which there may be one of a kind.
// It reads only the last 64 bytes, however large the log is.
func EndsWith(path string, event []byte, behind byte) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	size, _ := file.Seek(0, io.SeekEnd)
	_, _ = file.Seek(max(0, size-tailSize), io.SeekStart)
	tail, err := io.ReadAll(io.LimitReader(file, tailSize))
	frame := AppendFrame(nil, event)
	at := bytes.LastIndex(tail, frame)
	if err != nil || at < 0 {
		return false
	}
	rest := tail[at+len(frame):]
	last, n := readFrame(bufio.NewReader(bytes.NewReader(rest)))
	return len(rest) == 0 || n == int64(len(rest)) && last[0] == behind
}
