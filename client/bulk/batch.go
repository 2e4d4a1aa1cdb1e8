package bulk

import (
	"bytes"
	"container/list"

	"reseller/client/bulk/rows"
	"reseller/client/record"
)

const (
	// maxOpenBytes is how much memory the batches take that wait for more rows: enough for those of 5,000 campaigns. Beyond
	// it, the oldest ones are sent before they are full.
	maxOpenBytes = 40 << 20
	// openBatchBytes is about what an open batch takes without its rows.
	openBatchBytes = 512
)

// A batch is a group of rows that are sent in one call.
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

// isRegular reports whether the rows are sent for the first time, so that circuit
// breakers apply to them.
func (k *batchKey) isRegular() bool { return k.part == 0 && !k.converge }

// A batcher gathers rows into batches by key. Each batch of a key but the last is full,
// in whatever order the rows come, and its rows are in the order of the file. Batches that
// take too much memory while they wait for more rows are sent before they are full.
type batcher struct {
	batcherOptions
	byKey map[batchKey]*list.Element // of *openBatch
	last  *list.Element              // the batch to which the last row was added; nil if it is closed
	order list.List                  // the open batches, oldest first
	bytes int                        // the memory of the open batches
	keys  lastKey
}

// A lastKey is the key of the last row. Most rows have the key of the row before.
type lastKey struct {
	text  string
	parts [][]byte // the values that make up the key
	buf   []byte   // the memory in which ofRow builds a key
}

// ofRow returns the key of a row, which consists of its values of the fields.
func (c *lastKey) ofRow(fields []string, v rows.Values) string {
	same := c.parts != nil
	if !same {
		c.parts = make([][]byte, len(fields))
	}
	for i, field := range fields {
		if part := v.Get(field); !bytes.Equal(part, c.parts[i]) {
			c.parts[i], same = append(c.parts[i][:0], part...), false
		}
	}
	if same {
		return c.text
	}
	c.buf = c.buf[:0]
	for _, part := range c.parts {
		c.buf = append(record.Value(part).AppendText(c.buf), '/')
	}
	c.text = string(c.buf)
	return c.text
}

// batcherOptions say how rows are gathered.
type batcherOptions struct {
	size     func(batchKey) int          // returns the number of rows of a full batch
	encode   func(batchKey) BatchEncoder // returns an encoder for the rows of one batch
	send     func(*openBatch) error      // receives each full batch, and the last batch of each key
	maxBytes int                         // the most memory of all open batches
}

// An openBatch is a batch that may take more rows.
type openBatch struct {
	key     batchKey
	rows    []uint32
	size    int // the most rows
	bytes   int // the memory that it takes
	encoder BatchEncoder
}

func newBatcher(o batcherOptions) *batcher {
	return &batcher{batcherOptions: o, byKey: map[batchKey]*list.Element{}}
}

// add adds a row to the open batch with a key. It sends the batch if that is full, and makes room if the open batches take
// too much memory.
func (b *batcher) add(key *batchKey, row *rows.Row) error {
	e := b.last
	if e == nil || e.Value.(*openBatch).key != *key {
		if e = b.byKey[*key]; e == nil {
			size := b.size(*key)
			e = b.order.PushBack(&openBatch{key: *key, rows: make([]uint32, 0, min(size, 16)), size: size, encoder: b.encode(*key)})
			b.byKey[*key] = e
		}
		b.last = e
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
	for b.bytes > b.maxBytes && b.order.Len() > 1 {
		if err := b.send(b.close(b.order.Front())); err != nil {
			return err
		}
	}
	return nil
}

// close removes a batch from the open batches and returns it.
func (b *batcher) close(e *list.Element) *openBatch {
	open := b.order.Remove(e).(*openBatch)
	delete(b.byKey, open.key)
	if b.last == e {
		b.last = nil
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
