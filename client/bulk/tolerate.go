package bulk

import (
	"context"
	"strings"

	"reseller/client/bulk/rows"
)

// InvalidChanges returns the faults of the invalid values that rows of src keep, unless the service holds the same: those are
// not sent. src must have been validated. If op is nil, all of them are faults, and the service is not read.
func InvalidChanges(ctx context.Context, src *rows.Source, op *Operation) (faults []rows.Fault, err error) {
	var snapshot Snapshot
	if op != nil {
		if snapshot, err = takeSnapshot(ctx, op, src, SnapshotRequest{}); err != nil {
			return nil, err
		}
	}
	for row, err := range src.Valid() {
		if err != nil {
			return nil, err
		}
		if row.Invalid == nil {
			continue
		}
		out, whole := Outcome{}, rows.Row{Line: row.Line, Ordinal: row.Ordinal, Values: row.Given(), Repaired: row.Repaired}
		if snapshot != nil {
			if out, err = snapshot.Find(ctx, &whole); err != nil { // which removes the values that need not be sent
				return nil, err
			}
		}
		for _, v := range row.Invalid {
			field, _, _ := strings.Cut(v.Name, ".") // an attribute is sent with all others
			isSent := whole.Values.Get(v.Name) != nil || whole.Values.Get(field) != nil
			if out.State != Present && (out.State != Absent || isSent) {
				faults = append(faults, rows.Fault{Row: row.Ordinal, Column: v.Name, Reason: v.Issue.Reason})
			}
		}
	}
	return faults, nil
}
