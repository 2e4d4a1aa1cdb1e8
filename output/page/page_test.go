package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"reseller/client/summary"
	"reseller/client/words"
	"reseller/output/chart"
	"reseller/output/palette"
)

const hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> \u202egpj.exe {{.Title}}"

// pageOf returns a page with that many keywords, whose texts are all name.
func pageOf(name string, keywords int) *summary.Page {
	p := &summary.Page{
		Title: name, Campaign: name, Period: "October 2026", Comparison: "compared with September 2026", Made: "22 November 2026",
		Sentences: []string{"2,412 visits."}, Rankings: summary.Rankings{Since: "a month ago"}, Notes: []string{name},
		Tiles:   []summary.Figure{{Key: summary.TileVisits, Title: "Visits", Text: "2,412", Value: 2412, Change: "12 % more", Direction: summary.Up, Verdict: summary.Good, Line: []float64{1, math.NaN(), 3, 2}}},
		Traffic: summary.Section{Figures: []summary.Figure{{Title: "Other visits", Text: "7"}}},
		Work:    summary.Section{Course: summary.Course{Unit: "week", Labels: []string{"1 Oct", "5 Oct"}, Partial: []bool{true, false}, Lines: []summary.Line{{Key: summary.TileTasksCompleted, Values: []float64{2, 0}}}}},
	}
	for i := range keywords {
		direction := summary.Up
		if i > keywords/2 {
			direction = summary.Down
		}
		p.Rankings.Rows = append(p.Rankings.Rows, summary.Ranking{Keyword: fmt.Sprintf("%s %d", name, i), Organic: summary.Rank{Now: "4", Change: "3 up", Direction: direction, Best: "1", Line: []float64{7, 5, 4}}})
	}
	for i := range 500 {
		p.Work.Kinds = append(p.Work.Kinds, summary.Kind{Name: name, Count: 500 - i})
		p.Links.Kinds = append(p.Links.Kinds, summary.Kind{Name: name, Count: 500 - i})
	}
	p.Appendix = []summary.Table{{Title: "Keywords", Header: []string{"Keyword"}, Rows: [][]string{{name}}}}
	return p
}

func rendered(t *testing.T, p *summary.Page, o Options) string {
	t.Helper()
	return string(Render(p, o))
}

func TestTextsAreData(t *testing.T) {
	text := rendered(t, pageOf(hostile, 3), Options{Appendix: true, Brand: &Brand{Name: hostile, Contact: hostile, Footer: hostile}})
	for _, bad := range []string{"<script", "<img", "\u202e"} {
		t.Run(bad, func(t *testing.T) {
			if i := strings.Index(text, bad); i >= 0 {
				t.Errorf("got %q in the page, want it escaped", text[i:i+len(bad)+20])
			}
		})
	}
	ix := Index{Entries: []Entry{{Name: hostile, Error: hostile, State: Failed}, {Name: hostile, File: "a.html", State: Whole}}}
	made := ix.Render(english, nil)
	if bytes.Contains(made, []byte("<script")) || bytes.Contains(made, []byte("<img")) {
		t.Errorf("got an index with elements of a name, want them escaped:\n%s", made)
	}
}

// TestRanksOnTheMap checks that the change of a rank on the map is in the column beside it, if ranks are compared, and its day with the rank.
func TestRanksOnTheMap(t *testing.T) {
	for name, c := range map[string]struct{ since, change, note, want string }{
		"noted":        {"a month ago", "2 up", "on 8 Oct", `<td class="number"><bdi>3</bdi> <span class="note">on 8 Oct</span></td><td class="change good"><bdi>▲ 2 up</bdi></td></tr>`},
		"changed":      {"a month ago", "2 up", "", `<td class="number"><bdi>3</bdi></td><td class="change good"><bdi>▲ 2 up</bdi></td></tr>`},
		"not compared": {"", "2 up", "", `<td class="number"><bdi>3</bdi></td></tr>`},
	} {
		t.Run(name, func(t *testing.T) {
			p := pageOf("x", 1)
			p.Rankings.Since, p.Rankings.Rows[0].Map = c.since, summary.Rank{Now: "3", Note: c.note, Best: "1", Change: c.change, Direction: summary.Up}
			if text := rendered(t, p, Options{}); !strings.Contains(text, c.want) {
				_, row, _ := strings.Cut(text, "x 0")
				t.Errorf("got the row %.400q, want %q at its end", row, c.want)
			}
		})
	}
}

