package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// Record sends a call and returns the data of its response, which must be one object or an array of one object. Version 1
// sends a single account without its id; Record puts the account_id of the path in front of it.
func (c *Client) Record(ctx context.Context, call Call) (record.Record, error) {
	response, err := c.Do(ctx, call)
	if err != nil {
		return record.Record{}, err
	}
	if response.Data, err = call.Single(response); err != nil {
		return record.Record{}, err
	}
	rec, err := response.Record()
	if err != nil {
		return rec, call.unreadable(response.HTTPStatus, err)
	}
	if call.Op == &schema.OpAccountsV1Get {
		rec = rec.Prepend(record.Pair{Name: "account_id", Value: record.Value(call.PathParams["account_id"])})
	}
	return rec, nil
}

// callTyped sends a call with in as its body and decodes the data of the response into T. If the data is empty, T is too.
func callTyped[T any](ctx context.Context, c *Client, op *schema.Operation, in any) (T, error) {
	var out T
	call, response, err := c.send(ctx, op, in)
	if err != nil {
		return out, err
	}
	if !response.Data.HasElements() {
		return out, nil // the call succeeded, but the response has no data
	}
	data, err := call.Single(response)
	if err != nil {
		return out, err
	}
	if err := data.Decode(&out); err != nil {
		return out, call.unreadable(response.HTTPStatus, err)
	}
	return out, nil
}

// send sends a call with in as its body.
func (c *Client) send(ctx context.Context, op *schema.Operation, in any) (Call, *Response, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return Call{}, nil, fmt.Errorf("%s: %w", op.Title, err)
	}
	call := Call{Op: op, Body: body}
	response, err := c.Do(ctx, call)
	return call, response, err
}

// Single returns the data of a response to the call whose data is one record. The contract does not show for every response
// whether the record is in an array of its own, so Single returns the element of such an array, and all other data as it is.
// An array of several elements is an *UnreadableError.
func (c Call) Single(response *Response) (record.Value, error) {
	data, n := response.Data, 0
	for element := range response.Data.Elements() {
		data, n = element, n+1
	}
	if n > 1 {
		return nil, c.unreadable(response.HTTPStatus, fmt.Errorf("data is an array of %d objects, not one", n))
	}
	return data, nil
}

// An OtherRecordError says that a response is about another record than the one that the call asked for or changed, that it has no
// record, or that it shows the opposite of the status that the call sets.
type OtherRecordError struct {
	Field string // such as account_id, or status
	Asked string // its value in the call
	Got   string // its value in the response, empty if it has none
}

func (e *OtherRecordError) Error() string {
	switch {
	case e.Got == "":
		return fmt.Sprintf("the response has no record with %s %s", e.Field, e.Asked)
	case e.Field == "status":
		return fmt.Sprintf("the response says %s, not %s", e.Got, e.Asked)
	}
	return fmt.Sprintf("the response is about %s %s, not %s", e.Field, e.Got, e.Asked)
}

