package customers

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// decisions are what a job keeps of its comparison, so that it has the same rows and items when it is
// resumed, whatever the service holds then.
type decisions struct {
	Plan     string                 `json:"plan,omitempty"` // planFile.Changes of the plan that the job was begun with
	Faults   []rows.Fault           `json:"faults,omitempty"`
	Accounts []namedAccount         `json:"accounts,omitempty"`
	Keywords map[int][]deactivation `json:"keywords,omitempty"` // by the row of their customer
}

// A deactivation is of a keyword that is deactivated, and that is not the one which an entry of its
// customer's list means: no entry names it, or it is one of several with the text of an entry.
type deactivation struct {
	RankID  int64  `json:"rank_id"`
	Text    string `json:"keyword"`
	Type    string `json:"keyword_type"`
	IsNamed bool   `json:"named,omitempty"` // an entry has its text, so that it is not pruned
}

// decide returns what a job has to keep of a comparison.
func (all *comparison) decide() *decisions {
	k := &decisions{Faults: all.faults, Keywords: map[int][]deactivation{}}
	for i := range all.plans {
		for _, change := range all.plans[i].ChangeKeywords {
			if change.Item < 0 {
				k.Keywords[all.rows[i]] = append(k.Keywords[all.rows[i]], deactivation{change.RankID, change.Text, change.Type, !change.Pruned})
			}
		}
	}
	for i := range all.pruned.Accounts {
		k.Accounts = append(k.Accounts, namedAccount{all.pruned.Accounts[i].Account, all.pruned.Accounts[i].Customer})
	}
	return k
}

func (k *decisions) appended() []rows.Appended {
	var added []rows.Appended
	for _, a := range k.Accounts {
		added = append(added, rows.Appended{Name: fmt.Sprintf("account %d", a.Account), Values: rows.Values{
			{Name: "account_id", JSON: record.Integer(a.Account)}, {Name: "status", JSON: record.Quote(portfolio.StatusDeactivated)},
		}})
	}
	return added
}

func (k *decisions) rankIDs() map[int64]bool {
	ids := map[int64]bool{}
	for _, list := range k.Keywords {
		for _, kw := range list {
			ids[kw.RankID] = true
		}
	}
	return ids
}

// prepareResumed makes the rows those that the job had when it began. A row that has a fault by now
// has no plan.
func (l *customerLoad) prepareResumed(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (err error) {
	l.decisions = &decisions{}
	if err := json.Unmarshal(resumes.Kept, l.decisions); err != nil {
		return fmt.Errorf("the header of job %s: %w", resumes.ID, err)
	}
	if path := l.flags.planFile; path != "" {
		plan, err := readPlan(l.Session, path)
		if err != nil {
			return err
		}
		if plan.Changes != l.decisions.Plan {
			return &cli.UsageError{
				Message: fmt.Sprintf("--plan-file %s: job %s, which is not finished, was begun without this plan", path, resumes.ID),
				Hint:    "resume it without --plan-file, or begin anew with --restart and a new plan",
			}
		}
	}
	if err := l.file.Refuse(l.Session, l.outcome, l.decisions.Faults); err != nil {
		return err
	}
	source.Append(l.decisions.appended()...)
	l.state = stateIn(resumes.Table.Steps(), l.flags.stepNames())
	if l.comparison, err = compare(ctx, c, source, l.request(l.decisions)); err == nil {
		l.comparison.leaveOutSent(resumes.Table.Steps(), l.state)
	}
	return err
}

// stateIn returns a function for the state of an item of a row in a step. names are the steps of the tables.
func stateIn(tables []*job.StepTable, names []string) func(row int, step string, item int) job.State {
	return func(row int, step string, item int) job.State {
		at := slices.Index(names, step)
		if at < 0 || at >= len(tables) { // the process was killed before it recorded all steps
			return job.StatePending
		}
		first, end := tables[at].ItemsOf(uint32(row))
		if first+item >= end {
			return job.StatePending
		}
		return tables[at].State(uint32(first + item))
	}
}

// leaveOutSent leaves out of the plans what an earlier run of the job has sent and no run sends again, since the service
// would have it twice: accounts, credentials, plans and keywords. The lists may show them late. The rest of an account that
// was created stays, with the ids that the service gave it.
func (all *comparison) leaveOutSent(steps []*job.StepTable, state func(row int, step string, item int) job.State) {
	for i := range all.plans {
		p := &all.plans[i]
		isSent := func(step string, item int) bool { return state(all.rows[i], step, item).Succeeded() }
		isCreated := p.Create != nil && isSent(stepAccount, 0)
		if isCreated {
			first, _ := steps[0].ItemsOf(uint32(all.rows[i]))
			ids, _ := record.Parse([]byte(steps[0].Fields(uint32(first))))
			account, _ := ids.Get("account_id").Int64()
			campaign, _ := ids.Get("campaign_id").Int64()
			if account == 0 || campaign == 0 {
				continue
			}
			p.Create, p.Account, p.Campaign = nil, account, campaign
		}
		added := map[string]int{} // the item of each keyword to add
		for _, k := range p.AddKeywords {
			added[k.Text] = k.Item
		}
		p.Changes = slices.DeleteFunc(p.Changes, func(c portfolio.Change) bool {
			item, isAdded := added[c.Field]
			switch {
			case c.Object == portfolio.ObjectKeyword && c.Action == portfolio.ActionAdd:
				return isSent(stepKeywords, item)
			case c.Object == portfolio.ObjectKeyword:
				return isAdded && isSent(stepChanges, item)
			case c.Object == portfolio.ObjectPlan:
				return isSent(stepPlan, 0)
			case c.Object == portfolio.ObjectAccount && c.Field == "status":
				return isCreated && isSent(stepStatus, 0)
			}
			return isCreated && (c.Object == portfolio.ObjectAccount || isSent(map[string]string{portfolio.ObjectCredentials: stepCredentials, portfolio.ObjectNotes: stepNotes}[c.Object], 0))
		})
		p.AddKeywords = slices.DeleteFunc(p.AddKeywords, func(k portfolio.AddKeyword) bool {
			return isSent(stepKeywords, k.Item) && (k.Active || isSent(stepChanges, k.Item))
		})
		if isSent(stepPlan, 0) {
			p.Attach = nil
		}
		if isCreated && isSent(stepNotes, 0) {
			p.Notes = nil
		}
		if isCreated && isSent(stepStatus, 0) {
			p.Status = ""
		}
	}
}
