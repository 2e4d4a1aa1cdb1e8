package page

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"reseller/client/summary"
	"reseller/client/words"
)

// An Index lists the pages of many campaigns.
type Index struct {
	Days       string // the period and the comparison in English, by which runs know them
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
	Called                string   `json:",omitempty"` // the customer in mails, with the campaign if there are several
	Email                 string   `json:",omitempty"` // of the customer
	Subject, Sentence     string   // of the mail that the page goes with: the title of the page, and its first sentence
	Look                  []string `json:",omitempty"` // why somebody should look before the page goes: the figures that have got worse, and what the command adds
	File                  string   // of the page, as the last run has made it; empty if there is none
	IsReady               bool     `json:",omitempty"` // the page can be sent
	Held                  string   `json:",omitempty"` // why it can't, as the command calls it
	Figures               []EntryFigure
	State                 State
	Error                 string   // why the page is not whole, or not there
	Unread                []string `json:",omitempty"` // the titles of the reports that failed
	Missing               []string `json:",omitempty"` // the titles of what else the page can't show
}

type State string

const (
	Waiting    State = "not made yet"
	Whole      State = "complete"
	Incomplete State = "incomplete"
	Ready      State = "ready" // in the list of pages that are not complete: the page can be sent all the same
	Failed     State = "failed"
)

// An EntryFigure is a tile of a page.
type EntryFigure struct {
	Key    string // of the tile
	Text   string
	Value  float64 `json:",omitempty"`
	Change string  `json:",omitempty"`
	Class  string  `json:",omitempty"` // of the change
	Note   string  `json:",omitempty"` // what the figure leaves out
}

// indexTiles are the columns of an index: all tiles of a page. Two whose titles are within a group stand side by side.
var indexTiles = [...]struct{ key, group, title string }{
	{summary.TileVisits, "visits", "visits_all"}, {summary.TileOrganicVisits, "visits", "visits_organic"},
	{summary.TileOrganicFirst3, "keywords", "first_3"}, {summary.TileOrganicFirst10, "keywords", "first_10"},
	{summary.TileMapFirst3, "map", "first_3"}, {summary.TileMapFirst10, "map", "first_10"},
	{summary.TileAverageRank, "average_rank", ""}, {summary.TileDomainRating, "domain_rating", ""},
	{summary.TileLinksGained, "links", "links_gained"}, {summary.TileLinksLost, "links", "links_lost"},
	{summary.TileTasksCompleted, "tasks", ""},
}

// Describe sets what an index shows of a page.
func (e *Entry) Describe(in *words.Words, p *summary.Page) {
	e.Name, e.Campaign, e.Figures, e.Unread, e.Missing, e.Look = clean(p.Title, maxName), clean(p.Campaign, maxName), nil, nil, nil, nil
	e.Called = cleanName(p.Called)
	e.Subject, e.Sentence = in.Say("page.title", "name", cleanName(p.Called), "period", p.Period), strings.Join(firstOf(p.Sentences, 1), "")
	for _, t := range p.Tiles {
		if t.Missing != "" {
			continue
		}
		f := EntryFigure{Key: t.Key, Text: t.Text, Note: in.Clauses(strings.TrimSpace(t.Since), t.Beside)}
		if !math.IsNaN(t.Value) {
			f.Value = t.Value
		}
		if t.Short != "" {
			f.Change, f.Class = t.Direction.Arrow(), verdict(t)
			if t.Direction != summary.Unchanged {
				f.Change += " " + t.Short
			}
		}
		isFewer := (t.Key == summary.TileOrganicFirst10 || t.Key == summary.TileMapFirst10) && t.Direction == summary.Down
		if t.Key == summary.TileVisits && t.Percent <= -20 || isFewer {
			e.Look = append(e.Look, in.Say("kind", "name", t.Title, "n", t.Short))
		}
		e.Figures = append(e.Figures, f)
	}
	for _, m := range p.Missing {
		if m.Failed {
			e.Unread = append(e.Unread, m.Title)
		} else if m.Reason != in.Say("reason.none_ranks") { // the ranks are known: all are behind the last one that is measured
			e.Missing = append(e.Missing, m.Title)
		}
	}
}

