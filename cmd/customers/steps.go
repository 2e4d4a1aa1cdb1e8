package customers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
)

const (
	stepAccount     = "account"
	stepUpdate      = "update"
	stepStatus      = "status"
	stepCredentials = "credentials"
	stepNotes       = "notes"
	stepPlan        = "plan"
	stepKeywords    = "keywords"
	stepChanges     = "keyword_changes"
)

// stepNames returns the names of the steps in their order. What exists is changed by apply only.
func (o *compareFlags) stepNames() []string {
	if o.onlyNew {
		return []string{stepAccount, stepCredentials, stepNotes, stepPlan, stepKeywords}
	}
	return []string{stepAccount, stepUpdate, stepStatus, stepCredentials, stepNotes, stepPlan, stepKeywords, stepChanges}
}

func (l *customerLoad) steps(c *client.Client, remember func(loads.Load) loads.Load, j *job.Job) []bulk.Step {
	l.c, l.job = c, j
	steps := []bulk.Step{
		l.createStep(), l.updateStep(), l.statusStep(), l.credentialsStep(remember), l.notesStep(), l.planStep(remember), l.addStep(), l.changeStep(),
	}
	names := l.flags.stepNames()
	return slices.DeleteFunc(steps, func(s bulk.Step) bool { return !slices.Contains(names, s.Label) })
}

// createStep returns the step that creates accounts. One that exists is present, whatever its fields are.
func (l *customerLoad) createStep() bulk.Step {
	return bulk.Step{
		Operation: loads.AccountIdentities(l.c, l.comparison.listed).Operation, Label: stepAccount, Identity: customerIdentity, Guard: l.guardAccount, After: l.resolveAccounts, Held: l.held, RetriesRefused: !l.flags.onlyNew,
		Items: func(row rows.Row) []rows.Values {
			l.customerOf(row)
			if values, missing := l.model.NewAccount(l.desired(row)); missing == nil {
				return []rows.Values{rows.FromMap(values)}
			}
			return []rows.Values{row.Values}
		},
	}
}

func (l *customerLoad) updateStep() bulk.Step {
	fields := schema.AccountsV2.For(schema.Update).Without("account_id")
	// The comparison has checked the postal codes.
	load := loads.AccountUpdates(l.c, loads.UpdateOptions{UnlistedUnknown: true, NoValidate: true})
	isNeeded := func(_ int, p *portfolio.Plan) bool { return p.Update != nil }
	return l.accountStep(load, stepUpdate, isNeeded, func(c *customer, row schema.Values) schema.Values {
		if c.compared != nil && c.compared.Update != nil {
			return c.compared.Update
		}
		maps.DeleteFunc(row, func(name string, _ record.Value) bool {
			f := fields.Field(name)
			return (f == nil || f.Name != name) && !strings.HasPrefix(name, portfolio.AttributesPrefix)
		})
		return row
	})
}

func (l *customerLoad) statusStep() bulk.Step {
	load := loads.StatusChanges(l.c, loads.StatusOptions{UnlistedUnknown: true})
	load.Operation.Idempotent = true
	isNeeded := func(_ int, p *portfolio.Plan) bool { return p.Status != "" }
	return l.accountStep(load, stepStatus, isNeeded, func(_ *customer, row schema.Values) schema.Values {
		word := portfolio.StatusChanges[portfolio.StatusWord(row["status"].Text())]
		if word == "" { // with --no-validate, it may be a word that no change has
			return nil
		}
		return schema.Values{"status": record.Quote(word)}
	})
}

// accountStep returns a step that changes the account of a row by the values that item returns, none
// if it changes nothing. What the first reading showed counts: only items that the plan of their row
// changes reach the service.
func (l *customerLoad) accountStep(load loads.Load, label string, needs needsFunc, item func(*customer, schema.Values) schema.Values) bulk.Step {
	read := load.Operation.Snapshot
	load.Operation.Snapshot = func(ctx context.Context, q bulk.SnapshotRequest) (bulk.Snapshot, error) {
		if q.Reconciling || l.isStale {
			return read(ctx, q)
		}
		return bulk.SnapshotFunc(func(context.Context, *rows.Row) (bulk.Outcome, error) { return bulk.Outcome{State: bulk.Absent}, nil }), nil
	}
	load.Operation.Results = nil
	return l.step(load, label, needs, func(row rows.Row) []schema.Values { return asList(item(l.customerOf(row), row.Values.Map())) })
}

