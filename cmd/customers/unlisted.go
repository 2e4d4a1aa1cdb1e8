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
	*cli.Session
	memory bulk.Memory
	isNone bool   // nothing counts
	job    string // the job that is resumed, which knows itself what it has created

	ids      [][]byte             // of the keywords that the plans add to accounts that exist, in their order
	keywords []dedupe.Fingerprint // of the same
}

func (q *request) newUnlisted(ctx context.Context) *unlisted {
	m, err := q.session.Memory(ctx)
	return &unlisted{Session: q.session, memory: m, isNone: err != nil || q.restarts, job: q.job} // without a store, there are no jobs
}

// each calls f with what the service has acknowledged, the last first, and with words for who has sent it.
func (u *unlisted) each(creates string, ids [][]byte, f func(i int, sent *job.SentRow, by string)) error {
	if u.isNone {
		return nil
	}
	return u.memory.Each(creates, job.MemoryTime, ids, func(i int, of *job.Memory, sent job.SentRow) {
		if sent.State == job.StateSent && !sent.IsOpen && (of.Job != u.job || u.job == "") {
			f(i, &sent, of.By())
		}
	})
}

// addAccounts adds to the accounts of the lists. The fields of one are those of its row, if the job has sent the same.
func (u *unlisted) addAccounts(ctx context.Context, all *comparison, source *rows.Source, q *request) error {
	created, jobs, count := map[dedupe.Identity]*job.SentRow{}, map[dedupe.Identity]string{}, map[string]int{}
	err := u.each("account", nil, func(_ int, sent *job.SentRow, by string) {
		fields, _ := record.Parse([]byte(sent.Fields))
		account, _ := loads.IDsOf(fields)
		if id := sent.Identity(); account != 0 && !all.current.Has(account) && created[id] == nil {
			created[id], jobs[id] = sent, by
		}
	})
	if err != nil || len(created) == 0 {
		return err
	}
	err = all.eachDesired(ctx, source, q, func(_ int, w *portfolio.Desired) bool {
		values, _ := all.model.NewAccount(w)
		f := u.memory.Fingerprint(loads.AccountIdentity(rows.FromMap(values), nil, nil))
		sent, by := created[f.Identity()], jobs[f.Identity()]
		if sent == nil || w.AccountID != 0 {
			return true
		}
		count[by]++
		var other error
		if sent.Fingerprint != f {
			other = notListed(by, "it with other values")
		}
		fields, _ := record.Parse([]byte(sent.Fields))
		account, campaign := loads.IDsOf(fields)
		all.current.AddUnlisted(account, campaign, values, other)
		return true
	})
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
func (u *unlisted) leaveOutKeywords(plans []portfolio.Plan, staysSo bool) error {
	type creation struct {
		by      string
		isOther bool
	}
	if len(u.ids) == 0 {
		return nil
	}
	created, count := map[int]creation{}, map[string]int{}
	err := u.each("keyword", u.ids, func(i int, sent *job.SentRow, by string) {
		if created[i].by == "" {
			count[by]++
			created[i] = creation{by, sent.Fingerprint != u.keywords[i]}
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
		p.AddKeywords = slices.DeleteFunc(p.AddKeywords, func(k portfolio.AddKeyword) bool {
			c := created[n]
			n++
			switch isCreated[k.Text] = c.by != ""; {
			case c.by == "" || !c.isOther && k.Active:
			case staysSo:
				p.ChangeKeywords = append(p.ChangeKeywords, portfolio.ChangeKeyword{Item: k.Item, Text: k.Text, Type: k.Type, Active: k.Active})
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

// note notes how many the jobs have created.
func (u *unlisted) note(count map[string]int, one, several string) {
	for _, by := range slices.Sorted(maps.Keys(count)) {
		u.NoteOnce(one+by, "the service does not list %s yet that %s has created", phrase.Count(count[by], one, several), by)
	}
}
