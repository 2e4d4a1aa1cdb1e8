package onboard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/client/schema"
)

// steps are the writes of a customer, in their order.
func (w *work) steps(c *client.Client) []bulk.Step {
	w.c = c
	created, notes, plans, added := loads.Accounts(c), loads.Notes(c, loads.UpdateOptions{}), loads.Plans(c), loads.Keywords(c)
	notes.Operation.Results, added.Operation.Results = []string{}, []string{"rank_id"}
	account := bulk.Step{
		Operation: created.Operation, Label: "account", Identity: created.Schema.Identity, After: w.known,
		Items: func(row rows.Row) []rows.Values {
			w.meet(row)
			return []rows.Values{row.Values}
		},
	}
	storing := w.step(loads.Credentials(c, w.limit), credentials, func(row schema.Values) []schema.Values { return one(credentialsOf(row)) })
	storing.Guard = w.admitCredentials
	for _, f := range schema.Credentials.Having(schema.Create) {
		storing.NonIdempotent = append(storing.NonIdempotent, CredentialsColumn(f.Name))
	}
	attach := w.step(plans, plan, func(row schema.Values) []schema.Values { return one(planOf(row)) })
	attach.Guard, attach.NonIdempotent = w.admitPlan, []string{"service_plan_id"}
	add := w.step(added, "keywords", w.newKeywords)
	add.RenameResults = map[string]string{"rank_id": "rank_ids"}
	add.ItemLabel = func(values rows.Values) string {
		return fmt.Sprintf("%q", decode.Shorten(values.Get("keyword").Text()))
	}
	return []bulk.Step{
		account, storing,
		w.step(notes, "notes", func(row schema.Values) []schema.Values { return one(notesOf(row)) }),
		attach, add,
	}
}

// step is one that needs the account and its campaign.
func (w *work) step(load loads.Load, word string, units func(schema.Values) []schema.Values) bulk.Step {
	return bulk.Step{
		Operation: refusing(load.Operation), Label: word, Identity: load.Schema.Identity,
		Items: func(row rows.Row) []rows.Values {
			who, list := w.meet(row), []rows.Values(nil)
			for _, values := range units(row.Values.Map()) {
				list = append(list, rows.FromMap(who.ids(values)))
			}
			return list
		},
	}
}

func one(values schema.Values) []schema.Values {
	if values == nil {
		return nil
	}
	return []schema.Values{values}
}

func (w *work) newKeywords(row schema.Values) []schema.Values {
	list, _ := keywordsOf(row, w.o.kind)
	units := make([]schema.Values, len(list))
	for i, k := range list {
		units[i] = schema.Values{"keyword": record.Quote(k.Keyword), "keyword_type": record.Quote(k.KeywordType)}
	}
	return units
}

// notesOf are the notes of a row, nil where it has none.
func notesOf(values schema.Values) schema.Values {
	return valuesOf(values, schema.Notes.For(schema.Update).Without("campaign_id"))
}

// planOf is the plan of a row, nil where it has none.
func planOf(values schema.Values) schema.Values {
	if values["service_plan_id"] == nil {
		return nil
	}
	return valuesOf(values, schema.Plans.For(schema.Create).Without("account_id", "campaign_id"))
}

// valuesOf are the values of a row that are fields of res, nil where it has none.
func valuesOf(row schema.Values, res *schema.Resource) schema.Values {
	var values schema.Values
	for _, f := range res.Fields {
		if v := row[f.Name]; v != nil {
			if values == nil {
				values = schema.Values{}
			}
			values[f.Name] = v
		}
	}
	return values
}

// refusing takes 404 for the refusal of a customer: where accounts could be
// created, it is not about the address.
func refusing(op bulk.Operation) bulk.Operation {
	encode := op.Encode
	op.Encode = func() bulk.BatchEncoder { return refusingEncoder{encode()} }
	return op
}

type refusingEncoder struct{ bulk.BatchEncoder }

func (e refusingEncoder) Call() bulk.Call {
	call := e.BatchEncoder.Call()
	return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
		outcomes, err := call(ctx, onSend)
		var refusal *client.Error
		if !errors.As(err, &refusal) || refusal.HTTPStatus != http.StatusNotFound {
			return outcomes, err
		}
		out := bulk.Outcome{State: bulk.Refused, HTTPStatus: refusal.HTTPStatus, Message: err.Error()}
		return []bulk.Outcome{out}, nil
	}
}

// admitCredentials lets go those of accounts that this job created.
func (w *work) admitCredentials(row int) bulk.Outcome {
	who := w.customers[row]
	if who.created || slices.Contains(w.o.repeat, credentials) {
		return bulk.Outcome{State: bulk.Absent}
	}
	return w.keep(who, credentials)
}

// admitPlan lets go those of accounts that this job created, and tells of
// those that are attached.
func (w *work) admitPlan(row int) bulk.Outcome {
	switch who := w.customers[row]; {
	case who.attached:
		return bulk.Outcome{State: bulk.Present}
	case who.unread != nil:
		return bulk.Outcome{State: bulk.Unknown, Message: "its plans can't be read: " + who.unread.Error()}
	case who.created || slices.Contains(w.o.repeat, plan):
		return bulk.Outcome{State: bulk.Absent}
	default:
		return w.keep(who, plan)
	}
}

// keep leaves a step of a customer unknown.
func (w *work) keep(who *customer, step string) bulk.Outcome {
	w.kept[step]++
	w.f.NoteOnce(step, "line %d: account %d existed before: whether it has its %s is unknown, so nothing is sent", who.line, who.account, step)
	return bulk.Outcome{State: bulk.Unknown, Message: "the account existed before"}
}

// advice tells how what was kept can be sent all the same.
func (w *work) advice() string {
	var parts []string
	for _, step := range []string{credentials, plan} {
		if n := w.kept[step]; n > 0 {
			parts = append(parts, fmt.Sprintf("`--repeat %s` sends the %s of %d", step, step, n))
		}
	}
	if parts == nil {
		return ""
	}
	return "accounts that existed before: " + strings.Join(parts, ", ")
}
