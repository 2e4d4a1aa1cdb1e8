package customers

import (
	"context"
	"maps"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// An applying is an onboarding that also changes customers which exist. The items of a row depend on the
// row and on what the job has kept only, so that a resumed job has the same items. Whether they are
// sent is up to the plan of the row: the service is read again for those that create
// something, and for those with an unknown outcome.
type applying struct {
	*onboarding
	comparison *comparison
	kept       *kept
	isStale    bool // of some account not all was compared with its row, so that the service is read again
}

// The places of the steps in what steps returns.
const (
	numberAccount = iota
	numberUpdate
	numberStatus
	numberCredentials
	numberNotes
	numberPlan
	numberKeywords
	numberChanges
)

// steps returns the writes of a customer in their order.
func (a *applying) steps(c *client.Client, remember func(loads.Load) loads.Load) []bulk.Step {
	a.c = c
	create := a.createStep()
	create.Operation = loads.AccountIdentities(c).Operation // the next step changes what differs
	create.Identity, create.Guard, create.After = customerIdentity, a.guardAccount, a.resolve
	create.Items = func(row rows.Row) []rows.Values {
		if c := a.customerOf(row); c.compared != nil && c.compared.Create != nil {
			return []rows.Values{rows.FromMap(maps.Clone(c.compared.Create))}
		}
		return []rows.Values{row.Values}
	}
	credentials, notes, plan, add := a.credentialsStep(remember), a.notesStep(), a.planStep(remember), a.addStep(loads.KeywordTexts(c))
	credentials.Recalls = func(row int) bool { return a.customers[row].created }
	plan.Recalls = func(row int) bool { return !a.customers[row].attached } // what is not sent needs no explanation
	notes.Guard, notes.Resends = a.guard(func(_ int, p *portfolio.Plan) bool { return p.Notes != nil })
	add.Guard, _ = a.guard(func(_ int, p *portfolio.Plan) bool { return len(p.AddKeywords) > 0 })
	change := a.step(loads.KeywordChanges(c), "keyword_changes", nil)
	change.Items, change.ItemLabel = a.changeItems, keywordLabel
	change.Guard, _ = a.guard(a.changesKeywords)
	_, change.Resends = a.guard(func(_ int, p *portfolio.Plan) bool { return len(p.ChangeKeywords) > 0 })
	return []bulk.Step{create, a.updateStep(), a.statusStep(), credentials, notes, plan, add, change}
}

// updateStep returns the step that changes the fields of accounts.
func (a *applying) updateStep() bulk.Step {
	fields := schema.AccountsV2.For(schema.Update).Without("account_id")
	// The comparison has checked the postal codes.
	l := loads.AccountUpdates(a.c, loads.UpdateOptions{UnlistedUnknown: true, NoValidate: true})
	l.Operation.Results = nil
	s := a.accountStep(l, "update", func(c *customer, row schema.Values) schema.Values {
		values := valuesIn(row, fields)
		if values != nil && c.compared != nil && c.compared.Update != nil {
			values = maps.Clone(c.compared.Update)
		}
		return values
	})
	s.Guard, s.Resends = a.guard(func(_ int, p *portfolio.Plan) bool { return p.Update != nil })
	return s
}

// valuesIn returns the values of a row that are fields of res, and its single attributes, nil if it
// has none.
func valuesIn(row schema.Values, res *schema.Resource) schema.Values {
	var values schema.Values
	for name, v := range row {
		if f := res.Field(name); f != nil && f.Name == name || strings.HasPrefix(name, "attributes.") {
			if values == nil {
				values = schema.Values{}
			}
			values[name] = v
		}
	}
	return values
}

// statusStep returns the step that deactivates and reactivates accounts.
func (a *applying) statusStep() bulk.Step {
	l := loads.StatusChanges(a.c, loads.StatusOptions{UnlistedUnknown: true})
	l.Operation.Results, l.Operation.Idempotent = nil, true
	change := map[string]string{portfolio.StatusActive: "reactivate", portfolio.StatusDeactivated: "deactivate"}
	s := a.accountStep(l, "status", func(_ *customer, row schema.Values) schema.Values {
		word := change[portfolio.StatusWord(row["status"].Text())]
		if word == "" { // with --no-validate, it may be a word that no change has
			return nil
		}
		return schema.Values{"status": record.Quote(word)}
	})
	s.Guard, s.Resends = a.guard(func(_ int, p *portfolio.Plan) bool { return p.Status != "" })
	return s
}

// accountStep returns a step that changes the account of a row by the values that item returns, nil
// if it changes nothing. What the first reading showed counts: only items that the plan of their row
// changes reach the service.
func (a *applying) accountStep(l loads.Load, label string, item func(*customer, schema.Values) schema.Values) bulk.Step {
	read := l.Operation.Snapshot
	l.Operation.Snapshot = func(ctx context.Context, q bulk.SnapshotRequest) (bulk.Snapshot, error) {
		if q.Reconciling || a.isStale {
			return read(ctx, q)
		}
		return bulk.SnapshotFunc(func(context.Context, *rows.Row) (bulk.Outcome, error) { return bulk.Outcome{State: bulk.Absent}, nil }), nil
	}
	return bulk.Step{
		Operation: refuseNotFound(l.Operation), Label: label, Identity: l.Schema.Identity,
		Items: func(row rows.Row) []rows.Values {
			c := a.customerOf(row)
			values := item(c, row.Values.Map())
			if values == nil {
				return nil
			}
			values["account_id"] = record.Integer(c.account)
			return []rows.Values{rows.FromMap(values)}
		},
	}
}

// changeItems returns the changes of the keywords of a row: one for each that it names, and those
// that the job has kept.
func (a *applying) changeItems(row rows.Row) []rows.Values {
	c, w := a.customerOf(row), a.wanted(row)
	var items []rows.Values
	for i := range w.Keywords {
		values := w.KeywordValues(i, schema.Update)
		if c.compared != nil {
			at := slices.IndexFunc(c.compared.ChangeKeywords, func(change portfolio.ChangeKeyword) bool { return change.Item == i })
			if at >= 0 {
				values["rank_id"] = record.Integer(c.compared.ChangeKeywords[at].RankID)
			}
		}
		items = append(items, rows.FromMap(c.ids(values)))
	}
	for _, k := range a.kept.Keywords[row.Ordinal] {
		items = append(items, rows.FromMap(c.ids(schema.Values{
			"rank_id": record.Integer(k.RankID), "keyword": record.Quote(k.Text), "keyword_type": record.Quote(k.Type), "status": record.Quote(schema.Keywords.Field("status").Enum[1]),
		})))
	}
	return items
}

// mayChange reports whether anything may have to be sent for a row, whose plan has no Changes any more.
func (a *applying) mayChange(row int) bool {
	p := a.planOf(row)
	return p == nil || p.Unread != nil || p.Create != nil || p.Update != nil || p.Status != "" || p.Notes != nil || p.Attach != nil ||
		len(p.AddKeywords) > 0 || a.changesKeywords(row, p)
}

// changesKeywords reports whether a row changes keywords that are held or added.
func (a *applying) changesKeywords(row int, p *portfolio.Plan) bool {
	return len(a.kept.Keywords[row]) > 0 || len(p.ChangeKeywords) > 0 || slices.ContainsFunc(p.AddKeywords, func(k portfolio.AddKeyword) bool { return !k.Active })
}

// resolve is resolveAccounts, after which a knows whether what was compared is stale.
func (a *applying) resolve(ctx context.Context, results []bulk.StepResult) (map[int]string, error) {
	blocked, err := a.resolveAccounts(ctx, results)
	for row, c := range a.customers {
		if isHeld(results[row]) {
			a.isStale = a.isStale || a.isUncompared(c)
		}
	}
	return blocked, err
}

// isUncompared reports whether a customer has an account that was not compared with its row, or not with
// all of the row: the comparison came before the account, or could not read something.
func (a *applying) isUncompared(c *customer) bool {
	return c.compared == nil || c.compared.Unread != nil || !c.wasHeld() && !c.created
}

// guardAccount permits the creation of accounts that their plans create, and says which account the
// others have.
func (a *applying) guardAccount(row int) bulk.Outcome {
	switch c := a.customers[row]; {
	case c.compared == nil:
		at := slices.IndexFunc(a.comparison.faults, func(f rows.Fault) bool { return f.Row == row })
		return bulk.Outcome{State: bulk.Unknown, Message: a.comparison.faults[at].Reason}
	case c.wasHeld():
		out := bulk.Outcome{State: bulk.Present, Held: c.compared.Kept, Result: record.Of(
			record.Pair{Name: "account_id", Value: record.Integer(c.compared.Account)},
			record.Pair{Name: "campaign_id", Value: record.Integer(c.compared.Campaign)},
		)}
		if out.Held != nil {
			out.State = bulk.Differs
		}
		return out
	}
	return bulk.Outcome{State: bulk.Absent}
}

// guard permits the items of rows whose plans need them. The others are present. resends permits to send again what an
// earlier run of the job has sent, if the plan needs it all the same.
func (a *applying) guard(needs func(row int, p *portfolio.Plan) bool) (guard func(row int) bulk.Outcome, resends func(row int) bool) {
	guard = func(row int) bulk.Outcome {
		if c := a.customers[row]; a.isUncompared(c) || needs(row, c.compared) {
			return bulk.Outcome{State: bulk.Absent}
		}
		return bulk.Outcome{State: bulk.Present}
	}
	return guard, func(row int) bool {
		c := a.customers[row]
		return c.wasHeld() && needs(row, c.compared)
	}
}

// advice notes how many credentials were not sent.
func (a *applying) advice() string {
	a.noteKept(" (`reseller accounts credentials create` stores them)")
	return ""
}
