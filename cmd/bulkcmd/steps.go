package bulkcmd

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/cmd/cli"
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
	Columns []string
	Plan    func(bulk.RowPreview) record.Record
}

// plan prints what the load would do. resumed has the states of the job that it would resume, nil if it would begin one. It may read from the service, but sends nothing.
func (s *Steps) plan(ctx context.Context, f *cli.Factory, c *client.Client, sent memory, source *rows.Source, resumed *job.Table, o bulk.Options) error {
	var recs []record.Record
	columns := s.Columns
	err := bulk.DryRunSteps(ctx, source, s.Make(c, sent.remember), resumed, o, func(p bulk.RowPreview) {
		rec := s.Plan(p)
		if p.File != "" {
			rec = rec.Prepend(record.Pair{Name: columnFile, Value: record.Quote(p.File)})
		}
		recs = append(recs, rec)
	})
	if err != nil {
		return err
	}
	if source.IsFolder() {
		columns = append([]string{columnFile}, columns...)
	}
	return f.PrintRecords(ctx, "", false, columns, recs...)
}
