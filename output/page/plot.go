package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"reseller/client/phrase"
	"reseller/client/summary"
	"reseller/client/words"
	"reseller/output/chart"
)

// english are the words of charts that are no part of a page.
var english *words.Words

// seriesOf returns a series without its values. It has the same color in every language.
func seriesOf(in *words.Words, key string) chart.Series {
	return chart.Series{Name: in.Say("figure." + key), Key: english.Say("figure." + key)}
}

// Plots returns the charts of one report of a page: those of its section, and the ranks of the keywords with the most searches. Where
// there is nothing to draw, a chart says why.
func Plots(p *summary.Page, r summary.Report) []chart.Chart {
	var all []chart.Chart
	missing := ""
	switch r {
	case summary.ReportKeywords:
		all, missing = []chart.Chart{ranksPlot("Organic ranks", &p.Rankings, organicRank), ranksPlot("Ranks on the map", &p.Rankings, rankOnMap)}, p.Rankings.Missing()
	case summary.ReportTraffic:
		all, missing = []chart.Chart{visitsPlot(english, &p.Traffic)}, p.Traffic.Missing()
		if lacking := p.Traffic.Figures[0].Beside; lacking != "" && p.Selected == "" {
			all[0].Notes = append(all[0].Notes, phrase.Sentence(lacking))
		}
	case summary.ReportWorkflows:
		all, missing = []chart.Chart{columnsPlot(english, &p.Work.Course, summary.TileTasksCompleted)}, p.Work.Missing()
	case summary.ReportBacklinks:
		rating, backlinks := p.Links.Figure(summary.TileDomainRating), p.Links.Figure(summary.FigureBacklinks)
		all = []chart.Chart{todaysPlot(rating.Title, rating), todaysPlot("Backlinks and referring domains", backlinks, p.Links.Figure(summary.FigureReferringDomains))}
		all[0].SuggestedMax, all[1].NoData, missing = maxRating, "No data: "+backlinks.Missing+".", rating.Missing
	case summary.ReportLost:
		all, missing = []chart.Chart{columnsPlot(english, &p.Links.Course, summary.TileLinksLost)}, p.Links.Figure(summary.TileLinksLost).Missing
	case summary.ReportReferring:
		all, missing = []chart.Chart{referringPlot(english, &p.Links.Referring)}, p.Links.Figure(summary.FigureReferringBacklinks).Missing
	case summary.ReportProvisioned:
		all, missing = []chart.Chart{columnsPlot(english, &p.Links.Course, summary.TileLinksGained)}, p.Links.Figure(summary.TileLinksGained).Missing
	}
	for i := range all {
		switch {
		case all[i].NoData != "":
		case missing != "":
			all[i].NoData = "No data: " + missing + "."
		case p.Selected != "":
			all[i].NoData = phrase.Sentence(p.Selected + " have none")
		case r == summary.ReportKeywords:
			all[i].NoData = "No keyword has a rank in its history of these days."
		default:
			all[i].NoData = "There are none in the period."
		}
	}
	return all
}

const maxRating = 100 // upper end of the scale of domain ratings

func todaysPlot(title string, figures ...summary.Figure) chart.Chart {
	p := chart.Chart{Title: title, Kind: chart.KindColumns, Form: english.Number, Series: []chart.Series{{}}}
	for _, f := range figures {
		p.Labels, p.Series[0].Values = append(p.Labels, f.Title), append(p.Series[0].Values, f.Value)
	}
	return p
}

func organicRank(r *summary.Ranking) *summary.Rank { return &r.Organic }
func rankOnMap(r *summary.Ranking) *summary.Rank   { return &r.Map }

func ranksPlot(title string, r *summary.Rankings, of func(*summary.Ranking) *summary.Rank) chart.Chart {
	p := chart.Chart{Title: title, Kind: chart.KindRanks, Labels: r.Course.Labels}
	rows := slices.DeleteFunc(slices.Clone(r.Rows), func(row summary.Ranking) bool { return of(&row).Line == nil })
	slices.SortStableFunc(rows, func(x, y summary.Ranking) int { return cmp.Compare(y.Searches, x.Searches) }) // NaN comes last
	hasGap := false
	for _, row := range firstOf(rows, chart.MaxSeries) {
		line := of(&row).Line
		p.Series = append(p.Series, chart.Series{Name: orNameless(english, row.Keyword), Values: line})
		hasGap = hasGap || slices.ContainsFunc(line, math.IsNaN)
	}
	if len(rows) > len(p.Series) {
		which := "keywords with the highest search volume"
		if math.IsNaN(rows[0].Searches) { // none is known
			which = "first keywords"
		}
		p.Notes = append(p.Notes, fmt.Sprintf("Showing the %d %s, of %d that rank.", len(p.Series), which, len(rows)))
	}
	if hasGap {
		p.Notes = append(p.Notes, fmt.Sprintf("A gap is a rank of %d, not ranked, or a time without a measurement.", summary.Unranked))
	}
	noteDates(english, &p, r.Course.Dates)
	if len(rows) == 0 && r.Measured == "" && slices.ContainsFunc(r.Rows, func(row summary.Ranking) bool { return of(&row).Best != "" }) {
		p.NoData = "The service gives no dates of the ranks."
	}
	if n := len(r.Rows) - len(rows); n > 0 && len(rows) > 0 {
		p.Notes = append(p.Notes, phrase.Count(n, "keyword has", "keywords have")+" no rank on these dates.")
	}
	return p
}

