package customers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

// decisions are what a job keeps of its comparison, so that it has the same rows and items when it is
// resumed, whatever the service holds then.
type decisions struct {
	Faults   []rows.Fault           `json:"faults,omitempty"`
	Accounts []namedAccount         `json:"accounts,omitempty"`
	Keywords map[int][]deactivation `json:"keywords,omitempty"` // by the row of their customer

	job string // the one that is resumed, which knows itself what it has created; empty if none is
}

// A deactivation is of a keyword that is deactivated, and that is not the one which an entry of its
// customer's list means: no entry names it, or it is one of several with the text of an entry.
type deactivation struct {
	RankID  int64  `json:"rank_id"`
	Text    string `json:"keyword"`
	Type    string `json:"keyword_type"`
	IsNamed bool   `json:"named,omitempty"` // an entry has its text, so that it is not pruned
}

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

// prepareResumed makes the rows those that the job had when it began. A row that has a fault by now has no plan.
func (l *customerLoad) prepareResumed(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (err error) {
	l.decisions = &decisions{job: resumes.ID}
	if err := json.Unmarshal(resumes.Kept, l.decisions); err != nil {
		return fmt.Errorf("the header of job %s: %w", resumes.ID, err)
	}
	if err := l.file.Refuse(l.Session, l.outcome, l.decisions.Faults); err != nil {
		return err
	}
	source.Append(l.decisions.appended()...)
	l.tables = resumes.Table.Steps()
	q := l.request(l.decisions)
	if l.comparison, err = compare(ctx, c, source, q); err != nil {
		return err
	}
	if err := l.checkPlan(ctx, true); err != nil {
		return err
	}
	l.leaveOutSent(bulkcmd.ResendCommand(l.Session, resumes.Header))
	return l.comparison.leaveOutSentPlans(ctx, &q)
}

// leaveOutSentPlans leaves out of the plans the service plans that commands of this machine have sent, although the service does not
// list them: those that it has acknowledged are attached, of the others nothing is known. The dry run of onboard looks into the
// history itself.
func (all *comparison) leaveOutSentPlans(ctx context.Context, q *request) error {
	if q.onlyNew {
		return nil
	}
	sent, err := q.session.History(ctx)
	if err != nil || sent == nil {
		return err
	}
	defer func() { _ = sent.Close() }()
	sent.Unsure = q.resends
	var notes []string
	for i := range all.plans {
		p := &all.plans[i]
		if p.Attach == nil || p.Create != nil {
			continue
		}
		of := customer{account: p.Account, campaign: p.Campaign}
		before, err := sent.Find(loads.Plans(nil, nil).SentRow(rows.FromMap(of.ids(maps.Clone(p.Attach)))))
		if err != nil {
			return err
		}
		if sent.Permits(before) {
			continue
		}
		p.Changes = slices.DeleteFunc(p.Changes, func(c portfolio.Change) bool { return c.Action == portfolio.ActionAttach })
		plan, isSent := p.Attach["service_plan_id"].Text(), !before.Sent.IsZero()
		again := map[bool]string{true: "`reseller apply --resend-sent --file ", false: "`reseller apply --resend-unknown --file "}[isSent]
		again = q.session.WithFlags(again + q.sameFile + "` sends it again")
		if isSent {
			p.Attach = nil
			notes = append(notes, fmt.Sprintf("account %d: plan %s is not listed, but was %v: %s", p.Account, plan, before, again))
		} else {
			p.Unread = cmp.Or(p.Unread, error(&cli.ExitError{Code: cli.ExitPartial, Err: fmt.Errorf("plan %s may or may not be attached: %v; %s", plan, before, again)}))
		}
	}
	noteFirst(q.session, notes, "%d more were sent and are not listed")
	return nil
}

// state returns the state of an item in earlier runs of the job. A process that was killed may not have recorded all steps.
func (l *customerLoad) state(row int, step string, item int) job.State {
	if at := slices.Index(l.flags.stepNames(), step); at >= 0 && at < len(l.tables) {
		if first, end := l.tables[at].ItemsOf(uint32(row)); first+item < end {
			return l.tables[at].State(uint32(first + item))
		}
	}
	return job.StatePending
}

// leaveOutSent leaves out of the plans what an earlier run of the job has sent and no run sends again, since the service
// would have it twice: accounts, credentials, plans and keywords. The lists may show them late. The rest of an account that
// was created stays, with the ids that the service gave it, and its credentials are sent even if the lists show it by now.
// What became of a plan or of credentials may be unknown, until the command resend sends them again.
func (l *customerLoad) leaveOutSent(resend string) {
	for i := range l.comparison.plans {
		p, row := &l.comparison.plans[i], l.comparison.rows[i]
		isSent := func(step string, item int) bool { return l.state(row, step, item).Succeeded() }
		isDoubt := func(step, doubt, of string) bool {
			is := l.state(row, step, 0) == job.StateUnknown && !l.file.ResendUnknown
			if is && !l.flags.onlyNew { // whose dry run looks into the history
				p.Unread = cmp.Or(p.Unread, error(&cli.ExitError{Code: cli.ExitPartial, Err: fmt.Errorf(doubt, of, resend)}))
			}
			return is
		}
		isCreated := p.Create != nil && isSent(stepAccount, 0)
		if isCreated {
			first, _ := l.tables[0].ItemsOf(uint32(row))
			ids, _ := record.Parse([]byte(l.tables[0].Fields(uint32(first))))
			account, campaign := loads.IDsOf(ids)
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
			switch c.Object {
			case portfolio.ObjectAccount:
				return isCreated && (c.Field != "status" || isSent(stepStatus, 0))
			case portfolio.ObjectNotes:
				return isCreated && isSent(stepNotes, 0)
			case portfolio.ObjectCredentials:
				return isSent(stepCredentials, 0) || isDoubt(stepCredentials, "credentials %s may or may not be stored, and %s sends them again", c.To)
			case portfolio.ObjectPlan:
				return isSent(stepPlan, 0) || c.Action == portfolio.ActionAttach && isDoubt(stepPlan, "plan %s may or may not be attached, and %s sends it again", c.To)
			}
			return c.Action == portfolio.ActionAdd && isSent(stepKeywords, item) || c.Action != portfolio.ActionAdd && isAdded && isSent(stepChanges, item)
		})
		for n := range p.Changes {
			account := l.state(row, stepAccount, 0) // unknown if the list shows by now what a killed run has created
			if c := &p.Changes[n]; c.Object == portfolio.ObjectCredentials && (account == job.StateSent || account == job.StateUnknown) {
				c.Action = portfolio.ActionAdd
			}
		}
		p.AddKeywords = slices.DeleteFunc(p.AddKeywords, func(k portfolio.PlannedKeyword) bool {
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
