package campaigns

import (
	"context"
	"errors"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/cmd/cli"
)

// loadNotes updates the notes of the campaigns in a file. What a row leaves
// out keeps its present text, which is read first.
func loadNotes(ctx context.Context, f *cli.Factory, file *cli.FileFlags, constants client.Values) error {
	return f.Load(ctx, file, cli.Load{
		Op: &client.OpNotesUpdate, Res: &client.Notes, Use: client.Update, Constants: constants, Identity: bulk.UpdateIdentity("campaign_id"),
		Body: func(rows []bulk.Row) client.Call {
			return client.Call{Op: &client.OpNotesUpdate, Body: client.Notes.Body(rows[0].Values)}
		},
		Before: func(ctx context.Context) (cli.Before, error) {
			return func(row *bulk.Row) (*bulk.Outcome, error) {
				id, _ := row.Values["campaign_id"].Int64()
				err := keepOther(ctx, f, id, row.Values)
				var refusal *client.Error
				var usage *cli.UsageError
				switch {
				case errors.As(err, &refusal) && cli.ExitCode(err) != cli.ExitAuth:
					return &bulk.Outcome{State: bulk.Refused, HTTPStatus: refusal.HTTPStatus, Message: err.Error()}, nil
				case errors.As(err, &usage):
					return &bulk.Outcome{State: bulk.Refused, Message: err.Error()}, nil
				}
				return nil, err
			}, nil
		},
	})
}
