package resource

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/redact"
	"reseller/cmd/cli"
)

// ResultRecords returns the records in the response of a write. If the response has no data, it returns those of requested.
func ResultRecords(call client.Call, response *client.Response) (recs []record.Record, err error) {
	switch response.Data.Kind() {
	case record.String, record.Number, record.Bool: // a success with a text as data
		recs = []record.Record{record.Of(record.Pair{Name: "data", Value: response.Data})}
	case record.Array:
		for item := range response.Data.Elements() {
			rec, invalid := record.Parse(item)
			if invalid != nil {
				err = fmt.Errorf("an item of data is %s, not an object", item.Kind())
				break
			}
			recs = append(recs, rec)
		}
	default:
		recs = make([]record.Record, 1)
		recs[0], err = response.Record()
	}
	if err != nil {
		return nil, &client.UnreadableError{Operation: call.Op.Name(), Action: call.Action(), HTTPStatus: response.HTTPStatus, Err: err}
	}
	if len(recs) == 0 || len(recs) == 1 && recs[0].Len() == 0 {
		recs = requested(call, response)
	}
	return recs, nil
}

func One(ctx context.Context, session *cli.Session, call client.Call) (record.Record, error) {
	c, err := session.Client()
	if err != nil {
		return record.Record{}, err
	}
	return c.Record(ctx, call)
}

// requested returns the request of a write as records: one with the ids in its body, or one for each element of the body's array
// that has an id. A body without ids is represented by its first text. The records have the messages of the response, too.
func requested(call client.Call, response *client.Response) []record.Record {
	var message []record.Pair
	if len(response.Messages) > 0 {
		message = []record.Pair{{Name: "message", Value: record.Quote(strings.Join(response.Messages, "; "))}}
	}
	body := record.Value(call.Body)
	shared := idsIn(body)
	var recs []record.Record
	for name, list := range body.Members() {
		for element := range list.Elements() {
			ids := idsIn(element)
			if isID(name, element) {
				ids = []record.Pair{{Name: name, Value: element}}
			}
			if ids != nil {
				recs = append(recs, record.Of(slices.Concat(shared, ids, message)...))
			}
		}
	}
	if recs != nil {
		return recs
	}
	for name, v := range body.Members() {
		if shared == nil && v.Kind() == record.String && !redact.IsSecretName(name) {
			shared = []record.Pair{{Name: name, Value: v}}
		}
	}
	return []record.Record{record.Of(slices.Concat(shared, message)...)}
}

func idsIn(object record.Value) (ids []record.Pair) {
	for name, v := range object.Members() {
		if isID(name, v) {
			ids = append(ids, record.Pair{Name: name, Value: v})
		}
	}
	return ids
}

func isID(name string, v record.Value) bool {
	return strings.HasSuffix(name, "_id") && (v.Kind() == record.Number || v.Kind() == record.String)
}
