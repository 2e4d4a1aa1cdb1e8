package summary

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"reseller/client/phrase"
	"reseller/client/record"
)

// An event is a task that was completed, or a link that was gained or lost. Texts that are not given are empty.
type event struct {
	day      Day     // on which the task was completed, or the link built or last seen
	ordered  Day     // on which the task or link was ordered or due, 0 if that is not known
	name     string  // of the task, or the page with the link
	detail   string  // the status of a task, the kind of a gained link, or the text of a lost one
	due      Day     // of a task, 0 if that is not known
	to       string  // of a link
	rating   float64 // of the site of a link, NaN if that is not known
	isUndone bool    // the status says that the task was not completed
}

var eventFields = [reportCount]struct{ name, day, detail, ordered string }{
	ReportTraffic:     {day: "date"},
	ReportReferring:   {day: "date_checked"},
	ReportWorkflows:   {"task_name", "completion_date", "status", "built_date"},
	ReportLost:        {"url_from", "date_last_seen", "anchor_text", ""},
	ReportProvisioned: {"url", "completed_date", "type", "original_due_date"},
}

// addEvent adds an event. A task or link without a date was not completed, unless the status of the task says that it was; a lost link
// must have one. A row without any field of its report is none. Of several rows of one task or link, the last one counts.
func (b *Builder) addEvent(r Report, row record.Record) (valid, placed bool) {
	fields := eventFields[r]
	date := row.Get(fields.day)
	day, ok := ParseDay(date)
	e := event{
		day: day, name: row.Get(fields.name).Text(), detail: row.Get(fields.detail).Text(), to: row.Get("url_to").Text(), rating: parseNumber(row.Get("domain_rating")),
	}
	e.due, _ = ParseDay(row.Get("due_date"))
	e.ordered, _ = ParseDay(row.Get(fields.ordered))
	isCompleted, isUndone := parseStatus(e.detail)
	e.isUndone = r == ReportWorkflows && isUndone
	isKnown := slices.ContainsFunc([]string{fields.name, fields.day, fields.detail, fields.ordered, "task_id"}, func(name string) bool { return row.Get(name).Kind() != record.Missing })
	placed = isGiven(date) || isKnown && r != ReportLost && (r != ReportWorkflows || !isCompleted)
	if b.events[r].add(identityOf(r, row, day), e, e.day == 0 && e.detail == "") {
		b.tally[r][Repeated]++
	}
	return ok || !isGiven(date), placed
}

// identityOf returns what a row shares only with other rows of the same task or link. What the service does not identify is the same if
// all of the row is.
func identityOf(r Report, row record.Record, day Day) string {
	text := func(field string) string { return row.Get(field).Text() }
	of, rest := text("task_id"), text("url")
	if r == ReportLost {
		of, rest = text("url_from"), day.ISO()+"\x00"+text("url_to")+"\x00"+text("anchor_text")
	}
	if of == "" {
		for name, v := range row.Fields() {
			rest += "\x00" + name + "\x00" + v.Text()
		}
	}
	return of + "\x00" + rest
}

// The words by which the status of a task is read: see parseStatus.
const (
	UndoneWords    = "not won't rework cancelled canceled cancellation cancel rejected declined refused denied failed fail aborted withdrawn cancelling disapproved"
	CompletedWords = "complete completed done finished closed resolved approved delivered published sent live"
	OpenWords      = "open opened reopened re pending ongoing progress review revision hold paused stopped suspended skipped deleted removed dropped " +
		"abandoned postponed deferred waiting awaiting scheduled queued planned draft new assigned unassigned incomplete uncompleted unfinished " +
		"undone partially overdue blocked active started backlog to doing void voided terminated discontinued expired error invalid " +
		"unresolved undelivered unpublished todo inprogress"
)

// parseStatus reports whether the status of a task says that it was completed, or that it was not, whatever its completion date.
// It was not if it has one of UndoneWords, or begins with none of CompletedWords and has one of OpenWords.
func parseStatus(status string) (isCompleted, isUndone bool) {
	words := strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(status), "’", "'"), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	hasAny := func(list string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(strings.Fields(list), word) })
	}
	isCompleted = len(words) > 0 && slices.Contains(strings.Fields(CompletedWords), words[0]) && !hasAny(UndoneWords)
	return isCompleted, hasAny(UndoneWords) || !isCompleted && hasAny(OpenWords)
}

