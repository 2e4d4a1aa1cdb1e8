package reports

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/cli"
)

// A view is what a command prints of a report in place of its rows.
type view struct {
	resource *schema.Resource
	// convert returns the rows to print of the rows of one campaign. Calls of it run at the
	// same time.
	convert func(rows []record.Record) []record.Record
}

func parseComparison(text string) (summary.Comparison, error) {
	if !slices.Contains(summary.Comparisons, text) {
		return "", cli.Usagef("--compare: %q is none of %s", text, strings.Join(summary.Comparisons, ", "))
	}
	return summary.Comparison(text), nil
}

// comparedSuffixes are what the names of the columns beside a compared figure end with.
var comparedSuffixes = [...]string{"_previous", "_change", "_change_percent"}

func compared(name string) []schema.Field {
	fields := []schema.Field{column(name, schema.Float)}
	for _, suffix := range comparedSuffixes {
		fields = append(fields, column(name+suffix, schema.Float))
	}
	return fields
}

func comparedRank(name string) []schema.Field {
	return slices.Concat([]schema.Field{rankField(name), rankField(name + comparedSuffixes[0])}, compared(name)[2:])
}

func comparedPairs(name string, now, before float64) []record.Pair {
	difference, percent := summary.Change(now, before)
	pairs := []record.Pair{{Name: name, Value: numberValue(now)}}
	for i, n := range []float64{before, difference, math.Round(percent*10) / 10} {
		pairs = append(pairs, record.Pair{Name: name + comparedSuffixes[i], Value: numberValue(n)})
	}
	return pairs
}

// comparedRankPairs has no change for a keyword that does not rank: only ranks differ by places.
func comparedRankPairs(name string, m summary.KeywordMove) []record.Pair {
	if m.Rank < summary.Unranked && m.Before < summary.Unranked {
		return comparedPairs(name, m.Rank, m.Before)
	}
	pairs := comparedPairs(name, m.Rank, math.NaN())
	pairs[1].Value = numberValue(m.Before)
	return pairs
}

func numberValue(n float64) record.Value {
	if math.IsNaN(n) {
		return record.Value("null")
	}
	return strconv.AppendFloat(nil, n, 'f', -1, 64)
}

func column(name string, t schema.Type) schema.Field {
	return schema.Field{Name: name, Type: t, Use: schema.Read | schema.DefaultColumn}
}

var keywordField = schema.Field{Name: "keyword", Use: schema.Read | schema.DefaultColumn | schema.Title}

// rankField is a column with ranks, null if the rank was not measured.
func rankField(name string) schema.Field {
	f := column(name, schema.Int)
	f.Shown = [][2]string{{"null", "–"}, {strconv.Itoa(summary.Unranked), "not ranked"}}
	return f
}

func dayValue(d summary.Day) record.Value { return record.Quote(d.ISO()) }

func pairOf(row record.Record, name string) record.Pair {
	v := row.Get(name)
	if v.Kind() == record.Missing {
		v = record.Value("null")
	}
	return record.Pair{Name: name, Value: v}
}

var totals = map[summary.Report]string{
	summary.ReportWorkflows: "tasks_completed", summary.ReportLost: "backlinks_lost",
	summary.ReportProvisioned: "backlinks_provisioned", summary.ReportReferring: "quantity",
}

func newComparison(r *report, s summary.Scope, t *tracking) *view {
	switch r.summary {
	case summary.ReportKeywords:
		return &view{resource: comparedKeywords(), convert: func(rows []record.Record) []record.Record {
			return compareKeywords(rows, t.builderOf(s, r.summary, rows).Movers(false))
		}}
	case summary.ReportTraffic:
		return &view{resource: comparedTraffic(), convert: func(rows []record.Record) []record.Record {
			return compareTraffic(t.builderOf(s, r.summary, rows).DailyVisits())
		}}
	default:
		name := totals[r.summary]
		return &view{resource: &schema.Resource{Name: "report", Fields: compared(name)}, convert: func(rows []record.Record) []record.Record {
			now, before := t.builderOf(s, r.summary, rows).Total(r.summary)
			if math.IsNaN(now) && math.IsNaN(before) {
				t.counts[campaignsEmpty].Add(1)
			}
			return []record.Record{record.Of(comparedPairs(name, now, before)...)}
		}}
	}
}

var visitColumns = [...]struct {
	name   string
	visits int
}{{"organic", summary.OrganicVisits}, {"non_organic", summary.OtherVisits}, {"total", summary.AllVisits}}

func comparedTraffic() *schema.Resource {
	fields := []schema.Field{column("date", schema.Date), column("date_previous", schema.Date)}
	for _, n := range visitColumns {
		fields = append(fields, compared(n.name)...)
	}
	return &schema.Resource{Name: "report", Fields: fields}
}

