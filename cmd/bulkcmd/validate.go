package bulkcmd

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/cmd/cli"
)

// validate validates all rows, and reports what is invalid as an error, or as a note
// if invalid rows are skipped. It saves the mapping of the columns, if it is to be saved.
func validate(ctx context.Context, f *cli.Factory, mf *mappingFlags, source *rows.Source, onInvalid string, tolerate func() error) error {
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // little of what is allocated here becomes garbage
	report, err := source.Validate(ctx)
	if invalid := (*decode.Error)(nil); errors.As(err, &invalid) && !invalid.Fatal && report.Invalid > 0 && tolerate != nil && ctx.Err() == nil {
		readErr := tolerate()
		if readErr != nil && onInvalid == bulk.Skip {
			return readErr
		}
		if readErr != nil {
			f.Note("the current values can't be read, so all cells are validated: %v", readErr)
		}
		report, err = source.Validate(ctx)
	}
	for _, note := range report.Notes {
		f.Note("%s", note)
	}
	var invalidRows *decode.Error
	if errors.As(err, &invalidRows) && !invalidRows.Fatal || err == nil {
		if saveErr := mf.save(ctx, f, source); saveErr != nil {
			return saveErr
		}
	}
	return skipInvalid(f, err, report.Invalid, report.Send, onInvalid)
}

// skipInvalid notes which rows of the shard are invalid, if they are skipped, and otherwise returns err, with a hint that
// they can be. n is the number of these rows, valid that of the others.
func skipInvalid(f *cli.Factory, err error, n, valid int, onInvalid string) error {
	var invalidRows *decode.Error
	if !errors.As(err, &invalidRows) || invalidRows.Fatal {
		return err
	}
	if onInvalid != bulk.Skip {
		if onInvalid != "" && valid > 0 && invalidRows.Hint == "" {
			others := "row"
			if valid > 1 {
				others = fmt.Sprintf("%d rows", valid)
			}
			invalidRows.Hint = "nothing was sent; --on-invalid skip goes on with the other " + others
		}
		return err
	}
	if own := invalidRows.InShard(); n > 0 {
		f.AddFaults(own)
		f.Note("%s skipped: %s", cli.Plural(n, "invalid row is", "invalid rows are"), strings.ReplaceAll(own.Error(), "\n", "; "))
	}
	return nil
}

// countRows sets the counts of the summary while no row was sent.
func countRows(f *cli.Factory, source *rows.Source) {
	report := source.Report()
	s := &f.Summary.Summary
	s.Rows, s.Duplicates, s.Invalid = report.Rows, report.Duplicates, report.Invalid
	s.Remaining = s.Rows - s.Present - s.Differs - s.Duplicates - s.Invalid - s.Refused
}
