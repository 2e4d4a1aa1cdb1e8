package cmd_test

import (
	"compress/flate"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	tileShown     = regexp.MustCompile(`(?s)<li><span class="label">(.*?)</span><span class="figure">(.*?)</span><span class="change">(.*?)</span>(?:<svg|</li>)`)
	figureShown   = regexp.MustCompile(`(?s)<div><dt>(.*?)</dt><dd><strong>(.*?)</strong> (.*?)</dd></div>`)
	sentenceShown = regexp.MustCompile(`(?s)<div class="lead">(.*?)</div>`)
	rankingShown  = regexp.MustCompile(`(?s)<tr><th scope="row"[^>]*><bdi>([a-e])</bdi></th><td class="number"><bdi>([^<]*)</bdi>.*?</td><td class="change [a-z]*"><bdi>(.*?)</bdi></td>`)
	chartShown    = regexp.MustCompile(`(?s)<svg class="plot" [^>]*><title>(.*?)</title><desc>(.*?)</desc>`)
	tagShown      = regexp.MustCompile(`<[^>]*>`)
	numberShown   = regexp.MustCompile(`\d[\d,]*(\.\d+)?`)
	firstDays     = regexp.MustCompile(`in the (first \d+ (days of|of the \d+ days before)|\d+ days before)`)
	indexShown    = regexp.MustCompile(`<meta name="index" content="([^"]*)">`)
	tileTitles    = map[string]string{
		"visits": "Visits", "organic_visits": "Organic visits", "organic_first_3": "Keywords in the first 3", "organic_first_10": "Keywords in the first 10",
		"map_first_3": "Keywords in the first 3 on the map", "map_first_10": "Keywords in the first 10 on the map", "average_rank": "Average rank",
		"domain_rating": "Domain rating", "links_gained": "Links gained", "links_lost": "Links lost", "tasks_completed": "Tasks completed",
	}
)

// numbersIn returns the numbers in a text, without those in the names of the compared period.
func (c *figureCase) numbersIn(text string) []string {
	text = html.UnescapeString(tagShown.ReplaceAllString(text, " "))
	text = firstDays.ReplaceAllString(strings.NewReplacer(c.when, "", c.rankWhen, "").Replace(text), "")
	return numberShown.FindAllString(text, -1)
}

// TestFiguresAreThoseOfTheAnswers compares what the page of a customer, the index, the movers and the comparisons say with
// figures that are computed from the answers of the service in another way.
func TestFiguresAreThoseOfTheAnswers(t *testing.T) {
	for _, c := range figureCases() {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(c)
			defer server.Close()
			s := session{home: t.TempDir(), env: map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": server.URL}}
			run := func(line string, more ...string) string {
				args := append(append(strings.Fields(line), strings.Fields(c.args)...), more...)
				if !strings.Contains(c.args, "--compare") {
					args = append(args, "--compare", "previous")
				}
				code, stdout, stderr := s.run(t, args...)
				if code != 0 {
					t.Fatalf("%v: got exit code %d: %s", args, code, stderr)
				}
				return stdout
			}
			dir := t.TempDir()
			run("reports summary --all", "--output-dir", dir)
			page, err := os.ReadFile(filepath.Join(dir, "campaign-101.html"))
			if err != nil {
				t.Fatal(err)
			}
			index, err := os.ReadFile(filepath.Join(dir, "index.html"))
			if err != nil {
				t.Fatal(err)
			}
			c.checkPage(t, string(page))
			c.checkIndex(t, string(index))
			c.checkMovers(t, run("reports movers --all -o csv --limit 99"))
			c.checkKeywords(t, run("reports keywords --account 1 --campaign 101 -o json"))
			c.checkTraffic(t, run("reports traffic --account 1 --campaign 101 -o json"))
			for report, of := range map[string]struct {
				field string
				days  []string
				rows  int
			}{
				"workflows":             {"tasks_completed", c.done(), len(c.tasks)},
				"backlinks lost":        {"backlinks_lost", c.lost, len(c.lost)},
				"backlinks provisioned": {"backlinks_provisioned", c.gained, len(c.gained)},
			} {
				row := parseRows(t, run("reports "+report+" --account 1 --campaign 101 -o json"))[0]
				_, now, before := c.happened(of.days)
				want := fmt.Sprint(float64(now), float64(before))
				if of.rows == 0 {
					want = "<nil> <nil>"
				}
				if got := fmt.Sprint(row[of.field], row[of.field+"_previous"]); of.rows == 0 && got != want || of.rows > 0 && got != want {
					t.Errorf("%s: got %s, want %s", report, got, want)
				}
			}
		})
	}
}

