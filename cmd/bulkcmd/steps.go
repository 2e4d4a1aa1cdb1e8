package bulkcmd

import (
	"context"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// Steps are the writes that a load makes for each row, one after another.
type Steps struct {
	Make   func(c *client.Client) []bulk.Step
	Advice func() string // what a person may do about rows that are unknown, if anything
	// The plan of a dry run: a record a row, and its columns.
	Columns []string
	Plan    func(bulk.RowPreview) record.Record
}

// plan prints what a load of several writes a row would do. It may read, and
// sends nothing.
func (s *Steps) plan(ctx context.Context, f *cli.Factory, c *client.Client, source *rows.Source, o bulk.Options) error {
	var recs []record.Record
	err := bulk.DryRunSteps(ctx, source, s.Make(c), o, func(p bulk.RowPreview) { recs = append(recs, s.Plan(p)) })
	if err != nil {
		return err
	}
	return f.PrintRecords(ctx, false, s.Columns, recs...)
}