// TestRanksOutsideOfThePeriod does not deny the dates of ranks that were measured shortly before the period, nor does it say that they
// are compared where none is.
func TestRanksOutsideOfThePeriod(t *testing.T) {
	p := pageOf("x", 1)
	row := summary.Ranking{Keyword: "a", Organic: summary.Rank{Now: "3", Best: "3"}}
	for measured, want := range map[string]string{"": "The service gives no dates of the ranks.", "27 Oct 2026": "No keyword has a rank in its history of these days."} {
		p.Rankings.Measured, p.Rankings.Rows = measured, []summary.Ranking{row}
		if says := strings.Contains(rendered(t, p, Options{}), "Ranks as measured on 27 Oct 2026."); says != (measured != "") {
			t.Errorf("measured %q: got a page that names the day: %v", measured, says)
		}
		if got := Plots(p, summary.ReportKeywords)[0].NoData; got != want {
			t.Errorf("measured %q: got %q, want %q", measured, got, want)
		}
	}
}

func TestManyKeywords(t *testing.T) {
	p := pageOf(strings.Repeat("keyword ", 40), 10_000)
	p.Appendix = nil
	for range 6 {
		p.Appendix = append(p.Appendix, summary.Table{Title: "Rows", Header: []string{"Text"}, Rows: slices.Repeat([][]string{{strings.Repeat("<", 300)}}, 10_000)})
	}
	text := rendered(t, p, Options{Appendix: true})
	if limit := 300_000; len(text) > limit {
		t.Errorf("got a page of %d bytes, want at most %d", len(text), limit)
	}
	if want := "<caption>Keywords by their rank: the first 120 of 10,000 rows</caption>"; !strings.Contains(text, want) {
		t.Errorf("got no %q in the page, want it", want)
	}
	leftOut := regexp.MustCompile(`<caption>Rows: the first [1-9]\d* of 10,000 rows</caption>`)
	if got := len(leftOut.FindAllString(text, -1)); got != 6 {
		t.Errorf("got %d tables that say how many rows are left out, want 6", got)
	}
}

// TestTablesOfRanks shows the twelve keywords whose rank in either list changed most, and then all by their rank, with one that
// stayed the first on top, or as many as are wanted.
func TestTablesOfRanks(t *testing.T) {
	histories := func(before, now [2]int) string {
		return fmt.Sprintf(`[{"date":"2026-09-28","rank_google_organic":%d,"rank_google_map":%d},{"date":"2026-10-28","rank_google_organic":%d,"rank_google_map":%d}]`, before[0], before[1], now[0], now[1])
	}
	for name, c := range map[string]struct {
		rows   map[string]int // how many keywords of each kind there are
		kinds  map[string]string
		moved  string
		first  string
		hasMap bool
	}{
		"some are new": {map[string]int{"up": 7, "top": 1, "down": 9, "new": 90},
			map[string]string{"up": histories([2]int{40, 0}, [2]int{9, 0}), "top": histories([2]int{1, 0}, [2]int{1, 0}), "down": histories([2]int{4, 0}, [2]int{9, 0}), "new": `[{"date":"2026-10-28","rank_google_organic":7}]`},
			"up up up up up up up down down down down down", "top new", false},
		"only on the map":          {map[string]int{"a": 130, "up": 3}, map[string]string{"a": histories([2]int{0, 20}, [2]int{0, 20}), "up": histories([2]int{0, 20}, [2]int{0, 1})}, "up up up", "up up up a", true},
		"as many as fit one table": {map[string]int{"a": 12}, map[string]string{"a": histories([2]int{5, 2}, [2]int{3, 999})}, "", "a", true},
		"none moved":               {map[string]int{"a": 13}, map[string]string{"a": histories([2]int{5, 2}, [2]int{5, 2})}, "", "a", true},
	} {
		t.Run(name, func(t *testing.T) {
			b := summary.NewBuilder(summary.NewScope(summary.Month(2026, time.October), summary.Previous, summary.NewDay(2026, time.November, 22)))
			for kind, n := range c.rows {
				for i := range n {
					add(t, b, summary.ReportKeywords, `{"keyword":"%s %03d","histogram":%s}`, kind, i, c.kinds[kind])
				}
			}
			namesOf := func(rows []summary.Ranking) (names []string) {
				for _, r := range rows {
					names = append(names, strings.Fields(r.Keyword)[0])
				}
				return names
			}
			p := b.Page(summary.Subject{})
			v := viewOf(p, Options{})
			hasMap := slices.ContainsFunc(v.rankTable("", nil, 0).columns, func(c column) bool { return c.title == english.Say("column.map_rank") })
			if got := strings.Join(namesOf(movedMost(v.Rankings.Rows)), " "); got != c.moved || hasMap != c.hasMap {
				t.Errorf("got %q as those that moved most, with the map %v; want %q and %v", got, hasMap, c.moved, c.hasMap)
			}
			if got := strings.Join(namesOf(v.Rankings.Rows), " "); !strings.HasPrefix(got, c.first) {
				t.Errorf("got %q, want %q first", got, c.first)
			}
			caption := fmt.Sprintf("<caption>Keywords by their rank: the first 10 of %d rows</caption>", len(p.Rankings.Rows))
			if text := rendered(t, p, Options{Top: 10}); !strings.Contains(text, caption) || strings.Contains(text, "Keywords that moved most") != (c.moved != "") {
				t.Errorf("got no %q in the page, or another table of those that moved", caption)
			}
		})
	}
}

