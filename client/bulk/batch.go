package bulk

import (
	"container/list"
	"hash/maphash"

	"reseller/client/bulk/rows"
)

const (
	// openBatchBytes is about how much memory an open batch takes without its rows.
	openBatchBytes = 512
	// skipMarks is the number of bits that say of which keys rows were skipped.
	skipMarks = 1 << 20
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
// its rows are in the order of the file. If the batches that wait for more rows take too much memory, the youngest one is
// dropped, and all further rows of its key are skipped: another walk gathers them.
type batcher struct {
	batcherOptions
	byKey   map[batchKey]*list.Element // of *openBatch
	recent  [recentKeys]*list.Element  // by keyTexts.at: the open batch of the key; may be that of another key, or nil
	order   list.List                  // the open batches, oldest first
	bytes   int                        // the memory of the open batches
	seed    maphash.Seed
	skipped []uint64 // a bit is set if rows of a key with its hash were skipped; nil if there are none
	keys    keyTexts
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
	seed := maphash.MakeSeed()
	return &batcher{batcherOptions: o, byKey: map[batchKey]*list.Element{}, seed: seed, keys: keyTexts{seed: seed}}
}

// add adds a row to the open batch with a key, or skips it. A batch of one row is sent at once.
func (b *batcher) add(key *batchKey, row *rows.Row) error {
	e := b.recent[b.keys.at]
	if e == nil || e.Value.(*openBatch).key != *key {
		if e = b.byKey[*key]; e == nil {
			if b.skips(key) {
				return nil
			}
			e = b.order.PushBack(b.newBatch(*key))
			b.byKey[*key] = e
		}
		b.recent[b.keys.at], e.Value.(*openBatch).at = e, b.keys.at
	}
	open := e.Value.(*openBatch)
	open.rows = append(open.rows, uint32(row.Ordinal))
	open.encoder.Add(row)
	if len(open.rows) >= open.size {
		return b.send(b.close(e))
	}
	before := open.bytes
	open.bytes = openBatchBytes + 4*cap(open.rows) + open.encoder.Size()
	b.bytes += open.bytes - before
	b.makeRoom()
	return nil
}

// makeRoom drops the youngest open batches if all of them take too much memory, but for the parts of bisected batches.
func (b *batcher) makeRoom() {
	for e := b.order.Back(); e != nil && b.bytes > b.maxBytes && b.order.Len() > 1; {
		youngest := e
		e = e.Prev()
		if key := &youngest.Value.(*openBatch).key; key.part == 0 {
			if b.skipped == nil {
				b.skipped = make([]uint64, skipMarks/64)
			}
			word, bit := b.mark(key)
			b.skipped[word] |= bit
			b.close(youngest)
		}
	}
}

// skips reports whether rows of a key were skipped, or may have been.
func (b *batcher) skips(key *batchKey) bool {
	if b.skipped == nil || key.part > 0 {
		return false
	}
	word, bit := b.mark(key)
	return b.skipped[word]&bit != 0
}

// mark returns the place of a key in skipped: a word, and a bit in it.
func (b *batcher) mark(key *batchKey) (word, bit uint64) {
	mark := maphash.Comparable(b.seed, *key) % skipMarks
	return mark / 64, 1 << (mark % 64)
}

func (b *batcher) newBatch(key batchKey) *openBatch {
	size := b.size(key)
	return &openBatch{key: key, rows: make([]uint32, 0, min(size, 16)), size: size, encoder: b.encode(key)}
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

// drain sends the batches that are still open, oldest first.
func (b *batcher) drain() error {
	for e := b.order.Front(); e != nil; e = b.order.Front() {
		if err := b.send(b.close(e)); err != nil {
			return err
		}
	}
	return nil
}
