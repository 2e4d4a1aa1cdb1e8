// Package summary computes the report that a customer gets: a period and the one with which it
// is compared, figures, sentences, and what else a page shows of one campaign. It is given the
// rows of the service's reports, and knows no call, no HTML and no command.
package summary

import (
	"slices"

	"reseller/client/words"
)

// A Page is the report that a customer gets: what one campaign did in a period, compared with
// another period. Its texts are ready to be printed. Names, keywords, tasks, links and errors
// are as the service sent them, however long, so whoever draws the page escapes and cuts them.
// A text is empty, and a list is nil, where there is nothing to show. In a line, NaN is a gap.
type Page struct {
	Title      string // the name of the account, or "Campaign 101" if it is not known
	Called     string // Title, with Campaign if the account has several
	Campaign   string // the name of the campaign, unless it is unknown or the same as Title
	Period     string // October 2026
	Comparison string // compared with September 2026
	Made       string // the day on which the page was made: 22 November 2026
	Selected   string // which rows it is made of, if not of all
	Sentences  []string
	Tiles      []Figure // those that a page may begin with
	Year       []Course // figures in each of the twelve months that end with the period, of which the service has enough
	Rankings   Rankings
	Traffic    Section
	Work       Section
	Links      Links
	Appendix   []Table
	Missing    []Missing // reports that failed, and those that have nothing for the period
	Notes      []string  // whole sentences about what the figures leave out
}

type Report uint8

const (
	ReportKeywords Report = iota
	ReportTraffic
	ReportWorkflows
	ReportBacklinks
	ReportLost
	ReportReferring
	ReportProvisioned
	reportCount
)

// A Direction says whether a figure is greater than before.
type Direction uint8

// The directions. Among ranks, Up is towards the first rank.
const (
	NotCompared Direction = iota
	Up
	Down
	Unchanged
	New // it was 0 before, or did not exist
)

// Arrow returns the sign of the direction, empty if there is none.
func (d Direction) Arrow() string { return [...]string{"", "▲", "▼", "=", "▲"}[d] }

// A Verdict says whether a change is welcome.
type Verdict uint8

const (
	Neutral Verdict = iota
	Good
	Bad
)

// A Figure is a number of the period beside that of the compared period. Of a figure that is
// missing, only Key, Title and Missing are set.
type Figure struct {
	Key       string
	Title     string // Organic visits
	Text      string // 2,412; empty if the figure is missing
	Rate      string // 78 a day, of a figure that is compared by the day
	Change    string // in words: 12 % more than in September
	Short     string // the change where there is little space: +12 %, +3, new, unchanged
	Since     string // after Short, the time of Previous if it is not the end of the compared period: " since 4 Oct"
	Target    string // how far the figure is: 88 % of 12,000
	Beside    string // what the figure or its change leaves out: 3 days without data
	Direction Direction
	Verdict   Verdict
	AsOf      string    // as of 22 November 2026, for a figure of which the service gives only today's
	Missing   string    // why there is no figure
	Value     float64   // the number of Text, NaN if the figure is missing
	Previous  float64   // the number before, NaN if it is not compared
	Percent   float64   // the change, of rates where those are compared; 0 if there is no comparison, NaN if the number was 0
	Line      []float64 // the figure in the course of the period; nil if there is no course
	aim       string    // Target as a sentence says it, until one does
}

// Words returns the change in words, and what the figure leaves out.
func (f Figure) Words(in *words.Words) string {
	return in.Clauses(in.List(f.Rate, f.Change), f.Target, f.Beside)
}

// Told returns what stands beside the figure: its Words, with the arrow at the change and not at the rate, and its day.
func (f Figure) Told(in *words.Words) string {
	if f.Change != "" {
		f.Change = f.Direction.Arrow() + " " + f.Change
	}
	return in.Clauses(f.Words(in), f.AsOf)
}

// The keys of the figures that are tiles, in the order in which they are shown.
const (
	TileVisits         = "visits"
	TileOrganicVisits  = "organic_visits"
	TileOrganicFirst3  = "organic_first_3"
	TileOrganicFirst10 = "organic_first_10"
	TileMapFirst3      = "map_first_3"
	TileMapFirst10     = "map_first_10"
	TileAverageRank    = "average_rank"
	TileDomainRating   = "domain_rating"
	TileLinksGained    = "links_gained"
	TileLinksLost      = "links_lost"
	TileTasksCompleted = "tasks_completed"
)

