package bulk

import (
	"container/list"
	"context"
	"errors"
)

// maxOpen is how many rows wait for their batch to fill: where a file has
// very many keys, the batch that was begun first goes as it is.
const maxOpen = 10_000

// open batches by key, in the order in which they were begun.
type gathering struct {
	size  int
	key   func(Row) string
	byKey map[string]*list.Element // of *pending
	order list.List
	rows  int
}

type pending struct {
	key  string
	rows []Row
}

// add takes a row and returns the batch that is to go, if there is one.
func (g *gathering) add(row Row) []Row {
	key := ""
	if g.key != nil {
		key = g.key(row)
	}
	e := g.byKey[key]
	if e == nil {
		e = g.order.PushBack(&pending{key: key})
		g.byKey[key] = e
	}
	p := e.Value.(*pending)
	p.rows = append(p.rows, row)
	g.rows++
	switch {
	case len(p.rows) >= g.size:
		return g.take(e)
	case g.rows >= maxOpen:
		return g.take(g.order.Front())
	}
	return nil
}

// rest returns the batch that was begun first, nil when none is left.
func (g *gathering) rest() []Row {
	if e := g.order.Front(); e != nil {
		return g.take(e)
	}
	return nil
}

func (g *gathering) take(e *list.Element) []Row {
	p := g.order.Remove(e).(*pending)
	delete(g.byKey, p.key)
	g.rows -= len(p.rows)
	return p.rows
}

// gather walks the file and hands out its rows in batches.
func (r *run) gather(ctx context.Context, batches chan<- []Row) error {
	g := gathering{size: r.o.batchSize(r.op), key: r.op.Key, byKey: map[string]*list.Element{}}
	hand := func(rows []Row) error {
		if rows == nil {
			return nil
		}
		select {
		case batches <- rows:
			return r.stop()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for row, err := range r.src.Rows() {
		var wrong *RowsError
		switch {
		case errors.As(err, &wrong) && !wrong.Fatal:
			err = r.invalid(row, wrong)
		case err == nil:
			var outcome *Outcome
			if r.op.Before != nil {
				outcome, err = r.op.Before(&row)
			}
			if outcome != nil {
				r.note([]Row{row}, func(int) Outcome { return *outcome })
			} else if err == nil {
				err = hand(g.add(row))
			}
		}
		if err != nil {
			return err
		}
	}
	for rows := g.rest(); rows != nil; rows = g.rest() {
		if err := hand(rows); err != nil {
			return err
		}
	}
	return nil
}
