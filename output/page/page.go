package page

import (
	"cmp"
	"slices"
	"strings"

	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/summary"
	"reseller/client/words"
	"reseller/output/chart"
	"reseller/output/palette"
)

// The most characters of a text of the service.
const (
	maxName = 120 // of a name or keyword
	maxText = 240
)

// The most rows of the lists of a page, which a browser can show and a person can read.
const (
	MaxTop      = 120 // keywords
	maxTiles    = 5
	maxMoved    = 12 // keywords that moved most
	maxKinds    = 12
	maxAppendix = 1000
)

// maxPage is about how many bytes of HTML a page has at most: its appendix ends there.
const maxPage = 290_000

// contentPolicy forbids a page to load or run anything. A logo is part of the page.
const contentPolicy markup = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

// Options are what a page shows besides its figures.
type Options struct {
	Brand    *Brand       // nil for a page without a brand
	Appendix bool         // whether the page ends with the rows of the reports
	Top      int          // how many keywords the page has at most, 0 for MaxTop
	Note     []Block      // what the reseller writes above the figures
	Words    *words.Words // in which the page was made, nil for English
	Paper    Paper        // of a PDF; empty for A4
}

// Paper is a size of the sheets of a PDF.
type Paper string

const (
	A4     Paper = "a4"
	Letter Paper = "letter"
)

var Papers = []string{string(A4), string(Letter)}

// A view is a page, and its tables and charts as they are drawn.
type view struct {
	*summary.Page
	Options
	Shown     []summary.Figure // those that matter
	Lead      chart.Chart      // below the tiles
	NoFigures string           // what the page says instead, if none of its sections has one either
	Year      []chart.Chart
	Spread    chart.Chart
	Visits    chart.Chart
	Done      chart.Chart
	Built     chart.Chart
	Referring chart.Chart
	Remarks   []string // what is missing, and the notes
}

func viewOf(p *summary.Page, o Options) view {
	v := view{Page: p, Options: o, Shown: shownOf(p.Tiles)}
	if len(v.figures(p.Rankings.Figures, p.Traffic.Figures, p.Work.Figures, p.Links.Figures))+len(v.Shown) == 0 {
		v.NoFigures = o.Words.Say("no_figures")
	}
	for i := range p.Year {
		v.Year = append(v.Year, yearPlot(o.Words, &p.Year[i]))
	}
	v.Spread, v.Visits = spreadPlot(o.Words, &p.Rankings.Spread), visitsPlot(o.Words, &p.Traffic)
	v.Done, v.Built = columnsPlot(o.Words, &p.Work.Course, summary.TileTasksCompleted), columnsPlot(o.Words, &p.Links.Course, summary.TileLinksGained, summary.TileLinksLost)
	v.Referring = referringPlot(o.Words, &p.Links.Referring)
	for _, c := range []*chart.Chart{&v.Visits, &v.Spread, &v.Done, &v.Built, &v.Referring} {
		if c.Kind != chart.KindShares && len(c.Labels) == 1 || c.Highest() == 0 { // figures tell it
			*c = chart.Chart{}
		}
		if v.Lead.IsEmpty() {
			v.Lead, *c = *c, chart.Chart{}
		}
	}
	var strip chart.Chart // all series of small charts, which have different colors whichever of them a page has
	for _, key := range []string{summary.TileVisits, summary.TileLinksGained, summary.TileOrganicFirst10, summary.TileMapFirst10} {
		strip.Series = append(strip.Series, seriesOf(o.Words, key))
	}
	charts := []*chart.Chart{&v.Referring, &v.Built, &v.Done, &v.Spread, &v.Visits, &v.Lead, &strip}
	for i := range v.Year {
		charts = append(charts, &v.Year[i])
	}
	chart.Color(palette.ByName, charts...)
	told := []string{p.Rankings.Missing(), p.Traffic.Missing(), p.Work.Missing()} // by the sections
	if p.Links.Course.Lines == nil {
		told = append(told, p.Links.Figure(summary.TileLinksGained).Missing, p.Links.Figure(summary.TileLinksLost).Missing)
	}
	for _, m := range p.Missing {
		if !slices.Contains(told, m.Reason) {
			v.Remarks = append(v.Remarks, o.Words.Say("remark", "title", m.Title, "text", m.Reason))
		}
	}
	v.Remarks = append(v.Remarks, p.Notes...)
	return v
}

// tileOrder has the figures in the order in which they matter to a customer.
var tileOrder = []string{
	summary.TileVisits, summary.TileOrganicFirst10, summary.TileMapFirst10, summary.TileLinksGained, summary.TileTasksCompleted, summary.TileOrganicVisits,
	summary.TileAverageRank, summary.TileDomainRating, summary.TileOrganicFirst3, summary.TileMapFirst3, summary.TileLinksLost,
}