// TestFiguresAreShownOnce begins with five figures at most, those with a target and then those that matter most, without any that is 0
// in both periods, and has all others in their sections.
func TestFiguresAreShownOnce(t *testing.T) {
	for kind, p := range samples(t, english) {
		text := rendered(t, p, Options{})
		var titles []string
		for _, m := range regexp.MustCompile(`<span class="label">(.*?)</span>|<dt>(.*?)</dt>`).FindAllStringSubmatch(text, -1) {
			titles = append(titles, m[1]+m[2])
		}
		for _, f := range slices.Concat(p.Rankings.Figures, p.Traffic.Figures, p.Work.Figures, p.Links.Figures) {
			n := 0
			for _, title := range titles {
				if title == f.Title {
					n++
				}
			}
			if want := map[bool]int{true: 1, false: 0}[f.Missing == ""]; n != want {
				t.Errorf("%s: got %s %d times, want %d", kind, f.Title, n, want)
			}
		}
		if got := len(shownOf(p.Tiles)); got > maxTiles {
			t.Errorf("%s: got %d tiles, want %d at most", kind, got, maxTiles)
		}
	}
	tile := func(key string, now, before float64, target string) summary.Figure {
		return summary.Figure{Key: key, Value: now, Previous: before, Target: target}
	}
	var got []string
	for _, t := range shownOf([]summary.Figure{tile(summary.TileVisits, 0, 0, ""), tile(summary.TileOrganicVisits, 0, math.NaN(), ""), tile(summary.TileOrganicFirst10, 0, 3, ""), tile(summary.TileAverageRank, 5, 4, ""), tile(summary.TileLinksLost, 5, 0, "50 % of 10"), tile(summary.TileTasksCompleted, 0, 0, "0 % of 10")}) {
		got = append(got, t.Key)
	}
	if want := []string{summary.TileLinksLost, summary.TileOrganicFirst10, summary.TileAverageRank}; !slices.Equal(got, want) {
		t.Errorf("got the tiles %q, want %q", got, want)
	}
}

func TestEmptyPage(t *testing.T) {
	const none = "There are no figures for this period."
	if text := rendered(t, &summary.Page{Title: "Nothing"}, Options{}); !strings.Contains(text, none) {
		t.Errorf("got %s, want %q in it", text, none)
	}
	p := &summary.Page{Links: summary.Links{Section: summary.Section{Figures: []summary.Figure{{Title: "Backlinks", Text: "7"}}}}}
	if text := rendered(t, p, Options{}); strings.Contains(text, none) {
		t.Errorf("got %q on a page with a figure that is no tile", none)
	}
}

// TestNamelessRows checks that every row has a header, also one of a keyword or link that is blank.
func TestNamelessRows(t *testing.T) {
	p := pageOf(" ", 2)
	p.Rankings.Rows[0].Keyword = ""
	text := rendered(t, p, Options{})
	headers := regexp.MustCompile(`<th scope="row"[^>]*><bdi>([^<]*)</bdi>`).FindAllStringSubmatch(text, -1)
	isNamed := func(header []string) bool { return header[1] == "(no name)" }
	if slices.ContainsFunc(headers, func(header []string) bool { return header[1] == "" }) || !slices.ContainsFunc(headers, isNamed) {
		t.Error("got rows with an empty header, want a word in place of the name")
	}
}

// TestPaperIsNoPhone checks that the rules for narrow windows leave out paper, which is as narrow in
// the units of a browser: rows of two lines would fill more sheets.
func TestPaperIsNoPhone(t *testing.T) {
	text := rendered(t, pageOf("Harbor", 2), Options{})
	if got := strings.Count(text, "@media screen and (max-width"); got == 0 || got != strings.Count(text, "(max-width") {
		t.Errorf("got %d rules for narrow screens, want all rules for narrow windows to be for screens", got)
	}
}

