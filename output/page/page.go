package page

import (
	"cmp"
	"slices"

	"reseller/client/summary"
	"reseller/client/words"
	"reseller/output/chart"
)

// The most characters of a text of the service.
const (
	maxName = 120 // of a name or keyword
	maxText = 240
)

// The most rows of the lists of a page, which a browser can show and a person can read.
const (
	maxRankings = 120
	maxTasks    = 60
	maxLinks    = 40
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
	Note     []Block      // what the reseller writes above the figures
	Words    *words.Words // in which the page was made, nil for English
	Paper    Paper        // of a PDF; empty for A4
}

// Paper is a size of the sheets of a PDF.
type Paper string

// The sizes of paper.
const (
	A4     Paper = "a4"
	Letter Paper = "letter"
)

// Papers are all sizes of paper.
var Papers = []string{string(A4), string(Letter)}

// A view is a page, and its tables and charts as they are drawn.
type view struct {
	*summary.Page
	words        *words.Words
	Note         []Block
	Shown        []summary.Tile    // those with a figure
	NoFigures    string            // what the page says instead, if none of its sections has one either
	Ranks        []summary.Ranking // the rows of the table
	RanksLeftOut string
	HasMap       bool
	Visits       chart.Chart
	Done         chart.Chart
	Built        chart.Chart
	Referring    chart.Chart
	Remarks      []string // what is missing, and the notes
	Tables       []chart.Table
}

// viewOf returns what is drawn of a page.
func viewOf(p *summary.Page, o Options) view {
	v := view{Page: p, words: o.Words, Note: o.Note, Shown: slices.DeleteFunc(slices.Clone(p.Tiles), func(t summary.Tile) bool { return t.Missing != "" })}
	if all := slices.Concat(p.Rankings.Figures, p.Traffic.Figures, p.Work.Figures, p.Links.Figures); len(v.Shown)+len(knownOf(all)) == 0 {
		v.NoFigures = o.Words.Say("no_figures")
	}
	v.addRanks()
	v.Visits, v.Done, v.Built, v.Referring = visitsPlot(o.Words, &p.Traffic), columnsPlot(o.Words, p.Work.Unit, p.Work.Intervals, seriesCompleted, ""), builtPlot(o.Words, &p.Links), referringPlot(o.Words, &p.Links)
	if len(p.Links.Referring) < 2 { // which is a figure
		v.Referring = chart.Chart{}
	}
	for _, m := range p.Missing {
		v.Remarks = append(v.Remarks, o.Words.Say("remark", "title", m.Title, "text", m.Reason))
	}
	v.Remarks = append(v.Remarks, p.Notes...)
	if o.Appendix {
		for _, t := range p.Appendix {
			v.Tables = append(v.Tables, chart.Table{Title: t.Title, Header: t.Header, Rows: t.Rows})
		}
	}
	return v
}

// Render returns the HTML of a page.
func Render(p *summary.Page, o Options) []byte {
	v, b := viewOf(p, o), o.Brand.orNone()
	w := writer{Words: o.Words}
	w.add("<!DOCTYPE html>\n<html lang=\"$\">\n<head>\n<title>$</title>\n", w.Tag(), w.Say("page.title", "name", cleanName(p.Title), "period", p.Period))
	w.addHead(b)
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
	addPlot(c *chart.Chart)
	addTable(t *table, parts int) // parts is the number of long tables that are to come, with this one
	addTasks(tasks []string)
	addRemarks(all []string)
}

// paint draws all of the page but its footer.
func (v *view) paint(p painter) {
	p.addTop(v)
	say := v.words.Say
	begin := func(title string, figures []summary.Figure, missing string) {
		p.begin(say("section." + title))
		if missing != "" {
			p.addSoft(say("no_data", "reason", missing))
			return
		}
		p.addFigures(knownOf(figures))
	}
	begin("rankings", v.Rankings.Figures, v.Rankings.Missing)
	if v.Rankings.Missing == "" {
		p.addSoft(v.measuredOn())
	}
	if len(v.Ranks) > 0 {
		p.addTable(v.rankTable(), 0)
		p.addSoft(v.RanksLeftOut)
	}
	p.end()
	begin("traffic", v.Traffic.Figures, v.Traffic.Missing)
	p.addPlot(&v.Visits)
	p.end()
	begin("work", v.Work.Figures, v.Work.Missing)
	p.addPlot(&v.Done)
	if n := len(v.Work.Tasks); n > 0 {
		var tasks []string
		for _, t := range firstOf(v.Work.Tasks, maxTasks) {
			tasks = append(tasks, say("task", "name", cleanName(t.Name), "day", t.Completed))
		}
		p.addTasks(tasks)
		p.addSoft(more(v.words, n, maxTasks, "tasks"))
	}
	p.end()
	begin("links", v.Links.Figures, "")
	if v.Links.Intervals == nil {
		p.addSoft(say("no_data.links", "gained", v.Links.GainedMissing, "lost", v.Links.LostMissing))
	}
	p.addPlot(&v.Built)
	p.addPlot(&v.Referring)
	v.paintLinks(p, "figure.links_gained", "column.kind", v.Links.Gained)
	v.paintLinks(p, "figure.links_lost", "column.text", v.Links.Lost)
	p.end()
	if len(v.Remarks) > 0 {
		p.begin(say("section.about"))
		p.addRemarks(v.Remarks)
		p.end()
	}
	for i, t := range v.Tables {
		if i == 0 {
			p.begin(say("section.appendix"))
			defer p.end()
		}
		p.addTable(tableOf(t), len(v.Tables)-i)
	}
}