func parseRows(t *testing.T, text string) (rows []map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		var row map[string]any
		if json.Unmarshal([]byte(text), &row) != nil {
			t.Fatalf("%v in %s", err, text)
		}
		rows = append(rows, row)
	}
	return rows
}

func (c *figureCase) checkPage(t *testing.T, page string) {
	t.Helper()
	shown := map[string]plainFigure{}
	changes := map[string]string{}
	for _, m := range slices.Concat(tileShown.FindAllStringSubmatch(page, -1), figureShown.FindAllStringSubmatch(page, -1)) {
		told := html.UnescapeString(tagShown.ReplaceAllString(m[3], ""))
		if before, twice := changes[m[1]]; twice && (before != told || shown[m[1]].text != m[2]) {
			t.Errorf("%s: got %s %s in a tile, and %s %s below", m[1], shown[m[1]].text, before, m[2], told)
		}
		sign := 0
		if strings.Contains(told, "▲") {
			sign = 1
		} else if strings.Contains(told, "▼") {
			sign = -1
		}
		if words := map[int]string{1: "(▲ [^;]*(more|better|times)|▲ none) ", -1: "(▼ [^;]*(fewer|worse)|▼ after) ", 0: "^[^▲▼]*$"}[sign]; !regexp.MustCompile(words).MatchString(told) {
			t.Errorf("%s: the arrow and the words contradict each other: %s", m[1], told)
		}
		shown[m[1]], changes[m[1]] = plainFigure{m[2], c.numbersIn(m[3]), sign}, told
	}
	tiles := c.tiles()
	all := c.sections()
	for key, want := range tiles {
		all[tileTitles[key]] = want
	}
	for title, want := range all {
		if got := shown[title]; got.text != want.text || !slices.Equal(got.numbers, want.numbers) || got.sign != want.sign {
			t.Errorf("%s: got %s with %v in %q, want %s with %v, sign %d", title, got.text, got.numbers, changes[title], want.text, want.numbers, want.sign)
		}
	}
	// The sentences have the numbers of the tiles.
	var want []string
	add := func(f plainFigure, more ...string) {
		if f.text != "" && f.text != "0" {
			want = append(want, f.text)
		}
		want = append(append(want, more...), f.numbers...)
	}
	if f := tiles["visits"]; f.text != "" {
		add(f)
	}
	if f := tiles["organic_first_10"]; f.text != "" {
		all := strconv.Itoa(len(c.tracked()))
		if f.text == "0" && all == "1" {
			want = append(want, "0")
		}
		add(f, all)
	}
	for _, key := range []string{"tasks_completed", "links_gained"} {
		add(plainFigure{text: tiles[key].text})
	}
	lead := ""
	if m := sentenceShown.FindStringSubmatch(page); m != nil {
		lead = m[1]
	}
	for _, title := range []string{"Visits", "Keywords in the first 10"} {
		words := strings.NewReplacer("▲ ", "", "▼ ", "", "= ", "").Replace(changes[title])
		if said := html.UnescapeString(lead); !strings.Contains(said, words) {
			t.Errorf("got %q, want %q of %s in it", said, words, title)
		}
	}
	if got := c.numbersIn(lead); !slices.Equal(got, want) {
		t.Errorf("got the numbers %v in %q, want %v", got, lead, want)
	}
	if text := html.UnescapeString(page); strings.Contains(text, "since on") || strings.Contains(text, "NaN") || strings.Contains(text, "1 keywords") {
		t.Errorf("got %s", text)
	}
	rows := map[string][2]string{}
	for _, m := range rankingShown.FindAllStringSubmatch(page, -1) {
		rows[m[1]] = [2]string{strings.TrimSpace(m[2]), strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(m[3]), "▲▼= "))}
	}
	known := tiles["organic_first_3"].text + tiles["map_first_3"].text
	for _, k := range c.keywords {
		if _, there := rows[k.text]; there != (known != "" && !k.isOff) {
			t.Errorf("keyword %s: is in the table %v", k.text, there)
		}
	}
	for _, k := range c.tracked() {
		r := c.rankOf(k.organic)
		now := map[int]string{0: "–", 999: "not ranked"}[r.now]
		if now == "" {
			now = strconv.Itoa(r.now)
		}
		change := ""
		switch {
		case r.now == 0 && r.before > 0:
			at, _ := time.Parse(time.DateOnly, r.earlier)
			change = "no measurement since " + at.Format("2 Jan")
		case r.now == 0, r.now == 999 && r.before == 999:
		case r.now == 999 && r.before == 0:
		case r.before == 0 && !c.isNew(k):
			change = "not measured " + c.rankWhen
		case r.before == 0:
			change = "new"
		case r.before == 999:
			change = "newly ranked"
		case r.now == 999:
			change = "no longer ranked"
		case r.now < r.before:
			change = fmt.Sprint(r.before-r.now, " up")
		case r.now > r.before:
			change = fmt.Sprint(r.now-r.before, " down")
		default:
			change = "unchanged"
		}
		if r.now%999 > 0 && r.before%999 > 0 && r.earlier <= dayAfter(c.priorTo, -10) {
			at, _ := time.Parse(time.DateOnly, r.earlier)
			layout := "2 Jan"
			if r.earlier[:4] != c.to[:4] {
				layout += " 2006"
			}
			change += " since " + at.Format(layout)
		}
		if want := [2]string{now, change}; known != "" && rows[k.text] != want {
			t.Errorf("keyword %s: got %q, want %q", k.text, rows[k.text], want)
		}
	}
	c.checkCharts(t, html.UnescapeString(page))
	off := len(c.keywords) - len(c.tracked())
	if told := strings.Contains(page, fmt.Sprintf("<li>%d more keyword", off)); told != (off > 0) {
		t.Errorf("deactivated keywords are told: %v, want %v", told, off > 0)
	}
	if told := strings.Contains(page, "the last row of a day counts"); told != (len(c.twice) > 0) {
		t.Errorf("days sent twice are told: %v", told)
	}
}

