package resource

import (
	"context"
	"fmt"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// AnswerRecords returns the data of a response: one record, or the records of a list.
func AnswerRecords(call client.Call, answer *client.Answer) ([]record.Record, error) {
	recs, err := dataRecords(answer)
	if err != nil {
		return nil, unreadable(call, answer, err)
	}
	return recs, nil
}

// One makes a call that returns one record. It accepts a list of one record as well,
// since the contract does not show every response; no data is a record without fields.
func One(ctx context.Context, f *cli.Factory, call client.Call) (record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return record.Record{}, err
	}
	answer, err := c.Do(ctx, call)
	if err != nil {
		return record.Record{}, err
	}
	recs, err := AnswerRecords(call, answer)
	switch {
	case err != nil:
		return record.Record{}, err
	case len(recs) == 0:
		return record.Parse([]byte("{}"))
	case len(recs) > 1:
		return record.Record{}, unreadable(call, answer, fmt.Errorf("data is an array of %d objects, not one", len(recs)))
	}
	return recs[0], nil
}

func unreadable(call client.Call, answer *client.Answer, err error) error {
	return &client.UnreadableError{Operation: call.Op.Name(), Action: call.Action(), HTTPStatus: answer.HTTPStatus, Err: err}
}
