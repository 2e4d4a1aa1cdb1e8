package bulk

import "container/list"

// maxOpen is how many rows wait for their batch to fill: where a file has
// very many keys, the batch that was begun first goes as it is.
const maxOpen = 10_000

// maxFree is how many batches' memory is kept to be used again.
const maxFree = 16

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
	byKey map[batchKey]*list.Element // of *pending
	order list.List
	rows  int
	free  []*pending        // gone, and used again
	names map[string]string // keys that were met, so that each is made once
	bytes []byte
}

// maxNames bounds how many keys are remembered.
const maxNames = 10_000

func newGathering(size func(batchKey) int) gathering {
	return gathering{size: size, byKey: map[batchKey]*list.Element{}, names: map[string]string{}}
}

// key is the key of a row.
func (g *gathering) key(of Key, row *Row) string {
	g.bytes = of(g.bytes[:0], *row)
	name, ok := g.names[string(g.bytes)]
	if !ok {
		if len(g.names) >= maxNames {
			clear(g.names)
		}
		name = string(g.bytes)
		g.names[name] = name
	}
	return name
}

type pending struct {
	key batchKey
	shelf
}

// add takes a row and returns the batch that is to go, if there is one.
func (g *gathering) add(key batchKey, row Row) *pending {
	e := g.byKey[key]
	if e == nil {
		e = g.order.PushBack(g.begin(key))
		g.byKey[key] = e
	}
	p := e.Value.(*pending)
	p.keep(row)
	g.rows++
	switch {
	case len(p.rows) >= g.size(key):
		return g.take(e)
	case g.rows >= maxOpen:
		return g.take(g.order.Front())
	}
	return nil
}

func (g *gathering) begin(key batchKey) *pending {
	if last := len(g.free) - 1; last >= 0 {
		p := g.free[last]
		g.free = g.free[:last]
		p.key = key
		return p
	}
	return &pending{key: key}
}

// done takes back a batch whose rows nobody needs any more.
func (g *gathering) done(p *pending) {
	p.clear()
	if len(g.free) < maxFree {
		g.free = append(g.free, p)
	}
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
	g.rows -= len(p.rows)
	return p
}
