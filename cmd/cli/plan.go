package cli

import (
	"context"
	"encoding/json"
	"iter"
	"slices"

	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/output"
	"reseller/output/encode"
)

// A Plan is what a dry run prints in json and yaml, whatever the command.
type Plan struct {
	bulk.DryRunSummary
	Calls    *int              `json:"calls"`   // nil if later calls need what earlier ones return
	Unknown  int               `json:"unknown"` // rows of which it can't be told what would become of them
	Request                    // the only one
	Requests []json.RawMessage `json:"requests"`
	Changes  []json.RawMessage `json:"changes"`
}

// A Request has the parts of a request of a dry run, null if there are several or none.
type Request struct {
	Method json.RawMessage `json:"method"`
	URL    json.RawMessage `json:"url"`
	Body   json.RawMessage `json:"body"`
}

// PlanColumns are the columns of a dry run that counts rows.
var PlanColumns = []string{"operation", "rows", "send", "present", "differs", "refused", "duplicates", "invalid", "calls", "unknown"}

// PrintPlan prints a dry run as one object, with the requests of a command that reads no file, or the changes by a file.
func (o *Output) PrintPlan(ctx context.Context, p Plan, requests []record.Record, changes iter.Seq[record.Record]) error {
	if p.Requests, p.Changes = rawOf(slices.Values(requests)), rawOf(changes); len(requests) == 1 {
		only := requests[0]
		p.Request = Request{json.RawMessage(only.Get("method")), json.RawMessage(only.Get("url")), json.RawMessage(only.Get("body"))}
	}
	shape := output.Shape{Single: true, Columns: append(encode.Columns(PlanColumns...), encode.Columns("method", "url", "body", "requests", "changes")...)}
	return o.Write(shape, func(out *Out) error { return out.Record(ctx, RecordOf(p)) })
}

func rawOf(recs iter.Seq[record.Record]) []json.RawMessage {
	all := []json.RawMessage{}
	for rec := range recs {
		all = append(all, json.RawMessage(rec.Raw()))
	}
	return all
}

// IsDocument reports whether the output is one document, as json and yaml are.
func (o *Output) IsDocument() (bool, error) {
	format, err := o.Format()
	return format.Kind() == encode.KindDocument, err
}
