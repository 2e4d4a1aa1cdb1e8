package history

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"reseller/client/bulk/wal"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, path string) *History {
	t.Helper()
	h, err := Open(path, "https://api.example.com", "reseller-1")
	noError(t, err)
	t.Cleanup(func() { _ = h.Close() })
	return h
}

func newPath(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "state", "sent.log")
}

// row returns the row of a user without a password.
func row(user string) *Row { return NewRow("credentials", []byte(user), nil) }

// intend intends a row for the first time.
func intend(t *testing.T, h *History, r *Row, at time.Time) {
	t.Helper()
	if before, ok, err := h.Intend(r, at); !ok || err != nil || before != (Entry{}) {
		t.Fatalf("Intend: got %v, %t, error %v; want a row that may be sent", before, ok, err)
	}
}

func acknowledge(t *testing.T, h *History, r *Row) {
	t.Helper()
	noError(t, h.Acknowledge(r, ""))
}

// wantMemory fails the test unless the history that a new process opens has this
// memory of a row.
func wantMemory(t *testing.T, path string, r *Row, want Entry) {
	t.Helper()
	got, err := open(t, path).Find(r)
	if err != nil || !got.Sent.Equal(want.Sent) || !got.Unsure.Equal(want.Unsure) || got.Fields != want.Fields {
		t.Errorf("got %v (sent %v, unsure %v), error %v; want sent %v, unsure %v", got, got.Sent, got.Unsure, err, want.Sent, want.Unsure)
	}
}

func TestOutcomesAreRemembered(t *testing.T) {
	later := noon.Add(time.Hour)
	for name, c := range map[string]struct {
		do   func(*History)
		want Entry
	}{
		"nothing":      {func(*History) {}, Entry{}},
		"no outcome":   {func(h *History) { intend(t, h, row("u"), noon) }, Entry{Unsure: noon}},
		"acknowledged": {func(h *History) { r := row("u"); intend(t, h, r, noon); acknowledge(t, h, r) }, Entry{Sent: noon}},
		"not carried out": {func(h *History) {
			r := row("u")
			intend(t, h, r, noon)
			noError(t, h.Withdraw(r))
		}, Entry{}},
		"sent again without an outcome": {func(h *History) {
			r := row("u")
			intend(t, h, r, noon)
			acknowledge(t, h, r)
			h.Sent = true
			if before, ok, err := h.Intend(r, later); !ok || err != nil || !before.Sent.Equal(noon) {
				t.Errorf("Intend: got %v, %t, error %v; want the first time and a row that may be sent", before, ok, err)
			}
		}, Entry{Sent: noon, Unsure: later}},
		"refused when sent again": {func(h *History) {
			r := row("u")
			intend(t, h, r, noon)
			acknowledge(t, h, r)
			h.Sent = true
			if _, _, err := h.Intend(r, later); err != nil {
				t.Fatal(err)
			}
			noError(t, h.Withdraw(r))
		}, Entry{Sent: noon}},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			c.do(open(t, path))
			wantMemory(t, path, row("u"), c.want)
			wantMemory(t, path, row("v"), Entry{})
		})
	}
}

