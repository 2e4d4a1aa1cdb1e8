package customers

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"reseller/client/bulk"
	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// unlisted are the accounts and keywords of a file that other jobs of this machine have created and that no list shows yet. They count
// as if a list showed them, so that the plan is what a load sends.
type unlisted struct {
	*request
	memory bulk.Memory
	isNone bool // nothing counts

	ids      [][]byte             // of the keywords that the plans add to accounts that exist, in their order
	keywords []dedupe.Fingerprint // of the same
}

// A creation is a row that the service has acknowledged, and words for who has sent it.
type creation struct {
	dedupe.Fingerprint
	by                string
	account, campaign int64 // of an account, if they are known
}

// each calls f with what was created, the last first.
func (u *unlisted) each(creates string, ids [][]byte, f func(i int, c creation)) error {
	if u.isNone {
		return nil
	}
	return u.memory.Each(creates, job.MemoryTime, ids, func(i int, of *job.Memory, sent job.SentRow) {
		if sent.State == job.StateSent && !sent.IsOpen && (u.resumed == nil || of.Job != u.resumed.job) {
			fields, _ := record.Parse([]byte(sent.Fields))
			account, campaign := loads.IDsOf(fields)
			f(i, creation{sent.Fingerprint, of.By(), account, campaign})
		}
	})
}

// addAccounts adds to the accounts of the lists. The fields of one are those of its row, if the job has sent the same.
func (u *unlisted) addAccounts(ctx context.Context, all *comparison, source *rows.Source) error {
	created, count := map[dedupe.Identity][]creation{}, map[string]int{}
	err := u.each("account", nil, func(_ int, c creation) {
		isSame := func(other creation) bool { return other.account == c.account }
		if id := c.Identity(); c.account != 0 && !all.current.Has(c.account) && !slices.ContainsFunc(created[id], isSame) {
			created[id] = append(created[id], c)
		}
	})
	if err != nil || len(created) == 0 {
		return err
	}
	for _, w := range all.desired(ctx, source, u.request, &err) {
		values, _ := all.model.NewAccount(w)
		f := u.memory.Fingerprint(loads.AccountIdentity(rows.FromMap(values), nil, nil))
		if w.AccountID != 0 {
			continue
		}
		for _, c := range created[f.Identity()] {
			count[c.by]++
			var other error
			if c.Fingerprint != f {
				other = notListed(c.by, "it with other values")
			}
			all.current.AddUnlisted(c.account, c.campaign, values, other)
		}
	}
	all.current.Index(all.model)
	u.note(count, "account", "accounts")
	return err
}

// see notes the keywords that a plan adds to an account that exists.
func (u *unlisted) see(p *portfolio.Plan, w *portfolio.Desired) {
	if p.Create != nil {
		return
	}
	of := customer{account: p.Account, campaign: p.Campaign}
	for _, k := range p.AddKeywords {
		values := rows.FromMap(of.ids(w.KeywordValues(k.Item, schema.Create)))
		id, content := loads.Keywords(nil).Schema.Identity(values, nil, nil)
		u.ids, u.keywords = append(u.ids, id), append(u.keywords, u.memory.Fingerprint(id, content))
	}
}

// leaveOutKeywords leaves out of the plans the keywords that were created. Of one that was created with another type, or that
// is to be deactivated, no more is known before the service lists it: it differs, if that stays so, or else it is unread.
func (u *unlisted) leaveOutKeywords(plans []portfolio.Plan) error {
	if len(u.ids) == 0 {
		return nil
	}
	created, count := map[int]creation{}, map[string]int{}
	err := u.each("keyword", u.ids, func(i int, c creation) {
		if created[i].by == "" {
			count[c.by]++
			created[i] = c
		}
	})
	if err != nil || len(created) == 0 {
		return err
	}
	n := 0 // of the keywords
	for i := range plans {
		p := &plans[i]
		if p.Create != nil {
			continue
		}
		isCreated := map[string]bool{}
		p.AddKeywords = slices.DeleteFunc(p.AddKeywords, func(k portfolio.PlannedKeyword) bool {
			c, at := created[n], n
			n++
			switch isCreated[k.Text] = c.by != ""; {
			case c.by == "" || k.Active && c.Fingerprint == u.keywords[at]:
			case u.onlyNew && !u.file.UpdateExisting:
				p.ChangeKeywords = append(p.ChangeKeywords, k)
			default:
				p.Unread = cmp.Or(p.Unread, notListed(c.by, "the keyword "+safetext.Quote(k.Text)))
			}
			return c.by != ""
		})
		p.Changes = slices.DeleteFunc(p.Changes, func(c portfolio.Change) bool { return c.Object == portfolio.ObjectKeyword && isCreated[c.Field] })
	}
	u.note(count, "keyword", "keywords")
	return nil
}

func notListed(by, what string) error {
	return &cli.ExitError{Code: cli.ExitPartial, Err: &portfolio.NotShownError{What: fmt.Sprintf("%s has created %s, and the service does not list it yet", by, what)}}
}

func (u *unlisted) note(count map[string]int, one, several string) {
	for _, by := range slices.Sorted(maps.Keys(count)) {
		u.session.NoteOnce(one+by, "the service does not list %s yet that %s has created", phrase.Count(count[by], one, several), by)
	}
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
	sent.Unsure = q.file.ResendUnknown
	var notes []string
	for i := range all.plans {
		p := &all.plans[i]
		if p.Attach == nil || p.Create != nil {
			continue
		}
		of := customer{account: p.Account, campaign: p.Campaign}
		before, err := sent.Find(loads.Plans(nil, nil).SentRow(rows.FromMap(of.ids(maps.Clone(p.Attach)))))
		switch {
		case err != nil:
			return err
		case sent.Permits(before):
			continue
		}
		p.Changes = slices.DeleteFunc(p.Changes, func(c portfolio.Change) bool { return c.Action == portfolio.ActionAttach })
		plan, isSent := p.Attach["service_plan_id"].Text(), !before.Sent.IsZero()
		again := map[bool]string{true: "`reseller apply --resend-sent --file ", false: "`reseller apply --resend-unknown --file "}[isSent]
		again = q.session.WithFlags(again + sameFile(&q.file.InputFlags) + "` sends it again")
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
