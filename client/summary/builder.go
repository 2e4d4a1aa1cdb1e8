package summary

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"reseller/client/record"
	"reseller/client/words"
)

// reportKeys are the names of each report in the keys of texts, and of what a row of it needs to count and of what it counts.
var reportKeys = [reportCount]struct{ name, place, total string }{
	ReportKeywords:    {"keywords", "keyword", ""},
	ReportTraffic:     {"traffic", "date", ""},
	ReportWorkflows:   {"workflows", "completion date", TileTasksCompleted},
	ReportBacklinks:   {"backlinks", "", ""},
	ReportLost:        {"lost", "date", TileLinksLost},
	ReportReferring:   {"referring", "date", ""},
	ReportProvisioned: {"provisioned", "date", TileLinksGained},
}

const (
	// measuredDays is how many days before the end of a period ranks may have been measured last. The service
	// measures them every 5 days.
	measuredDays = 10
	// LeadDays is how many days before the period a task may have been built, and before or after it a link due, that was completed in it.
	LeadDays = 90
)

// A Subject is the campaign of a page. Names that are not known are empty.
type Subject struct {
	CampaignID                int64
	AccountName, CampaignName string
	Email                     string // of the account
	IsDeactivated             bool   // the account
	HasSeveral                bool   // campaigns, the account
}

// A Builder makes the page of one campaign from the rows of its reports. Rows of different
// reports may be added at the same time.
type Builder struct {
	Words           *words.Words       // of the page, nil for English
	Targets         map[string]float64 // what the customer wants to reach, by the names in TargetNames
	Untracked       int                // keywords that were not added, since they are no longer tracked
	TrackingUnknown error              // why it is not known which keywords are still tracked
	Selected        string             // which rows were added, such as "the rows that --where keeps"; empty if they are all rows, so that a day without one has no data

	scope        Scope
	rows         [reportCount]int   // that were added and may be of the periods
	tally        [reportCount]Tally // of these rows
	isUnread     [reportCount]bool  // the report has a row of the period, or of no day, that can't be read
	isUndated    [reportCount]bool  // the report has a row without a date
	doubledRanks int                // of a day that a history has again
	failed       [reportCount]error // why a report could not be read
	courseless   [reportCount]bool  // only the rows of the periods were read
	keywords     distinct[keyword]
	traffic      map[Day]dayVisits
	events       [reportCount]distinct[event] // of the reports that eventFields has
	backlinks    backlinks
	referring    map[Day]float64
}

func NewBuilder(s Scope) *Builder {
	return &Builder{
		scope: s, traffic: map[Day]dayVisits{}, referring: map[Day]float64{}, backlinks: backlinks{nan, nan, nan},
	}
}

// hasCourse reports whether the rows of a report for a year are read, for the courses of a page.
func (r Report) hasCourse() bool { return r == ReportTraffic || r == ReportProvisioned }

// Request returns the days for which a report must be read: those of both periods or, for the courses of a page, a year, and, since
// the service selects tasks by the day on which they were built, and links by that on which they are due, some days around them.
func (s Scope) Request(r Report, isPage bool) Period {
	p := s.Period
	if s.IsCompared() {
		p.From = min(p.From, s.Compared.From)
	}
	if isPage && r.hasCourse() {
		p.From = min(p.From, s.yearOf()[0].From)
	}
	switch r {
	case ReportProvisioned:
		p.To += LeadDays
		fallthrough
	case ReportWorkflows:
		p.From -= LeadDays
	}
	return p
}