// checkRecord returns an error if the response of a call for one record is about another record:
//   - An id in the response differs from that of the path, of the query, or of the body of one record.
//   - The status in the response is contrary to the one that the call sets.
//   - A read does not show the id of its path. A single account of version 1 has none, and the notes of a campaign may have no data.
//
// A write may have no data.
func (c Call) checkRecord(response *Response) error {
	if c.Op.Data != schema.ShapeObject || c.Op.Response == nil {
		for row := range response.Data.Elements() {
			if err := c.checkSubject(row); err != nil {
				return err
			}
		}
		return c.checkSubject(response.Data)
	}
	data, err := c.Single(response)
	if err != nil {
		return nil // the caller calls Single as well
	}
	var body record.Value
	if !c.Op.IsBatch() {
		body = record.Value(c.Body)
	}
	isEmpty := !data.HasElements()
	if kind := data.Kind(); isEmpty && kind != record.Object && kind != record.Null && kind != record.Array {
		if c.Op.Writes() {
			return nil
		}
		return fmt.Errorf("data is %s, not an object", kind)
	}
	for i := range c.Op.Response.Fields {
		f := &c.Op.Response.Fields[i]
		if f.Type != schema.Int || !strings.HasSuffix(f.Name, "_id") {
			continue
		}
		asked, got := c.PathParams[f.Name], data.Get(f.ReadName())
		if asked != "" && (isEmpty || c.Op != &schema.OpAccountsV1Get && got.Text() == "") {
			return &OtherRecordError{Field: f.Name, Asked: asked}
		}
		if err := checkID(f.Name, cmp.Or(asked, c.Query.Get(f.Name), body.Get(f.Name).Text()), got); err != nil {
			return err
		}
	}
	if c.Op == &schema.OpAccountsStatus { // words that no document has are no contradiction
		answers := map[string]string{"deactivate": "deactivated", "reactivate": "activated"}
		asked, got := answers[body.Get("status").Text()], schema.FoldText(data.Get("status").Text())
		if asked != "" && got != asked && (got == "deactivated" || got == "activated") {
			return &OtherRecordError{Field: "status", Asked: asked, Got: got}
		}
	}
	return nil
}

// checkSubject returns an error if a row of a report, or of another list of one campaign, has another account or campaign
// than the path of its call.
func (c Call) checkSubject(row record.Value) error {
	for _, name := range []string{"account_id", "campaign_id"} {
		if err := checkID(name, c.PathParams[name], row.Get(name)); err != nil {
			return err
		}
	}
	return nil
}

// checkID returns an error if a response has another id than the one asked for. Both may be missing.
func checkID(field, asked string, got record.Value) error {
	if asked == "" || got.Text() == "" {
		return nil
	}
	if id, ok := got.Int64(); ok && strconv.FormatInt(id, 10) == asked {
		return nil
	}
	return &OtherRecordError{Field: field, Asked: asked, Got: safetext.Cut(got.Text(), maxShownID)}
}

// NoRecord returns the error of a response that has no record with an id.
func (c Call) NoRecord(field string, id int64) error {
	return c.unreadable(http.StatusOK, &OtherRecordError{Field: field, Asked: strconv.FormatInt(id, 10)})
}

// maxShownID is how many bytes of a wrong id in a response an error shows.
const maxShownID = 40

// Received is embedded in the types into which responses to reads are decoded. A field that the service left out, or sent as null, is
// the zero value of its type; Record tells the two from a zero.
type Received struct {
	// Record is the record as the service sent it, with all its fields. A record of a list is valid until the iteration
	// continues; Record.Clone returns a copy that stays valid.
	Record record.Record `json:"-"`
}

func (r *Received) setRecord(rec record.Record) { r.Record = rec }

// each reads the list of a call and decodes its records into T. A record that can't be decoded ends the iteration with an
// *UnreadableError.
func each[T any](ctx context.Context, c *Client, call Call) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		n := 0
		for rec, err := range c.List(ctx, call) {
			var v T
			if n++; err == nil {
				if v, err = decode[T](rec); err != nil {
					err = call.unreadable(http.StatusOK, fmt.Errorf("record %d: %w", n, err))
				}
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// decode decodes a record into T. If T embeds Received, the record is kept there.
func decode[T any](rec record.Record) (v T, err error) {
	err = rec.Decode(&v)
	if r, ok := any(&v).(interface{ setRecord(record.Record) }); ok {
		r.setRecord(rec)
	}
	return v, err
}

// get sends a call that reads one record and decodes the record into T.
func get[T any](ctx context.Context, c *Client, call Call) (v T, err error) {
	rec, err := c.Record(ctx, call)
	if err != nil {
		return v, err
	}
	if v, err = decode[T](rec); err != nil {
		err = call.unreadable(http.StatusOK, err)
	}
	return v, err
}
