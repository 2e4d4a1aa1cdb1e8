package page

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"reseller/client/phrase"
	"reseller/client/summary"
)

// An Index lists the pages of many campaigns.
type Index struct {
	Period     string
	Comparison string
	Made       string
	IsOpen     bool `json:",omitempty"` // more pages were to be made
	Entries    []Entry
}

// An Entry is a campaign of an index.
type Entry struct {
	AccountID, CampaignID int64
	Name, Campaign        string
	Files                 []string // of the page, one for each format in which it was made: HTML first, and those that lack a report last
	Partial               []string `json:",omitempty"` // those of the files that lack a report
	Figures               []EntryFigure
	State                 State
	Error                 string   // why the page is not whole, or not there
	Unread                []string `json:",omitempty"` // the titles of the reports that failed
	Missing               []string `json:",omitempty"` // the titles of what else the page can't show
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
	Note   string `json:",omitempty"` // what the figure leaves out, or its day
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
	e.Name, e.Campaign, e.Figures, e.Unread, e.Missing = clean(p.Title, maxName), clean(p.Campaign, maxName), nil, nil, nil
	for _, t := range p.Tiles {
		if t.Missing != "" {
			continue
		}
		f := EntryFigure{Key: t.Key, Text: t.Text, Note: cmp.Or(t.Beside, t.AsOf)}
		if t.Short != "" {
			f.Change, f.Class = t.Direction.Arrow(), verdict(t.Figure)
			if t.Direction != summary.Unchanged {
				f.Change += " " + t.Short
			}
			f.Change += t.Since
		}
		e.Figures = append(e.Figures, f)
	}
	for _, m := range p.Missing {
		if m.Failed {
			e.Unread = append(e.Unread, m.Title)
		} else {
			e.Missing = append(e.Missing, m.Title)
		}
	}
}

// Render returns the HTML of the index.
func (ix Index) Render(b *Brand) ([]byte, error) {
	data, err := json.Marshal(ix)
	if err != nil {
		return nil, err
	}
	left := slices.DeleteFunc(slices.Clone(ix.Entries), func(e Entry) bool { return e.State == Whole })
	b = b.orNone()
	var w writer
	w.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>Reports: $</title>\n", ix.Period)
	w.add(dataStart+"$"+dataEnd+"\n", base64.RawURLEncoding.EncodeToString(data))
	w.addHead(b)
	w.add("<h1>Reports</h1>\n")
	w.addPeriod(ix.Period, ix.Comparison)
	w.add("<div class=\"lead\"><p>$</p></div>\n", ix.sentence(len(ix.Entries)-len(left)))
	w.addEntriesLeft(left)
	w.add("\n</section>\n")
	w.addEntries(ix.Entries)
	w.add("\n")
	w.addFooter(b, ix.Made)
	return w.Bytes(), nil
}

// sentence says how many pages are whole.
func (ix *Index) sentence(whole int) string {
	s := summary.Number(float64(whole)) + " of " + summary.Number(float64(len(ix.Entries))) + " pages " + phrase.Noun(whole, "is", "are") + " complete."
	if len(ix.Entries) == 1 {
		s = "The page is " + phrase.Noun(whole, "complete.", "not complete.")
	}
	if ix.IsOpen {
		s += " The command had not ended when this list was written."
	}
	return s
}

func (w *writer) addEntriesLeft(left []Entry) {
	if len(left) == 0 {
		return
	}
	w.add("<h2>Not complete</h2>\n<ul class=\"plain\">")
	for _, e := range left {
		w.add("<li>")
		if e.Name != "" {
			w.add("<bdi>$</bdi>", cleanName(e.Name))
			w.addIf(cleanName(e.Campaign), ", <bdi>$</bdi>")
			w.add(", ")
		}
		if e.CampaignID != 0 {
			w.add("campaign $", strconv.FormatInt(e.CampaignID, 10))
		} else {
			w.add("account $", strconv.FormatInt(e.AccountID, 10))
		}
		w.add(": $", string(e.State))
		w.addIf(cleanText(e.Error), ", <bdi>$</bdi>")
		w.add("</li>\n")
	}
	w.add("</ul>")
}

func (w *writer) addEntries(all []Entry) {
	if len(all) == 0 {
		return
	}
	w.add(`<section>
<h2>Customers</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Customers"><table class="index">
<thead><tr><th scope="col" rowspan="2">Customer</th>`)
	for _, group := range indexTiles {
		if len(group.tiles) == 1 {
			w.add(`<th scope="col" rowspan="2" class="number">$</th>`, group.title)
			continue
		}
		w.add(`<th scope="colgroup" colspan="$">$</th>`, strconv.Itoa(len(group.tiles)), group.title)
	}
	w.add("</tr>\n<tr>")
	for _, group := range indexTiles {
		for _, t := range group.tiles {
			if t.title != "" {
				w.add(`<th scope="col" class="number">$</th>`, t.title)
			}
		}
	}
	w.add("</tr></thead>\n<tbody>")
	for _, e := range all {
		if len(e.Files) == 0 {
			continue
		}
		w.add(`<tr><th scope="row"><a href="$"><bdi>$</bdi></a>`, fileAddress(e.Files[0]), cleanName(e.Name))
		for _, file := range e.Files[1:] {
			w.add(` <a href="$">$</a>`, fileAddress(file), strings.ToUpper(strings.TrimPrefix(filepath.Ext(file), ".")))
		}
		w.addIf(cleanName(e.Campaign), `<br><span class="soft"><bdi>$</bdi></span>`)
		w.addIf(cleanText(strings.Join(e.Unread, ", ")), `<br><span class="soft">Could not be read: $</span>`)
		w.addIf(cleanText(strings.Join(e.Missing, ", ")), `<br><span class="soft">No data: $</span>`)
		w.add("</th>")
		figures := map[string]EntryFigure{}
		for _, f := range e.Figures {
			figures[f.Key] = f
		}
		for _, group := range indexTiles {
			for _, t := range group.tiles {
				w.addEntryFigure(figures[t.key])
			}
		}
		w.add("</tr>\n")
	}
	w.add("</tbody></table></div>\n</section>")
}

func (w *writer) addEntryFigure(f EntryFigure) {
	if f.Text == "" {
		f.Text = "–"
	}
	w.add(`<td class="number">$`, f.Text)
	if f.Change != "" {
		w.add(`<br><span class="$">$</span>`, f.Class, f.Change)
	}
	w.addIf(cleanText(f.Note), `<span class="note">$</span>`)
	w.add("</td>")
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
	text64, _, ended := strings.Cut(rest, dataEnd)
	data, err := base64.RawURLEncoding.DecodeString(text64)
	return ix, found && ended && err == nil && json.Unmarshal(data, &ix) == nil
}
