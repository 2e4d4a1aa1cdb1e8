package page

import (
	"encoding/json"
	"html"
	"strings"

	"reseller/client/summary"
)

// An Index lists the pages of many campaigns.
type Index struct {
	Period     string
	Comparison string
	Made       string
	Entries    []Entry
}

// An Entry is a campaign of an index. File is empty if there is no page.
type Entry struct {
	AccountID, CampaignID int64
	Name, Campaign        string
	File                  string
	Figures               []EntryFigure
	State                 State
	Error                 string // why the page is not whole, or not there
}

// A State says whether the page of a campaign is whole.
type State string

// The states.
const (
	Waiting    State = "not made yet"
	Whole      State = "complete"
	Incomplete State = "incomplete"
	Failed     State = "failed"
)

// An EntryFigure is a tile of a page.
type EntryFigure struct{ Title, Text, Change, Class string }

// indexTiles are the tiles that an index shows.
var indexTiles = [...]struct{ key, title string }{
	{summary.TileVisits, "Visits"}, {summary.TileOrganicFirst10, "Keywords in the first 10"}, {summary.TileAverageRank, "Average rank"},
	{summary.TileDomainRating, "Domain rating"}, {summary.TileLinksGained, "Links gained"}, {summary.TileTasksCompleted, "Tasks completed"},
}

// Describe sets what an index shows of a page.
func (e *Entry) Describe(p *summary.Page) {
	e.Name, e.Campaign, e.Figures = clean(p.Title, maxName), clean(p.Campaign, maxName), nil
	for _, shown := range indexTiles {
		f := EntryFigure{Title: shown.title}
		for _, t := range p.Tiles {
			if t.Key == shown.key && t.Missing == "" {
				f.Text, f.Class = t.Text, verdict(t.Figure)
				if t.Short != "" {
					f.Change = t.Direction.Arrow() + " " + t.Short
				}
			}
		}
		e.Figures = append(e.Figures, f)
	}
}

// IsDone reports whether nothing is left to be done for the page.
func (e Entry) IsDone() bool { return e.State == Whole }

// indexView is what the template of an index gets.
type indexView struct {
	look
	Index
	Titles []string
	Whole  string // how many pages are complete
	Left   []Entry
	Data   string // the index, from which ParseIndex makes it again
}

// Render returns the HTML of the index.
func (ix Index) Render(b *Brand) ([]byte, error) {
	data, err := json.Marshal(ix)
	if err != nil {
		return nil, err
	}
	v := indexView{look: lookOf(b), Index: ix, Data: string(data)}
	for _, t := range indexTiles {
		v.Titles = append(v.Titles, t.title)
	}
	whole := 0
	for _, e := range ix.Entries {
		if e.IsDone() {
			whole++
			continue
		}
		v.Left = append(v.Left, e)
	}
	pages, are := "pages", " are complete."
	if len(ix.Entries) == 1 {
		pages = "page"
	}
	if whole == 1 {
		are = " is complete."
	}
	v.Whole = summary.Number(float64(whole)) + " of " + summary.Number(float64(len(ix.Entries))) + " " + pages + are
	return render("index.html", v)
}

const (
	dataStart = `<meta name="index" content="`
	dataEnd   = `">`
)

// ParseIndex returns the index that Render made into HTML. ok is false if the HTML is none.
func ParseIndex(text []byte) (ix Index, ok bool) {
	_, rest, found := strings.Cut(string(text), dataStart)
	data, _, ended := strings.Cut(rest, dataEnd)
	if !found || !ended {
		return ix, false
	}
	err := json.Unmarshal([]byte(html.UnescapeString(data)), &ix)
	return ix, err == nil
}