func (l *customerLoad) credentialsStep(remember func(loads.Load) loads.Load) bulk.Step {
	s := l.step(remember(loads.Credentials(l.c, bulkcmd.CredentialsPace(l.Session))), stepCredentials, nil, func(row rows.Row) []schema.Values { return asList(portfolio.CredentialsOf(row.Values.Map())) })
	s.Guard, s.PresentWord = l.guardCredentials, portfolio.ActionKeep
	if !l.flags.onlyNew {
		s.Recalls = func(row int) bool {
			c := l.customers[row]
			return c.created || l.mayHaveCreated(c) || l.comparison.doubted[row]
		}
	}
	for _, f := range schema.Credentials.Having(schema.Create) {
		s.NonIdempotent = append(s.NonIdempotent, portfolio.CredentialsColumn(f.Name))
	}
	return s
}

func (l *customerLoad) notesStep() bulk.Step {
	load := loads.Notes(l.c, loads.UpdateOptions{})
	load.Operation.Results = nil
	isNeeded := func(_ int, p *portfolio.Plan) bool { return p.Notes != nil }
	return l.step(load, stepNotes, isNeeded, func(row rows.Row) []schema.Values { return asList(l.desired(row).Notes) })
}

func (l *customerLoad) planStep(remember func(loads.Load) loads.Load) bulk.Step {
	isUnread := func(v rows.Values) bool { return l.unreadPlans[v.Get("campaign_id").Text()] }
	s := l.step(remember(loads.Plans(l.c, isUnread)), stepPlan, nil, func(row rows.Row) []schema.Values { return asList(l.desired(row).Plan) })
	s.Guard, s.NonIdempotent = l.guardPlan, []string{"service_plan_id"}
	s.Recalls = func(row int) bool { return !l.customers[row].attached } // what is not sent needs no explanation
	return s
}

// addStep returns the step that adds keywords. Without a step that changes keywords, it compares all of them, which
// --update-existing changes.
func (l *customerLoad) addStep() bulk.Step {
	load, needs := loads.KeywordTexts(l.c), func(_ int, p *portfolio.Plan) bool { return len(p.AddKeywords) > 0 }
	if l.flags.onlyNew {
		load, needs = loads.Keywords(l.c), func(_ int, p *portfolio.Plan) bool { return len(p.AddKeywords)+len(p.ChangeKeywords) > 0 }
	}
	load.Operation.Results = []string{"rank_id"}
	s := l.step(load, stepKeywords, needs, func(row rows.Row) (items []schema.Values) {
		w := l.desired(row)
		for i := range w.Keywords {
			items = append(items, w.KeywordValues(i, schema.Create))
		}
		return items
	})
	s.RenameResults, s.ItemLabel, s.Resends = map[string]string{"rank_id": "rank_ids"}, keywordLabel, nil
	return s
}

