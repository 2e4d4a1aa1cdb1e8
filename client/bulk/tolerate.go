package bulk

import (
	"context"

	"reseller/client/bulk/rows"
)

// TolerateUnchanged accepts invalid rows of src whose cells all equal what the service
// holds: such cells are not sent. src must have been validated. skip says that rows
// that stay invalid are skipped.
func TolerateUnchanged(ctx context.Context, src *rows.Source, op Operation, skip bool) error {
	return src.Tolerate(ctx, skip, func() (func(*rows.Row, func(rows.Values) bool) (bool, error), error) {
		snapshot, err := takeSnapshot(ctx, &op, src, false)
		if err != nil {
			return nil, err
		}
		return func(row *rows.Row, valid func(rows.Values) bool) (bool, error) {
			out, err := snapshot.Find(ctx, row) // leaves the values that are to be sent
			return out.State == Present || out.State == Absent && valid(row.Values), err
		}, nil
	})
}
