package page

import (
	"bytes"
	"embed"
	"html/template"
	"slices"
	"strings"
	"sync"

	"reseller/client/safetext"
	"reseller/client/summary"
	"reseller/output/textwidth"
)

//go:embed templates
var files embed.FS

// templates returns the parsed templates.
var templates = sync.OnceValue(func() *template.Template {
	style, err := files.ReadFile("templates/style.css")
	if err != nil {
		panic(err)
	}
	return template.Must(template.New("").Funcs(template.FuncMap{
		"style":   func() template.CSS { return template.CSS(style) },
		"name":    func(s string) string { return clean(s, maxName) },
		"text":    func(s string) string { return clean(s, maxText) },
		"verdict": verdict,
		"figures": known,
		"links": func(caption, detail string, rows []summary.Link, more string) linkTable {
			return linkTable{caption, detail, rows, more}
		},
	}).ParseFS(files, "templates/*.html"))
})

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

// contentPolicy forbids a page to load or run anything. A logo is part of the page.
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

// Options are what a page shows besides its figures.
type Options struct {
	Brand    *Brand // nil for a page without a brand
	Appendix bool   // whether the page ends with the rows of the reports
}

// A look is what the template of every page gets.
type look struct {
	Policy string
	Brand  *Brand
	Colors colors
}

func lookOf(b *Brand) look {
	if b == nil {
		b = &Brand{}
	}
	return look{Policy: contentPolicy, Brand: b, Colors: b.colors()}
}

// A view is what the template of a page gets: the page, and its tables and charts as they are
// drawn.
type view struct {
	look
	*summary.Page
	Shown        []tile // the tiles with a figure
	Ranks        []rankRow
	RanksLeftOut string
	HasMap       bool
	Visits       plot
	Done         plot
	Built        plot
	Referring    plot
	TasksMore    string
	GainedMore   string
	LostMore     string
	Tables       []summary.Table
}

// A tile is a figure with its line.
type tile struct {
	summary.Figure
	Line spark
}

// A rankRow is a row of the table of keywords.
type rankRow struct {
	summary.Ranking
	Line spark
}

// A linkTable is a list of links.
type linkTable struct {
	Caption, Detail string // Detail is the header of the details of the links
	Rows            []summary.Link
	More            string
}

// Rated reports whether the rating of the other site is known for any of the links.
func (t linkTable) Rated() bool {
	return slices.ContainsFunc(t.Rows, func(l summary.Link) bool { return l.Rating != "" })
}

// Render returns the HTML of a page.
func Render(p *summary.Page, o Options) ([]byte, error) {
	v := view{look: lookOf(o.Brand), Page: p}
	for i := range p.Tiles {
		if t := &p.Tiles[i]; t.Missing == "" {
			v.Shown = append(v.Shown, tile{t.Figure, sparkOf(t.Line, t.Key == summary.TileAverageRank)})
		}
	}
	v.addRanks()
	v.Visits, v.Done, v.Built, v.Referring = visitsPlot(&p.Traffic), donePlot(&p.Work), builtPlot(&p.Links), referringPlot(&p.Links)
	v.TasksMore = more(len(p.Work.Tasks), maxTasks, "tasks")
	v.GainedMore = more(len(p.Links.Gained), maxLinks, "links")
	v.LostMore = more(len(p.Links.Lost), maxLinks, "links")
	if o.Appendix {
		for _, t := range p.Appendix {
			if n := len(t.Rows); n > maxAppendix {
				t.Title += ": the first " + summary.Number(maxAppendix) + " of " + summary.Number(float64(n)) + " rows"
				t.Rows = t.Rows[:maxAppendix]
			}
			v.Tables = append(v.Tables, t)
		}
	}
	return render("page.html", v)
}

func render(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := templates().ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}

// Tasks, Gained and Lost return the rows of the lists of a page.
func (v view) Tasks() []summary.Task  { return first(v.Work.Tasks, maxTasks) }
func (v view) Gained() []summary.Link { return first(v.Links.Gained, maxLinks) }
func (v view) Lost() []summary.Link   { return first(v.Links.Lost, maxLinks) }

func first[T any](all []T, limit int) []T { return all[:min(len(all), limit)] }

// more says how many rows a list has if it does not show all.
func more(n, limit int, what string) string {
	if n <= limit {
		return ""
	}
	return "The latest " + summary.Number(float64(limit)) + " of " + summary.Number(float64(n)) + " " + what + "."
}

// addRanks chooses the rows of the table of keywords. Of many keywords, it has those that rose most
// and those that fell most.
func (v *view) addRanks() {
	rows := v.Rankings.Rows
	if n := len(rows); n > maxRankings {
		var fell []summary.Ranking
		for i := n - 1; i >= maxRankings/2 && len(fell) < maxRankings/2; i-- {
			if rows[i].Organic.Direction == summary.Down {
				fell = append(fell, rows[i])
			}
		}
		rows = append([]summary.Ranking(nil), rows[:maxRankings-len(fell)]...)
		for i := len(fell) - 1; i >= 0; i-- {
			rows = append(rows, fell[i])
		}
		v.RanksLeftOut = "The table shows " + summary.Number(maxRankings) + " of " + summary.Number(float64(n)) + " keywords"
		if v.Rankings.Since != "" {
			v.RanksLeftOut += ": those whose rank changed most"
		}
		v.RanksLeftOut += "."
	}
	for _, r := range rows {
		v.HasMap = v.HasMap || r.Map.Best != ""
		v.Ranks = append(v.Ranks, rankRow{r, sparkOf(r.Organic.Line, true)})
	}
}

// known returns the figures that the service gives. What is missing is said at the end of the page.
func known(all []summary.Figure) []summary.Figure {
	return slices.DeleteFunc(slices.Clone(all), func(f summary.Figure) bool { return f.Missing != "" })
}

// verdict returns the class of a change.
func verdict(f summary.Figure) string { return [...]string{"same", "good", "bad"}[f.Verdict] }

// Class returns the class of the change of the organic rank.
func (r rankRow) Class() string { return classOf(r.Organic.Direction) }

// MapClass returns the class of the change of the rank on the map.
func (r rankRow) MapClass() string { return classOf(r.Map.Direction) }

func classOf(d summary.Direction) string {
	switch d {
	case summary.Up, summary.New:
		return "good"
	case summary.Down:
		return "bad"
	}
	return "same"
}

// clean returns a text of the service cut to limit columns. Control characters, which could
// change the direction of other texts, are escaped; joiners belong to the spelling of some languages.
func clean(s string, limit int) string {
	if len(s) > 64*limit { // the rest would be cut in any case
		s = s[:64*limit]
	}
	return textwidth.Truncate(strings.TrimSpace(safetext.Escape(strings.ToValidUTF8(s, "\ufffd"), '\u200c', '\u200d')), limit)
}
