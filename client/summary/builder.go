package summary

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
)

// reportWords are what a page says of each report.
var reportWords = [reportCount]struct {
	title, name string
	empty       string // what the service does not have if the report has nothing for the period
	row         string // what the report has one row of
	place       string // what a row needs to count
}{
	ReportKeywords:    {"Rankings", "keywords report", "ranks for ", "keyword", "keyword"},
	ReportTraffic:     {"Visits", "traffic report", "visits for ", "day", "date"},
	ReportWorkflows:   {"Tasks completed", "workflows report", "data on tasks", "task", "completion date"},
	ReportBacklinks:   {"Domain rating", "backlinks report", "", "campaign", ""},
	ReportLost:        {"Links lost", "report of lost backlinks", "data on lost links", "link", "date"},
	ReportReferring:   {"Referring backlinks", "report of referring backlinks", "number of referring backlinks for ", "day", "date"},
	ReportProvisioned: {"Links gained", "report of provisioned backlinks", "data on gained links", "task", "date"},
}

const (
	// measuredDays is how many days before the end of a period ranks may have been measured last. The service
	// measures them every 5 days.
	measuredDays = 10
	// LeadDays is how many days before the period a task or link may have been ordered that was completed in it.
	LeadDays = 90
)

// A Subject is the campaign of a page. Names that are not known are empty.
type Subject struct {
	AccountID, CampaignID     int64
	AccountName, CampaignName string
}

// A Builder makes the page of one campaign from the rows of its reports. Rows of different
// reports may be added at the same time.
type Builder struct {
	Untracked       int    // keywords that were not added, since they are no longer tracked
	TrackingUnknown error  // why it is not known which keywords are still tracked
	Selected        string // which rows were added, such as "the rows that --where keeps"; empty if they are all rows, so that a day without one has no data

	scope        Scope
	rows         [reportCount]int   // that were added
	tally        [reportCount]Tally // of rows, whichever their days are
	doubledRanks int                // of a day that a history has again
	failed       [reportCount]error // why a report could not be read
	keywords     distinct[keyword]
	traffic      map[Day]Visits
	told         map[Day]Tally                // what parseVisits says of them
	events       [reportCount]distinct[event] // of the reports that eventFields has
	backlinks    backlinks
	referring    map[Day]float64
}

// NewBuilder returns the builder of a page.
func NewBuilder(s Scope) *Builder {
	return &Builder{
		scope: s, traffic: map[Day]Visits{}, told: map[Day]Tally{}, referring: map[Day]float64{}, backlinks: backlinks{nan, nan, nan},
	}
}

// Request returns the days for which a report must be read: those of both periods and, since the
// service selects tasks by the day on which they were ordered, some days before.
func (s Scope) Request(r Report) Period {
	p := s.Covers()
	switch r {
	case ReportWorkflows, ReportProvisioned:
		p.From -= LeadDays
	}
	return p
}

// Add adds a row of a report. It keeps nothing of the row's memory.
func (b *Builder) Add(r Report, row record.Record) {
	b.rows[r]++
	valid, placed := false, true
	switch r {
	case ReportKeywords:
		valid, placed = b.addKeyword(row)
	case ReportTraffic:
		valid, placed = b.addVisits(row), isGiven(row.Get("date"))
	case ReportBacklinks:
		valid = b.addBacklinks(row)
	case ReportReferring:
		valid, placed = b.addReferring(row), isGiven(row.Get("date_checked"))
	default:
		valid, placed = b.addEvent(r, row)
	}
	switch {
	case !placed:
		b.tally[r][Unplaced]++
	case !valid:
		b.tally[r][Invalid]++
	}
}

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

// The counts of a Tally.
const (
	Repeated   = iota // rows of a keyword, day, task or link that a later row is of too, and ranks of such a day
	Invalid           // rows with a date or number that can't be read
	Unplaced          // rows without the date or the keyword by which they would count
	Undone            // tasks that were not completed by their status
	Early             // tasks and links that were ordered too long before the period
	Summed            // days of which one number is computed from the other two
	Unequal           // days whose visits are not the sum of organic and other ones
	TallyCount        // how many counts there are
)

// Place returns what a row of the report needs to count.
func (r Report) Place() string { return reportWords[r].place }

// Tally returns that of a report.
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
	words := reportWords[r]
	switch {
	case b.failed[r] != nil:
		return "the " + words.name + " could not be read"
	case found, words.empty == "":
		return ""
	case b.scope.From > b.scope.Today:
		return "the days are still to come"
	case b.Selected != "":
	case r == ReportKeywords && b.rows[r] == 0 && b.Untracked > 0:
		return "no keyword is tracked any longer"
	}
	reason := b.lacks(r) + words.empty
	if strings.HasSuffix(reason, " ") {
		reason += b.scope.Words()
	}
	return reason
}

// lacks returns the beginning of a sentence about what the rows of a report do not have.
func (b *Builder) lacks(r Report) string {
	if b.Selected != "" {
		return b.Selected + " have no " + b.readable(r)
	}
	return "the service has no " + b.readable(r)
}

// readable returns a word that keeps the reason for a gap from denying what the report has and can't be read.
func (b *Builder) readable(r Report) string {
	if b.tally[r][Invalid] > 0 {
		return "readable "
	}
	if b.tally[r][Unplaced] > 0 && r != ReportKeywords {
		return "dated "
	}
	return ""
}

