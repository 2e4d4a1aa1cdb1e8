package bulkcmd

import (
	"cmp"
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
	"reseller/output/encode"
	"reseller/output/summaryfile"
)

// dryRun prints what a load would do. It may read from the service, but sends nothing.
// preview returns the job that the load would create or resume, as previewJob does.
func dryRun(ctx context.Context, f *cli.Factory, ff *FileFlags, l Command, source *rows.Source, preview func() (*job.Job, *job.Table, error)) (err error) {
	requests, err := f.Format()
	if err != nil {
		return err
	}
	defer func() {
		if countRows(f, source); err == nil {
			f.Summary.State = summaryfile.StatePlanned
		}
	}()
	err = ff.validate(ctx, f, ff.tolerateUnchanged(ctx, f, l, source))
	if err == nil {
		err = l.prepare(ctx, f, ff, source)
	}
	if err == nil {
		err = noteKeywords(f, source)
	}
	if rejectsErr := writeInvalid(f, ff, source); err != nil || rejectsErr != nil || l.prepared.Shown {
		return cmp.Or(rejectsErr, err)
	}
	defer limitMemory(source.Len())()
	j, resumed, err := preview()
	if err != nil {
		return err
	}
	options := ff.options()
	options.Note = func(text string) { f.Note("%s", text) }
	var c *client.Client
	if (l.resource.Operation.Snapshot != nil || l.Steps != nil) && !ff.resendExisting {
		if c, err = f.Client(); err != nil {
			return err
		}
	}
	sent, err := openMemory(ctx, f, ff, l)
	if err != nil {
		return err
	}
	defer func() { _ = sent.history.Close() }()
	if l.Steps != nil {
		return l.Steps.plan(ctx, f, c, sent, source, resumed, options)
	}
	load := sent.remember(l.New(c))
	if requests == encode.NDJSON {
		return printRequests(ctx, f, load, source, j, options)
	}
	changes := changeList{source: source, key: load.Schema.Resource.Having(schema.Key)}
	plan, err := bulk.DryRun(ctx, source, load.Operation, j, options, func([]rows.Row, bool) {}, changes.add)
	if err != nil {
		return err
	}
	s := &f.Summary
	s.Present, s.Differs, s.Refused = plan.Present, plan.Differs, plan.Refused
	ff.noteDiffers(f, l, plan.Differs)
	changes.isShown = load.Schema.Use == schema.Update || changes.records != nil
	tell := outcome{Summary: s.Summary, shard: s.Shard, toSend: plan.Send, isDryRun: true}
	tell.Rows, tell.Duplicates, tell.Invalid, tell.Operation = plan.Rows, plan.Duplicates, plan.Invalid, plan.Operation
	return changes.print(ctx, f, plan, tell.sentence())
}

// noteKeywords notes the first keywords of the first rows that have a list of them, which shows how their cells were split.
func noteKeywords(f *cli.Factory, source *rows.Source) error {
	const shown = 3
	n := 0
	for row, err := range source.Valid() {
		if n++; err != nil || n > shown {
			return err
		}
		var keywords []string
		seen := map[string]bool{}
		for keyword := range row.Values.Get(portfolio.FieldKeywords).Elements() {
			text := cmp.Or(keyword.Get("keyword").Text(), keyword.Text())
			if folded := schema.FoldText(text); !seen[folded] {
				seen[folded], keywords = true, append(keywords, safetext.Quote(text))
			}
		}
		if keywords != nil {
			f.Note("%s: %s: %s", source.Place(row.Line), phrase.Count(len(keywords), "keyword", "keywords"), phrase.First(keywords, shown))
		}
	}
	return nil
}

// writeInvalid writes the invalid rows to the rejects file, if the user named one.
func writeInvalid(f *cli.Factory, ff *FileFlags, source *rows.Source) error {
	if ff.rejects == "" || !source.Validated() || source.Report().Invalid == 0 {
		return nil
	}
	if source.SameAs(ff.rejects) {
		return cli.Usagef("--rejects: a dry run does not replace %s: give another path", ff.rejects)
	}
	n, err := bulk.WriteInvalid(source, ff.rejects)
	if err == nil {
		f.Note("%s written to %s", phrase.Count(n, "invalid row", "invalid rows"), ff.rejects)
	}
	return err
}

// printRequests prints the requests of a load, one by one.
func printRequests(ctx context.Context, f *cli.Factory, load loads.Load, source *rows.Source, j *job.Job, o bulk.Options) error {
	shape := shapeOf(resource.RequestColumns)
	shape.Single = false
	return f.WriteOutput(shape, func(out *cli.Out) error {
		address, err := f.Client()
		if err != nil {
			return err
		}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		return out.Records(ctx, func(yield func(record.Record, error) bool) {
			heard := true
			_, err := bulk.DryRun(ctx, source, load.Operation, j, o, func(batch []rows.Row, converge bool) {
				if heard = heard && yield(resource.RequestRecord(address, load.Request(batch, converge)), nil); !heard {
					stop()
				}
			}, nil)
			if err != nil && heard {
				yield(record.Record{}, err)
			}
		})
	})
}
