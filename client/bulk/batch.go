package bulk

import (
	"container/list"
	"encoding/binary"
	"hash/maphash"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/rows"
	"reseller/client/bulk/spill"
)

const (
	// maxOpenBytes is how much memory the batches take that wait for more rows. Beyond
	// it, the oldest ones are moved to a temporary file.
	maxOpenBytes = 16 << 20
	// openBatchBytes is about how much memory an open batch takes without its rows.
	openBatchBytes = 512
	// spillParts is into how many parts the rows on disk are divided. One part at a time is read back.
	spillParts = 64
	// spillMarks is the number of bits that say which keys have rows on disk.
	spillMarks = 1 << 20
)

type batch struct {
	batchKey
	id        uint64
	hasIntent bool // an intent with the id is recorded
	rows      []uint32
	call      Call
}

// A batchKey is equal for all rows of a batch.
type batchKey struct {
	key      string // the values of Operation.Key
	converge bool   // the service holds the rows with other content, so Converge sends them
	part     int    // the number of the part of a bisected batch, from 1; 0 for other batches
}

// isRegular reports whether the rows are sent for the first time, so that circuit breakers apply to them.
func (k *batchKey) isRegular() bool { return k.part == 0 && !k.converge }

// A batcher gathers rows into batches by key. Each batch of a key but the last is full, in whatever order the rows come, and
// its rows are in the order of the file. Batches that take too much memory while they wait for more rows are moved to a
// temporary file. From then on all rows of their keys go there, and drain reads them back part by part.
type batcher struct {
	batcherOptions
	byKey   map[batchKey]*list.Element // of *openBatch
	recent  [recentKeys]*list.Element  // by keyTexts.at: the open batch of the key; may be that of another key, or nil
	order   list.List                  // the open batches, oldest first
	bytes   int                        // the memory of the open batches
	spilled *spill.File                // nil if no rows are on disk
	marks   dedupe.Bitmap              // by the hash of a key: whether one with it has rows on disk
	keys    keyTexts
	buf     []byte // the memory in which spill builds a record
}

// recentKeys is the number of keys whose texts and batches are found without a look-up.
const recentKeys = 256

// keyTexts has the texts of the keys of recent rows, so that the rows of a key need not make its text again.
type keyTexts struct {
	seed  maphash.Seed
	buf   []byte // the memory in which ofRow builds a key
	texts [recentKeys]string
	at    uint8 // the place in texts of the last key
}

// ofRow returns the key of a row, which consists of its values of the fields.
func (c *keyTexts) ofRow(fields []string, v rows.Values) string {
	c.buf = c.buf[:0]
	for _, field := range fields {
		c.buf = append(v.Get(field).AppendText(c.buf), '/')
	}
	c.at = uint8(maphash.Bytes(c.seed, c.buf))
	text := &c.texts[c.at]
	if *text != string(c.buf) {
		*text = string(c.buf)
	}
	return *text
}

type batcherOptions struct {
	size     func(batchKey) int          // returns the number of rows of a full batch
	encode   func(batchKey) BatchEncoder // returns an encoder for the rows of one batch
	send     func(*openBatch) error      // receives each full batch, and the last batch of each key
	maxBytes int                         // the most memory of all open batches
	inMemory bool                        // rows may contain passwords: a batch that takes too much memory is sent before it is full
}

type openBatch struct {
	key     batchKey
	rows    []uint32
	size    int // the most rows
	bytes   int // the memory that it takes
	encoder BatchEncoder
	at      uint8 // the place in batcher.recent that it may have
}

func newBatcher(o batcherOptions) *batcher {
	return &batcher{batcherOptions: o, byKey: map[batchKey]*list.Element{}, keys: keyTexts{seed: maphash.MakeSeed()}}
}

// add adds a row to the open batch with a key, or to the rows on disk if the key has any
// there. A batch of one row is sent at once.
func (b *batcher) add(key *batchKey, row *rows.Row) error {
	e := b.recent[b.keys.at]
	if e == nil || e.Value.(*openBatch).key != *key {
		if e = b.byKey[*key]; e == nil {
			open := b.newBatch(*key)
			if open.size > 1 && b.hasSpilled(key) {
				open.encoder.Add(row)
				open.rows = append(open.rows, uint32(row.Ordinal))
				return b.spill(open)
			}
			e = b.insert(open)
		}
		b.recent[b.keys.at], e.Value.(*openBatch).at = e, b.keys.at
	}
	open := e.Value.(*openBatch)
	open.rows = append(open.rows, uint32(row.Ordinal))
	open.encoder.Add(row)
	return b.grown(e)
}