// Add adds a row of a report. It keeps nothing of the row's memory.
func (b *Builder) Add(r Report, row record.Record) {
	rows, tally, fields := b.rows[r], b.tally[r], eventFields[r]
	date := row.Get(fields.day)
	b.rows[r]++
	valid, placed := false, true
	switch r {
	case ReportKeywords:
		valid, placed = b.addKeyword(row)
	case ReportTraffic:
		valid, placed = b.addVisits(row), isGiven(date)
	case ReportBacklinks:
		valid = b.addBacklinks(row)
	case ReportReferring:
		valid, placed = b.addReferring(row), isGiven(date)
	default:
		valid, placed = b.addEvent(r, row)
	}
	day, isDated := ParseDay(date)
	ordered, _ := ParseDay(row.Get(fields.ordered))
	last := max(day, ordered)
	isOld := r.hasCourse() && last != 0 && last < b.scope.Request(r, false).From
	if isOld { // it is no data on the periods
		b.rows[r] = rows
	}
	isNow := !isDated || b.scope.Contains(day)
	switch {
	case isOld, isDated && !slices.ContainsFunc(b.scope.periods(), func(p Period) bool { return p.Contains(day) }):
		b.tally[r] = tally
	case !placed:
		b.tally[r][Unplaced]++
		b.isUndated[r] = b.isUndated[r] || isNow
	case !valid:
		b.tally[r][Invalid]++
		b.isUnread[r] = b.isUnread[r] || isNow
	}
}

// OmitCourse says that only the rows of the periods could be read, and no year.
func (b *Builder) OmitCourse(r Report) { b.courseless[r] = true }

// Fail says that a report could not be read. The rows of it that were added are left out.
func (b *Builder) Fail(r Report, err error) {
	b.failed[r], b.events[r] = err, distinct[event]{}
	switch r {
	case ReportKeywords:
		b.keywords = distinct[keyword]{}
	case ReportTraffic:
		clear(b.traffic)
	case ReportBacklinks:
		b.backlinks = backlinks{nan, nan, nan}
	case ReportReferring:
		clear(b.referring)
	}
}

// A Tally counts what figures leave out or repair. What both periods have counts once.
type Tally [TallyCount]int

const (
	Repeated   = iota // rows of a keyword, day, task or link that a later row is of too, and ranks of such a day
	Invalid           // rows with a date or number that can't be read
	Unplaced          // rows without the date or the keyword by which they would count
	Undone            // tasks that were not completed by their status
	Early             // tasks and links that were ordered too long before the period, or due too long after it
	Summed            // days of which one number is computed from the other two
	Unequal           // days whose visits are not the sum of organic and other ones
	TallyCount        // how many counts there are
)

func (r Report) Place() string { return reportKeys[r].place }

func (b *Builder) Tally(r Report) Tally {
	_, undone, early := within(b.events[r].kept, b.scope.periods()...)
	t := b.tally[r]
	t[Undone], t[Early] = len(undone), len(early)
	switch r {
	case ReportKeywords:
		t[Repeated] += b.doubledRanks
	case ReportTraffic:
		t[Unequal], t[Summed] = b.tallyVisits(b.known().periods()...)
	}
	return t
}

// hasRows reports whether a report has a row that could be read, so that a count of 0 is one.
func (b *Builder) hasRows(r Report) bool { return b.rows[r] > b.tally[r][Invalid]+b.tally[r][Unplaced] }

// reason returns why a page has nothing of a report, or "" if found says that it has something.
func (b *Builder) reason(r Report, found bool) string {
	switch {
	case b.failed[r] != nil:
		return b.Words.Say("reason.failed", "report", b.Words.Say("report."+reportKeys[r].name))
	case found, r == ReportBacklinks:
		return ""
	case b.scope.From > b.scope.Today:
		return b.Words.Say("reason.to_come")
	case b.Selected != "":
	case r == ReportKeywords && b.rows[r] == 0 && b.Untracked > 0:
		return b.Words.Say("reason.untracked")
	}
	return b.lacks(r, reportKeys[r].name)
}

func (b *Builder) lacks(r Report, what string) string {
	selected := words.Case("")
	if b.Selected != "" {
		selected = "selected"
	}
	return b.Words.Say("none."+what, "selected", selected, "readable", b.readable(r), "rows", b.Selected, "period", b.scope.Words(b.Words))
}