const namedStatuses = 4

func (b *Builder) eventNotes() (notes []string) {
	for _, of := range []struct {
		Report
		early string
	}{{ReportWorkflows, "note.early_tasks"}, {ReportProvisioned, "note.early_links"}} {
		for _, p := range b.scope.periods() {
			_, undone, early := within(b.events[of.Report].kept, p)
			tell := func(key string, n int, values ...any) {
				notes = append(notes, b.Words.Say(key, append([]any{"n", n, "period", p.Words(b.Words)}, values...)...))
			}
			if n := len(undone); n > 0 {
				statuses := phrase.Each(undone, func(e *event) string { return e.detail })
				slices.Sort(statuses)
				tell("note.undone", n, "statuses", b.Words.First(slices.Compact(statuses), namedStatuses))
			}
			if n := len(early); n > 0 {
				tell(of.early, n, "days", LeadDays)
			}
		}
	}
	return notes
}

const todaysCount = 3

var todays = [todaysCount]struct{ key, field string }{{TileDomainRating, "domain_rating"}, {FigureReferringDomains, "referring_domain_quantity"}, {FigureBacklinks, "backlink_quantity"}}

// backlinks are the numbers of todays in the row of the report, NaN where one is not given.
type backlinks [todaysCount]float64

func (b *Builder) addBacklinks(row record.Record) (valid bool) {
	valid = true
	for i, n := range todays {
		v := row.Get(n.field)
		b.backlinks[i] = parseNumber(v)
		valid = valid && (!isGiven(v) || !math.IsNaN(b.backlinks[i]))
	}
	return valid
}

func (b *Builder) addReferring(row record.Record) (valid bool) {
	day, ok := ParseDay(row.Get("date_checked"))
	n := parseNumber(row.Get("quantity"))
	if !ok || math.IsNaN(n) {
		return ok && !isGiven(row.Get("quantity"))
	}
	if _, exists := b.referring[day]; exists {
		b.tally[ReportReferring][Repeated]++
	}
	b.referring[day] = n
	return true
}

// within returns the events whose day is in a period, the latest first, and those that do not count: what was not completed by its status,
// and what was ordered so long before the period, or due so long after it, that its report need not have it, whichever days were requested.
// The period is the first of several that has the day.
func within(all []event, periods ...Period) (counted, undone, early []*event) {
	for i := range all {
		e := &all[i]
		at := slices.IndexFunc(periods, func(p Period) bool { return p.Contains(e.day) })
		switch {
		case at < 0:
		case e.isUndone:
			undone = append(undone, e)
		case e.ordered != 0 && !(Period{periods[at].From - LeadDays, periods[at].To + LeadDays}).Contains(e.ordered):
			early = append(early, e)
		default:
			counted = append(counted, e)
		}
	}
	slices.SortStableFunc(counted, func(x, y *event) int { return cmp.Compare(y.day, x.day) })
	return counted, undone, early
}

// counted returns the events of a report in the period, and the figure of how many they are and how many there were in the compared
// period. It adds how many of them are in each part of the period to a course.
func (b *Builder) counted(r Report, key string, more Verdict, c *Course, parts []Period) (events []*event, f Figure) {
	if missing := b.reason(r, b.hasRows(r)); missing != "" {
		return nil, missingFigure(b.Words, key, missing)
	}
	events, _, _ = within(b.events[r].kept, b.scope.Period)
	counts := make([]float64, len(parts))
	for _, e := range events {
		if at := slices.IndexFunc(parts, func(part Period) bool { return part.Contains(e.day) }); at >= 0 {
			counts[at]++
		}
	}
	c.Lines = append(c.Lines, Line{Key: key, Values: counts})
	before := nan
	if b.scope.IsCompared() {
		earlier, _, _ := within(b.events[r].kept, b.scope.Compared)
		before = float64(len(earlier))
	}
	f = newFigure(b.Words, key, measureCount, more, float64(len(events)), before, b.scope.thanIn(b.Words))
	from, to := c.whole()
	f.Line = counts[from:to]
	return events, f
}

