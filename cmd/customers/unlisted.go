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
	created, count := map[dedupe.Identity]creation{}, map[string]int{}
	err := u.each("account", nil, func(_ int, c creation) {
		if id := c.Identity(); c.account != 0 && !all.current.Has(c.account) && created[id].by == "" {
			created[id] = c
		}
	})
	if err != nil || len(created) == 0 {
		return err
	}
	err = all.eachDesired(ctx, source, u.request, func(_ int, w *portfolio.Desired) bool {
		values, _ := all.model.NewAccount(w)
		f := u.memory.Fingerprint(loads.AccountIdentity(rows.FromMap(values), nil, nil))
		c := created[f.Identity()]
		if c.by == "" || w.AccountID != 0 {
			return true
		}
		count[c.by]++
		var other error
		if c.Fingerprint != f {
			other = notListed(c.by, "it with other values")
		}
		all.current.AddUnlisted(c.account, c.campaign, values, other)
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
			case u.onlyNew && !u.changes:
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

// note notes how many the jobs have created.
func (u *unlisted) note(count map[string]int, one, several string) {
	for _, by := range slices.Sorted(maps.Keys(count)) {
		u.session.NoteOnce(one+by, "the service does not list %s yet that %s has created", phrase.Count(count[by], one, several), by)
	}
}