// TestOnlyTheNewestContentIsHeld sends a user with one password after the other: A, a, or A? is a password that the service
// acknowledges, surely does not take, or gives no outcome for.
func TestOnlyTheNewestContentIsHeld(t *testing.T) {
	for calls, want := range map[string]string{
		"A": "A sent", "A B": "B sent", "A B A": "A sent", "A B A B": "B sent", "A b": "A sent", "B A b": "A sent",
		"A B?": "A unsure, B unsure", "A? B": "B sent", "A? B?": "A unsure, B unsure", "A? b": "A unsure",
		"A B? A": "A sent", "A B? A?": "A unsure, B unsure", "A B? C": "C sent", "A B? b": "A unsure, B unsure", "B A? a": "A unsure, B unsure",
	} {
		t.Run(calls, func(t *testing.T) {
			path := newPath(t)
			h := open(t, path)
			h.Resend = Resend{Unsure: true}
			for n, call := range strings.Fields(calls) {
				r := NewRow("credentials", []byte("u"), []byte(strings.ToUpper(call[:1])))
				if _, ok, err := h.Intend(r, noon.Add(time.Duration(n)*time.Hour)); !ok || err != nil {
					t.Fatalf("call %d: got %t, error %v; want that it may be sent", n+1, ok, err)
				}
				switch {
				case strings.HasSuffix(call, "?"):
				case call == strings.ToLower(call):
					noError(t, h.Withdraw(r))
				default:
					acknowledge(t, h, r)
				}
			}
			var got []string
			again := open(t, path)
			for _, password := range []string{"A", "B", "C"} {
				m, err := again.Find(NewRow("credentials", []byte("u"), []byte(password)))
				noError(t, err)
				switch {
				case !m.Sent.IsZero():
					got = append(got, password+" sent")
				case !m.Unsure.IsZero():
					got = append(got, password+" unsure")
				}
			}
			if got := strings.Join(got, ", "); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestRememberedRowsNeedPermission(t *testing.T) {
	sent, unsure := Entry{Sent: noon}, Entry{Unsure: noon}
	for name, c := range map[string]struct {
		before Entry
		again  Resend
		want   bool
	}{
		"new":                            {Entry{}, Resend{}, true},
		"sent":                           {sent, Resend{}, false},
		"sent, resend unsure":            {sent, Resend{Unsure: true}, false},
		"sent, resend sent":              {sent, Resend{Sent: true}, true},
		"unsure":                         {unsure, Resend{}, false},
		"unsure, resend unsure":          {unsure, Resend{Unsure: true}, true},
		"unsure, resend sent":            {unsure, Resend{Sent: true}, true},
		"sent and unsure, resend unsure": {Entry{Sent: noon, Unsure: noon}, Resend{Unsure: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			h, r := open(t, path), row("u")
			if c.before != (Entry{}) {
				intend(t, h, r, noon)
			}
			if !c.before.Sent.IsZero() {
				acknowledge(t, h, r)
			}
			if !c.before.Sent.IsZero() && !c.before.Unsure.IsZero() {
				h.Sent = true
				if _, _, err := h.Intend(r, noon); err != nil {
					t.Fatal(err)
				}
			}
			again := open(t, path)
			again.Resend = c.again
			_, got, err := again.Intend(row("u"), noon)
			if err != nil || got != c.want {
				t.Errorf("got %t, error %v; want %t", got, err, c.want)
			}
		})
	}
}

// TestRowsDiffer checks that only the same row, sent to the same address in the name of
// the same subject, is remembered.
func TestRowsDiffer(t *testing.T) {
	path := newPath(t)
	was := NewRow("credentials", []byte("ab"), []byte("hunter2"))
	intend(t, open(t, path), was, noon)
	for name, c := range map[string]struct {
		address, subject string
		row              *Row
		known            bool
	}{
		"the same":                {"https://api.example.com", "reseller-1", NewRow("credentials", []byte("ab"), []byte("hunter2")), true},
		"another address":         {"https://sandbox.example.com", "reseller-1", NewRow("credentials", []byte("ab"), []byte("hunter2")), false},
		"another subject":         {"https://api.example.com", "reseller-2", NewRow("credentials", []byte("ab"), []byte("hunter2")), false},
		"another operation":       {"https://api.example.com", "reseller-1", NewRow("plans", []byte("ab"), []byte("hunter2")), false},
		"another id":              {"https://api.example.com", "reseller-1", NewRow("credentials", []byte("ac"), []byte("hunter2")), false},
		"another border of parts": {"https://api.example.com", "reseller-1", NewRow("credentialsa", []byte("b"), []byte("hunter2")), false},
		"a changed password":      {"https://api.example.com", "reseller-1", NewRow("credentials", []byte("ab"), []byte("hunter3")), false},
		"no password":             {"https://api.example.com", "reseller-1", NewRow("credentials", []byte("ab"), nil), false},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := Open(path, c.address, c.subject)
			noError(t, err)
			defer func() { _ = h.Close() }()
			m, err := h.Find(c.row)
			if known := m != (Entry{}); err != nil || known != c.known {
				t.Errorf("got a memory: %t, error %v; want %t", known, err, c.known)
			}
		})
	}
}

// TestFileHoldsNoRow checks that the file has neither values nor passwords, and that
// only its owner may read it.
func TestFileHoldsNoRow(t *testing.T) {
	path := newPath(t)
	h, r := open(t, path), NewRow("accounts.credentials.create", []byte("username=harbour"), []byte("hunter2"))
	intend(t, h, r, noon)
	acknowledge(t, h, r)
	text, err := os.ReadFile(path)
	noError(t, err)
	for _, word := range []string{"hunter2", "harbour", "credentials", "example.com", "reseller-1"} {
		if bytes.Contains(text, []byte(word)) {
			t.Errorf("the file contains %q", word)
		}
	}
	if want := headerSize + 5 + 2*frameSize; len(text) != want {
		t.Errorf("got %d bytes, want %d: 24 bits of each password", len(text), want)
	}
	for _, name := range []string{path, path + ".lock"} {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got mode %v, error %v; want 0600", name, info.Mode(), err)
		}
	}
}

// write makes a history of two rows and returns its content.
func write(t *testing.T) []byte {
	t.Helper()
	path := newPath(t)
	h := open(t, path)
	for _, user := range []string{"u", "v"} {
		r := row(user)
		intend(t, h, r, noon)
		acknowledge(t, h, r)
	}
	text, err := os.ReadFile(path)
	noError(t, err)
	return text
}

// TestTornEndOfTheHistory cuts the file off at each byte, and checks that all events
// which are complete are remembered, and that the next event takes the place of the torn
// one.
func TestTornEndOfTheHistory(t *testing.T) {
	text, header := write(t), headerSize+5
	memories := func(size int) (u, v Entry) {
		for n, m := range []*Entry{&u, &u, &v, &v} {
			if end := header + (n+1)*frameSize; end > size {
				continue
			}
			if *m = (Entry{Unsure: noon}); n%2 == 1 {
				*m = Entry{Sent: noon}
			}
		}
		return u, v
	}
	for size := range len(text) + 1 {
		ends := [][]byte{nil}
		if size >= header && (size-header)%frameSize == 0 {
			ends = append(ends, make([]byte, 4096)) // as a power failure leaves them
		}
		for _, end := range ends {
			path := filepath.Join(t.TempDir(), "sent.log")
			noError(t, os.WriteFile(path, append(bytes.Clone(text[:size]), end...), 0o600))
			u, v := memories(size)
			wantMemory(t, path, row("u"), u)
			wantMemory(t, path, row("v"), v)
			intend(t, open(t, path), row("w"), noon)
			wantMemory(t, path, row("v"), v)
			wantMemory(t, path, row("w"), Entry{Unsure: noon})
		}
	}
}

// TestFieldsAreRemembered cuts off or damages the event of what the service set: then this is not known, but the row is.
func TestFieldsAreRemembered(t *testing.T) {
	const fields = `{"task_id":"a long text, since the length of an event with more than 127 bytes has two bytes, as that of a business profile has"}`
	path, r := newPath(t), row("u")
	h := open(t, path)
	intend(t, h, r, noon)
	noError(t, h.Acknowledge(r, fields))
	wantMemory(t, path, r, Entry{Sent: noon, Fields: fields})
	text, err := os.ReadFile(path)
	noError(t, err)
	for size := headerSize + 5 + 2*frameSize; size < len(text); size++ {
		noError(t, os.WriteFile(path, text[:size], 0o600))
		wantMemory(t, path, row("u"), Entry{Sent: noon})
		intend(t, open(t, path), row("v"), noon)
		wantMemory(t, path, row("u"), Entry{Sent: noon})
	}
}

// TestFlippedBitOfTheHistory flips each bit of the file, and checks that this is an
// error that names the file, and that nothing may be sent.
func TestFlippedBitOfTheHistory(t *testing.T) {
	text := write(t)
	path := filepath.Join(t.TempDir(), "sent.log")
	noError(t, os.WriteFile(path, text, 0o600))
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	noError(t, err)
	defer func() { _ = file.Close() }()
	put := func(i int, b byte) {
		if _, err := file.WriteAt([]byte{b}, int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	for i, b := range text {
		for bit := range 8 {
			put(i, b^1<<bit)
			_, err := Open(path, "https://api.example.com", "reseller-1")
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), path) || !strings.Contains(corrupt.Advice(), "backup") {
				t.Errorf("byte %d, bit %d: got error %v, want a *CorruptError that names the file", i, bit, err)
			}
		}
		put(i, b)
	}
	put(5, ^text[5])
	h := open(t, filepath.Join(t.TempDir(), "sent.log"))
	h.path = path
	if _, ok, err := h.Intend(row("u"), noon); ok || err == nil {
		t.Errorf("Intend in a corrupt file: got %t, error %v; want an error", ok, err)
	}
}

func TestLaterVersion(t *testing.T) {
	path := newPath(t)
	h := open(t, path)
	intend(t, h, row("u"), noon)
	text, err := os.ReadFile(path)
	noError(t, err)
	header := bytes.Clone(text[1 : 1+headerSize])
	header[1] = version + 1
	h.end = 0
	if err := h.append(header, false); err == nil || !strings.Contains(err.Error(), "later version") {
		t.Errorf("got error %v, want one that says that a later version wrote the file", err)
	}
	if _, err := Open(path, "", ""); err == nil || !strings.Contains(err.Error(), "later version") || !strings.Contains(err.Error(), path) {
		t.Errorf("got error %v, want one that names the file and the later version", err)
	}
}

func TestUpdateReadsWhatOthersHaveWritten(t *testing.T) {
	path := newPath(t)
	mine, others := open(t, path), open(t, path)
	if _, _, err := mine.Intend(row("a"), noon); err != nil {
		t.Fatal(err)
	}
	if _, _, err := others.Intend(row("b"), noon); err != nil {
		t.Fatal(err)
	}
	if err := mine.Update(); err != nil {
		t.Fatal(err)
	}
	if got, err := mine.Find(row("b")); err != nil || !got.Unsure.Equal(noon) {
		t.Errorf("got %+v, %v, want the intent of the other process", got, err)
	}
	if err := (*History)(nil).Update(); err != nil {
		t.Error(err)
	}
}

// TestProcessesShareTheHistory checks that of several processes that intend the same
// rows at the same time, one may send each row.
func TestProcessesShareTheHistory(t *testing.T) {
	const rows, processes, workers = 40, 3, 4
	path := newPath(t)
	var mu sync.Mutex
	sent := map[int]int{}
	var group sync.WaitGroup
	for range processes {
		h := open(t, path)
		for range workers {
			group.Go(func() {
				for n := range rows {
					r := row(fmt.Sprint(n))
					_, ok, err := h.Intend(r, noon)
					if err != nil {
						t.Error(err)
						return
					}
					if !ok {
						continue
					}
					mu.Lock()
					sent[n]++
					mu.Unlock()
					if err := h.Acknowledge(r, ""); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	for n := range rows {
		if sent[n] != 1 {
			t.Errorf("row %d: got %d sendings, want 1", n, sent[n])
		}
		wantMemory(t, path, row(fmt.Sprint(n)), Entry{Sent: noon})
	}
}

// TestIntentThatCannotBeWritten checks that a row may not be sent if its intent can't be
// made durable.
func TestIntentThatCannotBeWritten(t *testing.T) {
	t.Run("no folder", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		noError(t, os.WriteFile(file, nil, 0o600))
		h := &History{path: filepath.Join(file, "sent.log")}
		if _, ok, err := h.Intend(row("u"), noon); ok || err == nil {
			t.Errorf("got %t, error %v; want an error", ok, err)
		}
	})
	t.Run("failed write", func(t *testing.T) {
		path := newPath(t)
		h := open(t, path)
		intend(t, h, row("u"), noon)
		written := h.file
		file, err := os.Open(path) // a file opened like this can't be written
		noError(t, err)
		defer func() { _ = file.Close() }()
		h.file = file
		_, ok, first := h.Intend(row("v"), noon)
		if ok || first == nil {
			t.Errorf("got %t, error %v; want an error", ok, first)
		}
		h.file = written // from now on the file could be written
		if _, ok, err := h.Intend(row("v"), noon); ok || !errors.Is(err, first) {
			t.Errorf("the next intent: got %t, error %v; want %v", ok, err, first)
		}
		if err := h.Close(); !errors.Is(err, first) {
			t.Errorf("Close: got %v, want %v", err, first)
		}
		wantMemory(t, path, row("v"), Entry{})
	})
	t.Run("failed fsync", func(t *testing.T) {
		path := newPath(t)
		h := open(t, path)
		want := errors.New("no space")
		h.sync = func(*os.File) error { return want }
		if _, ok, err := h.Intend(row("u"), noon); ok || !errors.Is(err, want) {
			t.Errorf("got %t, error %v; want %v", ok, err, want)
		}
	})
	t.Run("replaced file", func(t *testing.T) {
		path := newPath(t)
		h := open(t, path)
		intend(t, h, row("u"), noon)
		noError(t, os.Truncate(path, 0))
		if _, ok, err := h.Intend(row("v"), noon); ok || err == nil {
			t.Errorf("got %t, error %v; want an error", ok, err)
		}
	})
}

func TestLockOfAnotherProcess(t *testing.T) {
	path := newPath(t)
	intend(t, open(t, path), row("u"), noon)
	synctest.Test(t, func(t *testing.T) {
		lock := flock.New(path + ".lock")
		noError(t, lock.Lock())
		defer func() { _ = lock.Close() }()
		if _, err := Open(path, "", ""); err == nil || !strings.Contains(err.Error(), lock.Path()) {
			t.Errorf("got error %v, want one that names the lock", err)
		}
	})
}

func TestUntrustedHistory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Unix file modes")
	}
	path := newPath(t)
	intend(t, open(t, path), row("u"), noon)
	noError(t, os.Chmod(path, 0o666))
	if _, err := Open(path, "", ""); err == nil || !strings.Contains(err.Error(), "not trusted") {
		t.Errorf("got error %v, want one that says that the file is not trusted", err)
	}
}

func TestSecondHeader(t *testing.T) {
	path := newPath(t)
	intend(t, open(t, path), row("u"), noon)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	noError(t, err)
	if _, err := file.Write(wal.AppendFrame(nil, append([]byte{kindHeader, version}, make([]byte, saltSize)...))); err != nil {
		t.Fatal(err)
	}
	noError(t, file.Close())
	var corrupt *CorruptError
	if _, err := Open(path, "", ""); !errors.As(err, &corrupt) {
		t.Errorf("got error %v, want a *CorruptError: the rows before the header would be forgotten", err)
	}
}

// TestFormatOfTheFile reads a history whose bytes stand here. A program that reads what it has written itself, but not what an earlier version has,
// would send rows of that version again.
func TestFormatOfTheFile(t *testing.T) {
	path := newPath(t)
	noError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	text, err := hex.DecodeString("22480130313233343536373839616263646566303132333435363738396162636465663f33d179" +
		"1c498adbbf640b6aaeac34e425dfc8ad8a07000000000001a1f8d3ea0092dcd62a" +
		"1c418adbbf640b6aaeac34e425dfc8ad8a07000000ffffc77cedd32800ad7c2696")
	noError(t, err)
	noError(t, os.WriteFile(path, text, 0o600))
	wantMemory(t, path, row("u"), Entry{Sent: noon})
}

// FuzzOpen opens a history of any events, with any bytes after them. It is an error that
// leaves the file as it is, or a memory to which the next intent adds one row.
func FuzzOpen(f *testing.F) {
	event := func(kind byte, size int) string {
		return string(append([]byte{kind}, bytes.Repeat([]byte{1}, size-1)...))
	}
	f.Add([]byte(event(kindIntent, eventSize)+event(kindAcknowledged, eventSize)), []byte{})
	f.Add([]byte(event(kindIntent, eventSize)+event(kindWithdrawn, eventSize)), []byte{1, 2, 3})
	f.Add([]byte(event(kindAcknowledged, eventSize)+event(kindHeader, headerSize)), make([]byte, frameSize))
	f.Add([]byte("I too short"), []byte("I a tail that is longer than an event"))
	f.Fuzz(func(t *testing.T, events, tail []byte) {
		text := wal.AppendFrame(nil, append([]byte{kindHeader, version}, make([]byte, saltSize)...))
		for len(events) > 0 {
			size := min(len(events), eventSize)
			if events[0] == kindHeader {
				size = min(len(events), headerSize)
			}
			text = wal.AppendFrame(text, events[:size])
			events = events[size:]
		}
		text = append(text, tail...)
		path := filepath.Join(t.TempDir(), "sent.log")
		noError(t, os.WriteFile(path, text, 0o600))
		h, err := Open(path, "", "")
		if err != nil {
			if after, readErr := os.ReadFile(path); readErr != nil || !bytes.Equal(after, text) {
				t.Errorf("after the error %v: got %d bytes, error %v; want the %d bytes as they were", err, len(after), readErr, len(text))
			}
			return
		}
		want := maps.Clone(h.rows)
		r := row("u")
		intend(t, h, r, noon)
		want[*r.key] = []attempt{{*r.mark, Entry{Unsure: time.UnixMilli(noon.UnixMilli())}}}
		noError(t, h.Close())
		again, err := Open(path, "", "")
		if err != nil {
			t.Fatalf("the next open: got error %v, want none", err)
		}
		if err := again.Close(); err != nil || !reflect.DeepEqual(again.rows, want) {
			t.Errorf("the next open: got the rows %v, error %v; want %v", again.rows, err, want)
		}
	})
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
