package bulk

import (
	"bytes"
	"container/list"

	"reseller/client/record"
)

// maxOpen is how many rows wait for their batch to fill: where a file has
// very many keys, the batch that was begun first goes as it is.
const maxOpen = 10_000

// A batch is rows that go in one call.
type batch struct {
	batchKey
	id    uint64
	known bool // id is given: the journal says that it may be sent
	rows  []uint32
	send  Send
}

// batchKey is what rows of one batch share.
type batchKey struct {
	key   string // of the operation
	bring bool   // they are held already and are brought in line
	part  int    // of a batch that was refused, from 1
}

// gathering are the open batches by key, in the order in which they were begun.
type gathering struct {
	size  func(batchKey) int
	begin func(batchKey) Body
	byKey map[batchKey]*list.Element // of *pending
	last  *list.Element              // that took a row, nil where it went
	order list.List
	rows  int
	names map[string]string // keys that were met, so that each is made once
	name  string            // the last of them
	parts [][]byte          // and what it is made of
	bytes []byte
}

// maxCached bounds how many keys are remembered.
const maxNames = 10_000

func newGathering(size func(batchKey) int, begin func(batchKey) Body) gathering {
	return gathering{size: size, begin: begin, byKey: map[batchKey]*list.Element{}, names: map[string]string{}}
}

// key is the key of a row: what it has in fields.
func (g *gathering) key(fields []string, v Values) string {
	same := g.parts != nil
	if !same {
		g.parts = make([][]byte, len(fields))
	}
	for i, field := range fields {
		if part := v.Get(field); !bytes.Equal(part, g.parts[i]) {
			g.parts[i], same = append(g.parts[i][:0], part...), false
		}
	}
	if same {
		return g.name
	}
	g.bytes = g.bytes[:0]
	for _, part := range g.parts {
		g.bytes = append(record.Value(part).AppendText(g.bytes), '/')
	}
	name, ok := g.names[string(g.bytes)]
	if !ok {
		if len(g.names) >= maxNames {
			clear(g.names)
		}
		name = string(g.bytes)
		g.names[name] = name
	}
	g.name = name
	return name
}

type pending struct {
	key  batchKey
	rows []uint32
	size int
	body Body
}

// add takes a row and returns the batch that is to go, if there is one.
func (g *gathering) add(key *batchKey, row *Row) *pending {
	e := g.last
	if e == nil || e.Value.(*pending).key != *key {
		if e = g.byKey[*key]; e == nil {
			size := g.size(*key)
			e = g.order.PushBack(&pending{key: *key, rows: make([]uint32, 0, min(size, 16)), size: size, body: g.begin(*key)})
			g.byKey[*key] = e
		}
		g.last = e
	}
	p := e.Value.(*pending)
	p.rows = append(p.rows, uint32(row.ordinal))
	p.body.Add(row)
	g.rows++
	switch {
	case len(p.rows) >= p.size:
		return g.take(e)
	case g.rows >= maxOpen:
		return g.take(g.order.Front())
	}
	return nil
}

// rest returns the batch that was begun first, nil when none is left.
func (g *gathering) rest() *pending {
	if e := g.order.Front(); e != nil {
		return g.take(e)
	}
	return nil
}

func (g *gathering) take(e *list.Element) *pending {
	p := g.order.Remove(e).(*pending)
	delete(g.byKey, p.key)
	if g.last == e {
		g.last = nil
	}
	g.rows -= len(p.rows)
	return p
}
