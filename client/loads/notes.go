package loads

import (
	"context"
	"errors"
	"fmt"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// NoteFields returns the texts of a campaign's notes.
func NoteFields() []schema.Field {
	return schema.Notes.For(schema.Update).Without("campaign_id").Fields
}

// Notes updates the notes of campaigns. A text that a row lacks stays as it is. There is
// no list of notes, so the notes of each row are read just before its call.
func Notes(c *client.Client, o UpdateOptions) Load {
	l := newSingleLoad(c, &schema.OpNotesUpdate, &schema.Notes, schema.Update, nil)
	l.Operation.ReadBack, l.Operation.Results = bulk.ReadBackPerRow, nil // the texts are those of the file
	l.Operation.Send = func(batch []rows.Row) bulk.Call {
		return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
			row := batch[0] // another attempt reads again
			out, err := compareNotes(ctx, c, &row, o.SendUnchanged, c.IsLate)
			if client.OutcomeUnknown(err) { // the read failed, nothing was written
				err = &client.NetworkError{Action: schema.OpNotesGet.Title, Err: err}
			}
			if err == nil && out.State == bulk.Absent {
				call := l.Request([]rows.Row{row}, false)
				call.OnSend, call.Subject = onSend, []string{row.Values.Get("campaign_id").Text()}
				var response *client.Response
				response, err = c.Do(ctx, call)
				out = bulk.Outcome{}
				if err == nil {
					other := OtherNotes(call, response)
					if out.Held = rows.TextsIn(heldOf(row.Values.Get, other)); other != nil {
						out.State, out.HTTPStatus = bulk.Differs, response.HTTPStatus
					}
				}
			}
			return []bulk.Outcome{out}, err
		}
	}
	l.Operation.Snapshot = func(_ context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
		return bulk.SnapshotFunc(func(ctx context.Context, row *rows.Row) (bulk.Outcome, error) {
			if o.SendUnchanged {
				row.Repaired = nil // the repaired texts are sent, and must be read back
			}
			return compareNotes(ctx, c, row, o.SendUnchanged && !r.Reconciling, lateness(c, r.Verifying))
		}), nil
	}
	return l
}

// compareNotes reads the notes of a campaign, adds to its row the text that it lacks, and returns one of these states:
//   - Present: the row changes nothing, and such rows are not sent.
//   - Absent: the row is to be sent.
//   - Refused: the notes, or a text of them, can't be read. Those of other rows may be readable.
func compareNotes(ctx context.Context, c *client.Client, row *rows.Row, sendUnchanged bool, isLate record.LateFunc) (bulk.Outcome, error) {
	if sendUnchanged && IsComplete(&schema.Notes, row.Values.Map()) {
		return bulk.Outcome{State: bulk.Absent}, nil
	}
	id, _ := row.Values.Get("campaign_id").Int64()
	rec, err := ReadNotes(ctx, c, id)
	if IsRefused(err) || errors.As(err, new(*client.OtherRecordError)) {
		return bulk.Outcome{State: bulk.Refused, HTTPStatus: httpStatus(err), Message: "reading the notes: " + err.Error()}, nil
	}
	if err != nil {
		return bulk.Outcome{}, err
	}
	if !sendUnchanged {
		undoRepairs(row, func(name string, text record.Value) bool { return portfolio.EqualCell(text.Text(), rec.Get(name)) })
	}
	values := row.Values.Map()
	out := bulk.Outcome{State: bulk.Absent, Changes: changedNotes(rec, values, isLate)}
	out.Held = rows.TextsIn(heldOf(rec.Get, out.Changes))
	if !sendUnchanged && out.Changes == nil {
		out.State = bulk.Present
		return out, nil
	}
	if err := Complete(&schema.Notes, values, rec, c.IsLate, fmt.Sprintf("campaign %d", id), "give both writer_instructions and additional_instructions"); err != nil {
		return bulk.Outcome{State: bulk.Refused, Message: err.Error()}, nil
	}
	row.Values = rows.FromMap(values)
	return out, nil
}

// heldOf returns the texts that the service holds of a campaign, and those that it has instead.
func heldOf(held func(name string) record.Value, instead []bulk.Change) map[string]string {
	texts := map[string]string{}
	for _, f := range NoteFields() {
		texts[f.Name] = portfolio.CellText(held(f.Name))
	}
	for _, change := range instead {
		texts[change.Field] = change.From
	}
	return texts
}

func changedNotes(rec record.Record, values schema.Values, isLate record.LateFunc) []bulk.Change {
	var out []bulk.Change
	for _, f := range NoteFields() {
		want, remote := values[f.Name], rec.Get(f.Name)
		isShown := want != nil && remote != nil && portfolio.EqualCell(want.Text(), remote)
		if want != nil && isLate.Differs(isShown, "campaign_id", values["campaign_id"], f.Name, want, remote) {
			out = append(out, bulk.Change{Field: f.Name, From: portfolio.CellText(remote), To: portfolio.CellText(want)})
		}
	}
	return out
}

// OtherNotes returns the texts of an update for which its response shows others.
func OtherNotes(call client.Call, response *client.Response) []bulk.Change {
	rec, _ := firstRecord(call, response) // the call succeeded, even if its data can't be read
	sent := schema.Values{}
	for _, f := range NoteFields() {
		if rec.Get(f.Name) != nil {
			sent[f.Name] = record.Value(call.Body).Get(f.Name)
		}
	}
	return changedNotes(rec, sent, record.NeverLate)
}

// ReadNotes reads the notes of a campaign.
func ReadNotes(ctx context.Context, c *client.Client, campaignID int64) (record.Record, error) {
	call := client.NotesCall(campaignID)
	response, err := c.Do(ctx, call)
	if err != nil {
		return record.Record{}, err
	}
	return firstRecord(call, response)
}
