package customers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
)

// steps returns the writes of a new customer in their order.
func (r *onboarding) steps(c *client.Client, remember func(loads.Load) loads.Load) []bulk.Step {
	r.c = c
	return []bulk.Step{r.createStep(), r.credentialsStep(remember), r.notesStep(), r.planStep(remember), r.addStep(loads.Keywords(c))}
}

func (r *onboarding) createStep() bulk.Step {
	l := r.similar.Load(loads.Accounts(r.c))
	return bulk.Step{
		Operation: l.Operation, Label: "account", Identity: l.Schema.Identity, After: r.resolveAccounts,
		Items: func(row rows.Row) []rows.Values {
			r.customerOf(row)
			return []rows.Values{row.Values}
		},
	}
}

func (r *onboarding) credentialsStep(remember func(loads.Load) loads.Load) bulk.Step {
	s := r.step(remember(loads.Credentials(r.c, bulkcmd.CredentialsPace(r.f.Session))), stepCredentials, func(row rows.Row) []schema.Values { return asList(portfolio.CredentialsOf(row.Values.Map())) })
	s.Guard, s.PresentWord = r.guardCredentials, portfolio.ActionKeep
	for _, f := range schema.Credentials.Having(schema.Create) {
		s.NonIdempotent = append(s.NonIdempotent, portfolio.CredentialsColumn(f.Name))
	}
	return s
}

func (r *onboarding) notesStep() bulk.Step {
	l := loads.Notes(r.c, loads.UpdateOptions{})
	l.Operation.Results = nil
	return r.step(l, "notes", func(row rows.Row) []schema.Values { return asList(r.wanted(row).Notes) })
}

func (r *onboarding) planStep(remember func(loads.Load) loads.Load) bulk.Step {
	s := r.step(remember(loads.Plans(r.c)), stepPlan, func(row rows.Row) []schema.Values { return asList(r.wanted(row).Plan) })
	s.Guard, s.NonIdempotent = r.guardPlan, []string{"service_plan_id"}
	return s
}

// addStep returns the step that adds keywords with a load of them.
func (r *onboarding) addStep(l loads.Load) bulk.Step {
	l.Operation.Results = []string{"rank_id"}
	s := r.step(l, "keywords", func(row rows.Row) (items []schema.Values) {
		w := r.wanted(row)
		for i := range w.Keywords {
			items = append(items, w.KeywordValues(i, schema.Create))
		}
		return items
	})
	s.RenameResults = map[string]string{"rank_id": "rank_ids"}
	s.ItemLabel = keywordLabel
	return s
}

// keywordLabel returns the text of the keyword that an item is about.
func keywordLabel(item rows.Values) string {
	return fmt.Sprintf("%q", safetext.Shorten(item.Get("keyword").Text()))
}

// step returns a step that needs the account and its campaign.
func (r *onboarding) step(load loads.Load, word string, items func(rows.Row) []schema.Values) bulk.Step {
	return bulk.Step{
		Operation: refuseNotFound(load.Operation), Label: word, Identity: load.Schema.Identity,
		Items: func(row rows.Row) []rows.Values {
			c, list := r.customerOf(row), []rows.Values(nil)
			for _, values := range items(row) {
				list = append(list, rows.FromMap(c.ids(values)))
			}
			return list
		},
	}
}

func asList(values schema.Values) []schema.Values {
	if values == nil {
		return nil
	}
	return []schema.Values{maps.Clone(values)}
}

// refuseNotFound turns the answer that there is no such record or no such operation into the refusal of one customer, so
// that the other steps go on. The engine would take it for a wrong address, but the address is right, since accounts were
// created at it.
func refuseNotFound(op bulk.Operation) bulk.Operation {
	encode := op.Encode
	op.Encode = func() bulk.BatchEncoder { return refusingEncoder{encode()} }
	return op
}

type refusingEncoder struct{ bulk.BatchEncoder }

func (e refusingEncoder) Call() bulk.Call {
	call := e.BatchEncoder.Call()
	return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
		outcomes, err := call(ctx, onSend)
		if refusal, ok := errors.AsType[*client.Error](err); ok && (client.IsNotFound(err) || client.IsNotOffered(err)) {
			return []bulk.Outcome{{State: bulk.Refused, HTTPStatus: refusal.HTTPStatus, Message: err.Error()}}, nil
		}
		return outcomes, err
	}
}

// guardCredentials permits the credentials of accounts that this job created. Those of others stay as they are.
func (r *onboarding) guardCredentials(row int) bulk.Outcome {
	if r.customers[row].created || slices.Contains(r.repeat, stepCredentials) {
		return bulk.Outcome{State: bulk.Absent}
	}
	r.notSent[stepCredentials]++
	return bulk.Outcome{State: bulk.Present}
}

// guardPlan permits the plans of accounts that this job created, and reports those
// that are attached already.
func (r *onboarding) guardPlan(row int) bulk.Outcome {
	c := r.customers[row]
	switch {
	case c.attached:
		return bulk.Outcome{State: bulk.Present}
	case c.plansError != nil:
		return bulk.Outcome{State: bulk.Unknown, Message: "its plans can't be read: " + c.plansError.Error()}
	case c.created || slices.Contains(r.repeat, stepPlan):
		return bulk.Outcome{State: bulk.Absent}
	}
	r.notSent[stepPlan]++
	r.f.NoteOnce(stepPlan, "%s: account %d already existed: whether it has its plan is unknown, so nothing is sent", r.file.Place(c.line), c.account)
	return bulk.Outcome{State: bulk.Unknown, Message: "the account already existed"}
}

// advice notes how many credentials were not sent, and returns how the plans are sent that were not.
func (r *onboarding) advice() string {
	r.noteKept(" (`--repeat credentials` sends them)")
	if n := r.notSent[stepPlan]; n > 0 {
		return fmt.Sprintf("accounts that already existed: `--repeat plan` sends the plan of %d", n)
	}
	return ""
}

// noteKept notes how many credentials were not sent, with words about those.
func (r *onboarding) noteKept(words string) {
	if n := r.notSent[stepCredentials]; n > 0 {
		r.f.Note("credentials are sent with new accounts only: those of %d that existed already are not sent%s", n, words)
	}
}
