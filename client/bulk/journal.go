package bulk

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// flushEvery is how long an outcome may be in memory only. What a kill takes
// with it is in doubt on a restart, and read back.
const flushEvery = 50 * time.Millisecond

// A journal is an append-only file of entries. Adding one touches memory only;
// sync makes all that was added durable.
type journal struct {
	file *os.File

	mu  sync.Mutex
	buf []byte
	err error // of the file, for good

	writing sync.Mutex // entries reach the file in the order they were added
	spare   []byte
	stop    chan struct{}
	done    chan struct{}
	used    bool // by a run of this process
}

// start begins to write in the background. busy tells whether calls are under
// way: then the time since begun is noted now and then.
func (j *journal) start(begun time.Time, busy func() bool) {
	j.stop, j.done, j.used = make(chan struct{}), make(chan struct{}), true
	go func() {
		defer close(j.done)
		ticker := time.NewTicker(flushEvery)
		defer ticker.Stop()
		last := time.Now()
		for {
			select {
			case <-j.stop:
				return
			case <-ticker.C:
			}
			if wrote, _ := j.flush(); wrote {
				last = time.Now()
			} else if time.Since(last) > time.Second && busy() {
				j.add(numbersEntry(entryTick, since(begun)))
			}
		}
	}()
}

// add puts an entry behind the others. A nil journal keeps nothing.
func (j *journal) add(payload []byte) {
	if j == nil {
		return
	}
	j.mu.Lock()
	j.buf = frame(j.buf, payload)
	j.mu.Unlock()
}

func (j *journal) flush() (wrote bool, err error) {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.mu.Lock()
	out := j.buf
	j.buf = j.spare[:0]
	err = j.err
	j.mu.Unlock()
	if err == nil && len(out) > 0 {
		if _, err = j.file.Write(out); err != nil {
			err = j.fail(err)
		}
	}
	j.spare = out
	return len(out) > 0, err
}

func (j *journal) fail(err error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		j.err = fmt.Errorf("the job's journal can't be written: %w", err)
	}
	return j.err
}

// sync makes all that was added durable.
func (j *journal) sync() error {
	if j == nil {
		return nil
	}
	if _, err := j.flush(); err != nil {
		return err
	}
	if err := j.file.Sync(); err != nil {
		return j.fail(err)
	}
	return nil
}

// failed is why the file can't be written any more.
func (j *journal) failed() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

func (j *journal) halt() error {
	if j.stop != nil {
		close(j.stop)
		<-j.done
		j.stop = nil
	}
	return j.sync()
}

// A DamagedError is a journal with entries behind one that can't be read. A kill
// leaves a torn end at worst.
type DamagedError struct {
	ID string // of the job
	At int64
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the journal of job %s is damaged at byte %d: what it knew of behind that is lost", e.ID, e.At)
}

// Advice is what to do about it.
func (e *DamagedError) Advice() string {
	return "the load's own command with --restart begins anew: what can be read back is found and not sent twice, all else is sent again"
}

// readJournal applies the entries of a file to the ledger that begin makes of
// the header; where that is nil, the rest is not read. It returns where the
// whole entries end: a torn tail is normal.
func readJournal(path string, begin func(header []byte) (*ledger, error)) (end int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	in := bufio.NewReaderSize(file, 256<<10)
	var l *ledger
	for {
		payload, size := nextEntry(in)
		switch {
		case payload == nil && entryBehind(io.NewSectionReader(file, end, math.MaxInt64-end)):
			return end, &DamagedError{strings.TrimSuffix(filepath.Base(path), journalEnding), end}
		case payload == nil && l == nil:
			return 0, errNoHeader
		case payload == nil:
			return end, nil
		case l != nil:
			err = l.apply(payload)
		case payload[0] != entryHeader:
			err = errNoHeader
		default:
			if l, err = begin(payload[1:]); l == nil && err == nil {
				return size, nil
			}
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
		end += size
	}
}

// endsFinished tells whether the last entries of a file say that nothing is left
// to do.
func endsFinished(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	tail := make([]byte, 64)
	info, err := file.Stat()
	if err != nil {
		return false
	}
	n, err := file.ReadAt(tail, max(0, info.Size()-int64(len(tail))))
	if err != nil && err != io.EOF {
		return false
	}
	i := bytes.LastIndex(tail[:n], frame(nil, []byte{entryFinish}))
	if i < 0 {
		return false
	}
	in := bufio.NewReader(bytes.NewReader(tail[i:n]))
	_, size := nextEntry(in)
	if end, more := nextEntry(in); end != nil && end[0] == entryEnd {
		size += more
	}
	return i+int(size) == n
}

// nextEntry reads an entry and how many bytes it takes. Of a torn one it
// returns nothing.
func nextEntry(in *bufio.Reader) ([]byte, int64) {
	n, err := binary.ReadUvarint(in)
	if err != nil || n == 0 || n > maxEntry {
		return nil, 0
	}
	b := make([]byte, n+entryTrailer)
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, 0
	}
	payload, sum := b[:n], binary.LittleEndian.Uint32(b[n:])
	if crc32.Checksum(payload, castagnoli()) != sum {
		return nil, 0
	}
	return payload, int64(len(binary.AppendUvarint(nil, n)) + len(b))
}

// entryBehind tells whether an entry stands behind a beginning that is none.
func entryBehind(r io.Reader) bool {
	text, _ := io.ReadAll(r)
	for i := range text {
		n, used := binary.Uvarint(text[i:])
		if used <= 0 || n == 0 || n > maxEntry || len(text)-i-used < int(n)+entryTrailer || strings.IndexByte(entries, text[i+used]) < 0 {
			continue
		}
		payload := text[i+used:][:n]
		if crc32.Checksum(payload, castagnoli()) == binary.LittleEndian.Uint32(text[i+used+int(n):]) {
			return i > 0 // else it was being written
		}
	}
	return false
}

var errNoHeader = errors.New("the journal has no whole header")