// paintLinks draws the table of the latest links, if there are any.
func (v *view) paintLinks(p painter, title, detail string, links []summary.Link) {
	if len(links) > 0 {
		p.addTable(linkTable(v.words, title, detail, firstOf(links, maxLinks)), 0)
		p.addSoft(more(v.words, len(links), maxLinks, "links"))
	}
}

// knownOf returns the figures that are not missing: the notes tell of the others.
func knownOf(figures []summary.Figure) []summary.Figure {
	return slices.DeleteFunc(slices.Clone(figures), func(f summary.Figure) bool { return f.Missing != "" })
}

func lineOf(t summary.Tile) chart.Spark {
	return chart.Spark{Values: t.Line, IsRank: t.Key == summary.TileAverageRank}
}

func firstOf[T any](all []T, limit int) []T { return all[:min(len(all), limit)] }

// more says how many rows a list has if it does not show all.
func more(in *words.Words, n, limit int, what string) string {
	if n <= limit {
		return ""
	}
	return in.Say("more."+what, "n", limit, "all", n)
}

// addRanks chooses the rows of the table of keywords. Of many keywords, it has those that rose or fell most.
func (v *view) addRanks() {
	rows := v.Rankings.Rows
	v.Ranks = rows
	if n := len(rows); n > maxRankings {
		moved := func(r summary.Ranking) int {
			return max(r.Organic.Rise, -r.Organic.Rise, r.Map.Rise, -r.Map.Rise)
		}
		places := make([]int, n)
		for i := range places {
			places[i] = i
		}
		slices.SortStableFunc(places, func(x, y int) int { return cmp.Compare(moved(rows[y]), moved(rows[x])) })
		v.Ranks = nil
		for _, i := range slices.Sorted(slices.Values(places[:maxRankings])) {
			v.Ranks = append(v.Ranks, rows[i])
		}
		isCompared := words.Case("")
		if v.Rankings.Since != "" {
			isCompared = "compared"
		}
		v.RanksLeftOut = v.words.Say("rankings.shown", "compared", isCompared, "n", maxRankings, "all", n)
	}
	v.HasMap = slices.ContainsFunc(v.Ranks, func(r summary.Ranking) bool { return r.Map.Best != "" || r.Map.Change != "" })
}

// measuredOn says from when the ranks are, and those with which they are compared.
func (v *view) measuredOn() string {
	r, form := &v.Rankings, words.Case("")
	switch {
	case r.Measured != "" && r.Since != "":
		form = "measured_compared"
	case r.Measured != "":
		form = "measured"
	case r.Since != "":
		form = "compared"
	}
	return v.words.Say("rankings.measured", "form", form, "day", r.Measured, "since", r.Since)
}

// madeOn says when a page was made and, without a brand, by what.
func madeOn(in *words.Words, b *Brand, made string) string {
	if b.Name == "" {
		return in.Say("made.with", "day", made)
	}
	return in.Say("made", "day", made)
}

// verdict returns the class of a change.
func verdict(f summary.Figure) string { return [...]string{"same", "good", "bad"}[f.Verdict] }

// clean returns a text of the service, as far as it is visible, cut to limit columns.
func clean(s string, limit int) string { return chart.SafeText(s, limit, joiners...) }

func cleanName(s string) string { return clean(s, maxName) }
func cleanText(s string) string { return clean(s, maxText) }

// orNameless returns the name of a row, or a word in place of one in which nothing is visible: a row
// without a header can't be read aloud.
func orNameless(in *words.Words, s string) string { return cmp.Or(s, in.Say("nameless")) }
