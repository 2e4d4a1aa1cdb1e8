package bulk

import (
	"context"

	"reseller/client/bulk/decode"
)

// A Plan is what a load would do.
type Plan struct {
	Operation  string `json:"operation"`
	Rows       int    `json:"rows"`
	Send       int    `json:"send"`
	Present    int    `json:"present"`
	Differs    int    `json:"differs"`
	Refused    int    `json:"refused"`
	Duplicates int    `json:"duplicates"`
	Invalid    int    `json:"invalid"`
	Calls      int    `json:"calls"`
}

// Prepare walks the rows of src, which was checked, as Run would, and hands the
// batches to each; bring tells of rows that are held already. It may read what
// the service holds, and sends nothing.
func Prepare(ctx context.Context, src *Source, op Op, o Options, each func(rows []Row, bring bool)) (Plan, error) {
	o.fill(op)
	p := Plan{Operation: op.Name, Rows: src.report.Rows, Duplicates: src.report.Duplicates, Invalid: src.report.Invalid}
	var view View
	if op.Look != nil && !o.SendHeld {
		var err error
		if view, err = op.look(ctx, false, src.holdings()); err != nil {
			return p, err
		}
	}
	g := newGathering(func(batchKey) int { return o.BatchSize }, func(key batchKey) Body {
		return &rowsBody{&shelf{}, func(rows []Row) Send {
			each(rows, key.bring)
			return nil
		}}
	})
	hand := func(b *pending) {
		if b != nil {
			p.Calls++
			p.Send += len(b.rows)
			b.body.Send()
		}
	}
	for row, err := range src.Rows() {
		if wrong := decode.AsError(err); wrong != nil && !wrong.Fatal {
			continue
		}
		if err == nil {
			err = context.Cause(ctx)
		}
		out := Outcome{State: Absent}
		if err == nil && view != nil {
			out, err = view.Find(ctx, row)
		}
		if err != nil {
			return p, err
		}
		key := batchKey{key: g.key(op.Key, row.Values)}
		switch out.State {
		case Present:
			p.Present++
			continue
		case Refused, Unknown:
			p.Refused++
			continue
		case Differs:
			if p.Differs++; !o.UpdateExisting || op.Bring == nil {
				continue
			}
			key.bring = true
		}
		hand(g.add(&key, row))
	}
	for b := g.rest(); b != nil; b = g.rest() {
		hand(b)
	}
	return p, nil
}
