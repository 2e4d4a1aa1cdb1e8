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

	"reseller/client/summary"
	"reseller/client/words"
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
	{"visits", []indexTile{{summary.TileVisits, "visits_all"}, {summary.TileOrganicVisits, "visits_organic"}}},
	{"keywords", []indexTile{{summary.TileOrganicFirst3, "first_3"}, {summary.TileOrganicFirst10, "first_10"}}},
	{"map", []indexTile{{summary.TileMapFirst3, "first_3"}, {summary.TileMapFirst10, "first_10"}}},
	{"average_rank", []indexTile{{key: summary.TileAverageRank}}},
	{"domain_rating", []indexTile{{key: summary.TileDomainRating}}},
	{"links", []indexTile{{summary.TileLinksGained, "links_gained"}, {summary.TileLinksLost, "links_lost"}}},
	{"tasks", []indexTile{{key: summary.TileTasksCompleted}}},
}

// An indexTile is a tile and the key of its title within its group.
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
func (ix Index) Render(in *words.Words, b *Brand) ([]byte, error) {
	data, err := json.Marshal(ix)
	if err != nil {
		return nil, err
	}
	left := slices.DeleteFunc(slices.Clone(ix.Entries), func(e Entry) bool { return e.State == Whole })
	b = b.orNone()
	w := writer{Words: in}
	w.add("<!DOCTYPE html>\n<html lang=\"$\">\n<head>\n<title>$</title>\n", w.Tag(), w.Say("index.title", "period", ix.Period))
	w.add(dataStart+"$"+dataEnd+"\n", base64.RawURLEncoding.EncodeToString(data))
	w.addHead(b)
	w.add("<h1>$</h1>\n", w.Say("index.heading"))
	w.addPeriod(ix.Period, ix.Comparison)
	w.add("<div class=\"lead\"><p>$</p></div>\n", ix.sentence(in, len(ix.Entries)-len(left)))
	w.addEntriesLeft(left)
	w.add("\n</section>\n")
	w.addEntries(ix.Entries)
	w.add("\n")
	w.addFooter(b, ix.Made)
	return w.Bytes(), nil
}

// sentence says how many pages are whole.
func (ix *Index) sentence(in *words.Words, whole int) string {
	s := in.Say("index.complete", "n", whole, "all", len(ix.Entries))
	if len(ix.Entries) == 1 {
		s = in.Say("index.one", "state", words.Case(ix.Entries[0].State))
	}
	if ix.IsOpen {
		s += " " + in.Say("index.open")
	}
	return s
}

func (w *writer) addEntriesLeft(left []Entry) {
	if len(left) == 0 {
		return
	}
	w.add("<h2>$</h2>\n<ul class=\"plain\">", w.Say("index.left"))
	for _, e := range left {
		w.add("<li>")
		if e.Name != "" {
			w.add("<bdi>$</bdi>", cleanName(e.Name))
			w.addIf(cleanName(e.Campaign), ", <bdi>$</bdi>")
			w.add(", ")
		}
		if e.CampaignID != 0 {
			w.add("$", w.Say("index.campaign", "id", strconv.FormatInt(e.CampaignID, 10)))
		} else {
			w.add("$", w.Say("index.account", "id", strconv.FormatInt(e.AccountID, 10)))
		}
		w.add(": $", w.Say("index.state", "state", words.Case(e.State)))
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
<h2>$</h2>
<div class="scroll" tabindex="0" role="region" aria-label="$"><table class="index">
<thead><tr><th scope="col" rowspan="2">$</th>`, w.Say("index.customers"), w.Say("index.customers"), w.Say("index.customer"))
	for _, group := range indexTiles {
		if len(group.tiles) == 1 {
			w.add(`<th scope="col" rowspan="2" class="number">$</th>`, w.Say("index."+group.title))
			continue
		}
		w.add(`<th scope="colgroup" colspan="$">$</th>`, strconv.Itoa(len(group.tiles)), w.Say("index."+group.title))
	}
	w.add("</tr>\n<tr>")
	for _, group := range indexTiles {
		for _, t := range group.tiles {
			if t.title != "" {
				w.add(`<th scope="col" class="number">$</th>`, w.Say("index."+t.title))
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
		for _, lack := range []struct {
			key    string
			titles []string
		}{{"index.unread", e.Unread}, {"index.missing", e.Missing}} {
			if list := w.List(lack.titles...); list != "" {
				w.add(`<br><span class="soft">$</span>`, w.Say(lack.key, "list", cleanText(list)))
			}
		}
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
