package resource

import (
	"context"
	"fmt"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// ResponseRecords returns the data of a response: one record, or the records of a list.
func ResponseRecords(call client.Call, response *client.Response) ([]record.Record, error) {
	recs, err := dataRecords(response)
	if err != nil {
		return nil, unreadable(call, response, err)
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
	response, err := c.Do(ctx, call)
	if err != nil {
		return record.Record{}, err
	}
	if response.Data, err = call.Single(response); err != nil {
		return record.Record{}, err
	}
	recs, err := ResponseRecords(call, response)
	if err != nil || len(recs) == 0 {
		return record.Of(), err
	}
	return recs[0], nil
}

func unreadable(call client.Call, response *client.Response, err error) error {
	return &client.UnreadableError{Operation: call.Op.Name(), Action: call.Action(), HTTPStatus: response.HTTPStatus, Err: err}
}

// ResultRecords returns the records in the response of a write. If the response has no
// data, it is one record without fields, or no record for an operation that returns a
// list.
func ResultRecords(call client.Call, response *client.Response) ([]record.Record, error) {
	recs, err := ResponseRecords(call, response)
	switch {
	case err != nil:
		return nil, err
	case call.Op.Data == schema.ShapeList && len(recs) == 1 && recs[0].Len() == 0:
		return nil, nil // an empty list
	case call.Op.Data != schema.ShapeList && len(recs) == 0:
		return []record.Record{record.Of()}, nil
	}
	return recs, nil
}

// dataRecords returns the data of a response as records.
func dataRecords(response *client.Response) ([]record.Record, error) {
	switch response.Data.Kind() {
	case record.String, record.Number, record.Bool: // a success with a text as data
		return []record.Record{record.Of(record.Pair{Name: "data", Value: response.Data})}, nil
	case record.Array:
	default:
		rec, err := response.Record()
		return []record.Record{rec}, err
	}
	var recs []record.Record
	for item := range response.Data.Elements() {
		rec, err := record.Parse(item)
		if err != nil {
			return nil, fmt.Errorf("an item of data is %s, not an object", item.Kind())
		}
		recs = append(recs, rec)
	}
	return recs, nil
}
