package summary

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
)

// A task is a task of the workflows report that has a completion date. Texts of days that are not given are
// empty.
type task struct {
	name, status, built, due string
	completed                Day
}

func (b *Builder) addTask(row record.Record) (valid bool) {
	t := task{name: row.Get("task_name").Text(), status: row.Get("status").Text()}
	if built, ok := ParseDay(row.Get("built_date")); ok {
		t.built = built.String()
	}
	if due, ok := ParseDay(row.Get("due_date")); ok {
		t.due = due.String()
	}
	completion := row.Get("completion_date")
	if t.completed, valid = ParseDay(completion); !valid {
		return isEmpty(completion)
	}
	if isUndone(t.status) {
		b.undone = append(b.undone, t)
	} else {
		b.tasks = append(b.tasks, t)
	}
	return true
}

// isUndone reports whether the status of a task says that it was not completed, whatever its completion date.
func isUndone(status string) bool {
	status = strings.ToLower(status)
	return slices.ContainsFunc([]string{
		"cancel", "reject", "declin", "refus", "delet", "abort", "void", "fail", "skip", "withdr", "open", "pending", "progress", "incomplete", "not ",
	}, func(word string) bool { return strings.Contains(status, word) })
}

// taskNotes returns sentences about tasks that are not counted.
func (b *Builder) taskNotes() []string {
	n := len(within(b.undone, b.scope.Period, taskDay))
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s a completion date but %s not counted, since %s cancelled or not finished.", plural(n, "task has", "tasks have"), phrase.Noun(n, "is", "are"), phrase.Noun(n, "it was", "they were"))}
}

// isEmpty reports whether a field is missing, null or an empty text.
func isEmpty(v record.Value) bool {
	return v.Kind() == record.Missing || v.Kind() == record.Null || v.Text() == ""
}

// A link is a row of the reports of provisioned and of lost backlinks.
type link struct {
	on                      Day
	url, to, detail, rating string
}

// addLink adds a row to a list of links. A link without a date was not completed.
func addLink(list *[]link, row record.Record, url, date, detail string) (valid bool) {
	v := row.Get(date)
	day, ok := ParseDay(v)
	if !ok {
		return isEmpty(v)
	}
	*list = append(*list, link{
		on: day, url: row.Get(url).Text(), to: row.Get("url_to").Text(), detail: row.Get(detail).Text(), rating: optional(ParseNumber(row.Get("domain_rating"))),
	})
	return true
}

// backlinks is the row of the backlinks report. A number that is not given is NaN.
type backlinks struct{ rating, quantity, domains float64 }

func (b *Builder) addBacklinks(row record.Record) (valid bool) {
	b.backlinks = backlinks{ParseNumber(row.Get("domain_rating")), ParseNumber(row.Get("backlink_quantity")), ParseNumber(row.Get("referring_domain_quantity"))}
	return true
}

func (b *Builder) addReferring(row record.Record) (valid bool) {
	day, ok := ParseDay(row.Get("date_checked"))
	n := ParseNumber(row.Get("quantity"))
	if !ok || math.IsNaN(n) {
		return false
	}
	if _, exists := b.referring[day]; exists {
		b.doubled[ReportReferring]++
	}
	b.referring[day] = n
	return true
}

func taskDay(t *task) Day { return t.completed }
func linkDay(l *link) Day { return l.on }

// within returns the elements whose day is in a period, the latest first.
func within[T any](all []T, p Period, day func(*T) Day) []*T {
	var found []*T
	for i := range all {
		if p.Contains(day(&all[i])) {
			found = append(found, &all[i])
		}
	}
	slices.SortStableFunc(found, func(x, y *T) int { return cmp.Compare(day(y), day(x)) })
	return found
}

// counted returns the figure of how many elements have their day in each of the two periods, and
// the days of those in the first.
func counted[T any](b *Builder, title string, more Verdict, all []T, day func(*T) Day) (Figure, []Day) {
	var days []Day
	for _, e := range within(all, b.scope.Period, day) {
		days = append(days, day(e))
	}
	before := nan
	if b.scope.IsCompared() {
		before = float64(len(within(all, b.scope.Compared, day)))
	}
	return newFigure(title, measureCount, more, float64(len(days)), before, b.scope.thanIn()), days
}

// work returns what was done, and its tile.
func (b *Builder) work() (Work, Tile) {
	const title = "Tasks completed"
	w := Work{Missing: b.reason(ReportWorkflows, b.hasRows(ReportWorkflows))}
	if w.Missing != "" {
		tile := Tile{Key: TileTasksCompleted, Figure: missingFigure(title, w.Missing)}
		w.Figures = []Figure{tile.Figure}
		return w, tile
	}
	figure, days := counted(b, title, Good, b.tasks, taskDay)
	w.Figures = []Figure{figure}
	by, parts := UnitWeek.Divide(b.scope.Period, maxIntervals)
	w.Unit = by.String()
	counts := count(days, parts)
	for i, part := range parts {
		in := by.interval(part)
		in.Count = counts[i]
		w.Intervals = append(w.Intervals, in)
	}
	for _, t := range within(b.tasks, b.scope.Period, taskDay) {
		w.Tasks = append(w.Tasks, Task{Name: cmp.Or(t.name, "a task without a name"), Completed: t.completed.String()})
	}
	return w, Tile{Key: TileTasksCompleted, Figure: figure, Line: lineOf(counts, by, parts)}
}