func (b *batcher) newBatch(key batchKey) *openBatch {
	size := b.size(key)
	return &openBatch{key: key, rows: make([]uint32, 0, min(size, 16)), size: size, encoder: b.encode(key)}
}

func (b *batcher) insert(open *openBatch) *list.Element {
	e := b.order.PushBack(open)
	b.byKey[open.key] = e
	return e
}

// grown sends a batch to which rows were added, if it is full, and makes room if the open batches take too much memory.
func (b *batcher) grown(e *list.Element) error {
	open := e.Value.(*openBatch)
	if len(open.rows) >= open.size {
		return b.send(b.close(e))
	}
	before := open.bytes
	open.bytes = openBatchBytes + 4*cap(open.rows) + open.encoder.Size()
	b.bytes += open.bytes - before
	for b.bytes > b.maxBytes && b.order.Len() > 1 {
		oldest := b.close(b.order.Front())
		if b.inMemory {
			return b.send(oldest)
		}
		if err := b.spill(oldest); err != nil {
			return err
		}
	}
	return nil
}

func (b *batcher) close(e *list.Element) *openBatch {
	open := b.order.Remove(e).(*openBatch)
	delete(b.byKey, open.key)
	if b.recent[open.at] == e {
		b.recent[open.at] = nil
	}
	b.bytes -= open.bytes
	return open
}

// hash returns the part of the file that a key belongs to, and its place in marks.
func (b *batcher) hash(key *batchKey) (part, mark int) {
	hash := maphash.Comparable(b.keys.seed, *key)
	return int(hash % spillParts), int(hash >> 32 % spillMarks)
}

// hasSpilled reports whether rows of a key are, or may be, on disk.
func (b *batcher) hasSpilled(key *batchKey) bool {
	if b.spilled == nil {
		return false
	}
	_, mark := b.hash(key)
	return b.marks.Has(mark)
}

// spill moves a batch, which is not among the open ones, to disk.
func (b *batcher) spill(open *openBatch) (err error) {
	if b.spilled == nil {
		if b.spilled, err = spill.Create(spillParts); err != nil {
			return err
		}
	}
	b.buf = open.appendTo(b.buf[:0])
	return b.spillRecord(&open.key, b.buf)
}

func (b *batcher) spillRecord(key *batchKey, record []byte) error {
	part, mark := b.hash(key)
	b.marks.Set(mark)
	return b.spilled.Append(part, record)
}

// appendTo appends the batch to b as a record of the temporary file.
func (open *openBatch) appendTo(b []byte) []byte {
	converge := byte(0)
	if open.key.converge {
		converge = 1
	}
	b = append(b, converge)
	b = binary.AppendUvarint(b, uint64(open.key.part))
	b = append(binary.AppendUvarint(b, uint64(len(open.key.key))), open.key.key...)
	b = binary.AppendUvarint(b, uint64(len(open.rows)))
	for _, row := range open.rows {
		b = binary.LittleEndian.AppendUint32(b, row)
	}
	return open.encoder.Save(b)
}

func (b *batcher) addSpilled(record []byte) error {
	key, rest := batchKey{converge: record[0] == 1}, record[1:]
	number := func() int {
		n, used := binary.Uvarint(rest)
		rest = rest[used:]
		return int(n)
	}
	key.part = number()
	size := number()
	key.key, rest = string(rest[:size]), rest[size:]
	size = number()
	ordinals, saved := rest[:4*size], rest[4*size:]
	e := b.byKey[key]
	if e == nil {
		if b.hasSpilled(&key) {
			return b.spillRecord(&key, record)
		}
		e = b.insert(b.newBatch(key))
	}
	open := e.Value.(*openBatch)
	for ; len(ordinals) > 0; ordinals = ordinals[4:] {
		open.rows = append(open.rows, binary.LittleEndian.Uint32(ordinals))
	}
	open.encoder.Load(saved)
	return b.grown(e)
}

// drain sends the batches that are still open: those in memory, oldest first, then those
// on disk. The rows of a part of the file are gathered like those of a whole input.
func (b *batcher) drain() error {
	for e := b.order.Front(); e != nil; e = b.order.Front() {
		if err := b.send(b.close(e)); err != nil {
			return err
		}
	}
	if b.spilled == nil {
		return nil
	}
	for part := range spillParts {
		if err := b.drainPart(part); err != nil {
			return err
		}
	}
	return nil
}

func (b *batcher) drainPart(part int) error {
	inner := newBatcher(b.batcherOptions)
	defer inner.discard()
	for record, err := range b.spilled.Records(part) {
		if err == nil {
			err = inner.addSpilled(record)
		}
		if err != nil {
			return err
		}
	}
	return inner.drain()
}

func (b *batcher) discard() { _ = b.spilled.Close() }
