package bulkcmd

import (
	"cmp"
	"context"
	"slices"

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
	"reseller/output"
	"reseller/output/encode"
	"reseller/output/summaryfile"
)

// dryRun prints what a load would do. It may read from the service, but sends nothing.
func (l *load) dryRun(ctx context.Context) (err error) {
	f, source := l.f, l.source
	format, err := f.Output.Format()
	if err != nil {
		return err
	}
	defer func() {
		countRows(f.Outcome, source)
		if err == nil {
			f.Outcome.Summary.State = summaryfile.StatePlanned
		}
	}()
	if err = l.check(ctx); err == nil {
		err = noteKeywords(f.Session, source)
	}
	if rejectsErr := l.writeInvalid(); err != nil || rejectsErr != nil {
		return cmp.Or(rejectsErr, err)
	}
	defer cli.Loading(source.Len()).Use()()
	j, err := l.previewJob(ctx)
	if err != nil {
		return err
	}
	var c *client.Client
	if (l.resource.Operation.Snapshot != nil || l.Steps != nil) && !l.ResendExisting {
		if c, err = f.Client(); err != nil {
			return err
		}
	}
	if err := l.openHistory(ctx); err != nil {
		return err
	}
	if l.Steps != nil {
		return l.Steps.Show(ctx, source, l.Steps.Make(c, l.remember, j))
	}
	load := l.make(c)
	if format == encode.NDJSON {
		return l.printRequests(ctx, load, j)
	}
	changes := changeList{source: source, key: load.Schema.Resource.Having(schema.Key)}
	plan, err := bulk.DryRun(ctx, source, load.Operation, j, l.options(), func([]rows.Row, bool) {}, changes.add)
	if err != nil {
		return err
	}
	l.noteDiffers(plan.Differs, plan.Unlisted)
	return l.printPlan(ctx, cli.Plan{DryRunSummary: plan, Calls: &plan.Calls, Unknown: plan.Unknown}, changes.records, shapeOf(cli.PlanColumns), func(out *cli.Out) error {
		if err := out.Record(ctx, cli.RecordOf(plan)); err != nil || changes.records == nil {
			return err
		}
		return cmp.Or(out.BlankLine(), out.Also(ctx, changes.shape(), cli.Records(changes.records)))
	})
}

// noteKeywords notes the first keywords of the first rows that have a list of them, which shows how their cells were split.
func noteKeywords(session *cli.Session, source *rows.Source) error {
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
			session.Note("%s: %s: %s", source.Place(row.Line), phrase.Count(len(keywords), "keyword", "keywords"), phrase.First(keywords, shown))
		}
	}
	return nil
}

func (l *load) writeInvalid() error {
	if l.Rejects == "" || !l.source.Validated || l.source.Report.Invalid == 0 {
		return nil
	}
	if l.source.File.SameAs(l.Rejects) {
		return cli.Usagef("--rejects: a dry run does not replace %s: give another path", l.Rejects)
	}
	n, err := bulk.WriteInvalid(l.source, l.Rejects)
	if err == nil {
		l.f.Note("%s written to %s", phrase.Count(n, "invalid row", "invalid rows"), l.Rejects)
	}
	return err
}

func (l *load) printRequests(ctx context.Context, load loads.Load, j *job.Job) error {
	shape := shapeOf(resource.RequestColumns)
	shape.Single = false
	return l.f.Output.Write(shape, func(out *cli.Out) error {
		address, err := l.f.Client()
		if err != nil {
			return err
		}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		return out.Records(ctx, func(yield func(record.Record, error) bool) {
			heard := true
			_, err := bulk.DryRun(ctx, l.source, load.Operation, j, l.options(), func(batch []rows.Row, converge bool) {
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

const columnFile = "file"

// Steps are the writes of a load that makes several writes for each row.
type Steps struct {
	// Make returns the steps. remember gives a load a memory of the rows that were sent, if it
	// needs one. j is nil if nothing is known of earlier loads.
	Make   func(c *client.Client, remember func(loads.Load) loads.Load, j *job.Job) []bulk.Step
	Advice func() string // returns what the user can do about unknown rows, or an empty text
	// Show prints what a dry run prints.
	Show func(ctx context.Context, source *rows.Source, steps []bulk.Step) error
}

// printPlan prints the plan of a dry run, and a sentence that says what would be done: as one document with the records, or as
// what table prints.
func (l *load) printPlan(ctx context.Context, plan cli.Plan, recs []record.Record, shape output.Shape, table func(*cli.Out) error) error {
	f, s := l.f, &l.f.Outcome.Summary
	s.Present, s.Differs, s.Refused, s.Unknown = plan.Present, plan.Differs, plan.Refused, plan.Unknown
	tell := telling{Summary: s.Summary, shard: s.Shard, toSend: plan.Send, lookedUp: plan.LookedUp, isDryRun: true}
	tell.Rows, tell.Duplicates, tell.Invalid, tell.Operation = plan.Rows, plan.Duplicates, plan.Invalid, plan.Operation
	if isDocument, err := f.Output.IsDocument(); isDocument || err != nil {
		s.Outcome = tell.sentence()
		return cmp.Or(err, f.Output.PrintPlan(ctx, plan, nil, slices.Values(recs)))
	}
	return f.Output.Write(shape, func(out *cli.Out) error { return cmp.Or(tellOutcome(f, out, tell.sentence(), true), table(out)) })
}
