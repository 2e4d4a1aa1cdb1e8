package bulk

import (
	"context"
	"errors"
	"testing"

	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

// TestUnchangedInvalidRowsAreTolerated checks that an invalid row is accepted if the
// service holds the same values, which are then not sent.
func TestUnchangedInvalidRowsAreTolerated(t *testing.T) {
	sch := rows.Schema{Resource: &schema.AccountsV2, Use: schema.Update, Validate: true, Identity: rows.IdentityOf(&schema.AccountsV2, schema.Update)}
	const text = "account_id,email\n1,nobody\n2,nobody\n3,ada@example.com\n"
	src := openText(t, "csv", text, sch)
	_, err := src.Validate(t.Context())
	wantError(t, err, "line 2, email", "line 3, email")
	op := Operation{Snapshot: func(context.Context, SnapshotRequest) (Snapshot, error) {
		return SnapshotFunc(func(_ context.Context, row *rows.Row) (Outcome, error) {
			if row.Values.Get("account_id").Text() == "1" {
				return Outcome{State: Present}, nil
			}
			return Outcome{State: Absent}, nil
		}), nil
	}}
	noError(t, TolerateUnchanged(t.Context(), src, op, false))
	report, err := src.Validate(t.Context())
	wantError(t, err, "line 3, email")
	if report.Invalid != 1 || report.Send != 2 {
		t.Errorf("got %d invalid rows and %d to send, want 1 and 2: the service holds the tolerated row", report.Invalid, report.Send)
	}

	failed := errors.New("no list")
	src = openText(t, "csv", text, sch)
	_, err = src.Validate(t.Context())
	wantError(t, err, "line 2, email", "line 3, email")
	op.Snapshot = func(context.Context, SnapshotRequest) (Snapshot, error) { return nil, failed }
	if err := TolerateUnchanged(t.Context(), src, op, false); !errors.Is(err, failed) {
		t.Errorf("got error %v, want %v", err, failed)
	}
}
