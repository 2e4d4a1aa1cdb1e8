package customers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/cmd/cli"
)

// kept is what a job keeps of its comparison, so that it has the same rows and items when it is
// resumed, whatever the service holds then.
type kept struct {
	Plan     string                `json:"plan,omitempty"` // a hash of the plan file that the job was begun with
	Faults   []rows.Fault          `json:"faults,omitempty"`
	Accounts []namedAccount        `json:"accounts,omitempty"`
	Keywords map[int][]keptKeyword `json:"keywords,omitempty"` // by the row of their customer
}

// A namedAccount is an account as messages name it.
type namedAccount struct {
	Account int64  `json:"account_id"`
	Name    string `json:"account_name"`
}

func (p namedAccount) String() string {
	if p.Name == "" {
		return strconv.FormatInt(p.Account, 10)
	}
	return fmt.Sprintf("%d (%s)", p.Account, safetext.Shorten(p.Name))
}

// A keptKeyword is a keyword that is deactivated, and that is not the one which an entry of its
// customer's list means: no entry names it, or it is one of several with the text of an entry.
type keptKeyword struct {
	RankID  int64  `json:"rank_id"`
	Text    string `json:"keyword"`
	Type    string `json:"keyword_type"`
	IsNamed bool   `json:"named,omitempty"` // an entry has its text, so that it is not pruned
}

// keep returns what a job has to keep of a comparison.
func (all *comparison) keep() *kept {
	k := &kept{Faults: all.faults, Keywords: map[int][]keptKeyword{}}
	for i := range all.plans {
		for _, change := range all.plans[i].ChangeKeywords {
			if change.Item < 0 {
				k.Keywords[all.rows[i]] = append(k.Keywords[all.rows[i]], keptKeyword{change.RankID, change.Text, change.Type, !change.Pruned})
			}
		}
	}
	for i := range all.pruned.Accounts {
		k.Accounts = append(k.Accounts, namedAccount{all.pruned.Accounts[i].Account, all.pruned.Accounts[i].Customer})
	}
	return k
}

// appended returns the rows of pruned accounts.
func (k *kept) appended() []rows.Appended {
	var added []rows.Appended
	for _, a := range k.Accounts {
		added = append(added, rows.Appended{Name: fmt.Sprintf("account %d", a.Account), Values: rows.Values{
			{Name: "account_id", JSON: record.Integer(a.Account)}, {Name: "status", JSON: record.Quote(portfolio.StatusDeactivated)},
		}})
	}
	return added
}

// rankIDs returns the ids of the keywords.
func (k *kept) rankIDs() map[int64]bool {
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
func (a *applying) prepareResumed(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status, o *applyOptions) (err error) {
	a.kept = &kept{}
	if err := json.Unmarshal(resumes.Kept, a.kept); err != nil {
		return fmt.Errorf("the header of job %s: %w", resumes.ID, err)
	}
	if o.planFile != "" {
		plan, err := readPlan(a.f.Session, o.planFile, func(plan io.Reader) error {
			_, err := io.Copy(io.Discard, plan)
			return err
		})
		if err != nil {
			return err
		}
		if plan != a.kept.Plan {
			return &cli.UsageError{
				Message: fmt.Sprintf("--plan-file %s: job %s, which is not finished, was begun without this plan", o.planFile, resumes.ID),
				Hint:    "resume it without --plan-file, or begin anew with --restart and a new plan",
			}
		}
	}
	if err := o.file.Refuse(a.f.Session, a.f.Outcome, a.kept.Faults); err != nil {
		return err
	}
	source.Append(a.kept.appended()...)
	if a.comparison, err = compare(ctx, c, source, a.request(o, a.kept)); err == nil {
		a.comparison.leaveOutSent(resumes.Table.Steps())
	}
	return err
}

// leaveOutSent leaves out of the plans what an earlier run of the job has sent and no run sends again, since the service
// would have it twice: accounts, credentials, plans and keywords. The lists may show them late. The rest of an account that
// was created stays, with the ids that the service gave it.
func (all *comparison) leaveOutSent(steps []*job.StepTable) {
	for i := range all.plans {
		p, row := &all.plans[i], uint32(all.rows[i])
		isSent := func(step, item int) bool {
			if step >= len(steps) { // the process was killed before it recorded all steps
				return false
			}
			first, end := steps[step].ItemsOf(row)
			return first+item < end && steps[step].State(uint32(first+item)).Succeeded()
		}
		isCreated := p.Create != nil && isSent(numberAccount, 0)
		if isCreated {
			first, _ := steps[numberAccount].ItemsOf(row)
			ids, _ := record.Parse([]byte(steps[numberAccount].Fields(uint32(first))))
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
				return isSent(numberKeywords, item)
			case c.Object == portfolio.ObjectKeyword:
				return isAdded && isSent(numberChanges, item)
			case c.Object == portfolio.ObjectPlan:
				return isSent(numberPlan, 0)
			case c.Object == portfolio.ObjectAccount && c.Field == "status":
				return isCreated && isSent(numberStatus, 0)
			}
			return isCreated && (c.Object == portfolio.ObjectAccount || isSent(map[string]int{portfolio.ObjectCredentials: numberCredentials, portfolio.ObjectNotes: numberNotes}[c.Object], 0))
		})
		p.AddKeywords = slices.DeleteFunc(p.AddKeywords, func(k portfolio.AddKeyword) bool {
			return isSent(numberKeywords, k.Item) && (k.Active || isSent(numberChanges, k.Item))
		})
		if isSent(numberPlan, 0) {
			p.Attach = nil
		}
		if isCreated && isSent(numberNotes, 0) {
			p.Notes = nil
		}
		if isCreated && isSent(numberStatus, 0) {
			p.Status = ""
		}
	}
}
