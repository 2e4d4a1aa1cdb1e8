package bulkcmd

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// Steps are the writes of a load that makes several writes for each row.
type Steps struct {
	// Make returns the steps. remember gives a load a memory of what was sent, if it
	// needs one.
	Make   func(c *client.Client, remember func(loads.Load) loads.Load) []bulk.Step
	Advice func() string // returns what the user can do about unknown rows, or an empty text
	// Columns and Plan are the columns and the records of a dry run, one for each row.
	Columns []string
	Plan    func(bulk.RowPreview) record.Record
}

// plan prints what the load would do. It may read from the service, but sends nothing.
func (s *Steps) plan(ctx context.Context, f *cli.Factory, c *client.Client, sent memory, source *rows.Source, o bulk.Options) error {
	var recs []record.Record
	err := bulk.DryRunSteps(ctx, source, s.Make(c, sent.remember), o, func(p bulk.RowPreview) { recs = append(recs, s.Plan(p)) })
	if err != nil {
		return err
	}
	return f.PrintRecords(ctx, "", false, s.Columns, recs...)
}