// readable returns a form that keeps the reason for a gap of the period from denying what the report has and can't be read.
func (b *Builder) readable(r Report) words.Case {
	isUnread := b.isUnread[r]
	if r == ReportKeywords {
		isUnread = slices.ContainsFunc(b.keywords.kept, func(k keyword) bool { return k.broken[ofPeriod] != [listCount]bool{} })
	}
	switch {
	case isUnread:
		return "readable"
	case b.isUndated[r]:
		return "dated"
	}
	return ""
}

// Names returns the name of the customer, or else that of the campaign, and the name of the campaign if it is another one.
func (of Subject) Names() (title, campaign string) {
	title, campaign = strings.TrimSpace(of.AccountName), strings.TrimSpace(of.CampaignName)
	if title = cmp.Or(title, campaign); title == campaign {
		campaign = ""
	}
	return title, campaign
}

func (b *Builder) Page(of Subject) *Page {
	p := &Page{Period: b.scope.Words(b.Words), Made: b.scope.Today.Words(b.Words), Selected: b.Selected}
	p.Title, p.Campaign = of.Names()
	campaign := b.Words.Say("page.campaign", "id", strconv.FormatInt(of.CampaignID, 10))
	p.Called = cmp.Or(p.Title, campaign)
	if of.HasSeveral && p.Title != "" {
		p.Campaign = cmp.Or(p.Campaign, campaign)
		p.Called += ", " + p.Campaign
	}
	p.Title = cmp.Or(p.Title, campaign)
	if b.scope.IsCompared() {
		p.Comparison = b.Words.Say("page.comparison", "period", b.scope.Compared.Words(b.Words))
	}
	ranks := b.ranks()
	p.Rankings, p.Traffic, p.Work, p.Links = ranks.rankings(), b.visits(), b.work(), b.links()
	all := slices.Concat(p.Traffic.Figures, p.Rankings.Figures, p.Links.Figures, p.Work.Figures)
	p.Tiles = slices.DeleteFunc(all, func(f Figure) bool { return slices.Contains(otherFigures, f.Key) })
	byKey := map[string]*Figure{}
	for i := range p.Tiles {
		byKey[p.Tiles[i].Key] = &p.Tiles[i]
	}
	b.aim(byKey)
	p.Sentences = b.sentences(byKey, ranks)
	p.Year = b.year(ranks)
	p.Appendix = b.appendix(ranks)
	p.Missing = b.missing(ranks, slices.Concat(p.Rankings.Figures, p.Traffic.Figures, p.Links.Figures))
	p.Notes = slices.Concat(b.keywordNotes(ranks), b.trafficNotes(), b.eventNotes())
	for r, of := range reportKeys {
		for count, key := range [...]string{Repeated: "note.repeated", Invalid: "note.invalid", Unplaced: "note.unplaced"} {
			if n := b.tally[r][count]; n > 0 && b.failed[r] == nil {
				values := []any{"n", n, "report", b.Words.Say("report." + of.name)}
				switch count {
				case Repeated:
					values = append(values, "row", b.Words.Say("row."+of.name))
				case Unplaced:
					values = append([]any{"place", words.Case(of.place)}, values...)
				}
				p.Notes = append(p.Notes, b.Words.Say(key, values...))
			}
		}
	}
	return p
}