// shownOf returns the tiles with which a page begins: those with a target, and then those that matter most, of the figures that are
// not 0 in both periods.
func shownOf(all []summary.Figure) []summary.Figure {
	tiles := slices.DeleteFunc(slices.Clone(all), func(t summary.Figure) bool { return t.Missing != "" || t.Value == 0 && !(t.Previous > 0) })
	place := func(t summary.Figure) int {
		if t.Target != "" {
			return slices.Index(tileOrder, t.Key) - len(tileOrder)
		}
		return slices.Index(tileOrder, t.Key)
	}
	slices.SortStableFunc(tiles, func(x, y summary.Figure) int { return place(x) - place(y) })
	return firstOf(tiles, maxTiles)
}

// figures returns the figures that are known and are no tile: the notes tell of those that are missing.
func (v *view) figures(lists ...[]summary.Figure) []summary.Figure {
	return slices.DeleteFunc(slices.Concat(lists...), func(f summary.Figure) bool {
		return f.Missing != "" || slices.ContainsFunc(v.Shown, func(t summary.Figure) bool { return t.Key == f.Key })
	})
}

func Render(p *summary.Page, o Options) []byte {
	v, b := viewOf(p, o), o.Brand.orNone()
	w := writer{Words: o.Words}
	w.addHead(b, w.Say("page.title", "name", cleanName(p.Called), "period", p.Period), nil)
	v.paint(&w)
	w.addFooter(b, p.Made)
	return w.Bytes()
}

// A painter draws the parts of a page, one below the other: as HTML, or on the sheets of a PDF.
type painter interface {
	addTop(v *view)
	begin(title string)  // of a section
	end()                // of a section
	addSoft(text string) // a remark, or none if it is empty
	addFigures(known []summary.Figure)
	addPlot(c *chart.Chart)        // without its notes
	addTable(t *table, parts int)  // parts is the number of long tables that are to come, with this one
	addStrip(charts []chart.Chart) // small ones, side by side
	addList(title string, items []string)
	addRemarks(all []string)
}

// A part draws something of a section, and is nil if there is nothing to draw.
type part func(painter)

func (v *view) paint(p painter) {
	p.addTop(v)
	if draw := figureOf(&v.Lead); draw != nil {
		draw(p)
	}
	p.end()
	say := v.Words.Say
	section := func(title string, parts ...part) {
		if parts = slices.DeleteFunc(parts, func(draw part) bool { return draw == nil }); len(parts) > 0 {
			p.begin(say("section." + title))
			for _, draw := range parts {
				draw(p)
			}
			p.end()
		}
	}
	section("year", when(len(v.Year) > 0, func(p painter) {
		p.addStrip(v.Year)
		addNotes(p, v.Year...)
	}))
	moved, all := v.tablesOfRanks()
	section("rankings", v.missing(v.Rankings.Missing()), v.figuresOf(v.Rankings.Figures), v.measuredOn(), figureOf(&v.Spread), moved, all)
	section("traffic", v.missing(v.Traffic.Missing()), v.figuresOf(v.Traffic.Figures), figureOf(&v.Visits))
	section("work", v.missing(v.Work.Missing()), v.figuresOf(v.Work.Figures), figureOf(&v.Done), v.kinds("tasks", v.Work.Kinds))
	unread := when(v.Links.Course.Lines == nil, func(p painter) {
		p.addSoft(say("no_data.links", "gained", v.Links.Figure(summary.TileLinksGained).Missing, "lost", v.Links.Figure(summary.TileLinksLost).Missing))
	})
	section("links", unread, v.figuresOf(v.Links.Figures), figureOf(&v.Built), figureOf(&v.Referring), v.kinds("links", v.Links.Kinds))
	section("about", when(len(v.Remarks) > 0, func(p painter) { p.addRemarks(v.Remarks) }))
	var tables []part
	if all := v.Page.Appendix; v.Options.Appendix {
		for i, t := range all {
			tables = append(tables, func(p painter) { p.addTable(tableOf(t), len(all)-i) })
		}
	}
	section("appendix", tables...)
}

func when(isThere bool, draw part) part {
	if !isThere {
		return nil
	}
	return draw
}

func figureOf(c *chart.Chart) part {
	return when(!c.IsEmpty(), func(p painter) {
		p.addPlot(c)
		addNotes(p, *c)
	})
}

