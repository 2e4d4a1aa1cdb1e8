package bulk

import (
	"bytes"
	"container/list"

	"reseller/client/bulk/rows"
	"reseller/client/record"
)

const (
	// maxOpenRows is the maximum number of rows in open batches. When it is reached, as in
	// a file with very many keys, the oldest batch is closed before it is full.
	maxOpenRows = 10_000
	// maxKeys is the number of keys whose strings are used again.
	maxKeys = 10_000
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

// A batcher gathers rows into batches by key.
type batcher struct {
	size   func(batchKey) int
	encode func(batchKey) BatchEncoder
	byKey  map[batchKey]*list.Element // of *openBatch
	last   *list.Element              // the batch to which the last row was added; nil if it was closed
	order  list.List                  // the open batches, oldest first
	rows   int                        // the number of rows of all open batches
	keys   map[string]string          // the keys so far, so that each string is allocated once
	key    string                     // the key of the last row
	parts  [][]byte                   // the values of the last row that its key consists of
	buf    []byte                     // the memory in which keyOf builds a key
}

// An openBatch is a batch that may take more rows.
type openBatch struct {
	key     batchKey
	rows    []uint32
	size    int
	encoder BatchEncoder
}

func newBatcher(size func(batchKey) int, encode func(batchKey) BatchEncoder) *batcher {
	return &batcher{size: size, encode: encode, byKey: map[batchKey]*list.Element{}, keys: map[string]string{}}
}

// keyOf returns the key of a row with the values v: the values of the given fields.
func (b *batcher) keyOf(fields []string, v rows.Values) string {
	same := b.parts != nil
	if !same {
		b.parts = make([][]byte, len(fields))
	}
	for i, field := range fields {
		if part := v.Get(field); !bytes.Equal(part, b.parts[i]) {
			b.parts[i], same = append(b.parts[i][:0], part...), false
		}
	}
	if same {
		return b.key
	}
	b.buf = b.buf[:0]
	for _, part := range b.parts {
		b.buf = append(record.Value(part).AppendText(b.buf), '/')
	}
	key, ok := b.keys[string(b.buf)]
	if !ok {
		if len(b.keys) >= maxKeys {
			clear(b.keys)
		}
		key = string(b.buf)
		b.keys[key] = key
	}
	b.key = key
	return key
}

// add adds a row to the open batch with a key. If a batch is full now, or too many rows
// are in open batches, add closes a batch and returns it; otherwise it returns nil.
func (b *batcher) add(key *batchKey, row *rows.Row) *openBatch {
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
	b.rows++
	switch {
	case len(open.rows) >= open.size:
		return b.close(e)
	case b.rows >= maxOpenRows:
		return b.close(b.order.Front())
	}
	return nil
}

// next closes and returns the oldest open batch, nil if there is none.
func (b *batcher) next() *openBatch {
	if e := b.order.Front(); e != nil {
		return b.close(e)
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
	b.rows -= len(open.rows)
	return open
}