// weeks returns the intervals of the period, and a course of them without lines.
func (b *Builder) weeks() (Course, []Period) {
	by, parts := UnitWeek.Divide(b.scope.Period, maxIntervals)
	return by.course(b.Words, parts, b.scope.Period), parts
}

func (b *Builder) work() Section {
	c, parts := b.weeks()
	tasks, completed := b.counted(ReportWorkflows, TileTasksCompleted, Good, &c, parts)
	return Section{[]Figure{completed}, c.known(), kindsOf(tasks, func(e *event) string { return e.name })}
}

// known returns a course, or an empty one if it has no lines.
func (c Course) known() Course {
	if c.Lines == nil {
		return Course{}
	}
	return c
}

func kindsOf(events []*event, kind func(*event) string) (kinds []Kind) {
	counts := map[string]int{}
	for _, e := range events {
		counts[kind(e)]++
	}
	for name, n := range counts {
		kinds = append(kinds, Kind{name, n})
	}
	slices.SortFunc(kinds, func(x, y Kind) int { return cmp.Or(cmp.Compare(y.Count, x.Count), strings.Compare(x.Name, y.Name)) })
	return kinds
}

func (b *Builder) links() (l Links) {
	c, parts := b.weeks()
	events, gained := b.counted(ReportProvisioned, TileLinksGained, Good, &c, parts)
	_, lost := b.counted(ReportLost, TileLinksLost, Bad, &c, parts)
	todays := b.todaysFigures()
	l.Section = Section{slices.Concat(todays[:1], []Figure{gained, lost}, todays[1:], []Figure{b.referringFigure()}), c.known(), kindsOf(events, func(e *event) string { return e.detail })}
	days := b.checked(b.scope.Period)
	shown := drawn(days)
	l.Referring = Course{Unit: "date", Dates: len(days), Labels: phrase.Each(shown, func(day Day) string { return UnitDay.label(b.Words, day, Period{days[0], days[len(days)-1]}) })}
	var counts []float64
	for _, day := range shown {
		n, isDay := b.referring[day]
		if !isDay { // a gap
			n = nan
		}
		counts = append(counts, n)
	}
	l.Referring.Lines = []Line{{Key: FigureReferringBacklinks, Values: counts}}
	return l
}

// todaysFigures returns the domain rating, the referring domains and the backlinks, of which the service gives only today's numbers.
func (b *Builder) todaysFigures() []Figure {
	var all []Figure
	for i, n := range todays {
		f := missingFigure(b.Words, n.key, cmp.Or(b.reason(ReportBacklinks, true), b.lacks(ReportBacklinks, n.key)))
		if !math.IsNaN(b.backlinks[i]) {
			f = newFigure(b.Words, n.key, measureCount, Neutral, b.backlinks[i], nan, "")
			f.AsOf = b.Words.Say("figure.as_of", "day", b.scope.Today.Words(b.Words))
		}
		all = append(all, f)
	}
	return all
}

// checked returns the days of a period on which the referring backlinks were counted.
func (b *Builder) checked(p Period) []Day {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(b.referring)), func(day Day) bool { return !p.Contains(day) })
}

// lastReferring returns the number of referring backlinks at the end of the period and of the compared one, NaN if there is none.
func (b *Builder) lastReferring() (now, before float64) {
	last := [...]float64{nan, nan}
	for i, p := range b.scope.periods() {
		if days := b.checked(p); len(days) > 0 {
			last[i] = b.referring[days[len(days)-1]]
		}
	}
	return last[0], last[1]
}

func (b *Builder) referringFigure() Figure {
	n, before := b.lastReferring()
	if reason := b.reason(ReportReferring, !math.IsNaN(n)); reason != "" {
		return missingFigure(b.Words, FigureReferringBacklinks, reason)
	}
	return newFigure(b.Words, FigureReferringBacklinks, measureShare, Good, n, before, b.scope.ago(b.Words))
}

// Total returns what a report counts in the period and in the compared one, NaN if it is not known.
func (b *Builder) Total(r Report) (now, before float64) {
	if r == ReportReferring {
		return b.lastReferring()
	}
	_, t := b.counted(r, reportKeys[r].total, Neutral, &Course{}, nil)
	return t.Value, t.Previous
}