// TestOrder checks the order of the sections, that headers have a scope, and that pictures have a
// title and a description.
func TestOrder(t *testing.T) {
	text, last := rendered(t, pageOf("Harbour", 2), Options{Appendix: true}), 0
	for _, part := range []string{"<h1>", "class=\"period\"", "class=\"lead\"", "class=\"tiles\"", "<h2>Rankings", "<h2>Traffic", "<h2>Work done", "<h2>Links", "<h2>About", "<h2>Appendix", "<div class=\"scroll\""} {
		t.Run(part, func(t *testing.T) {
			at := strings.Index(text, part)
			if at < last {
				t.Errorf("got %s at %d, want it after %d", part, at, last)
			}
			last = at
		})
	}
	if strings.Contains(text, "<th>") || strings.Count(text, `role="img"`) != strings.Count(text, "<desc>") {
		t.Error("got a header without a scope or a picture without a description, want both")
	}
	if n := strings.Count(text, "<ul"); n == 0 || n != strings.Count(text, "</ul>") {
		t.Errorf("got %d lists, want some, and each with its end", n)
	}
	color, _ := palette.Parse(palette.Colors[palette.ByName(english.Say("figure."+summary.TileTasksCompleted))])
	if lighter := palette.Mix(color, palette.White, 0.35).String(); !strings.Contains(text, lighter) || !strings.Contains(text, "1 Oct*") {
		t.Error("got no mark on a week of which the period has a part, want one")
	}
}

// TestIndexShowsAllTiles checks that an index has a column for each tile of a page.
func TestIndexShowsAllTiles(t *testing.T) {
	columns := map[string]bool{}
	for _, tile := range indexTiles {
		columns[tile.key] = true
	}
	for _, tile := range samples(t, english)["much"].Tiles {
		if !columns[tile.Key] {
			t.Errorf("got no column of %s in the index, want one", tile.Key)
		}
	}
}

