package page

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reseller/client/record"
	"reseller/client/summary"
	"reseller/client/words"
)

// samplesDir names the folder to which TestSamples writes pages that a browser checks.
const samplesDir = "RESELLER_TEST_PAGES"

// add adds a row, a JSON object, to a builder.
func add(t *testing.T, b *summary.Builder, r summary.Report, format string, args ...any) {
	t.Helper()
	row, err := record.Parse(fmt.Appendf(nil, format, args...))
	noError(t, err)
	b.Add(r, row)
}

// monthOf adds a month's work for 40 keywords to a builder. Its names begin with a text.
func monthOf(t *testing.T, b *summary.Builder, name string) {
	t.Helper()
	year, october := summary.NewDay(2025, time.November, 1), summary.Month(2026, time.October)
	for i := range 40 {
		var points []string
		for day := year; day <= october.To; day += 5 {
			rank := 3 + (7*i+int(day)*(1+i%3))%45
			if i%13 == 5 {
				rank = 999
			}
			points = append(points, fmt.Sprintf(`{"date":%q,"rank_google_organic":%d,"rank_google_map":%d}`, day.ISO(), rank, 1+(rank+i)%30))
		}
		add(t, b, summary.ReportKeywords, `{"keyword":%q,"type":"target","search_total":%d,"histogram":[%s]}`, fmt.Sprintf("%semergency dentist near downtown %d", name, i), 40*i, strings.Join(points, ","))
	}
	for day := year; day <= october.To; day++ {
		n := 50 + int(day)*37%90
		add(t, b, summary.ReportTraffic, `{"date":%q,"organic":%d,"non_organic":%d,"total":%d}`, day.ISO(), n, n/2, n+n/2)
		if day%7 == 0 {
			add(t, b, summary.ReportReferring, `{"date_checked":%q,"quantity":%d}`, day.ISO(), 400+n)
		}
		if day%3 == 0 {
			add(t, b, summary.ReportWorkflows, `{"task_name":%q,"status":"completed","completion_date":%q}`, name+"On-page optimization", day.ISO())
			add(t, b, summary.ReportProvisioned, `{"url":%q,"type":"guest post","completed_date":%q,"domain_rating":%d}`, fmt.Sprintf("https://%spartner.example.org/harbor/post-%d", name, day), day.ISO(), n%70)
		}
		if day%6 == 0 {
			add(t, b, summary.ReportLost, `{"url_from":"https://blog.example.net/%d","date_last_seen":%q,"anchor_text":%q}`, day, day.ISO(), name+"read more")
		}
	}
	add(t, b, summary.ReportBacklinks, `{"domain_rating":61,"backlink_quantity":12345,"referring_domain_quantity":678}`)
}

// gapsOf adds a month with keywords that were not measured, are new or dropped out, with days without data, and
// with a report that failed, to a builder.
func gapsOf(t *testing.T, b *summary.Builder) {
	t.Helper()
	for i, points := range []string{
		`{"date":"2026-09-28","rank_google_organic":12,"rank_google_map":2},{"date":"2026-10-08","rank_google_organic":10},{"date":"2026-10-28","rank_google_organic":8,"rank_google_map":3}`,
		`{"date":"2026-09-28","rank_google_organic":4},{"date":"2026-10-08","rank_google_organic":5}`,
		`{"date":"2026-09-28","rank_google_organic":2},{"date":"2026-10-28","rank_google_organic":999}`,
		`{"date":"2026-10-28","rank_google_organic":3,"rank_google_map":1}`,
		`{"date":"2026-08-30","rank_google_organic":7}`,
	} {
		add(t, b, summary.ReportKeywords, `{"keyword":"city bikes %d","histogram":[%s]}`, i, points)
	}
	for day := summary.NewDay(2026, time.September, 3); day <= summary.Month(2026, time.October).To; day++ {
		if day%9 > 1 {
			add(t, b, summary.ReportTraffic, `{"date":%q,"organic":%d,"total":%d}`, day.ISO(), 900+int(day)*37%90, 2000+int(day)*37%300)
		}
	}
	add(t, b, summary.ReportProvisioned, `{"url":"https://partner.example.org","type":"guest post","completed_date":"2026-10-20"}`)
	b.Fail(summary.ReportLost, errors.New("broken"))
	b.Untracked = 2
}

