package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"slices"

	"reseller/client/record"
	"reseller/client/schema"
)

// Record sends a call whose data is one object, or an array of one, and returns it.
// The single account in version 1 has no id; that of the path is put in front.
func (c *Client) Record(ctx context.Context, call Call) (record.Record, error) {
	answer, err := c.Do(ctx, call)
	if err != nil {
		return record.Record{}, err
	}
	answer.Data = unwrapSingle(answer.Data)
	rec, err := answer.Record()
	if err != nil {
		return rec, call.unreadable(answer.HTTPStatus, err)
	}
	if call.Op == &schema.OpAccountsV1Get {
		rec = rec.Prepend(record.Pair{Name: "account_id", Value: record.Value(call.PathParams["account_id"])})
	}
	return rec, nil
}

// callTyped sends a write with in as its body and decodes the data of the answer.
// Data that is empty leaves the fields empty.
func callTyped[T any](ctx context.Context, c *Client, op *schema.Operation, in any) (T, error) {
	var out T
	body, err := json.Marshal(in)
	if err != nil {
		return out, fmt.Errorf("%s: %w", op.Title, err)
	}
	call := Call{Op: op, Body: body}
	answer, err := c.Do(ctx, call)
	if err != nil {
		return out, err
	}
	if !nonEmpty(answer.Data) {
		return out, nil // the call succeeded, and the answer says no more
	}
	if err := json.Unmarshal(unwrapSingle(answer.Data), &out); err != nil {
		return out, call.unreadable(answer.HTTPStatus, err)
	}
	return out, nil
}

// unwrapSingle returns the item of an array of one, since the contract does not show
// the shape of every answer. It returns all other data as it is.
func unwrapSingle(data record.Value) record.Value {
	if items := slices.Collect(data.Elements()); len(items) == 1 {
		return items[0]
	}
	return data
}

// Received is embedded in the types that reads decode into.
type Received struct {
	// Record is what the service sent, with fields that the type does not have.
	// From a list it is valid until the next one is asked for; Record.Clone makes
	// one that stays.
	Record record.Record `json:"-"`
}

func (r *Received) setRecord(rec record.Record) { r.Record = rec }

// Each decodes the records of a list into T, such as Account for Accounts:
//
//	for account, err := range client.Each[client.Account](c.Accounts(ctx)) {
//
// A record that does not decode ends the list with an error.
func Each[T any](list iter.Seq2[record.Record, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for rec, err := range list {
			var v T
			if err == nil {
				v, err = decode[T](rec)
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// decode decodes a record into T, which keeps it where T embeds Received.
func decode[T any](rec record.Record) (v T, err error) {
	err = rec.Decode(&v)
	if r, ok := any(&v).(interface{ setRecord(record.Record) }); ok {
		r.setRecord(rec)
	}
	return v, err
}

// get calls an operation whose data is one object and decodes it into T.
func get[T any](ctx context.Context, c *Client, call Call) (T, error) {
	rec, err := c.Record(ctx, call)
	if err != nil {
		var none T
		return none, err
	}
	v, err := decode[T](rec)
	if err != nil {
		err = call.unreadable(http.StatusOK, err)
	}
	return v, err
}
