package history

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"reseller/client/atomicfile"
	"reseller/client/bulk/wal"
	"reseller/client/trust"
)

// The kinds of events. Each event but the header is of one row.
const (
	kindHeader       = 'H' // always the first event
	kindIntent       = 'I'
	kindAcknowledged = 'A'
	kindWithdrawn    = 'F'
	kindFields       = 'R' // with the text of Entry.Fields in place of a time
)

const (
	version    = 1  // of the events
	saltSize   = 32 // of the header
	headerSize = 1 + 1 + saltSize
	rowSize    = 1 + len(key{}) + len(mark{})
	eventSize  = rowSize + 8
	frameSize  = 1 + eventSize + 4 // with the length and the checksum that wal adds

	// lockTimeout is how long to wait for the lock, which every process holds for the time of one write only.
	lockTimeout = 10 * time.Second
)

func isKind(b byte) bool {
	return b == kindHeader || b == kindIntent || b == kindAcknowledged || b == kindWithdrawn || b == kindFields
}

// A History is the memory of the rows that were sent to one address in the name of one subject.
// Several goroutines, and several processes, may use it at a time.
type History struct {
	Resend                 // the rows that Intend permits to send again
	path, address, subject string

	mu   sync.Mutex // guards the fields below
	file *os.File   // nil as long as there is no file
	sync func(*os.File) error
	salt []byte
	end  int64 // where the last event ends
	rows map[key][]attempt
	err  error // why an outcome, or a part of an event, could not be written; nothing is written after that
}

// An attempt is a call that was intended with one content. Of the rows with one key there is the attempt that the service
// acknowledged last, and those after it whose outcome is not known, in the order of their intents: the service holds only the
// content that was sent last.
type attempt struct {
	mark
	Entry
}

// An Entry is the memory of one row. It is zero if the row was never sent, surely not carried out, or followed by another
// content that the service acknowledged.
type Entry struct {
	Sent     time.Time // when the row was sent that the service acknowledged
	Unsure   time.Time // when a call was sent that has no outcome
	Fields   string    // the fields that the service set in the row that it acknowledged, as JSON; may be empty
	replaced bool      // the call without an outcome had another content, such as another password
}

func (m Entry) String() string {
	const layout = "2006-01-02 15:04"
	if m.replaced {
		return "followed by other content on " + m.Unsure.Local().Format(layout) + ", in a call without a known outcome"
	}
	if m.Sent.IsZero() {
		return "sent on " + m.Unsure.Local().Format(layout) + " by a call without a known outcome"
	}
	return "sent on " + m.Sent.Local().Format(layout)
}

type Resend struct {
	Unsure bool // rows without a known outcome
	Sent   bool // all rows
}

func (r Resend) Permits(m Entry) bool {
	return r.Sent || m.Sent.IsZero() && (r.Unsure || m.Unsure.IsZero())
}

// A CorruptError says that an event of the file was changed after it was written.
type CorruptError struct {
	Path   string
	Offset int64 // where the invalid event begins
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s is corrupt at byte %d: which rows were sent before is not known", e.Path, e.Offset)
}

func (e *CorruptError) Advice() string {
	return "restore the file from a backup; or move it away, after which every row counts as never sent"
}

// Path returns the path of the history of the loads whose jobs are in a folder.
func Path(jobs string) string { return filepath.Join(jobs, "sent.log") }

// Open reads the history in a file, which need not exist.
func Open(path, address, subject string) (*History, error) {
	h := &History{path: path, sync: (*os.File).Sync, address: address, subject: subject, rows: map[key][]attempt{}}
	if err := trust.Check(path); errors.Is(err, fs.ErrNotExist) {
		return h, nil
	} else if err != nil {
		return nil, fmt.Errorf("the history of what was sent: %w", err)
	}
	if err := h.locked(h.read); err != nil {
		_ = h.Close()
		return nil, err
	}
	return h, nil
}

// Close closes the file. It returns the first error of a write after which the history
// refused to write more. It does nothing for a nil *History.
func (h *History) Close() error {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file != nil {
		_ = h.file.Close()
	}
	return h.err
}