// missing lists the reports that failed, and those that have nothing for the period, and then the figures that lack another number.
func (b *Builder) missing(ranks *rankTable, figures []Figure) []Missing {
	var all []Missing
	add := func(title, reason string, failed error) {
		if reason != "" {
			all = append(all, Missing{title, reason, failed != nil})
		}
	}
	for r := range reportCount {
		reason := b.reason(r, b.hasRows(r))
		switch r {
		case ReportKeywords:
			reason = ranks.reason
		case ReportTraffic:
			reason = b.trafficReason()
		case ReportReferring:
			reason = b.reason(r, len(b.checked(b.scope.Period)) > 0)
		}
		add(b.Words.Say("title."+reportKeys[r].name), reason, b.failed[r])
		if reason == "" && r == ReportKeywords {
			add(b.Words.Say("title.organic_ranks"), ranks.reasons[listOrganic], nil)
			add(b.Words.Say("title.map_ranks"), ranks.reasons[listMap], nil)
		}
	}
	reports := all
	for _, f := range figures {
		if !slices.ContainsFunc(reports, func(m Missing) bool { return m.Reason == f.Missing }) {
			add(f.Title, f.Missing, nil)
		}
	}
	return all
}

// A distinct has items, of which those with one identity count once: the last of them, in the place of the first.
type distinct[T any] struct {
	kept   []T
	places map[string]int // of the identities
}

// add adds an item, and reports whether it replaces another one. A blank item replaces none. Without an identity, an item is none of the others.
func (d *distinct[T]) add(identity string, item T, isBlank bool) (isRepeated bool) {
	place, isRepeated := d.places[identity]
	switch {
	case isRepeated:
		if !isBlank {
			d.kept[place] = item
		}
		return !isBlank
	case d.places == nil:
		d.places = map[string]int{}
	}
	if identity != "" {
		d.places[identity] = len(d.kept)
	}
	d.kept = append(d.kept, item)
	return false
}

// appendix returns the rows of the reports for the period as tables, without those that have no rows.
func (b *Builder) appendix(ranks *rankTable) []Table {
	var tables []Table
	in := b.Words
	add := func(title string, rows [][]string, columns ...string) {
		if len(rows) > 0 {
			tables = append(tables, Table{Title: in.Say(title), Header: in.Each(columns...), Rows: rows})
		}
	}
	var keywords, visits, referring [][]string
	for _, k := range ranks.keywords {
		keywords = append(keywords, []string{k.text, k.kind, k.moves[listOrganic].now.words(in), k.moves[listMap].now.words(in), in.Number(k.searches)})
	}
	add("table.keywords", keywords, "column.keyword", "column.type", "column.organic_rank", "column.map_rank", "column.searches")
	for day := b.scope.From; day <= b.scope.To; day++ {
		if v := b.visitsOn(day); !v.isUnknown() {
			visits = append(visits, []string{day.Short(in), in.Number(v[AllVisits]), in.Number(v[OrganicVisits]), in.Number(v[OtherVisits])})
		}
	}
	add("table.visits", visits, "column.day", "figure.visits", "figure.organic_visits", "figure.other_visits")
	events := func(r Report, title string, cells func(*event) []string, columns ...string) {
		var rows [][]string
		counted, _, _ := within(b.events[r].kept, b.scope.Period)
		for _, e := range counted {
			rows = append(rows, cells(e))
		}
		add(title, rows, columns...)
	}
	events(ReportWorkflows, "figure.tasks_completed", func(e *event) []string {
		return []string{e.name, e.ordered.Short(in), e.due.Short(in), e.day.Short(in), e.detail}
	},
		"column.task", "column.ordered", "column.due", "column.completed", "column.status")
	events(ReportProvisioned, "figure.links_gained", func(e *event) []string { return []string{e.name, e.detail, e.day.Short(in), in.Number(e.rating)} },
		"column.page", "column.type", "column.completed", "figure.domain_rating")
	events(ReportLost, "figure.links_lost", func(e *event) []string { return []string{e.name, e.to, e.day.Short(in), e.detail} },
		"column.linking_page", "column.linked_page", "column.last_seen", "column.link_text")
	for _, day := range b.checked(b.scope.Period) {
		referring = append(referring, []string{day.Short(in), in.Number(b.referring[day])})
	}
	add("figure.referring_backlinks", referring, "column.day", "figure.referring_backlinks")
	return tables
}