// changeStep returns the step that changes the keywords of a row: those that it names, and those that the job has kept.
func (l *customerLoad) changeStep() bulk.Step {
	needs := func(row int, p *portfolio.Plan) bool {
		isInactive := func(k portfolio.PlannedKeyword) bool { return !k.Active }
		return len(l.decisions.Keywords[row])+len(p.ChangeKeywords) > 0 || slices.ContainsFunc(p.AddKeywords, isInactive)
	}
	s := l.step(loads.KeywordChanges(l.c), stepChanges, needs, func(row rows.Row) (items []schema.Values) {
		c, w := l.customerOf(row), l.desired(row)
		for i := range w.Keywords {
			values := w.KeywordValues(i, schema.Update)
			if c.compared != nil {
				at := slices.IndexFunc(c.compared.ChangeKeywords, func(change portfolio.PlannedKeyword) bool { return change.Item == i })
				if at >= 0 {
					values["rank_id"] = record.Integer(c.compared.ChangeKeywords[at].RankID)
				} else if c.compared.HeldKeywords != nil {
					values[loads.UnchangedKeyword] = record.Integer(c.compared.HeldKeywords[i])
				}
			}
			items = append(items, values)
		}
		for _, k := range l.decisions.Keywords[row.Ordinal] {
			items = append(items, schema.Values{
				"rank_id": record.Integer(k.RankID), "keyword": record.Quote(k.Text), "keyword_type": record.Quote(k.Type), "status": record.Quote(schema.Keywords.Field("status").Enum[1]),
			})
		}
		return items
	})
	s.ItemLabel = keywordLabel
	_, s.Resends = l.guard(func(_ int, p *portfolio.Plan) bool { return len(p.ChangeKeywords) > 0 })
	return s
}

func keywordLabel(item rows.Values) string {
	return fmt.Sprintf("%q", safetext.Shorten(item.Get("keyword").Text()))
}

type needsFunc = func(row int, p *portfolio.Plan) bool

// step returns the step of a load, which a row has if its plan needs it. If needs is nil, the caller guards the step.
func (l *customerLoad) step(load loads.Load, label string, needs needsFunc, items func(rows.Row) []schema.Values) bulk.Step {
	s := bulk.Step{
		Operation: refuseNotFound(load.Operation), Label: label, Identity: load.Schema.Identity, RetriesRefused: !l.flags.onlyNew,
		Items: func(row rows.Row) []rows.Values {
			c, list := l.customerOf(row), []rows.Values(nil)
			for _, values := range items(row) {
				if values = c.ids(values); label == stepUpdate || label == stepStatus {
					delete(values, "campaign_id")
				}
				list = append(list, rows.FromMap(values))
			}
			return list
		},
	}
	if needs != nil {
		s.Guard, s.Resends = l.guard(needs)
	}
	return s
}

func asList(values schema.Values) []schema.Values {
	if len(values) == 0 {
		return nil
	}
	return []schema.Values{maps.Clone(values)}
}

// refuseNotFound turns the answer that there is no such record or no such operation into the refusal of one customer, so
// that the other steps go on. The engine would take it for a wrong address, but the address is right, since accounts were
// created at it.
func refuseNotFound(op bulk.Operation) bulk.Operation {
	send := op.Send
	op.Encode, op.Send = nil, func(group []rows.Row) bulk.Call {
		call := send(group)
		return func(ctx context.Context, onSend func() error) ([]bulk.Outcome, error) {
			outcomes, err := call(ctx, onSend)
			if refusal, ok := errors.AsType[*client.Error](err); ok && (errors.Is(err, client.ErrNotFound) || errors.Is(err, client.ErrNotOffered)) {
				return []bulk.Outcome{{State: bulk.Refused, HTTPStatus: refusal.HTTPStatus, Message: err.Error()}}, nil
			}
			return outcomes, err
		}
	}
	return op
}

// guardAccount permits the creation of accounts that their plans create, and says which account the
// others have.
func (l *customerLoad) guardAccount(row int) bulk.Outcome {
	switch c := l.customers[row]; {
	case c.compared == nil:
		at := slices.IndexFunc(l.comparison.faults, func(f rows.Fault) bool { return f.Row == row })
		return bulk.Outcome{State: bulk.Unknown, Message: l.comparison.faults[at].Reason}
	case c.existed():
		out := bulk.Outcome{State: bulk.Present, Result: record.Of(
			record.Pair{Name: "account_id", Value: idValue(c.compared.Account)},
			record.Pair{Name: "campaign_id", Value: idValue(c.compared.Campaign)},
		)}
		if c.compared.Kept != nil {
			out.State = bulk.Differs
		}
		return out
	}
	return bulk.Outcome{State: bulk.Absent}
}