// checkCharts compares what the charts of twelve months and of the ranges of ranks say.
func (c *figureCase) checkCharts(t *testing.T, page string) {
	t.Helper()
	_, strip, _ := strings.Cut(page, `<div class="strip">`)
	strip, _, _ = strings.Cut(strip, "</div>")
	shown := map[string]string{}
	for _, m := range chartShown.FindAllStringSubmatch(strip, -1) {
		shown[m[1]] = m[2]
	}
	for title, want := range c.ofMonths() {
		if got := shown[title]; got != want {
			t.Errorf("%s: got %q, want %q", title, got, want)
		}
	}
	said := ""
	for _, m := range chartShown.FindAllStringSubmatch(page, -1) {
		if m[1] == "Organic ranks" {
			said = m[2]
		}
	}
	now, before := c.ranges()
	var want []string
	for i, counts := range [][6]int{now, before} {
		if n := len(c.tracked()); n > 2 && counts[5] < n && c.tiles()["organic_first_3"].text != "" {
			want = append(want, fmt.Sprintf("%s 1–3: %d, 4–10: %d, 11–20: %d, 21–50: %d, Beyond 50 or not ranked: %d, Not measured: %d.",
				[]string{"[0-9A-Z].*:", strings.ToUpper(c.rankWhen[:1]) + c.rankWhen[1:] + ":"}[i], counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]))
		}
	}
	if !regexp.MustCompile("^" + strings.Join(want, " ") + "$").MatchString(said) {
		t.Errorf("ranges of ranks: got %q, want %q", said, want)
	}
}

