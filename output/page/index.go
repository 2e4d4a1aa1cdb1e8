package page

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"unicode/utf16"

	"reseller/client/safetext"
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
type EntryFigure struct {
	Key    string // of the tile
	Text   string
	Change string `json:",omitempty"`
	Class  string `json:",omitempty"` // of the change
}

// indexTiles are the columns of an index: all tiles of a page, in groups below a common title.
var indexTiles = [...]struct {
	title string
	tiles []indexTile
}{
	{"Visits", []indexTile{{summary.TileVisits, "all"}, {summary.TileOrganicVisits, "organic"}}},
	{"Keywords", []indexTile{{summary.TileOrganicFirst3, "first 3"}, {summary.TileOrganicFirst10, "first 10"}}},
	{"On the map", []indexTile{{summary.TileMapFirst3, "first 3"}, {summary.TileMapFirst10, "first 10"}}},
	{"Average rank", []indexTile{{key: summary.TileAverageRank}}},
	{"Domain rating", []indexTile{{key: summary.TileDomainRating}}},
	{"Links", []indexTile{{summary.TileLinksGained, "gained"}, {summary.TileLinksLost, "lost"}}},
	{"Tasks completed", []indexTile{{key: summary.TileTasksCompleted}}},
}

// An indexTile is a tile and its title within its group.
type indexTile struct{ key, title string }

// Describe sets what an index shows of a page.
func (e *Entry) Describe(p *summary.Page) {
	e.Name, e.Campaign, e.Figures = clean(p.Title, maxName), clean(p.Campaign, maxName), nil
	for _, t := range p.Tiles {
		if t.Missing != "" {
			continue
		}
		f := EntryFigure{Key: t.Key, Text: t.Text}
		switch {
		case t.Direction == summary.Unchanged:
			f.Change, f.Class = t.Direction.Arrow(), verdict(t.Figure)
		case t.Short != "":
			f.Change, f.Class = t.Direction.Arrow()+" "+t.Short, verdict(t.Figure)
		}
		e.Figures = append(e.Figures, f)
	}
}

// IsDone reports whether nothing is left to be done for the page.
func (e Entry) IsDone() bool { return e.State == Whole }

// Render returns the HTML of the index.
func (ix Index) Render(b *Brand) ([]byte, error) {
	data, err := json.Marshal(ix)
	if err != nil {
		return nil, err
	}
	var left []Entry
	whole := 0
	for _, e := range ix.Entries {
		if e.IsDone() {
			whole++
			continue
		}
		left = append(left, e)
	}
	pages, are := "pages", " are complete."
	if len(ix.Entries) == 1 {
		pages = "page"
	}
	if whole == 1 {
		are = " is complete."
	}
	b = b.orNone()
	var w writer
	w.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>Reports: $</title>\n", ix.Period)
	w.add(dataStart+"$"+dataEnd+"\n", visibleJSON(data))
	w.addHead(b)
	w.add("<h1>Reports</h1>\n")
	w.addPeriod(ix.Period, ix.Comparison)
	w.add("<div class=\"lead\"><p>$</p></div>\n", summary.Number(float64(whole))+" of "+summary.Number(float64(len(ix.Entries)))+" "+pages+are)
	w.addEntriesLeft(left)
	w.add("\n</section>\n")
	w.addEntries(ix.Entries)
	w.add("\n")
	w.addFooter(b, ix.Made)
	return w.Bytes(), nil
}

// visibleJSON returns the JSON with the escapes of JSON for the characters that the writer would
// escape in another way, so that ParseIndex gets the same texts.
func visibleJSON(data []byte) string {
	var b strings.Builder
	for _, r := range string(data) {
		if !safetext.IsControl(r) && !safetext.IsInvisible(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// fileAddress returns the address of a file in the folder of the index. It has no scheme and leads
// to no other folder, since it has neither a colon nor a slash.
func fileAddress(file string) string {
	return strings.ReplaceAll(url.PathEscape(file), ":", "%3A")
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
