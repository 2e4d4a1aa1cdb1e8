package bulkcmd

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/cmd/cli"
)

// validate validates all rows, and reports what is invalid as an error, or as a note
// if invalid rows are skipped. It saves the mapping of the columns, if it is to be saved.
func (in *InputFlags) validate(ctx context.Context, f *cli.Factory, tolerate func() error) error {
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // little of what is allocated here becomes garbage
	report, err := in.source.Validate(ctx)
	if invalid, ok := errors.AsType[*decode.Error](err); ok && !invalid.Fatal && report.Invalid > 0 && tolerate != nil && ctx.Err() == nil {
		readErr := tolerate()
		if readErr != nil && in.onInvalid == bulk.Skip {
			return readErr
		}
		if readErr != nil {
			f.Note("the current values can't be read, so all cells are validated: %v", readErr)
		}
		report, err = in.source.Validate(ctx)
	}
	for _, note := range report.Notes {
		f.Note("%s", note)
	}
	if invalid, ok := errors.AsType[*decode.Error](err); ok && !invalid.Fatal || err == nil {
		if saveErr := in.mapping.save(f, in.source); saveErr != nil {
			return saveErr
		}
	}
	return in.skipInvalid(f, err, report.Invalid, report.Send)
}

// skipInvalid notes which rows of the shard are invalid, if they are skipped, and otherwise returns err, with a hint that
// they can be. n is the number of these rows, valid that of the others.
func (in *InputFlags) skipInvalid(f *cli.Factory, err error, n, valid int) error {
	invalidRows, ok := errors.AsType[*decode.Error](err)
	if !ok || invalidRows.Fatal {
		return err
	}
	if in.onInvalid != bulk.Skip {
		if in.onInvalid != "" && valid > 0 && invalidRows.Hint == "" {
			invalidRows.Hint = "--on-invalid skip goes on with the other " + strings.TrimPrefix(phrase.Count(valid, "row", "rows"), "1 ")
			if in.sends && !f.Flags.DryRun {
				invalidRows.Hint = "nothing was sent; " + invalidRows.Hint
			}
		}
		return err
	}
	if own := invalidRows.InShard(); n > 0 {
		f.AddFaults(own)
		f.Note("%s skipped: %s", phrase.Count(n, "invalid row is", "invalid rows are"), strings.ReplaceAll(own.Error(), "\n", "; "))
	}
	return nil
}

// countRows sets the counts of the summary while no row was sent.
func countRows(f *cli.Factory, source *rows.Source) {
	report := source.Report
	s := &f.Summary.Summary
	s.Rows, s.Duplicates, s.Invalid = report.Rows, report.Duplicates, report.Invalid
	s.Remaining = s.Rows - s.Present - s.Differs - s.Duplicates - s.Invalid - s.Refused
}