// plotOf draws those lines of a course that have one of some keys.
func plotOf(in *words.Words, kind chart.Kind, c *summary.Course, keys ...string) chart.Chart {
	p := chart.Chart{Kind: kind, Form: in.Number, Labels: slices.Clone(c.Labels), Partial: c.Partial}
	var partial, about []string
	for i, isPartial := range c.Partial {
		if isPartial {
			p.Labels[i] += partialMark
			partial = append(partial, p.Labels[i])
		}
	}
	if partial != nil { // an axis need not have room for their labels
		p.Notes = append(p.Notes, in.Say("chart.partial", "unit", words.Case(c.Unit), "n", len(partial), "list", in.First(partial, namedPartial)))
	}
	for _, line := range c.Lines {
		if slices.Contains(keys, line.Key) {
			s := seriesOf(in, line.Key)
			s.Values = line.Values
			p.Series, about = append(p.Series, s), append(about, listed(in, s.Name, p.Labels, line.Values))
		}
	}
	p.About = phrase.Join(" ", about...)
	if kind == chart.KindColumns && slices.ContainsFunc(p.Series, func(s chart.Series) bool { return slices.ContainsFunc(s.Values, math.IsNaN) }) {
		p.Notes = append(p.Notes, in.Say("chart.dash"))
	}
	noteDates(in, &p, c.Dates)
	return p
}

// partialMark stands behind the label of an interval that is not whole.
const partialMark = "*"

const namedPartial = 4 // intervals that are not whole are named in a note

func visitsPlot(in *words.Words, t *summary.Section) chart.Chart {
	p := plotOf(in, chart.KindLines, &t.Course, summary.TileVisits)
	p.Title = in.Say("chart.visits", "unit", words.Case(t.Course.Unit))
	for _, line := range t.Course.Lines {
		switch line.Key {
		case summary.TileOrganicVisits:
			organic := seriesOf(in, line.Key)
			organic.Thin, organic.Values = true, line.Values
			p.Series = append(p.Series, organic)
			p.About = phrase.Join(" ", p.About, listed(in, organic.Name, p.Labels, line.Values))
		case summary.LineBefore:
			if before := (chart.Chart{Series: []chart.Series{{Name: line.Name, Before: true, Values: line.Values}}}); !before.IsEmpty() {
				p.Series = append(p.Series, before.Series...)
				p.About = phrase.Join(" ", p.About, listed(in, line.Name, p.Labels, line.Values))
			}
		}
	}
	return p
}

func yearPlot(in *words.Words, c *summary.Course) chart.Chart {
	p := plotOf(in, chart.KindColumns, c, c.Lines[0].Key)
	p.Title = p.Series[0].Name
	return p
}

// listed tells all numbers that are known of a series or a bar, for whoever can't see the chart.
func listed(in *words.Words, title string, names []string, values []float64) string {
	var all []string
	for i, n := range values {
		if !math.IsNaN(n) {
			all = append(all, in.Say("kind", "name", names[i], "n", in.Number(n)))
		}
	}
	if all == nil {
		return ""
	}
	return in.Say("remark", "title", title, "text", in.List(all...))
}

func spreadPlot(in *words.Words, of *summary.Spread) chart.Chart {
	p := chart.Chart{Title: in.Say("title.organic_ranks"), Kind: chart.KindShares, Form: in.Number}
	if of.IsMap {
		p.Title = in.Say("title.map_ranks")
	}
	names, about := in.Each(phrase.Each(summary.SpreadKeys[:], func(key string) string { return "spread." + key })...), []string(nil)
	for i, counts := range of.Counts {
		label := words.Capital(of.Labels[i])
		p.Labels, about = append(p.Labels, label), append(about, listed(in, label, names, counts[:]))
	}
	for i, name := range names {
		s := chart.Series{Name: name}
		for _, counts := range of.Counts {
			s.Values = append(s.Values, counts[i])
		}
		if len(of.Counts) > 0 && (slices.Max(s.Values) > 0 || i < len(names)-1) {
			p.Series = append(p.Series, s)
		}
	}
	p.About = strings.Join(about, " ")
	return p
}

// columnsPlot draws a column for each interval and each line that has one of some keys. It has no series if all counts are 0.
func columnsPlot(in *words.Words, c *summary.Course, keys ...string) chart.Chart {
	p, title := plotOf(in, chart.KindColumns, c, keys...), "links"
	if len(keys) > 1 {
		keys = slices.DeleteFunc(keys, func(key string) bool {
			return !slices.ContainsFunc(c.Lines, func(l summary.Line) bool { return l.Key == key })
		})
	}
	if len(keys) == 1 {
		title = keys[0]
	}
	p.Title = in.Say("chart."+title, "unit", words.Case(cmp.Or(c.Unit, summary.UnitWeek.String())))
	if p.Highest() == 0 {
		return chart.Chart{Title: p.Title}
	}
	return p
}

func referringPlot(in *words.Words, c *summary.Course) chart.Chart {
	p := plotOf(in, chart.KindLines, c, summary.FigureReferringBacklinks)
	p.Title = in.Say("figure." + summary.FigureReferringBacklinks)
	return p
}

// noteDates adds a note if a chart has only some of the dates of measurements. An empty one is a gap.
func noteDates(in *words.Words, p *chart.Chart, all int) {
	if n := len(slices.DeleteFunc(slices.Clone(p.Labels), func(day string) bool { return day == "" })); n < all {
		p.Notes = append(p.Notes, in.Say("chart.dates", "n", n, "all", all))
	}
}