// guard permits the items of rows whose plans need them. The others are present. resends permits to send again what an
// earlier run of the job has sent, if the plan needs it all the same.
func (l *customerLoad) guard(needs needsFunc) (guard func(row int) bulk.Outcome, resends func(row int) bool) {
	guard = func(row int) bulk.Outcome {
		if c := l.customers[row]; c.isUncompared() || needs(row, c.compared) {
			return bulk.Outcome{State: bulk.Absent}
		}
		return bulk.Outcome{State: bulk.Present}
	}
	return guard, func(row int) bool {
		c := l.customers[row]
		return c.existed() && needs(row, c.compared)
	}
}

// guardCredentials permits the credentials of accounts that this job created, and those that the service has refused. Those of others
// stay as they are, unless a run whose journal is lost may have created the account.
func (l *customerLoad) guardCredentials(row int) bulk.Outcome {
	switch c := l.customers[row]; {
	case c.created || l.repeats(stepCredentials, c.account):
		return bulk.Outcome{State: bulk.Absent}
	case l.mayHaveCreated(c):
		l.unsure++
		return bulk.Outcome{State: bulk.Unknown, Message: "an earlier run may have created the account, and not have sent them"}
	}
	l.notSent[stepCredentials]++
	return bulk.Outcome{State: bulk.Present}
}

// repeats reports whether a step is also made for an account that existed: as the command says, or as the service has refused it before.
func (l *customerLoad) repeats(step string, account int64) bool {
	return slices.Contains(l.repeat, step) || l.flags.onlyNew && l.job != nil && l.earlierJobs().refused[step][account]
}

// mayHaveCreated reports whether a run that was stopped, or whose journal is lost, may have created the account of a customer.
func (l *customerLoad) mayHaveCreated(c *customer) bool {
	account := c.account
	if c.existed() {
		account = c.compared.Account
	}
	if l.job == nil {
		return false
	}
	earlier := l.earlierJobs()
	return l.job.MayHaveCreated(account) || earlier.created[account] || account > earlier.createdAfter
}

type earlierJobs struct {
	created      map[int64]bool            // what those of this file have created, or may have, that were stopped before they sent all of it
	createdAfter int64                     // they may have created any account with a larger id
	refused      map[string]map[int64]bool // by step: the accounts for which the service has refused it at last
}

func (l *customerLoad) earlierJobs() *earlierJobs {
	if l.earlier != nil {
		return l.earlier
	}
	l.earlier = &earlierJobs{map[int64]bool{}, math.MaxInt64, map[string]map[int64]bool{stepCredentials: {}, stepPlan: {}}}
	for other := range l.job.Others() {
		steps := other.Table.Steps()
		accountOf := func(item uint32) int64 {
			ids, _ := record.Parse([]byte(steps[0].Fields(item)))
			account, _ := loads.IDsOf(ids)
			return account
		}
		if other.File == l.job.File && other.State == job.JobStopped {
			if before, mayHave := other.CreatedAfter(); mayHave || before >= 0 && other.Hash() == l.job.Hash() { // which a dry run begins anew
				l.earlier.createdAfter = min(l.earlier.createdAfter, before)
			}
			for _, item := range steps[0].RowsIn(job.StateSent) {
				l.earlier.created[accountOf(item)] = true
			}
		}
		names := (&compareFlags{onlyNew: other.Operation == "onboard"}).stepNames()
		for at, name := range names[:min(len(names), len(steps))] {
			for item, row := range steps[at].Rows() {
				first, _ := steps[0].ItemsOf(row)
				if state := steps[at].State(uint32(item)); l.earlier.refused[name] != nil && state != job.StatePending && state != job.StatePresent {
					l.earlier.refused[name][accountOf(uint32(first))] = state == job.StateRefused
				}
			}
		}
	}
	return l.earlier
}

