package cli

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/output"
)

// plan prints what a load would do. It may read, and sends nothing.
func (f *Factory) plan(ctx context.Context, ff *FileFlags, l Load, source *bulk.Source) error {
	requests, err := f.Format()
	if err != nil {
		return err
	}
	if err := f.check(ctx, source, ff.onInvalid, ff.excuse(ctx, f, l, source)); err != nil {
		return err
	}
	defer frugal(source.Len())()
	var c *client.Client
	if (l.Look != nil || l.Steps != nil) && !ff.sendHeld {
		f.workers = ff.workers
		if c, err = f.Client(); err != nil {
			return err
		}
	}
	if l.Steps != nil {
		return l.Steps.plan(ctx, f, c, source, ff.options())
	}
	if requests == output.NDJSON {
		return f.requests(ctx, l, c, source, ff.options())
	}
	plan, err := bulk.Prepare(ctx, source, l.Bulk(c), ff.options(), func([]bulk.Row, bool) {})
	if err != nil {
		return err
	}
	return f.Say(ctx, true, planColumns, Object(plan))
}

// requests prints the calls of a load as they would go, one by one.
func (f *Factory) requests(ctx context.Context, l Load, c *client.Client, source *bulk.Source, o bulk.Options) error {
	shape := shapeOf(requestColumns)
	shape.Single = false
	out, err := f.Output(shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	address, err := f.Client()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err = out.Records(ctx, func(yield func(record.Record, error) bool) {
		heard := true
		_, err := bulk.Prepare(ctx, source, l.Bulk(c), o, func(rows []bulk.Row, bring bool) {
			call := l.Body
			if bring {
				call = l.Bring
			}
			if heard = heard && yield(request(address, call(rows)), nil); !heard {
				stop()
			}
		})
		if err != nil && heard {
			yield(record.Record{}, err)
		}
	})
	if err != nil {
		return err
	}
	return out.Commit()
}