// links returns the links, and the tiles of the domain rating and of the links gained and lost.
func (b *Builder) links() (Links, [3]Tile) {
	l := Links{GainedMissing: b.reason(ReportProvisioned, b.hasRows(ReportProvisioned)), LostMissing: b.reason(ReportLost, b.hasRows(ReportLost))}
	tiles := [3]Tile{{Key: TileDomainRating}, {Key: TileLinksGained}, {Key: TileLinksLost}}
	todays := b.todaysFigures()
	tiles[0].Figure = todays[0]

	by, parts := UnitWeek.Divide(b.scope.Period, maxIntervals)
	for _, part := range parts {
		l.Intervals = append(l.Intervals, by.interval(part))
	}
	l.Unit = by.String()
	// list returns the links of the period, of which it sets the tile and the counts.
	list := func(links []link, missing string, tile *Tile, title string, more Verdict, of func(*Interval) *int) []Link {
		if missing != "" {
			tile.Figure = missingFigure(title, missing)
			return nil
		}
		var days []Day
		tile.Figure, days = counted(b, title, more, links, linkDay)
		counts := count(days, parts)
		for i, n := range counts {
			*of(&l.Intervals[i]) = n
		}
		tile.Line = lineOf(counts, by, parts)
		return b.list(links)
	}
	l.Gained = list(b.provisioned, l.GainedMissing, &tiles[1], "Links gained", Good, func(in *Interval) *int { return &in.Count })
	l.Lost = list(b.lost, l.LostMissing, &tiles[2], "Links lost", Bad, func(in *Interval) *int { return &in.Lost })
	if l.GainedMissing != "" && l.LostMissing != "" {
		l.Unit, l.Intervals = "", nil
	}
	l.Figures = []Figure{
		tiles[1].Figure, tiles[2].Figure, todays[1], todays[2], b.referringFigure(),
	}
	for _, day := range thin(b.checked(b.scope.Period)) {
		l.Days, l.Referring = append(l.Days, day.String()), append(l.Referring, b.referring[day])
	}
	return l, tiles
}

// todaysFigures returns the domain rating, the referring domains and the backlinks.
func (b *Builder) todaysFigures() []Figure {
	var all []Figure
	for _, f := range []struct {
		title, what string
		n           float64
	}{
		{"Domain rating", "domain rating", b.backlinks.rating},
		{"Referring domains", "number of referring domains", b.backlinks.domains},
		{"Backlinks", "number of backlinks", b.backlinks.quantity},
	} {
		reason := cmp.Or(b.reason(ReportBacklinks, true), "the service has no "+f.what)
		all = append(all, todaysFigure(f.title, f.n, b.scope.Today, reason))
	}
	return all
}

func (b *Builder) list(all []link) []Link {
	var out []Link
	for _, l := range within(all, b.scope.Period, linkDay) {
		out = append(out, Link{URL: l.url, Day: l.on.String(), Detail: l.detail, Rating: l.rating})
	}
	return out
}

// checked returns the days of a period on which the referring backlinks were counted.
func (b *Builder) checked(p Period) []Day {
	var days []Day
	for _, day := range slices.Sorted(maps.Keys(b.referring)) {
		if p.Contains(day) {
			days = append(days, day)
		}
	}
	return days
}

// referringFigure returns the number of referring backlinks at the end of the period.
func (b *Builder) referringFigure() Figure {
	const title = "Referring backlinks"
	last := func(p Period) float64 {
		if days := b.checked(ending(p)); len(days) > 0 {
			return b.referring[days[len(days)-1]]
		}
		return nan
	}
	n, before := last(b.scope.Period), nan
	if b.scope.IsCompared() {
		before = last(b.scope.Compared)
	}
	if reason := b.reason(ReportReferring, !math.IsNaN(n)); reason != "" {
		return missingFigure(title, reason)
	}
	return newFigure(title, measureShare, Good, n, before, b.scope.ago())
}

// Total returns what a report counts in the period and in the compared one: tasks completed, links
// lost or gained, or the referring backlinks at the end. A number that is not known is NaN.
func (b *Builder) Total(r Report) (now, before float64) {
	var f Figure
	switch {
	case r == ReportReferring:
		f = b.referringFigure()
	case !b.hasRows(r):
		return nan, nan
	case r == ReportWorkflows:
		f, _ = counted(b, "", Neutral, b.tasks, taskDay)
	case r == ReportLost:
		f, _ = counted(b, "", Neutral, b.lost, linkDay)
	default:
		f, _ = counted(b, "", Neutral, b.provisioned, linkDay)
	}
	return f.Value, f.Previous
}