const (
	FigureOtherVisits        = "other_visits"
	FigureReferringDomains   = "referring_domains"
	FigureBacklinks          = "backlinks"
	FigureReferringBacklinks = "referring_backlinks"
)

var otherFigures = []string{FigureOtherVisits, FigureReferringDomains, FigureBacklinks, FigureReferringBacklinks}

// A Section is the figures of a page that belong together. Each page has the same ones.
type Section struct {
	Figures []Figure
	Course  Course // of some of the figures; empty without one
	Kinds   []Kind // of the tasks completed or the links gained
}

func (s *Section) Figure(key string) Figure {
	for _, f := range s.Figures {
		if f.Key == key {
			return f
		}
	}
	return Figure{}
}

// Missing returns why the section has none of its figures, empty if it has one.
func (s *Section) Missing() (reason string) {
	for _, f := range slices.Backward(s.Figures) {
		if reason = f.Missing; reason == "" {
			break
		}
	}
	return reason
}

// A Course is figures over time.
type Course struct {
	Unit    string   // of the intervals: day, week, month, year or, for days of measurements, date
	Labels  []string // of each interval its first day in the period: 5 Oct; Oct 2026 or 2026 for a longer one; empty for a gap
	Partial []bool   // the period begins or ends in the midst of the interval, or some of its days have no data; nil for dates
	Dates   int      // how many dates there are: more than Labels has, if these are too many for a chart
	Lines   []Line
}

// A Line is a figure in each interval of a course, NaN where it is not known.
type Line struct {
	Key    string // of the figure
	Name   string // of LineBefore: Visits in the year before
	Values []float64
}

// LineBefore is the key of the visits of the same days of the compared period.
const LineBefore = "before"

// Rankings are the ranks of the keywords. Their course has the days on which ranks were measured, without lines.
type Rankings struct {
	Section
	Spread   Spread
	Measured string // the day on which the ranks of the end of the period were measured: 28 Oct 2026
	Since    string // when those with which they are compared were measured: a month ago, or on 3 October 2026
	Rows     []Ranking
}

// A Ranking is a keyword with its ranks. Rows are in the order of the organic rank, and then of that on the map; keywords that
// do not rank come last.
type Ranking struct {
	Keyword  string
	Searches float64 // a month, NaN if that is not known
	Organic  Rank
	Map      Rank
}

// A Rank is the rank of a keyword in a list.
type Rank struct {
	Now       string // 4, not ranked, or – if it was not measured
	Note      string // on 13 Oct, if it was measured on another day than most; without a comparison, also no measurement since 30 Aug
	Change    string // 3 up, 2 down, unchanged, newly ranked, no longer ranked, new, not measured again, no measurement since 30 Aug
	Direction Direction
	Rise      int       // by how many places it rose, negative if it fell
	Best      string    // of the period, empty if the keyword did not rank
	Line      []float64 // a rank for each day on which ranks were measured, nil if it never ranked
}

// A Spread is how many keywords have which ranks.
type Spread struct {
	IsMap  bool
	Labels []string               // October 2026, a month ago
	Counts [][spreadCount]float64 // for each label, of each of SpreadKeys
}

const spreadCount = 6

// SpreadKeys are the ends of the keys of the names of the ranges of ranks.
var SpreadKeys = [spreadCount]string{"3", "10", "20", "50", "beyond", "unmeasured"}

// A Kind is how many tasks or links of one name there are. The most come first.
type Kind struct {
	Name  string
	Count int
}

// Links are the links to the site. Their course has those of the links gained and lost that are known.
type Links struct {
	Section
	Referring Course // of the referring backlinks
}

// A Table is the rows of a report in the appendix.
type Table struct {
	Title  string
	Header []string // Organic rank, not rank_google_organic
	Rows   [][]string
}

// Missing is what the page can't show.
type Missing struct {
	Title  string // Visits
	Reason string // the traffic report could not be read
	Failed bool   // the report could not be read, so that the service may have the data
}
