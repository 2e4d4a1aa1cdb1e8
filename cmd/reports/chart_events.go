package reports

import (
	"cmp"
	"slices"
	"time"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output/chart"
)

const (
	mostWeeks = 60 // of events, one by one
	mostSorts = 50 // sorts of events that are told apart while they pass by
	others    = "other"
)

// Events are what happened on a day: tasks, links lost or provisioned.
type events struct {
	title, up string
	date      string // the field that says when
	sort      string // the field that says what, empty for one sort
	open      string // what one without a date is, empty where that is a fault
}

func newTasks(res *schema.Resource, campaign string) sketch {
	return newEvents(events{title: "Tasks built a ", up: "tasks", date: "built_date", sort: "status"}, res, campaign)
}

func newLost(res *schema.Resource, campaign string) sketch {
	return newEvents(events{title: "Backlinks lost a ", up: "links", date: "date_last_seen"}, res, campaign)
}

func newProvisioned(res *schema.Resource, campaign string) sketch {
	return newEvents(events{title: "Backlinks provisioned a ", up: "links", date: "completed_date", sort: "type", open: "not completed yet"}, res, campaign)
}

type happening struct {
	day  time.Time
	sort string
}

// An eventSketch counts events week by week, those of all campaigns together.
type eventSketch struct {
	events
	counts    map[happening]float64
	sorts     map[string]float64
	from, to  time.Time
	undated   int
	unread    int
	rows      *cli.Ledger
	campaigns map[origin]bool // nil for one
}

func newEvents(e events, res *schema.Resource, campaign string) sketch {
	s := &eventSketch{events: e, counts: map[happening]float64{}, sorts: map[string]float64{}, rows: newLedger(res, campaign)}
	if campaign == "" {
		s.campaigns = map[origin]bool{}
	}
	return s
}

func (s *eventSketch) see(rec record.Record) {
	s.rows.Add(rec)
	if s.campaigns != nil {
		s.campaigns[originOf(rec)] = true
	}
	date := rec.Get(s.date)
	day, ok := dayIn(date)
	switch {
	case !ok && s.open != "" && date.Text() == "":
		s.undated++
		return
	case !ok:
		s.unread++
		return
	}
	sort := ""
	if s.sort != "" {
		if sort = cli.Clip(rec.Get(s.sort).Text()); sort == "" {
			sort = "no " + s.sort
		}
		if s.sorts[sort] == 0 && len(s.sorts) >= mostSorts {
			sort = others
		}
	}
	widen(&s.from, &s.to, day)
	s.sorts[sort]++
	s.counts[happening{day, sort}]++
}

func (s *eventSketch) charts() []chart.Chart {
	c := chart.Chart{Title: s.title + "week", Kind: chart.Columns, Up: s.up, Missing: missing(s.rows.Seen())}
	c.Rows = s.rows.Table("Rows")
	if s.unread > 0 {
		c.Left = append(c.Left, cli.Count(s.unread, "row has no "+s.date+" that can be read, and is left out", "rows have no "+s.date+" that can be read, and are left out"))
	}
	if s.undated > 0 {
		c.Notes = append(c.Notes, cli.Count(s.undated, "is ", "are ")+s.open+".")
	}
	if len(s.counts) == 0 {
		return []chart.Chart{c}
	}
	if len(s.campaigns) > 1 {
		c.Notes = append(c.Notes, cli.Count(len(s.campaigns), "campaign", "campaigns are added up."))
	}
	p, steps := weekly.steps(s.from, s.to, mostWeeks)
	c.Title, c.Across = s.title+p.String(), p.axis()
	index := map[time.Time]int{}
	for i, at := range steps {
		c.Labels = append(c.Labels, p.label(at))
		index[at] = i
	}
	for _, name := range s.names() {
		c.Series = append(c.Series, chart.Series{Name: name, Values: make([]float64, len(steps))})
	}
	last := len(c.Series) - 1
	for h, n := range s.counts {
		i := slices.IndexFunc(c.Series, func(series chart.Series) bool { return series.Name == h.sort })
		if i < 0 {
			i = last
		}
		c.Series[i].Values[index[p.first(h.day)]] += n
	}
	return []chart.Chart{c}
}

// names are the sorts that are told apart, the most frequent first; the last
// one holds all others where they are too many.
func (s *eventSketch) names() []string {
	var names []string
	for name := range s.sorts {
		if name != others {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.sorts[b], s.sorts[a]), cmp.Compare(a, b))
	})
	if len(names) > chart.MaxSeries || s.sorts[others] > 0 {
		names = append(names[:min(len(names), chart.MaxSeries-1)], others)
	}
	return names
}
