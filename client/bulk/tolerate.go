package bulk

import (
	"context"

	"reseller/client/bulk/rows"
)

// TolerateUnchanged accepts an invalid row of src if the invalid cells all equal what the
// service holds, since they are not sent then. src must have been validated. skip says
// that rows which stay invalid are skipped. The service is read only if src has a row
// that could be accepted.
func TolerateUnchanged(ctx context.Context, src *rows.Source, op Operation, skip bool) error {
	var snapshot Snapshot
	return src.Tolerate(ctx, skip, func(row *rows.Row) (_ bool, err error) {
		if snapshot == nil {
			if snapshot, err = takeSnapshot(ctx, &op, src, SnapshotRequest{}); err != nil {
				return false, err
			}
		}
		out, err := snapshot.Find(ctx, row) // Find removes the values that need not be sent
		return out.State == Present || out.State == Absent && src.AreValid(row), err
	})
}