func compareTraffic(days []summary.DayVisits) []record.Record {
	var out []record.Record
	for _, d := range days {
		before := record.Value("null")
		if d.DayBefore != 0 {
			before = dayValue(d.DayBefore)
		}
		pairs := []record.Pair{{Name: "date", Value: dayValue(d.Day)}, {Name: "date_previous", Value: before}}
		for _, n := range visitColumns {
			pairs = append(pairs, comparedPairs(n.name, d.Now[n.visits], d.Before[n.visits])...)
		}
		out = append(out, record.Of(pairs...))
	}
	return out
}

func comparedKeywords() *schema.Resource {
	return &schema.Resource{Name: "report", Fields: slices.Concat(
		[]schema.Field{keywordField, *schema.KeywordReport.Field("type"), column("rank_id", schema.Int)}, comparedRank("rank_google_organic"), comparedRank("rank_google_map"),
		[]schema.Field{column("search_total", schema.Int)})}
}

func compareKeywords(rows []record.Record, movers []summary.Mover) []record.Record {
	var out []record.Record
	for _, m := range movers {
		row := rows[m.Row]
		out = append(out, record.Of(slices.Concat([]record.Pair{pairOf(row, "keyword"), pairOf(row, "type"), pairOf(row, "rank_id")},
			comparedRankPairs("rank_google_organic", m.Organic), comparedRankPairs("rank_google_map", m.Map),
			[]record.Pair{pairOf(row, "search_total")})...))
	}
	return out
}

func newHistory(p summary.Period, t *tracking) *view {
	res := &schema.Resource{Name: "report", Fields: []schema.Field{
		keywordField, *schema.KeywordReport.Field("type"), column("date", schema.Date), rankField("rank_google_organic"), rankField("rank_google_map"),
	}}
	return &view{resource: res, convert: func(rows []record.Record) []record.Record {
		var out []record.Record
		for _, m := range t.builderOf(summary.Scope{Period: p}, summary.ReportKeywords, rows).Measured(p) {
			out = append(out, record.Of(pairOf(rows[m.Row], "keyword"), pairOf(rows[m.Row], "type"), record.Pair{Name: "date", Value: dayValue(m.Day)},
				record.Pair{Name: "rank_google_organic", Value: numberValue(m.Organic)}, record.Pair{Name: "rank_google_map", Value: numberValue(m.Map)}))
		}
		return out
	}}
}

// setDates finds the dates of the requests, and what is printed in place of the rows.
func (o *options) setDates(c *cobra.Command, f *cli.Frame, today time.Time) error {
	var err error
	if o.dates, err = o.period(c, f, today); err != nil {
		return err
	}
	kind, err := parseComparison(o.compare)
	if err != nil {
		return err
	}
	flag := ""
	switch isCompared := kind != summary.None; {
	case isCompared && o.history:
		return cli.Usagef("--history and --compare can't be used together")
	case isCompared:
		flag = "--compare"
	case o.history:
		flag = "--history"
	}
	switch {
	case flag != "" && f.Flags.Raw:
		return cli.Usagef("--raw prints one response unchanged, so it can't be used with %s", flag)
	case flag != "" && (f.Flags.Chart || c.Flags().Changed("chart-file")):
		return cli.Usagef("charts show the rows of the report, so they can't be used with %s", flag)
	}
	if flag == "" && !o.report.takesDates() {
		for _, name := range []string{"month", "from", "to"} {
			if c.Flags().Changed(name) {
				return cli.Usagef("--%s requires --compare or --history", name)
			}
		}
		o.dates = client.Dates{} // of a file
	}
	if isRequired := o.report.Undated == nil || flag == "--compare"; isRequired && o.dates == (client.Dates{}) {
		o.dates, o.defaulted = defaultDates(today), true
	}
	if o.asked = o.dates; o.report.takesDates() && o.asked == (client.Dates{}) && !f.Flags.Raw {
		o.asked, o.defaulted = defaultDates(today), true
	}
	if p, err := periodOf(o.asked); err == nil && flag == "" && o.report.summary != summary.ReportProvisioned { // whose links are dated by another day than is asked for
		o.within = p
	}
	switch flag {
	case "--history":
		all := summary.AllDays
		if o.dates != (client.Dates{}) {
			if all, err = periodOf(o.dates); err != nil {
				return err
			}
		}
		o.view = newHistory(all, o.tracking)
	case "--compare":
		scope, err := scopeOf(o.dates, kind, today)
		if err != nil {
			return err
		}
		if scope.From == scope.Today && o.report.summary == summary.ReportTraffic {
			f.Note("the visits of today are left out, since the day is not over")
		}
		if n := scope.Compared.Days() - scope.Days(); n > 0 && o.report.summary == summary.ReportTraffic {
			f.Note("%s of %s, since %s has no day beside %s", phrase.Count(n, "day is missing", "days are missing"), scope.Compared.Words(nil), scope.Words(nil), phrase.Noun(n, "it", "them"))
		}
		o.dates, o.view = datesOf(scope.Request(o.report.summary, false)), newComparison(o.report, scope, o.tracking)
	}
	return nil
}
