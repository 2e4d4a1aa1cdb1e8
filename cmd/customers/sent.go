package customers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"reseller/client/bulk"
	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/history"
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
// as if a list showed them, so that the plan is what a load sends. Those whose calls got no response are looked up by the load first.
type unlisted struct {
	*request
	memory           bulk.Memory
	place            func(line int) string
	isNone           bool                       // nothing counts
	history          *history.History           // nil until credentials are looked for
	err              error                      // of history
	doubted          map[dedupe.Identity]string // the accounts whose calls got no response, and who has sent them
	doubts, attached []string                   // notes on what got no response, and on plans that the service does not list

	ids      [][]byte             // of the keywords that the plans add to accounts that exist, in their order
	keywords []dedupe.Fingerprint // of the same
}

// A creation is a row that was sent, and words for who has sent it.
type creation struct {
	dedupe.Fingerprint
	by                string
	isInDoubt         bool  // the service has not acknowledged it
	account, campaign int64 // of an account, if they are known
}

// each calls f with what was created, the last first.
func (u *unlisted) each(creates string, ids [][]byte, f func(i int, c creation)) error {
	if u.isNone {
		return nil
	}
	return u.memory.Each(creates, job.MemoryTime, ids, func(i int, of *job.Memory, sent job.SentRow) {
		isInDoubt := sent.IsInDoubt() && (of.Job != "" || sent.State == job.StateUnknown && of.Age <= bulk.MaxListLag)
		if (sent.State == job.StateSent || isInDoubt) && !sent.IsOpen && (u.resumed == nil || of.Job != u.resumed.job) {
			fields, _ := record.Parse([]byte(sent.Fields))
			account, campaign := loads.IDsOf(fields)
			f(i, creation{sent.Fingerprint, of.By(), isInDoubt, account, campaign})
		}
	})
}