// samples returns pages with much, little and no data, and with hostile names.
func samples(t *testing.T, in *words.Words) map[string]*summary.Page {
	t.Helper()
	scope := summary.NewScope(summary.Month(2026, time.October), summary.Previous, summary.NewDay(2026, time.November, 22))
	gaps := summary.NewBuilder(scope)
	gapsOf(t, gaps)
	much, little, none, strange := summary.NewBuilder(scope), summary.NewBuilder(scope), summary.NewBuilder(scope), summary.NewBuilder(scope)
	for _, b := range []*summary.Builder{gaps, much, little, none, strange} {
		b.Words = in
	}
	monthOf(t, much, "")
	add(t, little, summary.ReportKeywords, `{"keyword":"dentist","histogram":[{"date":"2026-10-20","rank_google_organic":12}]}`)
	add(t, little, summary.ReportTraffic, `{"date":"2026-10-20","organic":1,"non_organic":0,"total":1}`)
	add(t, little, summary.ReportWorkflows, `{"task_name":"Audit","status":"completed","completion_date":"2026-10-20"}`)
	add(t, little, summary.ReportBacklinks, `{"backlink_quantity":3}`)
	monthOf(t, strange, hostile+strings.Repeat("long", 40)+" ")
	strange.Fail(summary.ReportLost, errors.New(hostile))
	return map[string]*summary.Page{
		"much":    much.Page(summary.Subject{CampaignID: 101, AccountName: "Harbor Dental", CampaignName: "Local search"}),
		"gaps":    gaps.Page(summary.Subject{CampaignID: 105, AccountName: "Gull Bikes"}),
		"little":  little.Page(summary.Subject{CampaignID: 102, AccountName: "Müller & Söhne"}),
		"none":    none.Page(summary.Subject{CampaignID: 103}),
		"hostile": strange.Page(summary.Subject{CampaignID: 104, AccountName: hostile + strings.Repeat("long", 90), CampaignName: "שלום 東京 " + hostile}),
	}
}

// persian returns words of a file that are written from the right to the left, with a long one.
func persian(t *testing.T) *words.Words {
	t.Helper()
	text := strings.NewReplacer("language: en", "language: fa", "figure.visits: Visits", "figure.visits: بازدیدها", `other: "{n} visits"`, `other: "{n} بازدید"`,
		"section.rankings: Rankings", "section.rankings: رتبه\u200cها", "figure.links_gained: Links gained", "figure.links_gained: "+strings.Repeat("Suchmaschinenoptimierung", 5),
		"column.searches: Searches a month", "column.searches: جستجو در ماه", "move.up: \"{n} up\"", "move.up: \"{n} بالا\"").Replace(string(words.Source("en")))
	w, err := words.Parse([]byte(text))
	noError(t, err)
	return w
}

// hostileNote is a text with long words and addresses, another direction, markup, and a paragraph of 2,000 characters.
var hostileNote = "Guten Tag, " + hostile + "\n\n" + strings.Repeat("Donaudampfschifffahrtsgesellschaft", 12) + "\n\nשלום עולם, **שלום** 123 מילים\n\n" +
	strings.Repeat("All is well, and **bold words** stand between [links](https://example.com/a?b=1&c). ", 25) + "\n\n- " + strings.Repeat("ab", 150) +
	"\n- [" + strings.Repeat("link", 60) + "](https://example.com/" + strings.Repeat("path/", 60) + ")\n- **" + strings.Repeat("bold", 80) + "**\n- <table><tr><td>x</td></tr></table>"

// eightyWords is a text with which 40 keywords fit four sheets.
var eightyWords = strings.Repeat("We wrote two guest posts this month and mended old links. ", 8)

// TestSamples writes the samples and an index of them.
func TestSamples(t *testing.T) {
	dir := os.Getenv(samplesDir)
	if dir == "" {
		t.Skipf("%s names no folder", samplesDir)
	}
	language, prefix := english, ""
	write := func(name string, text []byte) {
		noError(t, os.WriteFile(filepath.Join(dir, prefix+name), text, 0o600))
	}
	logo := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="18" fill="#ffffff"/></svg>`
	brand, err := ParseBrand([]byte("name: Tide & Co\nlogo: a.svg\ncolor: '#ffcc00'\ncontact: hello@tide.example.com\nfooter: 1 Harbour Street"), func(string) ([]byte, error) { return []byte(logo), nil })
	noError(t, err)
	for _, name := range append(words.Languages, "fa") {
		switch name {
		case "en":
		case "fa":
			language, prefix = persian(t), "fa-"
		default:
			language, _ = words.In(name)
			prefix = name + "-"
		}
		ix := Index{Period: "October 2026", Comparison: "compared with September 2026", Made: "22 November 2026", Entries: []Entry{{AccountID: 1, CampaignID: 105, State: Waiting}, {AccountID: 2, CampaignID: 106, Name: hostile, State: Failed, Error: hostile}}}
		for kind, p := range samples(t, language) {
			o := Options{Words: language, Brand: brand, Appendix: kind != "much"}
			switch kind {
			case "much":
				o.Brand, o.Note = nil, parseMarkdown(eightyWords)
			case "hostile":
				o.Note = parseMarkdown(hostileNote)
			}
			write(kind+".html", Render(p, o))
			pdf, _, err := RenderPDF(p, o)
			noError(t, err)
			write(kind+".pdf", pdf)
			e := Entry{AccountID: 1, CampaignID: 101, File: prefix + kind + ".html", State: Whole}
			e.Describe(language, p)
			ix.Entries = append(ix.Entries, e)
		}
		text := ix.Render(language, brand)
		write("index.html", text)
		write("sorted.html", bytes.Replace(text, []byte(`value="h"`), []byte(`value="h" checked`), 1))
	}
}
