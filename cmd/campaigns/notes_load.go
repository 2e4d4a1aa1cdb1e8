package campaigns

import (
	"context"
	"errors"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

// loadNotes updates the notes of the campaigns in a file.
func loadNotes(ctx context.Context, f *cli.Factory, file *bulkcmd.FileFlags, constants schema.Values) error {
	load := UpdatingNotes(f, file.SendAll)
	load.Constants = constants
	return bulkcmd.RunLoad(ctx, f, file, load)
}

// UpdatingNotes is how rows become notes. What a row leaves out keeps its
// present text. Each row's notes are read just before its call: there is no
// list of them.
func UpdatingNotes(f *cli.Factory, all bool) bulkcmd.Load {
	body := func(rows []bulk.Row) client.Call {
		return client.Call{Op: &schema.OpNotesUpdate, Body: schema.Notes.Body(rows[0].Values.Map())}
	}
	compare := func(all bool) bulk.ViewFunc {
		return func(ctx context.Context, row *bulk.Row) (bulk.Outcome, error) { return compareNotes(ctx, f, row, all) }
	}
	return bulkcmd.Load{
		Op: &schema.OpNotesUpdate, Res: &schema.Notes, Use: schema.Update, Identity: bulk.UpdateIdentity("campaign_id"),
		Body: body, OneByOne: true,
		Send: func(c *client.Client, row bulk.Row) bulk.Send {
			return func(ctx context.Context) ([]bulk.Outcome, error) {
				row := row // another attempt reads anew
				out, err := compare(all)(ctx, &row)
				if client.Unknown(err) { // what failed is the reading
					err = &client.NetworkError{Action: schema.OpNotesGet.Title, Err: err}
				}
				if err == nil && out.State == bulk.Absent {
					_, err = c.Do(ctx, body([]bulk.Row{row}))
					out = bulk.Outcome{}
				}
				return []bulk.Outcome{out}, err
			}
		},
		Look: func(_ context.Context, _ *client.Client, r bulk.Reading) (bulk.View, error) {
			return compare(all && !r.Settling), nil
		},
	}
}

// compareNotes completes a row with what the service holds; a row that changes
// nothing is present. What can't be read of one campaign stops no other.
func compareNotes(ctx context.Context, f *cli.Factory, row *bulk.Row, all bool) (bulk.Outcome, error) {
	if all && whole(row.Values.Map()) {
		return bulk.Outcome{State: bulk.Absent}, nil
	}
	id, _ := row.Values.Get("campaign_id").Int64()
	rec, err := resource.One(ctx, f, client.NotesCall(id))
	var refusal *client.Error
	switch {
	case errors.As(err, &refusal) && refusal.HTTPStatus < 500 && refusal.HTTPStatus != 429 && cli.ExitCode(err) != cli.ExitAuth:
		return bulk.Outcome{State: bulk.Refused, HTTPStatus: refusal.HTTPStatus, Message: "reading the notes: " + err.Error()}, nil
	case err != nil:
		return bulk.Outcome{}, err
	}
	values := row.Values.Map()
	if !all && sameNotes(rec, values) {
		return bulk.Outcome{State: bulk.Present}, nil
	}
	if err := keep(rec, id, values); err != nil {
		return bulk.Outcome{State: bulk.Refused, Message: err.Error()}, nil
	}
	row.Values = bulk.ValuesOf(values)
	return bulk.Outcome{State: bulk.Absent}, nil
}

// sameNotes tells whether a record holds the texts that a row has.
func sameNotes(rec record.Record, values schema.Values) bool {
	for _, f := range texts() {
		if want, held := values[f.Name], rec.Get(f.Name); want != nil && (held == nil || !cli.EqualCell(want.Text(), held)) {
			return false
		}
	}
	return true
}