// addAccounts adds to the accounts of the lists. The fields of one are those of its row, if the job has sent the same.
func (u *unlisted) addAccounts(ctx context.Context, all *comparison, source *rows.Source) error {
	created, count := map[dedupe.Identity][]creation{}, map[string]int{}
	u.doubted = map[dedupe.Identity]string{}
	err := u.each("account", nil, func(_ int, c creation) {
		if c.isInDoubt {
			u.doubted[c.Identity()] = c.by
			return
		}
		isSame := func(other creation) bool { return other.account == c.account }
		if id := c.Identity(); c.account != 0 && !all.current.Has(c.account) && !slices.ContainsFunc(created[id], isSame) {
			created[id] = append(created[id], c)
		}
	})
	if err != nil || len(created) == 0 {
		return err
	}
	for _, w := range all.desired(ctx, source, u.request, &err) {
		values, f := u.newAccount(all, w)
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

func (u *unlisted) newAccount(all *comparison, w *portfolio.Desired) (schema.Values, dedupe.Fingerprint) {
	values, _ := all.model.NewAccount(w)
	return values, u.memory.Fingerprint(loads.AccountIdentity(rows.FromMap(values), nil, nil))
}

const lookedUp = "%s: the %s is looked up first, and sent only if it is not there: %s got no clear response"

// see notes what got no response of the plan of a row, and the keywords that it adds to an account that exists.
func (u *unlisted) see(ctx context.Context, all *comparison, p *portfolio.Plan, w *portfolio.Desired, row *rows.Row) {
	if p.Create != nil {
		if len(u.doubted) == 0 {
			return
		}
		_, f := u.newAccount(all, w)
		if by := u.doubted[f.Identity()]; by != "" {
			u.doubts = append(u.doubts, fmt.Sprintf(lookedUp, u.place(w.Line), "account", by))
		}
		return
	}
	if (w.Credentials != nil || p.Attach != nil) && !u.onlyNew && u.err == nil { // the dry run of onboard looks into the history itself
		u.err = u.recall(ctx, all, p, row)
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
	created, doubted, count := map[int]creation{}, map[int]string{}, map[string]int{}
	err := u.each("keyword", u.ids, func(i int, c creation) {
		if c.isInDoubt {
			doubted[i] = c.by
		} else if created[i].by == "" {
			count[c.by]++
			created[i] = c
		}
	})
	if err != nil || len(created)+len(doubted) == 0 {
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
			case c.by == "" && doubted[at] != "":
				u.doubts = append(u.doubts, fmt.Sprintf(lookedUp, u.place(p.Line), "keyword "+safetext.Quote(k.Text), doubted[at]))
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

// recall looks into the history for what the row of an account that exists says and no list shows: credentials, and a plan to
// attach. What the service has acknowledged is there. Of what got no response nothing is known, until --resend-unknown sends it again.
// What the job that is resumed has sent is left to its journal.
func (u *unlisted) recall(ctx context.Context, all *comparison, p *portfolio.Plan, row *rows.Row) (err error) {
	if u.history == nil {
		if u.history, err = u.session.History(ctx); u.history == nil {
			return err
		}
		u.history.Unsure = u.file.ResendUnknown
	}
	of := customer{account: p.Account, campaign: p.Campaign}
	sentRow := func(step string, l loads.Load, values schema.Values) *history.Row {
		if values == nil || u.resumed != nil && u.resumed.state(row.Ordinal, step, 0) != job.StatePending {
			return nil
		}
		return l.SentRow(rows.FromMap(of.ids(values)))
	}
	if sent := sentRow(stepCredentials, loads.Credentials(nil, nil), portfolio.CredentialsOf(row.Values.Map())); sent != nil && u.history.MayDoubt(sent) {
		at := slices.IndexFunc(p.Changes, func(c portfolio.Change) bool { return c.Object == portfolio.ObjectCredentials })
		before, err := u.history.Find(sent)
		switch all.doubted[row.Ordinal] = before.Sent.IsZero() && !before.Unsure.IsZero(); {
		case err != nil:
			return err
		case !all.doubted[row.Ordinal] || at < 0: // why a row shows nothing of its credentials is told
		case u.history.Permits(before):
			p.Changes[at].Action = portfolio.ActionAdd
		default:
			addDoubt(p, "credentials %s may or may not be stored: %v; %s sends them again", p.Changes[at].To, before, u.again("`reseller apply --resend-unknown --file %s`"))
			p.Changes = slices.Delete(p.Changes, at, at+1)
		}
	}
	sent := sentRow(stepPlan, loads.Plans(nil, nil), maps.Clone(p.Attach))
	if sent == nil {
		return nil
	}
	before, err := u.history.Find(sent)
	if err != nil || u.history.Permits(before) {
		return err
	}
	p.Changes = slices.DeleteFunc(p.Changes, func(c portfolio.Change) bool { return c.Action == portfolio.ActionAttach })
	plan := p.Attach["service_plan_id"].Text()
	if before.Sent.IsZero() {
		addDoubt(p, "plan %s may or may not be attached: %v; %s sends it again", plan, before, u.again("`reseller apply --resend-unknown --file %s`"))
		return nil
	}
	p.Attach = nil
	u.attached = append(u.attached, fmt.Sprintf("account %d: plan %s is not listed, but was %v: %s sends it again", p.Account, plan, before, u.again("`reseller apply --resend-sent --file %s`")))
	return nil
}

func addDoubt(p *portfolio.Plan, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if p.InDoubt != nil {
		text = p.InDoubt.Error() + "; " + text
	}
	p.InDoubt = &cli.ExitError{Code: cli.ExitPartial, Err: errors.New(text)}
}

// noteUpdates notes that the service may still be changing what was compared. A load has waited for that.
func (u *unlisted) noteUpdates() error {
	rest, by, err := u.memory.Unsettled(u.file.Options)
	if rest > 0 {
		u.session.Note("the service may still be working on changes of %s: for up to %.0f s, what it lists may change", by, math.Ceil(rest.Seconds()))
	}
	return err
}

// again returns words for the command that sends what was sent before: command with the file for %s.
func (q *request) again(command string) string {
	return q.session.WithFlags(fmt.Sprintf(command, sameFile(&q.file.InputFlags)))
}

func notListed(by, what string) error {
	return &cli.ExitError{Code: cli.ExitPartial, Err: &portfolio.NotShownError{What: fmt.Sprintf("%s has created %s, and the service does not list it yet", by, what)}}
}

func (u *unlisted) note(count map[string]int, one, several string) {
	for _, by := range slices.Sorted(maps.Keys(count)) {
		u.session.NoteOnce(one+by, "the service does not list %s yet that %s has created", phrase.Count(count[by], one, several), by)
	}
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
		isSent := func(step string, item int) bool {
			state := l.state(row, step, item)
			if state != job.StateRefused || !l.flags.onlyNew || !l.Flags.DryRun {
				return state.Succeeded()
			}
			p.InDoubt = fmt.Errorf("%w the %s, and the job does not send it again", errRefused, step)
			return step != stepAccount
		}
		isDoubt := func(step, doubt, of string) bool {
			is := l.state(row, step, 0) == job.StateUnknown && !l.file.ResendUnknown
			if is {
				addDoubt(p, doubt, of, resend)
			}
			return is
		}
		isCreated := p.Create != nil && isSent(stepAccount, 0)
		if p.Create != nil && errors.Is(p.InDoubt, errRefused) {
			p.Create, p.Changes = nil, nil
			continue
		}
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
