package reports

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"reseller/client"
	"reseller/client/crash"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/cli"
)

// A tracking knows which keywords are deactivated, and counts what figures leave out. The keywords report has no
// status, so that of each keyword is read from the list of keywords, once for all campaigns.
type tracking struct {
	list     func() (map[uint64]bool, error) // waits for the list: whether the keywords with an identity are all deactivated; nil if it is not read
	keepsAll bool                            // rows of keywords that are not tracked are printed as well
	isNeeded bool                            // figures are not complete without the list
	used     atomic.Bool                     // the list was asked

	report summary.Report // whose figures are left out
	counts [leftOutCount]atomic.Int64
}

// The counts of what figures leave out, behind those of a summary.Tally.
const (
	rowsOutside = summary.TallyCount + iota
	campaignsEmpty
	keywordsUntracked
	leftOutCount
)

func (t *tracking) start(ctx context.Context, session *cli.Session) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	keywords := session.List(ctx, client.Call{Op: &schema.OpKeywordsList})
	t.list = sync.OnceValues(func() (map[uint64]bool, error) {
		all := map[uint64]bool{}
		for keyword, err := range keywords {
			if err != nil {
				return nil, err
			}
			gone := isDeactivated(keyword)
			for _, identity := range identities(keyword.Get("campaign_id").Text(), keyword) {
				others, known := all[identity]
				all[identity] = gone && (others || !known)
			}
		}
		return all, nil
	})
	go func() {
		defer crash.Recover()
		_, _ = t.list()
	}()
	return stop
}

func isDeactivated(of record.Record) bool {
	status := cmp.Or(of.Get("status").Text(), of.Get("active").Text())
	return slices.Contains([]string{"0", "false", "deactivate", "deactivated", "inactive"}, strings.ToLower(strings.TrimSpace(status)))
}

var identitySeed = maphash.MakeSeed()

// identities returns hashes of what identifies a keyword, the surest first. The service may leave out its rank_id and its type.
func identities(campaign string, keyword record.Record) (all []uint64) {
	text := campaign + "\x00" + schema.FoldText(keyword.Get("keyword").Text())
	for _, identity := range []struct{ of, rest string }{{keyword.Get("rank_id").Text(), ""}, {keyword.Get("type").Text(), "\x00" + text}, {text, ""}} {
		if identity.of != "" {
			all = append(all, maphash.String(identitySeed, identity.of+identity.rest))
		}
	}
	return all
}

// isTracked reports whether a row of the keywords report of a campaign is of a keyword that is tracked, or may be.
func (t *tracking) isTracked(campaign int64, row record.Record) bool {
	if t.list == nil {
		return true
	}
	all, _ := t.list()
	t.used.Store(true)
	ids := identities(strconv.FormatInt(campaign, 10), row)
	if row.Get("rank_id").Text() != "" { // another one with its text is another keyword
		ids = ids[:1]
	}
	for _, identity := range ids {
		if gone, known := all[identity]; known {
			return !gone && !isDeactivated(row)
		}
	}
	return !isDeactivated(row)
}

// builderOf returns the builder of the rows of one campaign, and counts what its figures leave out.
func (t *tracking) builderOf(s summary.Scope, r summary.Report, rows []record.Record) *summary.Builder {
	b := summary.NewBuilder(s)
	for _, row := range rows {
		b.Add(r, row)
	}
	for i, n := range b.Tally(r) {
		t.counts[i].Add(int64(n))
	}
	return b
}

// read requests a report of a campaign, and adds its rows to the builder of a summary or, with the rows of a year, of a page. If the
// service refuses a year, it is asked for the periods alone.
func (t *tracking) read(ctx context.Context, c *client.Client, s summary.Scope, r *report, of campaignRef, b *summary.Builder, isPage bool) error {
	days, isFirst := s.Request(r.summary, isPage), true
	for row, err := range r.rows(ctx, c, r.Call(of.account, of.campaign, datesOf(days))) {
		switch {
		case err != nil && isFirst && days != s.Request(r.summary, false) && loads.IsRefused(err):
			b.OmitCourse(r.summary)
			return t.read(ctx, c, s, r, of, b, false)
		case err != nil:
			b.Fail(r.summary, err)
			return err
		}
		isFirst = false
		if r.summary == summary.ReportKeywords {
			if _, b.TrackingUnknown = t.list(); !t.isTracked(of.campaign, row) {
				b.Untracked++
				continue
			}
		}
		b.Add(r.summary, row)
	}
	return nil
}

// tracked runs a command with the list of keywords if its rows are of keywords, and tells what figures leave out.
func (o *options) tracked(ctx context.Context, session *cli.Session, run func() error) error {
	o.tracking.report = o.report.summary
	if hasChart := session.Flags.Chart || session.Flags.ChartFile != ""; o.report.summary == summary.ReportKeywords && (o.view != nil || hasChart) {
		defer o.tracking.start(ctx, session)()
		isCompared := o.view != nil && !o.history
		o.tracking.keepsAll, o.tracking.isNeeded = !session.Flags.Chart && !isCompared, isCompared
	}
	return o.tracking.end(session, run())
}

// end tells what the figures of a command that ended with err leave out. Pages tell that themselves. Figures of keywords that may not
// be tracked are an error.
func (t *tracking) end(session *cli.Session, err error) error {
	t.noteLeftOut(session)
	if !t.used.Load() || err != nil && cli.ExitCode(err) != cli.ExitPartial {
		return err
	}
	_, failed := t.list()
	if failed == nil {
		return err
	}
	failed = fmt.Errorf("keywords that are no longer tracked may be among these, since the list of keywords can't be read: %w", failed)
	if err == nil && t.isNeeded {
		return &cli.ExitError{Code: cli.ExitPartial, Err: failed}
	}
	session.Note("%v", failed)
	return err
}

func (t *tracking) noteLeftOut(session *cli.Session) {
	type words struct{ one, many, rest string }
	place, lead := t.report.Place(), phrase.Count(summary.LeadDays, "day", "days")
	all := [leftOutCount]words{
		summary.Repeated:  {"row repeats", "rows repeat", " a keyword, day, task or link; the last row of each counts"},
		summary.Invalid:   {"row has", "rows have", " a date or a number that can't be read, which is left out"},
		summary.Unplaced:  {"row has no " + place + ", and is", "rows have no " + place + ", and are", " not counted"},
		summary.Undone:    {"task with a completion date is", "tasks with a completion date are", " not counted, since the status is not that of a completed task"},
		summary.Early:     {"completed task or link is", "completed tasks or links are", " not counted, since the task was built, or the link due, more than " + lead + " from the period"},
		summary.Summed:    {"row lacks", "rows lack", " one of total, organic and non_organic, which is computed from the others"},
		summary.Unequal:   {"row has", "rows have", " a total that is not the sum of organic and non_organic"},
		rowsOutside:       {"row is of a day", "rows are of days", " outside of the period"},
		campaignsEmpty:    {"campaign has", "campaigns have", " no data"},
		keywordsUntracked: {"keyword is no longer tracked and is", "keywords are no longer tracked and are", " left out"},
	}
	if t.keepsAll {
		all[keywordsUntracked] = words{"keyword is", "keywords are", " no longer tracked; comparisons, summaries and charts leave out such keywords"}
	}
	for i, told := range all {
		if n := int(t.counts[i].Load()); n > 0 {
			session.Note("%s%s", phrase.Count(n, told.one, told.many), told.rest)
		}
	}
}
