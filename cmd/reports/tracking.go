package reports

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"reseller/client"
	"reseller/client/crash"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/summary"
	"reseller/cmd/cli"
)

// A tracking knows which keywords are deactivated, and counts what figures leave out. The keywords report has no
// status, so that of each keyword is read from the list of keywords, once for all campaigns.
type tracking struct {
	list func() (map[string]bool, error) // waits for the identities of the deactivated keywords; nil if they are not read

	untracked, repeated, invalid, unequal, summed atomic.Int64
}

// start begins to read the list of keywords. stop ends that.
func (t *tracking) start(ctx context.Context, c *client.Client) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	t.list = sync.OnceValues(func() (map[string]bool, error) {
		ids := map[string]bool{}
		for keyword, err := range c.Keywords(ctx) {
			if err != nil {
				return nil, err
			}
			if isDeactivated(keyword) {
				ids[keyword.Get("rank_id").Text()] = true
				ids[nameOf(keyword.Get("campaign_id").Text(), keyword)] = true
			}
		}
		return ids, nil
	})
	go func() {
		defer crash.Recover()
		_, _ = t.list()
	}()
	return stop
}

// isDeactivated reports whether a record of a keyword says that it is not active.
func isDeactivated(keyword record.Record) bool {
	return slices.Contains([]string{"0", "false", "deactivate", "deactivated", "inactive"}, keyword.Get("status").Text())
}

// nameOf identifies a keyword where the service gives no rank_id.
func nameOf(campaign string, keyword record.Record) string {
	return campaign + "\x00" + keyword.Get("type").Text() + "\x00" + strings.ToLower(strings.TrimSpace(keyword.Get("keyword").Text()))
}

// isTracked reports whether a row of the keywords report of a campaign is of a keyword that is tracked, or may be.
func (t *tracking) isTracked(campaign int64, row record.Record) bool {
	var ids map[string]bool
	if t.list != nil {
		ids, _ = t.list()
	}
	id := row.Get("rank_id").Text()
	if id == "" && len(ids) > 0 {
		id = nameOf(strconv.FormatInt(campaign, 10), row)
	}
	return !isDeactivated(row) && !ids[id]
}

// movers returns the tracked keywords of one campaign with their moves.
func (t *tracking) movers(s summary.Scope, campaign int64, rows []record.Record, nearest bool) []summary.Mover {
	tracked := slices.DeleteFunc(slices.Clone(rows), func(row record.Record) bool { return !t.isTracked(campaign, row) })
	t.untracked.Add(int64(len(rows) - len(tracked)))
	movers, tally := summary.Movers(s, tracked, nearest)
	t.add(tally)
	return movers
}

// add adds what the figures of one campaign leave out.
func (t *tracking) add(tally summary.Tally) {
	t.repeated.Add(int64(tally.Repeated))
	t.invalid.Add(int64(tally.Invalid))
	t.unequal.Add(int64(tally.Unequal))
	t.summed.Add(int64(tally.Summed))
}

// read adds the rows of a report to the builder of a page, and calls each for them.
func (t *tracking) read(ctx context.Context, c *client.Client, call client.Call, campaign int64, r summary.Report, b *summary.Builder, each func(record.Record)) error {
	for row, err := range c.List(ctx, call) {
		switch {
		case err != nil:
			b.Fail(r, err)
			return err
		case r == summary.ReportKeywords && !t.isTracked(campaign, row):
			b.Untracked++
			continue
		}
		b.Add(r, row)
		each(row)
	}
	if r == summary.ReportKeywords {
		_, err := t.list()
		b.TrackingUnknown = err != nil
	}
	return nil
}

// tracked runs a command with the list of keywords if its figures are of keywords, and tells what they leave out.
func (o *options) tracked(ctx context.Context, f *cli.Factory, run func() error) error {
	if o.view != nil && o.report.summary == summary.ReportKeywords && !o.history {
		c, err := f.Client()
		if err != nil {
			return err
		}
		defer o.tracking.start(ctx, c)()
	}
	defer o.tracking.note(f)
	return run()
}

// note tells what the figures leave out. Pages tell that themselves, unless the list of keywords could not be read.
func (t *tracking) note(f *cli.Factory) {
	for _, n := range []struct {
		count     *atomic.Int64
		one, many string
	}{
		{&t.untracked, "keyword is no longer tracked and is left out", "keywords are no longer tracked and are left out"},
		{&t.repeated, "row repeats a day or keyword; the last row of each counts", "rows repeat a day or keyword; the last row of each counts"},
		{&t.invalid, "row has a date or a number that can't be read, which is left out", "rows have a date or a number that can't be read, which is left out"},
		{&t.summed, "day lacks one of total, organic and non_organic, which is computed from the others", "days lack one of total, organic and non_organic, which is computed from the others"},
		{&t.unequal, "day has a total that is not the sum of organic and non_organic", "days have a total that is not the sum of organic and non_organic"},
	} {
		if count := int(n.count.Load()); count > 0 {
			f.Note("%s", phrase.Count(count, n.one, n.many))
		}
	}
	if t.list == nil {
		return
	}
	if _, err := t.list(); err != nil {
		f.Note("keywords that are no longer tracked may be among these, since the list of keywords can't be read: %v", err)
	}
}
