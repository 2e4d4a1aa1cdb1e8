package bulk

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"time"
)

// The kinds of entries in a journal. Each is told by the ledger's method that
// applies it.
const (
	entryHeader  = 'H'
	entryRun     = 'R' // a run began; times are in ms since then
	entryIntent  = 'B' // a batch may be sent: id, kind, rows
	entryStart   = 'S' // its call begins: id, time
	entryBatch   = 'A' // what became of all rows of a batch: id, verdict
	entryRows    = 'X' // what became of rows: verdict, rows
	entryClose   = 'C' // what became of all rows of a batch is told: id
	entryBase    = 'G' // how many of rows the service held beforehand: number, rows
	entryTick    = 'K' // calls are under way: time
	entryEnd     = 'E' // a run ended: requests, retries, ms
	entryFinish  = 'F' // nothing is left to do
	entryUnits   = 'U' // what a step writes: number of the step, row of each unit
	entryStep    = 'T' // an entry of a step: its number, the entry
	entries      = "HRBSAXCGKEFUT"
	maxEntry     = 64 << 20
	entryTrailer = 4
)

// castagnoli is made when it is first needed: that takes longer than all else
// that most commands do.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// frame puts an entry behind b: length, payload, checksum.
func frame(b, payload []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(payload)))
	b = append(b, payload...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, castagnoli()))
}

// A verdict is what becomes of rows: their state, and why.
type verdict struct {
	state  rowState
	status int
	words  string
	result string // JSON of what the service gave, for one row
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendVerdict(b []byte, v verdict) []byte {
	b = append(b, byte(v.state))
	b = binary.AppendUvarint(b, uint64(max(v.status, 0)))
	b = appendText(b, v.words)
	return appendText(b, v.result)
}

// appendRows writes ascending row numbers as their distances.
func appendRows(b []byte, rows []uint32) []byte {
	b = binary.AppendUvarint(b, uint64(len(rows)))
	last := uint32(0)
	for _, n := range rows {
		b = binary.AppendUvarint(b, uint64(n-last))
		last = n
	}
	return b
}

var errEntry = errors.New("the journal holds an entry that can't be read")

// fields reads the parts of a payload; the first that is broken marks it.
type fields struct {
	b   []byte
	bad bool
}

func (f *fields) number() uint64 {
	n, used := binary.Uvarint(f.b)
	if used <= 0 {
		f.bad, f.b = true, nil
		return 0
	}
	f.b = f.b[used:]
	return n
}

func (f *fields) time() time.Duration { return time.Duration(f.number()) * time.Millisecond }

func (f *fields) byte() byte {
	if len(f.b) == 0 {
		f.bad = true
		return 0
	}
	c := f.b[0]
	f.b = f.b[1:]
	return c
}

func (f *fields) text() string {
	n := f.number()
	if n > uint64(len(f.b)) {
		f.bad = true
		return ""
	}
	s := string(f.b[:n])
	f.b = f.b[n:]
	return s
}

func (f *fields) verdict() verdict {
	return verdict{rowState(f.byte()), int(f.number()), f.text(), f.text()}
}

// rows reads row numbers, all below limit.
func (f *fields) rows(limit int) []uint32 {
	n := f.number()
	if n > uint64(len(f.b)) {
		f.bad = true
		return nil
	}
	rows := make([]uint32, 0, n)
	last := uint64(0)
	for range n {
		if last += f.number(); f.bad || last >= uint64(limit) {
			f.bad = true
			return nil
		}
		rows = append(rows, uint32(last))
	}
	return rows
}

// The entries, as they are written.

// entry begins one, with room for so many bytes and some numbers.
func entry(kind byte, size int) []byte { return append(make([]byte, 0, size+32), kind) }

func intentEntry(id uint64, rows []uint32) []byte {
	return appendRows(binary.AppendUvarint(entry(entryIntent, 2*len(rows)), id), rows)
}

func batchEntry(id uint64, v verdict) []byte {
	return appendVerdict(binary.AppendUvarint(entry(entryBatch, len(v.words)+len(v.result)), id), v)
}

func rowsEntry(v verdict, rows ...uint32) []byte {
	return appendRows(appendVerdict([]byte{entryRows}, v), rows)
}

func numbersEntry(kind byte, numbers ...uint64) []byte {
	b := entry(kind, 0)
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

// since is the time of an entry: what the clock of the run shows, whether the
// clock of the day is put right meanwhile or the machine sleeps.
func since(begun time.Time) uint64 { return uint64(time.Since(begun).Milliseconds()) }