// Update reads what other processes have written since. It does nothing for a nil *History.
func (h *History) Update() error {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.locked(h.read)
}

// Find returns the entry of a row as of the time when the file was last read.
func (h *History) Find(r *Row) (Entry, error) {
	if known, err := h.hash(r, false); !known || err != nil {
		return Entry{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.entry(r), nil
}

// MayDoubt reports whether a call of the row, with whatever secrets, has no known outcome. Unlike Find, it hashes no secrets.
func (h *History) MayDoubt(r *Row) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.salt != nil && slices.ContainsFunc(h.rows[*h.keyOf(r)], func(a attempt) bool { return a.Sent.IsZero() })
}

func (h *History) entry(r *Row) (m Entry) {
	for _, a := range h.rows[*r.key] {
		switch {
		case a.mark != *r.mark && m != Entry{}:
			m = Entry{Unsure: a.Unsure, replaced: true}
		case a.mark == *r.mark && a.Sent.IsZero():
			m = Entry{Sent: m.Sent, Unsure: a.Unsure, Fields: m.Fields}
		case a.mark == *r.mark:
			m = a.Entry
		}
	}
	return m
}

// Intend makes durable that a row may be sent from now on, unless it is remembered and
// Resend does not permit to send it. It returns the entry before the call, and whether the row
// may be sent. Of several processes that intend the same row at a time, one may send it.
func (h *History) Intend(r *Row, at time.Time) (before Entry, ok bool, err error) {
	if _, err := h.hash(r, true); err != nil {
		return Entry{}, false, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	err = h.write(func() error {
		if before = h.entry(r); !h.Permits(before) {
			return nil
		}
		ok = true
		return h.append(h.event(kindIntent, r, at), true)
	})
	return before, ok && err == nil, err
}

// hash computes the hashes of a row, and reports whether there is an entry with its key. If isNew, the row need not have one, and the
// file is created if there is none, since the hashes depend on its header.
func (h *History) hash(r *Row, isNew bool) (known bool, err error) {
	h.mu.Lock()
	if isNew && h.salt == nil {
		err = h.write(func() error { return nil })
	}
	if h.salt != nil && r.key == nil {
		r.key = h.keyOf(r)
	}
	salt, known := h.salt, r.key != nil && len(h.rows[*r.key]) > 0
	h.mu.Unlock()
	if err == nil && r.mark == nil && (known || isNew) {
		r.mark, err = r.hashSecrets(salt) // takes long, so without the lock
	}
	return known, err
}

// Acknowledge remembers that the service acknowledged a row that was intended, and the JSON object of the fields that it
// set, which may be empty. The events need not be durable: without them, the outcome is unknown.
func (h *History) Acknowledge(r *Row, fields string) error {
	err := h.settle(h.event(kindAcknowledged, r, time.Time{}))
	if err == nil && len(fields) > len("{}") {
		err = h.settle(append(rowEvent(kindFields, r), fields...))
	}
	return err
}

// Withdraw remembers that a row that was intended was surely not carried out.
func (h *History) Withdraw(r *Row) error { return h.settle(h.event(kindWithdrawn, r, time.Time{})) }

func (h *History) settle(event []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := h.write(func() error { return h.append(event, false) })
	h.err = cmp.Or(h.err, err)
	return err
}

func (h *History) event(kind byte, r *Row, at time.Time) []byte {
	return binary.BigEndian.AppendUint64(rowEvent(kind, r), uint64(at.UnixMilli()))
}

func rowEvent(kind byte, r *Row) []byte {
	return append(append([]byte{kind}, r.key[:]...), r.mark[:]...)
}

func (h *History) apply(event []byte) error {
	if event[0] == kindHeader {
		if len(event) != headerSize || event[1] != version {
			return fmt.Errorf("the file was written by a later version of this program")
		}
		if h.salt != nil {
			return &CorruptError{h.path, h.end} // the hashes of the rows before it have another salt
		}
		h.salt = event[2:]
		return nil
	}
	if len(event) != eventSize && !(event[0] == kindFields && len(event) > rowSize) || h.salt == nil {
		return &CorruptError{h.path, h.end}
	}
	k, m, rest := key(event[1:]), mark(event[1+len(key{}):]), event[rowSize:]
	if event[0] == kindIntent {
		h.rows[k] = append(h.rows[k], attempt{m, Entry{Unsure: time.UnixMilli(int64(binary.BigEndian.Uint64(rest)))}})
		return nil
	}
	calls, i := h.rows[k], -1
	for n := range calls {
		if calls[n].mark == m && calls[n].Sent.IsZero() == (event[0] != kindFields) {
			i = n
		}
	}
	switch {
	case i < 0: // followed by another content meanwhile, or there was no intent
	case event[0] == kindAcknowledged:
		calls[i].Entry = Entry{Sent: calls[i].Unsure}
		h.rows[k] = calls[i:]
	case event[0] == kindFields:
		calls[i].Fields = string(rest)
	default:
		h.rows[k] = slices.Delete(calls, i, i+1)
	}
	return nil
}

// write calls do while no other process uses the file, after all events were read. It creates the file if there is none.
func (h *History) write(do func() error) error {
	if h.err != nil {
		return h.err
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	return h.locked(func() error {
		if err := h.read(); err != nil {
			return err
		}
		if h.end == 0 {
			salt := make([]byte, saltSize)
			_, _ = rand.Read(salt) // never fails
			if err := h.append(append([]byte{kindHeader, version}, salt...), true); err != nil {
				return err
			}
			atomicfile.SyncFolder(filepath.Dir(h.path))
		}
		return do()
	})
}

// locked calls do while no other process reads or writes the file.
func (h *History) locked(do func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	unlock, err := trust.Lock(ctx, h.path+".lock")
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("another process holds the lock %s.lock", h.path)
	} else if err != nil {
		return err
	}
	defer unlock()
	return do()
}

// read reads the events that were written since the last call. The lock is held.
func (h *History) read() error {
	if h.file == nil {
		file, err := os.OpenFile(h.path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		h.file = file
	}
	info, err := h.file.Stat()
	switch {
	case err != nil:
		return err
	case info.Size() < h.end:
		return fmt.Errorf("%s was replaced while it was in use", h.path)
	case info.Size() == h.end:
		return nil
	}
	end, err := wal.ReplayFrom(h.file, h.end, isKind, h.apply)
	if corrupt, ok := errors.AsType[*wal.CorruptError](err); ok {
		return &CorruptError{h.path, corrupt.Offset}
	} else if err != nil {
		return err
	}
	h.end = end
	return h.checkTail(info.Size() - end)
}

// checkTail returns an error if the bytes at the end of the file are an event that is
// whole but invalid. A process that was killed leaves an incomplete one, and a power
// failure may leave zeros. An event of fields, whose size is not known, loses no row.
func (h *History) checkTail(size int64) error {
	whole := int64(frameSize)
	if h.end == 0 {
		whole += int64(headerSize - eventSize)
	}
	if size < whole {
		return nil
	}
	tail := make([]byte, whole)
	if _, err := h.file.ReadAt(tail, h.end); err != nil {
		return err
	}
	if n, used := binary.Uvarint(tail); h.end > 0 && used > 0 && n > uint64(rowSize) && tail[used] == kindFields {
		return nil
	}
	if !bytes.Equal(tail, make([]byte, whole)) {
		return &CorruptError{h.path, h.end}
	}
	return nil
}

// append writes an event in place of an incomplete one at the end of the file. After an
// error nobody knows what the file holds, so nothing is written any more.
func (h *History) append(event []byte, durable bool) error {
	frame := wal.AppendFrame(nil, event)
	err := h.file.Truncate(h.end)
	if err == nil {
		_, err = h.file.WriteAt(frame, h.end)
	}
	if err == nil && durable {
		err = h.sync(h.file)
	}
	if err != nil {
		h.err = fmt.Errorf("the history of what was sent can't be written: %w", err)
		return h.err
	}
	h.end += int64(len(frame))
	return h.apply(event)
}