// TestIndexNamesTheDayOfAnotherComparison has a change since another day than the end of the period in the title. The day is in
// the note, which takes several lines where a change would make the table wider than the screen.
func TestIndexNamesTheDayOfAnotherComparison(t *testing.T) {
	for direction, want := range map[summary.Direction]string{summary.Up: "▲ +1 since 4 Oct; 2 are new", summary.Unchanged: "= since 4 Oct; 2 are new"} {
		var e Entry
		e.Describe(nil, &summary.Page{Tiles: []summary.Figure{{Key: summary.TileOrganicFirst3, Text: "2", Short: "+1", Direction: direction, Since: " since 4 Oct", Beside: "2 are new"}}})
		if got := e.Figures[0].Change + " " + e.Figures[0].Note; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestIndexIsReadAgain(t *testing.T) {
	want := Index{Period: "October 2026", Entries: []Entry{{AccountID: 1, CampaignID: 2, Name: `">` + hostile, State: Incomplete, File: "a.html"}}}
	text := want.Render(english, nil)
	got, ok := ParseIndex(text)
	if !ok || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v (%v), want %v", got, ok, want)
	}
	if _, ok := ParseIndex([]byte("<html></html>")); ok {
		t.Error("got an index from another page, want none")
	}
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"Harbour Dental & Partners": "Harbour-Dental-Partners-7.html",
		"CON":                       "CON-7.html",
		"con.aux":                   "con-aux-7.html",
		"../../etc/passwd":          "etc-passwd-7.html",
		"a:b*c?d\"e<f>g|h\\i":       "a-b-c-d-e-f-g-h-i-7.html",
		"\u202egpj.exe\x00":         "gpj-exe-7.html",
		"Cafe\u0301":                "Café-7.html",
		"東京 歯科":                     "東京-歯科-7.html",
		"":                          "campaign-7.html",
		" .. ":                      "campaign-7.html",
		strings.Repeat("é", 500):    strings.Repeat("é", 48) + "-7.html",
	} {
		t.Run(want, func(t *testing.T) {
			if got := FileName(name, "html", 7); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestLogos(t *testing.T) {
	svg := func(inside string) string { return `<svg xmlns="http://www.w3.org/2000/svg">` + inside + `</svg>` }
	for name, logo := range map[string]string{
		"shapes":  svg(`<title>Tide &amp; Co</title><defs><linearGradient id="a"><stop offset="10%" stop-color="#fff"/></linearGradient></defs><g transform="translate(1 -2)"><rect fill="url(#a)" stroke="rgb(1,2,3)"/><text font-family="'Open Sans'">a</text></g>`),
		"prefix":  `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:path d="M0,0z"/></s:svg>`,
		"doctype": `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">` + svg(""),
	} {
		t.Run("accepted: "+name, func(t *testing.T) {
			if l, err := parseLogo([]byte(logo)); err != nil || !strings.HasPrefix(l.address(), "data:image/svg+xml;base64,") {
				t.Errorf("got %q (%v), want the logo in it", l.address(), err)
			}
		})
	}
	for name, logo := range map[string]string{
		"script":             svg(`<script>alert(1)</script>`),
		"script with prefix": `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></s:svg>`,
		"handler":            svg(`<rect onload="alert(1)"/>`),
		"foreign object":     svg(`<foreignObject/>`),
		"reference":          svg(`<image href="https://example.com/a.png"/>`),
		"xlink":              svg(`<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="other.svg#a"/>`),
		"link to a script":   svg(`<a href="javascript:alert(1)"/>`),
		"nested svg":         svg(`<image href="data:image/svg+xml;base64,AAAA"/>`),
		"embedded picture":   svg(`<image href="data:image/png;base64,AAAA"/>`),
		"reference inside":   svg(`<use href="#a"/>`),
		"link":               svg(`<a href="#a"/>`),
		"style":              svg(`<style>.a{fill:#000}</style>`),
		"style in two parts": svg(`<style>@im<!-- -->port "https://example.com"</style>`),
		"style behind a tag": svg(`<style><g/>@import "https://example.com"</style>`),
		"style attribute":    svg(`<rect style="fill:#000"/>`),
		"picture set":        svg(`<rect mask="image-set('a.png' 1x)"/>`),
		"function":           svg(`<rect fill="src('a.svg#a')"/>`),
		"other document":     svg(`<rect fill="url(a.svg#a)"/>`),
		"second document":    svg(`<rect fill="url(#a) url(a.svg#a)"/>`),
		"escape":             svg(`<rect fill="u\72l(#a)"/>`),
		"capitals":           svg(`<rect fill="URL(a.svg#a)"/>`),
		"other animation":    svg(`<animateColor attributeName="fill" to="#000"/>`),
		"filter":             svg(`<filter><feImage href="#a"/></filter>`),
		"other language":     svg(`<g xmlns="http://www.w3.org/1999/xhtml"/>`),
		"base":               `<svg xmlns="http://www.w3.org/2000/svg" xml:base="https://example.com"/>`,
		"handler with space": svg(`<rect xmlns:x="y" x:onload="alert(1)"/>`),
		"fill":               svg(`<rect fill="url(https://example.com/#a)"/>`),
		"animation":          svg(`<a><set attributeName="href" to="javascript:alert(1)"/></a>`),
		"entities":           `<!DOCTYPE svg [<!ENTITY a "b">]>` + svg("&a;"),
		"document type":      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://example.com/svg11.dtd">` + svg(""),
		"file of a type":     `<!DOCTYPE svg SYSTEM "a.dtd">` + svg(""),
		"style sheet":        `<?xml-stylesheet href="https://example.com"?>` + svg(""),
		"html":               `<html><svg/></html>`,
		"broken":             `<svg><rect></svg>`,
		"text":               "logo",
		"nothing":            "",
	} {
		t.Run("refused: "+name, func(t *testing.T) {
			if l, err := parseLogo([]byte(logo)); err == nil {
				t.Errorf("got %q, want an error", l.address())
			}
		})
	}
}

func TestBrandErrors(t *testing.T) {
	missing := errors.New("no such file")
	for text, want := range map[string]string{
		"":                        "the file is empty",
		"color: '#fff'":           "name is missing",
		"name: a\nlogos: b":       `line 2: unknown key "logos": use name, logo, color, contact, footer, language`,
		"name: a\ncolor: blue":    `line 2: color "blue" is not a color such as "#0072b2"`,
		"name: [a]":               "line 1: name is not a text",
		"name: a\ncolor: #0072b2": `line 2: color is empty: put it in quotes, such as "#0072b2"`,
		"name: a\nname: b":        `line 2: "name" is there before`,
		"name: Tide # Co":         `line 1: name ends before "# Co", which YAML takes for a comment: put the text into quotes, or on lines of its own below a |`,
		"name: M\xfcller":         "line 1: letters that are not in UTF-8: save the file with the encoding UTF-8",
		"name: a\nlogo: none.png": "logo none.png: no such file",
	} {
		t.Run(want, func(t *testing.T) {
			_, err := ParseBrand([]byte(text), func(string) ([]byte, error) { return nil, missing })
			if err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

// TestPageIsWellFormed reads the pictures of a page as XML.
func TestPageIsWellFormed(t *testing.T) {
	text := rendered(t, pageOf(hostile, 3), Options{})
	for rest := text; ; {
		_, after, found := strings.Cut(rest, `<svg class="plot"`)
		if !found {
			break
		}
		picture, _, _ := strings.Cut(after, "</figure>")
		picture = picture[:strings.LastIndex(picture, "</svg>")]
		if err := xml.Unmarshal([]byte("<svg"+picture+"</svg>"), new(struct{})); err != nil {
			t.Errorf("got %v in %s, want XML", err, picture)
		}
		rest = after
	}
}

// TestSeriesHaveOneColor checks that no series of a page has another color beside other series.
func TestSeriesHaveOneColor(t *testing.T) {
	for _, keys := range [][]string{{summary.TileVisits, summary.TileOrganicVisits}, {summary.TileLinksGained, summary.TileLinksLost}} {
		series := []string{seriesOf(english, keys[0]).Key, seriesOf(english, keys[1]).Key}
		for i, name := range series {
			t.Run(name, func(t *testing.T) {
				if got, want := palette.Places([][]string{series}, palette.ByName)[0][i], palette.ByName(name); got != want || palette.Colors[got] == palette.Gray {
					t.Errorf("got color %d beside the others, want %d as alone", got, want)
				}
			})
		}
	}
}

// TestVisitsOfThePeriodBefore checks that the visits of the compared period are drawn beside those of the period, if one is known.
func TestVisitsOfThePeriodBefore(t *testing.T) {
	for want, before := range map[int][]float64{3: {math.NaN(), 4}, 2: {math.NaN(), math.NaN()}} {
		traffic := &summary.Section{Course: summary.Course{Unit: "day", Labels: []string{"1 Oct", "2 Oct"}, Lines: []summary.Line{
			{Key: summary.TileVisits, Values: []float64{2, 2}}, {Key: summary.TileOrganicVisits, Values: []float64{1, 1}}, {Key: summary.LineBefore, Name: "Visits in September", Values: before},
		}}}
		series := visitsPlot(english, traffic).Series
		if last := series[len(series)-1]; len(series) != want || last.Before != (want == 3) || want == 3 && last.Name != "Visits in September" {
			t.Errorf("with %v before, got %d series, the last %+v, want %d", before, len(series), last, want)
		}
	}
}

// TestYearHasThreeColors checks that the figures of the year, which stand side by side, have different colors, and the same as elsewhere.
func TestYearHasThreeColors(t *testing.T) {
	course := func(key string) summary.Course {
		return summary.Course{Unit: "month", Labels: []string{"Aug 2026", "Sep 2026", "Oct 2026"}, Partial: make([]bool, 3), Lines: []summary.Line{{Key: key, Values: []float64{1, 2, 3}}}}
	}
	p := pageOf("Harbour", 1)
	p.Year = []summary.Course{course(summary.TileVisits), course(summary.TileOrganicFirst10), course(summary.TileLinksGained)}
	p.Traffic.Course = summary.Course{Unit: "day", Labels: []string{"1 Oct", "2 Oct"}, Partial: make([]bool, 2), Lines: []summary.Line{{Key: summary.TileVisits, Values: []float64{2, 2}}, {Key: summary.TileOrganicVisits, Values: []float64{1, 1}}}}
	v := viewOf(p, Options{})
	colorOf := func(c *chart.Chart) string { // of its last mark, which is of its first series
		marks, _ := c.Draw(chart.Size{Width: 280, Height: 80, Letter: 11})
		return marks[len(marks)-1].Color
	}
	visits, keywords, links := colorOf(&v.Year[0]), colorOf(&v.Year[1]), colorOf(&v.Year[2])
	if visits == keywords || keywords == links || visits == links {
		t.Errorf("got the colors %s, %s and %s, want three", visits, keywords, links)
	}
	if lead := colorOf(&v.Lead); lead != visits {
		t.Errorf("got %s for the visits of the year and %s for those of the period, want one color", visits, lead)
	}
	p.Year, p.Traffic.Course = p.Year[1:2], summary.Course{}
	if v = viewOf(p, Options{}); colorOf(&v.Year[0]) != keywords {
		t.Errorf("got %s for the keywords of a page without visits and links, want %s as beside them", colorOf(&v.Year[0]), keywords)
	}
}

// TestDirection checks that pages in a language that is written from the right to the left say so.
func TestDirection(t *testing.T) {
	own, err := words.Parse(bytes.Replace(words.Source("en"), []byte("language: en"), []byte("language: fa"), 1))
	noError(t, err)
	ix := Index{}.Render(own, nil)
	for _, text := range []string{rendered(t, pageOf("Harbour", 1), Options{Words: own}), string(ix)} {
		if want := `<html lang="fa" dir="rtl">`; !strings.Contains(text, want) {
			t.Errorf("got %.60q, want %s", text, want)
		}
	}
}

// TestChartsAreListed checks that a chart tells all numbers that are known, for whoever can't see it.
func TestChartsAreListed(t *testing.T) {
	none := math.NaN()
	for want, values := range map[string][]float64{
		"":                                {none, none, none},
		"Visits: 2 Nov: 0.":               {none, 0, none},
		"Visits: 1 Nov: 1,000, 3 Nov: 5.": {1000, none, 5},
	} {
		if got := listed(english, "Visits", []string{"1 Nov", "2 Nov", "3 Nov"}, values); got != want {
			t.Errorf("%v: got %q, want %q", values, got, want)
		}
	}
}

// TestIndexSaysWhatIsMissing tells apart what could not be read and what the service does not have.
func TestIndexSaysWhatIsMissing(t *testing.T) {
	var e Entry
	e.Describe(nil, &summary.Page{Missing: []summary.Missing{{Title: "Visits", Failed: true}, {Title: "Links"}, {Title: "Ranks"}, {Title: "Average rank", Reason: "no keyword ranks"}}})
	if !slices.Equal(e.Unread, []string{"Visits"}) || !slices.Equal(e.Missing, []string{"Links", "Ranks"}) {
		t.Errorf("got %q unread and %q missing, want Visits, and Links and Ranks", e.Unread, e.Missing)
	}
}

// TestIndexNamesTheCampaign tells apart two campaigns of one customer that need a look.
func TestIndexNamesTheCampaign(t *testing.T) {
	ix := Index{Entries: []Entry{{Name: "A", Campaign: "One", File: "a.html", Look: []string{"x"}, State: Whole}}}
	if text := string(ix.Render(english, nil)); !strings.Contains(text, `<a href="a.html"><bdi>A</bdi>, <bdi>One</bdi></a>, x</li>`) {
		t.Errorf("got %s", text)
	}
}

// TestIndexOfNoPages is of a service without campaigns.
func TestIndexOfNoPages(t *testing.T) {
	if text := string((Index{}).Render(english, nil)); !strings.Contains(text, "<p>There are no pages.</p>") {
		t.Errorf("got %s", text)
	}
}

// TestPageDrawsLines checks that a figure and each of the keywords have a small line where there is something to draw.
func TestPageDrawsLines(t *testing.T) {
	const line = `<svg class="spark"`
	p := pageOf("a", 3)
	text := rendered(t, p, Options{})
	tiles, rest, _ := strings.Cut(text, "</ul>")
	if got, inTables := strings.Count(tiles, line), strings.Count(rest, line); got != 1 || inTables != 3 {
		t.Errorf("got %d lines in the tiles and %d in the tables, want 1 and 3", got, inTables)
	}
	p.Tiles[0].Line = nil
	if got := strings.Count(rendered(t, p, Options{}), line); got != 3 {
		t.Errorf("got %d lines of a page whose figure has none, want 3", got)
	}
}

// TestIndexOfThousands checks that an index of 3,000 pages has less than a megabyte, and a table of each letter, and is read again.
func TestIndexOfThousands(t *testing.T) {
	ix := Index{Period: "October 2026"}
	for i := range 3000 {
		p := pageOf(fmt.Sprintf("%c customer %d", []rune("AbÄ7京z")[i%6], i), 1)
		for _, key := range []string{summary.TileOrganicVisits, summary.TileOrganicFirst3, summary.TileOrganicFirst10, summary.TileMapFirst3, summary.TileMapFirst10, summary.TileAverageRank, summary.TileDomainRating, summary.TileLinksGained, summary.TileLinksLost, summary.TileTasksCompleted} {
			f := p.Tiles[0]
			f.Key, f.Value, f.Text, f.Short = key, float64(7*i%1013), fmt.Sprint(7*i%1013), fmt.Sprintf("+%d %%", i%97)
			p.Tiles = append(p.Tiles, f)
		}
		e := Entry{AccountID: int64(i), CampaignID: int64(100 + i), File: FileName(p.Title, "html", int64(100+i)), State: Whole, Email: fmt.Sprintf("c%d@example.com", i)}
		e.Describe(english, p)
		ix.Entries = append(ix.Entries, e)
	}
	text := ix.Render(english, nil)
	if len(text) > 1_000_000 {
		t.Errorf("got an index of %d bytes, want less than a megabyte", len(text))
	}
	if again, ok := ParseIndex(text); !ok || !reflect.DeepEqual(again, ix) {
		t.Error("got another index than the one that was written")
	}
	if !bytes.Contains(text, []byte(`<tfoot><tr><th scope="row">Total</th>`)) {
		t.Error("got no sums of all pages")
	}
	entries := ix.letters()
	letters := slices.Sorted(maps.Keys(entries))
	if want := []string{"", "a", "b", "z"}; !slices.Equal(letters, want) || len(entries[""]) != 1000 || len(entries["a"]) != 1000 {
		t.Errorf("got the letters %q with %d and %d pages, want %q", letters, len(entries[""]), len(entries["a"]), want)
	}
	for name, part := range ix.RenderLetters(english, nil) {
		letter := strings.TrimSuffix(strings.TrimPrefix(name, "index-"), ".html")
		if rows := bytes.Count(part, []byte(`<th scope="row">`)); rows != len(entries[strings.TrimPrefix(letter, "0")]) {
			t.Errorf("%s: got %d rows", name, rows)
		}
		if (part != nil) != bytes.Contains(text, []byte(`<a href="`+name+`">`)) {
			t.Errorf("%s: got a link without a table, or a table without a link", name)
		}
	}
}

func TestLetterOf(t *testing.T) {
	for name, want := range map[string]string{
		"Acme": "a", "Ärzte": "a", "Ørsted": "o", "Ħal": "h", "Ŧ": "t", "Ŋala": "n", "Ɨ": "i", "Łódź": "l", "ßig": "s", "Œuvre": "o", "(Zoo)": "z", "\"quoted\"": "q", "Ｗide": "w", "İzmir": "i",
		"7up": "", "北京": "", "Αθήνα": "", "": "", "…": "",
	} {
		if got := letterOf(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestIndexSorts checks the places of the rows for each order: by name, by the largest figure, by the best average rank, and
// those without a figure last. The last row has the sums of what can be added.
func TestIndexSorts(t *testing.T) {
	entry := func(name string, visits, rank float64) Entry {
		e := Entry{Name: name, File: name + ".html", State: Whole}
		if visits > 0 {
			e.Figures = []EntryFigure{{Key: summary.TileVisits, Text: fmt.Sprint(visits), Value: visits}, {Key: summary.TileAverageRank, Text: fmt.Sprint(rank), Value: rank}}
		}
		return e
	}
	all := []Entry{entry("b", 9, 2.5), entry("C", 0, 0), entry("a", 10, 12)}
	for i, want := range []string{"--a:1;--b:1;", "--a:2;--b:2;", "--a:0;--b:0;"} {
		if got := placesOf(all)[i]; !strings.HasPrefix(got, want) {
			t.Errorf("%s: got the places %q, want %q first", all[i].Name, got, want)
		}
	}
	for i, want := range []string{"--h:0;", "--h:2;", "--h:1;"} {
		if got := placesOf(all)[i]; !strings.Contains(got, want) {
			t.Errorf("%s: got the places %q, want %q for the average rank", all[i].Name, got, want)
		}
	}
	text := Index{Entries: all}.Render(english, nil)
	_, total, _ := strings.Cut(string(text), "<tfoot>")
	if want := `<tr><th scope="row">Total</th><td class="number">19</td><td class="number">–</td>`; !strings.HasPrefix(total, want) {
		t.Errorf("got %.100q, want %q", total, want)
	}
}

// TestOneIntervalIsNoSpan makes no picture of one day on a page, in its table neither, and tells of it elsewhere without "from 20 Oct to 20 Oct".
func TestOneIntervalIsNoSpan(t *testing.T) {
	day := summary.NewDay(2026, time.October, 20)
	b := summary.NewBuilder(summary.NewScope(summary.Period{From: day, To: day}, summary.Previous, day+30))
	monthOf(t, b, "")
	p := b.Page(summary.Subject{CampaignID: 101})
	if text := rendered(t, p, Options{}); strings.Contains(text, "for each") || strings.Contains(text, "Visits by day") || strings.Contains(text, "Course") {
		t.Errorf("got a chart of one day in %s, want none", text)
	}
	if got, want := Plots(p, summary.ReportTraffic)[0].About, ". Organic visits: 20 Oct: "; !strings.HasPrefix(got, "Visits: 20 Oct: ") || !strings.Contains(got, want) || strings.Contains(got, "from") {
		t.Errorf("got %q, want %q and the number", got, want)
	}
}

// TestNoPictureOfZeros leaves out the chart of visits that were 0 on each day.
func TestNoPictureOfZeros(t *testing.T) {
	b := summary.NewBuilder(summary.NewScope(summary.Month(2026, time.October), summary.Previous, summary.NewDay(2026, time.November, 22)))
	for day := range 31 {
		add(t, b, summary.ReportTraffic, `{"date":"2026-10-%02d","organic":0,"non_organic":0,"total":0}`, day+1)
	}
	if text := rendered(t, b.Page(summary.Subject{CampaignID: 101}), Options{}); strings.Contains(text, "<figure>") || !strings.Contains(text, "No visits") {
		t.Errorf("got %s, want the sentence and no picture", text)
	}
}

// TestNamesWithoutUnseen checks that characters which copied names have, and that say nothing, do not reach a customer as code.
func TestNamesWithoutUnseen(t *testing.T) {
	var e Entry
	e.Describe(english, &summary.Page{Title: "Möbel\u00adhaus\u200b", Called: "Möbel\u00adhaus\u200b", Period: "October 2026"})
	if e.Name != "Möbelhaus" || e.Called != "Möbelhaus" || e.Subject != "Möbelhaus: October 2026" {
		t.Errorf("got the names %q and %q, and the subject %q", e.Name, e.Called, e.Subject)
	}
}

// TestFewerOnTheMap checks that the index names a page of which fewer keywords are among the first ten on the map.
func TestFewerOnTheMap(t *testing.T) {
	var e Entry
	e.Describe(english, &summary.Page{Tiles: []summary.Figure{{Key: summary.TileMapFirst10, Title: "On the map", Short: "−2", Direction: summary.Down}}})
	if len(e.Look) != 1 || e.Look[0] != "On the map: −2" {
		t.Errorf("got %q", e.Look)
	}
}