// Page returns the page of the rows that were added.
func (b *Builder) Page(of Subject) *Page {
	p := &Page{Period: b.scope.Words(), Made: b.scope.Today.Words(), Selected: b.Selected}
	p.Title = cmp.Or(of.AccountName, of.CampaignName, fmt.Sprintf("Campaign %d", of.CampaignID))
	if p.Title != of.CampaignName {
		p.Campaign = of.CampaignName
	}
	if b.scope.IsCompared() {
		p.Comparison = "compared with " + b.scope.Compared.Words()
	}
	ranks := b.ranks()
	rankings := ranks.tiles()
	p.Rankings = ranks.rankings(rankings[len(rankings)-1].Figure)
	var visits, links []Tile
	p.Traffic, visits = b.visits()
	p.Links, links = b.links()
	var completed Tile
	p.Work, completed = b.work()
	p.Tiles = append(slices.Concat(visits, rankings, links), completed)
	byKey := map[string]*Tile{}
	for i := range p.Tiles {
		byKey[p.Tiles[i].Key] = &p.Tiles[i]
	}
	p.Sentences = b.sentences(byKey, ranks)
	p.Appendix = b.appendix(ranks)
	p.Missing = b.missing(ranks, slices.Concat(p.Rankings.Figures, p.Traffic.Figures, []Figure{links[0].Figure}, p.Links.Figures))
	p.Notes = slices.Concat(b.keywordNotes(ranks), b.trafficNotes(), b.eventNotes())
	for r, words := range reportWords {
		tell := func(count int, one, many, rest string) {
			if n := b.tally[r][count]; n > 0 && b.failed[r] == nil {
				p.Notes = append(p.Notes, fmt.Sprintf("%s of the %s %s %s.", plural(n, "row", "rows"), words.name, phrase.Noun(n, one, many), rest))
			}
		}
		tell(Repeated, "repeats", "repeat", "a "+words.row+"; the last row of a "+words.row+" counts")
		tell(Invalid, "has", "have", "a date or a number that can't be read")
		tell(Unplaced, "has no "+words.place+", and is", "have no "+words.place+", and are", "not counted")
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
		add(reportWords[r].title, reason, b.failed[r])
		if reason == "" && r == ReportKeywords {
			add("Organic ranks", ranks.reasons[listOrganic], nil)
			add("Ranks on the map", ranks.reasons[listMap], nil)
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

// identity returns what a row of a report shares only with other rows of the same keyword, day, task or link, empty if that is not known.
func identity(r Report, row record.Record) string {
	text := func(field string) string { return row.Get(field).Text() }
	of, rest := "", ""
	switch r {
	case ReportKeywords:
		of, rest = strings.ToLower(strings.TrimSpace(text("keyword"))), text("type")
	case ReportTraffic:
		if v, _ := parseVisits(row); !v.isUnknown() {
			of = dayText(row.Get("date"))
		}
	case ReportReferring:
		if !math.IsNaN(parseNumber(row.Get("quantity"))) {
			of = dayText(row.Get("date_checked"))
		}
	case ReportBacklinks:
		of = "campaign"
	case ReportLost:
		of, rest = text("url_from"), dayText(row.Get("date_last_seen"))+"\x00"+text("url_to")+"\x00"+text("anchor_text")
	case ReportWorkflows, ReportProvisioned:
		of, rest = text("task_id"), text("url")
	}
	if of == "" && eventFields[r].name != "" { // what the service does not identify is the same if all of the row is
		for name, v := range row.Fields() {
			rest += "\x00" + name + "\x00" + v.Text()
		}
	} else if of == "" {
		return ""
	}
	return of + "\x00" + rest
}

// appendix returns the rows of the reports for the period as tables, without those that have no rows.
func (b *Builder) appendix(ranks *rankTable) []Table {
	var tables []Table
	add := func(t Table) {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	keywords := Table{Report: ReportKeywords, Title: "Keywords", Header: []string{"Keyword", "Type", "Organic rank", "Rank on the map", "Searches a month"}}
	for _, k := range ranks.keywords {
		keywords.Rows = append(keywords.Rows, []string{k.text, k.kind, k.moves[listOrganic].now.String(), k.moves[listMap].now.String(), optional(k.searches)})
	}
	add(keywords)

	traffic := Table{Report: ReportTraffic, Title: "Visits by day", Header: []string{"Day", "Visits", "Organic visits", "Other visits"}}
	for day := b.scope.From; day <= b.scope.To; day++ {
		if v := b.visitsOn(day); !v.isUnknown() {
			traffic.Rows = append(traffic.Rows, []string{day.String(), optional(v[AllVisits]), optional(v[OrganicVisits]), optional(v[OtherVisits])})
		}
	}
	add(traffic)

	events := func(r Report, title string, header []string, cells func(*event) []string) {
		t := Table{Report: r, Title: title, Header: header}
		counted, _, _ := within(b.events[r].kept, b.scope.Period)
		for _, e := range counted {
			t.Rows = append(t.Rows, cells(e))
		}
		add(t)
	}
	events(ReportWorkflows, "Tasks completed", []string{"Task", "Ordered", "Due", "Completed", "Status"},
		func(e *event) []string { return []string{e.name, e.built, e.due, e.day.String(), e.detail} })
	events(ReportProvisioned, "Links gained", []string{"Page", "Type", "Completed", "Domain rating"},
		func(e *event) []string { return []string{e.name, e.detail, e.day.String(), e.rating} })
	events(ReportLost, "Links lost", []string{"Page with the link", "Page linked to", "Last seen", "Text of the link"},
		func(e *event) []string { return []string{e.name, e.to, e.day.String(), e.detail} })

	referring := Table{Report: ReportReferring, Title: "Referring backlinks", Header: []string{"Day", "Referring backlinks"}}
	for _, day := range b.checked(b.scope.Period) {
		referring.Rows = append(referring.Rows, []string{day.String(), Number(b.referring[day])})
	}
	add(referring)
	return tables
}