func (c *figureCase) checkIndex(t *testing.T, index string) {
	t.Helper()
	var data struct {
		Entries []struct {
			Figures []struct{ Key, Text string }
			Missing []string
		}
	}
	text := base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(indexShown.FindStringSubmatch(index)[1]))
	if err := json.NewDecoder(flate.NewReader(text)).Decode(&data); err != nil {
		t.Fatal(err)
	}
	got, missing := map[string]string{}, strings.Join(data.Entries[0].Missing, ", ")
	for _, f := range data.Entries[0].Figures {
		got[f.Key] = f.Text
	}
	for key, want := range c.tiles() {
		if got[key] != want.text {
			t.Errorf("index, %s: got %q, want %q", key, got[key], want.text)
		}
	}
	for key, title := range map[string]string{"visits": "Visits", "tasks_completed": "Tasks completed", "links_gained": "Links gained", "links_lost": "Links lost"} {
		if strings.Contains(missing, title) != (c.tiles()[key].text == "") {
			t.Errorf("index: got no data for %s, want that of %s to be so: %v", missing, title, c.tiles()[key].text == "")
		}
	}
	if told := strings.Contains(index, "; no data: "+missing); told != (missing != "") {
		t.Errorf("the index tells that there is no data for %q: %v", missing, told)
	}
}

func (c *figureCase) checkMovers(t *testing.T, text string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, row := range rows[1:] {
		got = append(got, strings.Join(append([]string{row[3]}, row[6:]...), " "))
	}
	for _, k := range c.tracked() {
		for list, ranks := range map[string]map[string]int{"organic": k.organic, "map": k.onMap} {
			r := c.rankOf(ranks)
			for _, day := range slices.Sorted(maps.Keys(ranks)) {
				if r.before == 0 && day >= c.from && day < r.day {
					r.before, r.earlier = ranks[day], day
				}
			}
			if rise := min(r.before, 101) - min(r.now, 101); r.now > 0 && r.before > 0 && rise != 0 {
				want = append(want, fmt.Sprint(k.text, " ", list, " ", r.now, " ", r.before, " ", rise, " ", r.day, " ", r.earlier))
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("movers: got  %q\nwant %q", got, want)
	}
}

func (c *figureCase) checkKeywords(t *testing.T, text string) {
	t.Helper()
	orNil := func(n int) any {
		if n == 0 {
			return nil
		}
		return float64(n)
	}
	rows := parseRows(t, text)
	if len(rows) != len(c.tracked()) {
		t.Fatalf("got %d keywords, want %d", len(rows), len(c.tracked()))
	}
	for i, k := range c.tracked() {
		for name, ranks := range map[string]map[string]int{"rank_google_organic": k.organic, "rank_google_map": k.onMap} {
			r := c.rankOf(ranks)
			want := []any{orNil(r.now), orNil(r.before), nil}
			if r.now%999 > 0 && r.before%999 > 0 {
				want[2] = float64(r.now - r.before)
			}
			if got := []any{rows[i][name], rows[i][name+"_previous"], rows[i][name+"_change"]}; !slices.Equal(got, want) {
				t.Errorf("keyword %s, %s: got %v, want %v", k.text, name, got, want)
			}
		}
	}
}

func (c *figureCase) checkTraffic(t *testing.T, text string) {
	t.Helper()
	type day = struct{ now, before any }
	got, want := map[string]day{}, map[string]day{}
	for _, row := range parseRows(t, text) {
		got[row["date"].(string)] = day{row["total"], row["total_previous"]}
	}
	to := c.to
	if c.lastDay != "" {
		to = c.lastDay
	}
	for i, at := range daysOf(c.from, to) {
		earlier := dayAfter(c.prior, i)
		if strings.Contains(c.args, "year") && c.from != c.to {
			year, _ := strconv.Atoi(at[:4])
			earlier = fmt.Sprint(year-1, at[4:])
		}
		var d day
		if v, ok := c.days[at]; ok {
			d.now = float64(v[0] + v[1])
		}
		if v, ok := c.days[earlier]; ok && earlier <= c.priorTo {
			d.before = float64(v[0] + v[1])
		}
		if d != (day{}) {
			want[at] = d
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("traffic: got  %v\nwant %v", got, want)
	}
}