// guardPlan permits the plans of accounts that this job created, and reports those that are attached already. Plans that were not
// read, or whose reading has failed, are read before the call.
func (l *customerLoad) guardPlan(row int) bulk.Outcome {
	c := l.customers[row]
	sends, isRefused := c.created || l.repeats(stepPlan, c.account), loads.IsRefused(c.plansError) || errors.As(c.plansError, new(*portfolio.NotShownError))
	switch {
	case c.attached:
		return bulk.Outcome{State: bulk.Present}
	case c.plansError != nil && (isRefused || !sends):
		return bulk.Outcome{State: bulk.Unknown, Message: "its plans can't be read: " + c.plansError.Error()}
	case sends:
		l.unreadPlans[strconv.FormatInt(c.campaign, 10)] = c.plansError != nil || !c.existed() && !c.created
		return bulk.Outcome{State: bulk.Absent}
	}
	l.notSent[stepPlan]++
	return bulk.Outcome{State: bulk.Unknown, Message: "the account already existed: whether it has its plan is unknown, so the plan is not sent"}
}

// held returns what the service holds of a customer in place of what its row says: of what the row leaves out, of what can't be
// changed, and of what was not written, since the service refused it or an earlier step failed.
func (l *customerLoad) held(row rows.Row, state func(step string, item int) job.State) rows.Texts {
	c, w, current := l.customerOf(row), l.desired(row), portfolio.CurrentCustomer{}
	if c.existed() && c.compared.At >= 0 {
		current = l.comparison.current.Customers[c.compared.At]
	}
	listed, _ := l.model.Record(&current, true)
	isUnwritten := func(step string, item int) bool {
		s := state(step, item)
		return s == job.StateRefused || s == job.StatePending
	}
	return func(column string) (string, bool) {
		v, given := listed.Get(column), row.Values.Get(column)
		switch {
		case c.compared == nil, column == "account_id", column == "campaign_id":
			return "", false
		case column == portfolio.FieldKeywords && w.HasKeywords:
			return l.model.KeywordsCell(w, current.Keywords, func(item int) bool {
				added := state(stepKeywords, item)
				return isUnwritten(stepKeywords, item) || added == job.StateDiffers || added == job.StatePresent && isUnwritten(stepChanges, item)
			}, append(l.flags.separators, ";")[0])
		case given == nil, l.flags.onlyNew && given.Kind() == record.String && given.Text() == "":
			return portfolio.CellText(v), v != nil
		}
		isKept := slices.ContainsFunc(c.compared.Kept, func(name string) bool { return name == column || strings.HasPrefix(column, name+".") })
		original, isRepaired := w.Original[column]
		return portfolio.CellText(v), isKept || isUnwritten(stepOf(column), 0) || isRepaired && original == v.Text()
	}
}

// stepOf returns the step that writes a column of a customer that exists.
func stepOf(column string) string {
	switch {
	case column == "status":
		return stepStatus
	case strings.HasPrefix(column, portfolio.CredentialsPrefix):
		return stepCredentials
	case schema.Notes.Field(column) != nil:
		return stepNotes
	case schema.Plans.Field(column) != nil:
		return stepPlan
	}
	return stepUpdate
}

// advice notes how many credentials were not sent, and returns how the plans are sent that were not.
func (l *customerLoad) advice() string {
	sends := "`reseller accounts credentials create` stores those that this machine has not sent yet"
	if l.flags.onlyNew {
		sends = "`--repeat credentials` sends them"
	}
	if n := l.notSent[stepCredentials]; n > 0 {
		l.Note("credentials are sent with new accounts only: those of %d that existed already are not sent (%s)", n, sends)
	}
	var advice []string
	if n := l.notSent[stepPlan]; n > 0 {
		advice = append(advice, fmt.Sprintf("accounts that already existed: the same command with `--repeat plan` sends the plan of %d", n))
	}
	if l.unsure > 0 {
		advice = append(advice, fmt.Sprintf("credentials of %s that an earlier run may have created: %s", phrase.Count(l.unsure, "account", "accounts"), sends))
	}
	return strings.Join(advice, "; ")
}