// maxRows is the most rows of the table of an index. If there are more, each letter has a file with its table.
const maxRows = 500

// letters returns the entries that have a page by the first letters of their names without accents, and "" for all others; nil if
// they fit one table.
func (ix *Index) letters() map[string][]Entry {
	pages := pagesOf(ix.Entries)
	if len(pages) <= maxRows {
		return nil
	}
	entries := map[string][]Entry{}
	for _, e := range pages {
		letter := letterOf(e.Name)
		entries[letter] = append(entries[letter], e)
	}
	return entries
}

const allLetters = "abcdefghijklmnopqrstuvwxyz"

// plainLetters replaces the letters that are none with an accent.
var plainLetters = strings.NewReplacer("ø", "o", "ł", "l", "ß", "s", "æ", "a", "œ", "o", "đ", "d", "ð", "d", "þ", "t", "ı", "i",
	"ħ", "h", "ŧ", "t", "ŋ", "n", "ɨ", "i", "ə", "e", "ɓ", "b", "ɗ", "d", "ƙ", "k")

func letterOf(name string) string {
	name = strings.TrimLeftFunc(norm.NFKD.String(strings.ToLower(name)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if name = plainLetters.Replace(string(firstOf([]rune(name), 1))); !strings.Contains(allLetters, name) {
		return ""
	}
	return name
}

func letterFile(letter string) string { return "index-" + cmp.Or(letter, "0") + ".html" }

// RenderLetters returns the HTML of the files with the tables of the letters by their names; it is nil for files that the index does not need.
func (ix *Index) RenderLetters(in *words.Words, b *Brand) map[string][]byte {
	files, entries := map[string][]byte{}, ix.letters()
	for _, letter := range append(strings.Split(allLetters, ""), "") {
		files[letterFile(letter)] = nil
		if all := entries[letter]; all != nil {
			w := ix.begin(in, b, nil)
			w.add("</section>\n")
			w.addEntries(all, nil)
			files[letterFile(letter)] = ix.end(w, b)
		}
	}
	return files
}

func (ix *Index) begin(in *words.Words, b *Brand, data []byte) *writer {
	w := &writer{Words: in}
	w.addHead(b.orNone(), w.Say("index.title", "period", ix.Period), data)
	w.add("<h1>$</h1>\n", w.Say("index.heading"))
	w.addPeriod(ix.Period, ix.Comparison)
	return w
}

func (ix *Index) end(w *writer, b *Brand) []byte {
	w.add("\n")
	w.addFooter(b.orNone(), ix.Made)
	return w.Bytes()
}

func pagesOf(all []Entry) []Entry {
	return slices.DeleteFunc(slices.Clone(all), func(e Entry) bool { return e.File == "" })
}

func (ix Index) Render(in *words.Words, b *Brand) []byte {
	var data bytes.Buffer
	z, _ := flate.NewWriter(&data, flate.DefaultCompression)
	_, _ = json.NewEncoder(z).Encode(ix), z.Close() // a buffer takes all
	left := slices.DeleteFunc(slices.Clone(ix.Entries), Entry.isComplete)
	w := ix.begin(in, b, data.Bytes())
	w.add("<div class=\"lead\"><p>$</p></div>\n", ix.sentence(in, len(left)))
	w.addEntriesLeft(left)
	w.addEntriesToLookAt(ix.Entries)
	w.add("\n</section>\n")
	pages := pagesOf(ix.Entries)
	if entries := ix.letters(); entries != nil {
		w.add("<section>\n<h2>$</h2>\n<ul class=\"plain\">", w.Say("index.customers"))
		for _, letter := range slices.Sorted(maps.Keys(entries)) {
			w.add("<li><a href=\"$\">$</a> ($)</li>\n", letterFile(letter), cmp.Or(strings.ToUpper(letter), "#"), w.Number(float64(len(entries[letter]))))
		}
		w.add("</ul>\n</section>")
		w.addEntries(nil, pages)
	} else {
		w.addEntries(pages, pages)
	}
	return ix.end(w, b)
}

// isComplete reports whether a page is whole and has all its data.
func (e Entry) isComplete() bool { return e.State == Whole && len(e.Missing) == 0 }

// sentence says how many pages are complete, by the number of those that are not.
func (ix *Index) sentence(in *words.Words, left int) string {
	s := in.Say("index.complete", "n", len(ix.Entries)-left, "all", len(ix.Entries))
	switch len(ix.Entries) {
	case 0:
		s = in.Say("index.none")
	case 1:
		s = in.Say("index.one", "state", words.Case([]State{Whole, Incomplete}[left]))
	}
	if ix.IsOpen {
		s += " " + in.Say("index.open")
	}
	return s
}

// beginList begins a list of pages. A long list has a scroll bar of its own, so that the table below it is not far away.
func (w *writer) beginList(title string) {
	w.add(`<h2>$</h2>
<div class="scroll list" tabindex="0" role="region" aria-label="$"><ul class="plain">`, title, title)
}

func (w *writer) addEntriesLeft(left []Entry) {
	if len(left) == 0 {
		return
	}
	w.beginList(w.Say("index.left"))
	for _, e := range left {
		switch {
		case e.State == Whole && e.IsReady:
			e.State = Ready
		case e.State == Whole:
			e.State = Incomplete
		}
		w.add("<li>")
		if e.Name != "" {
			w.addNames(&e)
			w.add(", ")
		}
		called := w.Say("index.campaign", "id", strconv.FormatInt(e.CampaignID, 10))
		if e.CampaignID == 0 {
			called = w.Say("index.account", "id", strconv.FormatInt(e.AccountID, 10))
		}
		w.add("$", w.Say("kind", "name", called, "n", w.Say("index.state", "state", words.Case(e.State))))
		if list := w.List(e.Unread...); list != "" {
			w.add("$$", w.Say("list.semicolon"), cleanText(w.Say("index.unread", "list", list)))
		}
		if why := cleanText(e.Error); why != "" {
			w.add(`$<bdi lang="en">$</bdi>`, w.Say("list.semicolon"), why)
		}
		if list := w.List(e.Missing...); list != "" {
			w.add("$$", w.Say("list.semicolon"), cleanText(w.Say("index.missing", "list", list)))
		}
		w.add("</li>\n")
	}
	w.add("</ul></div>")
}

func (w *writer) addNames(e *Entry) {
	w.add("<bdi>$</bdi>", cleanName(e.Name))
	w.addIf(cleanName(e.Campaign), ", <bdi>$</bdi>")
}

// addEntriesToLookAt lists the pages that are there and that somebody should look at.
func (w *writer) addEntriesToLookAt(all []Entry) {
	all = slices.DeleteFunc(pagesOf(all), func(e Entry) bool { return len(e.Look) == 0 })
	if len(all) == 0 {
		return
	}
	w.beginList(w.Say("index.look"))
	for _, e := range all {
		w.add(`<li><a href="$">`, fileAddress(e.File))
		w.addNames(&e)
		w.add("</a>, $</li>\n", cleanText(w.Clauses(e.Look...)))
	}
	w.add("</ul></div>")
}

// addEntries writes the table of entries, whose last row has the sums of all entries, if there are any.
func (w *writer) addEntries(shown, all []Entry) {
	if len(shown)+len(all) == 0 {
		return
	}
	w.add(`<section>
<h2>$</h2>
<div class="scroll" tabindex="0" role="region" aria-label="$"><table class="index">
<thead><tr>`, w.Say("index.customers"), w.Say("index.customers"))
	w.addSorter(`<th scope="col" rowspan="2">`, 'a', w.Say("index.customer"), "")
	for i, t := range indexTiles {
		group := w.Say("index." + t.group)
		if t.title == "" {
			w.addSorter(`<th scope="col" rowspan="2" class="number">`, 'b'+rune(i), group, "")
		} else if i == 0 || indexTiles[i-1].group != t.group {
			w.add(`<th scope="colgroup" colspan="2">$</th>`, group)
		}
	}
	w.add("</tr>\n<tr>")
	for i, t := range indexTiles {
		if t.title != "" {
			w.addSorter(`<th scope="col" class="number">`, 'b'+rune(i), w.Say("index."+t.title), w.Say("index."+t.group))
		}
	}
	w.add("</tr></thead>\n<tbody>")
	places := placesOf(shown)
	for i, e := range shown {
		w.add(`<tr style="$"><th scope="row"><a href="$"><bdi>$</bdi></a>`, places[i], fileAddress(e.File), cleanName(e.Name))
		w.addIf(cleanName(e.Campaign), `<br><span class="soft"><bdi>$</bdi></span>`)
		if list := w.List(e.Unread...); list != "" {
			w.add(`<br><span class="soft">$</span>`, cleanText(words.Capital(w.Say("index.unread", "list", list))))
		}
		w.add("</th>")
		for _, t := range indexTiles {
			w.addEntryFigure(e.figure(t.key))
		}
		w.add("</tr>\n")
	}
	w.add("</tbody>\n")
	if len(all) > 0 {
		w.add("<tfoot><tr><th scope=\"row\">$</th>", w.Say("index.total"))
		for _, t := range indexTiles {
			if t.key == summary.TileAverageRank || t.key == summary.TileDomainRating {
				w.add("<td></td>")
			} else {
				w.addEntryFigure(EntryFigure{Text: w.sumOf(all, t.key)})
			}
		}
		w.add("</tr></tfoot>")
	}
	w.add("</table></div>\n</section>")
}

// sumOf returns the sum of a figure of all entries; nothing if none has it.
func (w *writer) sumOf(all []Entry, key string) string {
	sum, isKnown := 0.0, false
	for _, e := range all {
		f := e.figure(key)
		sum, isKnown = sum+f.Value, isKnown || f.Text != ""
	}
	if !isKnown {
		return ""
	}
	return w.Number(sum)
}

// figure returns a figure of a page; one without a text if the page does not have it.
func (e *Entry) figure(key string) EntryFigure {
	for _, f := range e.Figures {
		if f.Key == key {
			return f
		}
	}
	return EntryFigure{}
}

// addSorter writes the header of a column, a click on which sorts the rows by it: style.css takes their places in the order of that
// letter from placesOf.
func (w *writer) addSorter(start markup, order rune, title, group string) {
	w.add(start+`<label><input type="radio" name="sort" value="$" aria-label="$">$</label></th>`, string(order), strings.TrimSpace(group+" "+title), title)
}

// placesOf returns for each entry its places in the orders of all columns, as properties of a style: names from A to Z, average
// ranks with the best first, other figures with the largest first, and entries without a figure last.
func placesOf(all []Entry) []string {
	places := make([]string, len(all))
	sort := func(order rune, compare func(a, b *Entry) int) {
		sorted := make([]int, len(all))
		for i := range sorted {
			sorted[i] = i
		}
		slices.SortStableFunc(sorted, func(a, b int) int { return compare(&all[a], &all[b]) })
		for place, i := range sorted {
			places[i] += "--" + string(order) + ":" + strconv.Itoa(place) + ";"
		}
	}
	sort('a', func(a, b *Entry) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	for i, t := range indexTiles {
		sort('b'+rune(i), func(a, b *Entry) int {
			one, other := a.figure(t.key), b.figure(t.key)
			switch {
			case one.Text == "" || other.Text == "":
				return strings.Compare(other.Text, one.Text)
			case t.key == summary.TileAverageRank:
				return cmp.Compare(one.Value, other.Value)
			}
			return cmp.Compare(other.Value, one.Value)
		})
	}
	return places
}

func (w *writer) addEntryFigure(f EntryFigure) {
	w.add(`<td class="number">$`, cmp.Or(f.Text, "–"))
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

// MaxIndex is the size of the largest index that is read again, in bytes.
const MaxIndex = 64 << 20

// ParseIndex returns the index that Render made into HTML. ok is false if the HTML is none.
func ParseIndex(text []byte) (ix Index, ok bool) {
	_, rest, found := strings.Cut(string(text), dataStart)
	text64, _, ended := strings.Cut(rest, dataEnd)
	data := flate.NewReader(base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(text64)))
	return ix, found && ended && json.NewDecoder(io.LimitReader(data, MaxIndex)).Decode(&ix) == nil
}
