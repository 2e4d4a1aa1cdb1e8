package bulkcmd

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// tolerateUnchanged returns a function that has an update accept invalid cells
// which equal what the service holds, since they are not sent. It is nil where
// every cell is sent.
func (ff *FileFlags) tolerateUnchanged(ctx context.Context, f *cli.Factory, l Load, source *rows.Source) func() error {
	// The shard of a row must follow from the file alone. Calls for many rows are
	// updates of keywords, which hold no values but valid ones.
	op := &l.resource.Operation
	if l.resource.Schema.Use != schema.Update || op.Snapshot == nil || op.MaxBatch != 1 || ff.SendAll || ff.shard != "" {
		return nil
	}
	return func() error {
		c, err := f.Client()
		if err != nil {
			return err
		}
		return bulk.TolerateUnchanged(ctx, source, l.New(c).Operation, ff.onInvalid == bulk.Skip)
	}
}

// validate tells what is wrong with the file, unless the bad rows are to be
// skipped.
func validate(ctx context.Context, f *cli.Factory, source *rows.Source, onInvalid string, excuse func() error) error {
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // little is thrown away, and much kept
	report, err := source.Validate(ctx)
	if faults := (*decode.Error)(nil); errors.As(err, &faults) && !faults.Fatal && report.Invalid > 0 && excuse != nil && ctx.Err() == nil {
		unread := excuse()
		if unread != nil && onInvalid == bulk.Skip {
			return unread
		}
		if unread != nil {
			f.Note("the present values can't be read, so all cells are validated: %v", unread)
		}
		report, err = source.Validate(ctx)
	}
	for _, note := range report.Notes {
		f.Note("%s", note)
	}
	var wrong *decode.Error
	if errors.As(err, &wrong) && !wrong.Fatal && onInvalid == bulk.Skip {
		f.Note("%d invalid rows are skipped: %s", report.Invalid, strings.ReplaceAll(wrong.Error(), "\n", "; "))
		return nil
	}
	return err
}
