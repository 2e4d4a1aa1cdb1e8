package bulkcmd

import (
	"cmp"
	"context"
	"slices"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/job"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/output"
)

// columnFile is the column before the line of a row in a folder.
const columnFile = "file"

// Steps are the writes of a load that makes several writes for each row.
type Steps struct {
	// Make returns the steps. remember gives a load a memory of what was sent, if it
	// needs one.
	Make   func(c *client.Client, remember func(loads.Load) loads.Load) []bulk.Step
	Advice func() string      // returns what the user can do about unknown rows, or an empty text
	Keep   func(row int) bool // bulk.Options.Keep
	// Columns and Plan are the columns and the records of a dry run, one for each row.
	Columns []output.Column
	Plan    func(bulk.RowPreview) record.Record
}

// planSteps prints what a load with steps would do. resumed has the states of the job that it would resume, nil if it would
// begin one. It may read from the service, but sends nothing.
func (l *load) planSteps(ctx context.Context, c *client.Client, resumed *job.Table) error {
	var recs []record.Record
	f, s := l.f, l.Steps
	countRows(f, l.source)
	tell := outcome{Summary: f.Summary.Summary, shard: f.Summary.Shard, isDryRun: true}
	shape := output.Shape{Columns: slices.Clone(s.Columns), Wrap: true}
	err := bulk.DryRunSteps(ctx, l.source, s.Make(c, l.sent.remember), resumed, l.options(), func(p bulk.RowPreview) {
		rec := s.Plan(p)
		if p.File != "" {
			rec = rec.Prepend(record.Pair{Name: columnFile, Value: record.Quote(p.File)})
		}
		recs = append(recs, rec)
		has := func(state string) bool {
			return slices.ContainsFunc(p.Steps, func(items map[string]int) bool { return items[state] > 0 })
		}
		switch {
		case has(bulk.Absent):
			tell.toSend++
		case has(bulk.Refused):
			tell.Refused++
		case has(bulk.Unknown):
			tell.Unknown++
		case has(bulk.Differs):
			tell.Differs++
		default:
			tell.Present++
		}
	})
	if err != nil {
		return err
	}
	for i := range shape.Columns { // an empty column needs no place
		column := &shape.Columns[i]
		column.Needed = column.Needed && slices.ContainsFunc(recs, func(rec record.Record) bool { return rec.Get(column.Name).Text() != "" })
	}
	if l.source.Parts != nil {
		shape.Columns = append([]output.Column{{Name: columnFile}}, shape.Columns...)
	}
	return f.WriteOutput(shape, func(out *cli.Out) error {
		return cmp.Or(tellOutcome(f, out, tell.sentence(), true), out.Records(ctx, cli.Records(recs)))
	})
}
