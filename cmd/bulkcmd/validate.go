package bulkcmd

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// tolerateUnchanged lets an update pass over faults of cells that change nothing. It is nil
// where every cell is sent.
func (ff *FileFlags) tolerateUnchanged(ctx context.Context, f *cli.Factory, l Load, source *bulk.Source) func() error {
	// Which shard a row is of follows from the file alone, and calls for many rows
	// are of keywords, whose words are none but those that are checked.
	if l.Use != schema.Update || l.Look == nil || l.Key != nil || ff.SendAll || ff.shard != "" {
		return nil
	}
	return func() error {
		c, err := f.Client()
		if err != nil {
			return err
		}
		return source.Excuse(ctx, l.Bulk(c), ff.onInvalid == bulk.Skip)
	}
}

// validate tells what is wrong with the file, unless the bad rows are to be
// skipped.
func validate(ctx context.Context, f *cli.Factory, source *bulk.Source, onInvalid string, excuse func() error) error {
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // little is thrown away, and much kept
	report, err := source.Check(ctx)
	if faults := (*decode.Error)(nil); errors.As(err, &faults) && !faults.Fatal && report.Invalid > 0 && excuse != nil && ctx.Err() == nil {
		unread := excuse()
		if unread != nil && onInvalid == bulk.Skip {
			return unread
		}
		if unread != nil {
			f.Note("what the service holds can't be read, so the file alone counts: %v", unread)
		}
		report, err = source.Check(ctx)
	}
	for _, note := range report.Notes {
		f.Note("%s", note)
	}
	var wrong *decode.Error
	if errors.As(err, &wrong) && !wrong.Fatal && onInvalid == bulk.Skip {
		f.Note("%d rows are not valid and are skipped: %s", report.Invalid, strings.ReplaceAll(wrong.Error(), "\n", "; "))
		return nil
	}
	return err
}