// addNotes draws once what has to be known of charts.
func addNotes(p painter, charts ...chart.Chart) {
	var told []string
	for _, c := range charts {
		for _, note := range c.Notes {
			if !slices.Contains(told, note) {
				told = append(told, note)
				p.addSoft(note)
			}
		}
	}
}

func (v *view) missing(reason string) part {
	return when(reason != "", func(p painter) { p.addSoft(v.Words.Say("no_data", "reason", reason)) })
}

func (v *view) figuresOf(lists ...[]summary.Figure) part {
	figures := v.figures(lists...)
	return when(len(figures) > 0, func(p painter) { p.addFigures(figures) })
}

// kinds draws how many tasks or links of each kind there are, if any has a name.
func (v *view) kinds(of string, all []summary.Kind) part {
	var items []string
	isNamed, rest := false, 0
	add := func(name string, n int) {
		items = append(items, v.Words.Say("kind", "name", name, "n", v.Words.Number(float64(n))))
	}
	for i, kind := range all {
		if i >= maxKinds-1 && len(all) > maxKinds {
			rest += kind.Count
			continue
		}
		name := cleanName(kind.Name)
		isNamed = isNamed || name != ""
		add(orNameless(v.Words, name), kind.Count)
	}
	if rest > 0 {
		add(v.Words.Say("kinds.other"), rest)
	}
	return when(isNamed, func(p painter) { p.addList(v.Words.Say("kinds."+of), items) })
}

func lineOf(f summary.Figure) chart.Spark {
	return chart.Spark{Values: f.Line, IsRank: f.Key == summary.TileAverageRank}
}

func firstOf[T any](all []T, limit int) []T { return all[:min(len(all), limit)] }

// movedMost returns the keywords that moved most, of more than would fit into their table, in the order of their moves.
func movedMost(rows []summary.Ranking) []summary.Ranking {
	if len(rows) <= maxMoved {
		return nil
	}
	moved := func(r summary.Ranking) int {
		return max(r.Organic.Rise, -r.Organic.Rise, r.Map.Rise, -r.Map.Rise)
	}
	most := slices.DeleteFunc(slices.Clone(rows), func(r summary.Ranking) bool { return moved(r) == 0 })
	slices.SortStableFunc(most, func(x, y summary.Ranking) int { return cmp.Compare(moved(y), moved(x)) })
	most = firstOf(most, maxMoved)
	slices.SortStableFunc(most, func(x, y summary.Ranking) int {
		return cmp.Or(cmp.Compare(y.Organic.Rise, x.Organic.Rise), cmp.Compare(y.Map.Rise, x.Map.Rise))
	})
	return most
}

// tablesOfRanks draws the keywords that moved most, and then the first ones by their rank.
func (v *view) tablesOfRanks() (moved, all part) {
	of := func(title string, rows []summary.Ranking, n int) part {
		return when(len(rows) > 0, func(p painter) { p.addTable(v.rankTable(v.Words.Say(title), firstOf(rows, n), len(rows)), 0) })
	}
	return of("table.moves", movedMost(v.Rankings.Rows), maxMoved), of("table.ranks", v.Rankings.Rows, cmp.Or(v.Top, MaxTop))
}

func (v *view) measuredOn() part {
	r := &v.Rankings
	isCompared := slices.ContainsFunc(r.Rows, func(k summary.Ranking) bool { return max(k.Organic.Direction, k.Map.Direction) > summary.NotCompared })
	form := words.Case(phrase.Join("_", map[bool]string{true: "measured"}[r.Measured != ""], map[bool]string{true: "compared"}[isCompared]))
	return when(r.Missing() == "", func(p painter) {
		p.addSoft(v.Words.Say("rankings.measured", "form", form, "day", r.Measured, "since", r.Since))
	})
}

func madeOn(in *words.Words, b *Brand, made string) string {
	if b.Name == "" {
		return in.Say("made.with", "day", made)
	}
	return in.Say("made", "day", made)
}

func verdict(f summary.Figure) string { return [...]string{"same", "good", "bad"}[f.Verdict] }

// clean returns a text of the service, as far as it is visible, cut to limit columns.
func clean(s string, limit int) string {
	isSeen := func(r rune) rune {
		if safetext.SaysNothing(r) {
			return -1
		}
		return r
	}
	return chart.SafeText(strings.Map(isSeen, s), limit, joiners...)
}

func cleanName(s string) string { return clean(s, maxName) }
func cleanText(s string) string { return clean(s, maxText) }

// orNameless returns a name, or a word where nothing of it is visible: a row without a header can't be read aloud.
func orNameless(in *words.Words, s string) string { return cmp.Or(s, in.Say("nameless")) }
