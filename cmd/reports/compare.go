package reports

import (
	"math"
	"slices"
	"strconv"
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

// newView returns the view with the fields of a resource. convert gives a value of each of them for each row to print.
func newView(res *schema.Resource, convert func(rows []record.Record, give func(...record.Value))) *view {
	return &view{res, func(rows []record.Record) (out []record.Record) {
		convert(rows, func(values ...record.Value) {
			pairs := make([]record.Pair, len(values))
			for i, v := range values {
				pairs[i] = record.Pair{Name: res.Fields[i].Name, Value: v}
			}
			out = append(out, record.Of(pairs...))
		})
		return out
	}}
}

func resourceOf(fields ...schema.Field) *schema.Resource {
	return &schema.Resource{Name: "report", Fields: fields}
}

// compared returns the columns of a compared figure.
func compared(name string) (fields []schema.Field) {
	for _, suffix := range []string{"", "_previous", "_change", "_change_percent"} {
		fields = append(fields, column(name+suffix, schema.Float))
	}
	return fields
}

func comparedRank(name string) []schema.Field {
	fields := compared(name)
	fields[0], fields[1] = rankField(fields[0].Name), rankField(fields[1].Name)
	return fields
}

func comparedValues(now, before float64) []record.Value {
	difference, percent := summary.Change(now, before)
	return []record.Value{numberValue(now), numberValue(before), numberValue(difference), numberValue(math.Round(percent*10) / 10)}
}

// comparedRankValues has no change for a keyword that does not rank: only ranks differ by places.
func comparedRankValues(m summary.KeywordMove) []record.Value {
	if m.Rank < summary.Unranked && m.Before < summary.Unranked {
		return comparedValues(m.Rank, m.Before)
	}
	return []record.Value{numberValue(m.Rank), numberValue(m.Before), null, null}
}

var null = record.Value("null")

func numberValue(n float64) record.Value {
	if math.IsNaN(n) {
		return null
	}
	return strconv.AppendFloat(nil, n, 'f', -1, 64)
}

// dayValue is null for the day 0, which is none.
func dayValue(d summary.Day) record.Value {
	if d == 0 {
		return null
	}
	return record.Quote(d.ISO())
}

// valuesOf returns the values of those fields of a row that some columns are named by.
func valuesOf(row record.Record, columns ...schema.Field) (values []record.Value) {
	for _, c := range columns {
		v := row.Get(c.Name)
		if v.Kind() == record.Missing {
			v = null
		}
		values = append(values, v)
	}
	return values
}

func column(name string, t schema.Type) schema.Field {
	return schema.Field{Name: name, Type: t, Use: schema.Read | schema.DefaultColumn}
}

// keywordFields are the columns that say which keyword a row is of.
func keywordFields() []schema.Field {
	keyword := schema.Field{Name: "keyword", Use: schema.Read | schema.DefaultColumn | schema.Title}
	return []schema.Field{keyword, *schema.KeywordReport.Field("type"), column("rank_id", schema.Int)}
}

// rankField is a column with ranks, null if the rank was not measured.
func rankField(name string) schema.Field {
	f := column(name, schema.Int)
	f.Shown = [][2]string{{"null", "–"}, {strconv.Itoa(summary.Unranked), "not ranked"}}
	return f
}

var totals = map[summary.Report]string{
	summary.ReportWorkflows: "tasks_completed", summary.ReportLost: "backlinks_lost",
	summary.ReportProvisioned: "backlinks_provisioned", summary.ReportReferring: "quantity",
}

func newComparison(r *report, s summary.Scope, t *tracking) *view {
	switch r.summary {
	case summary.ReportKeywords:
		return comparedKeywords(s, t)
	case summary.ReportTraffic:
		return comparedTraffic(s, t)
	}
	return newView(resourceOf(compared(totals[r.summary])...), func(rows []record.Record, give func(...record.Value)) {
		now, before := t.builderOf(s, r.summary, rows).Total(r.summary)
		if math.IsNaN(now) && math.IsNaN(before) {
			t.counts[campaignsEmpty].Add(1)
		}
		give(comparedValues(now, before)...)
	})
}

func comparedTraffic(s summary.Scope, t *tracking) *view {
	fields := []schema.Field{column("date", schema.Date), column("date_previous", schema.Date)}
	for _, name := range []string{"organic", "non_organic", "total"} {
		fields = append(fields, compared(name)...)
	}
	return newView(resourceOf(fields...), func(rows []record.Record, give func(...record.Value)) {
		for _, d := range t.builderOf(s, summary.ReportTraffic, rows).DailyVisits() {
			values := []record.Value{dayValue(d.Day), dayValue(d.DayBefore)}
			for _, visits := range []int{summary.OrganicVisits, summary.OtherVisits, summary.AllVisits} {
				values = append(values, comparedValues(d.Now[visits], d.Before[visits])...)
			}
			give(values...)
		}
	})
}

func comparedKeywords(s summary.Scope, t *tracking) *view {
	keyword, searches := keywordFields(), column("search_total", schema.Int)
	fields := slices.Concat(keyword, comparedRank("rank_google_organic"), comparedRank("rank_google_map"), []schema.Field{searches})
	return newView(resourceOf(fields...), func(rows []record.Record, give func(...record.Value)) {
		for _, m := range t.builderOf(s, summary.ReportKeywords, rows).Movers(false) {
			row := rows[m.Row]
			give(slices.Concat(valuesOf(row, keyword...), comparedRankValues(m.Organic), comparedRankValues(m.Map), valuesOf(row, searches))...)
		}
	})
}

func newHistory(p summary.Period, t *tracking) *view {
	keyword := keywordFields()[:2]
	fields := append(slices.Clone(keyword), column("date", schema.Date), rankField("rank_google_organic"), rankField("rank_google_map"))
	return newView(resourceOf(fields...), func(rows []record.Record, give func(...record.Value)) {
		for _, m := range t.builderOf(summary.Scope{Period: p}, summary.ReportKeywords, rows).Measured(p) {
			give(append(valuesOf(rows[m.Row], keyword...), dayValue(m.Day), numberValue(m.Organic), numberValue(m.Map))...)
		}
	})
}

// setDates finds the dates of the requests, and what is printed in place of the rows.
func (o *options) setDates(c *cobra.Command, f *cli.Frame, today time.Time) (err error) {
	if o.dates, err = o.period(c, f, today); err != nil {
		return err
	}
	kind, flag := summary.Comparison(o.compare), map[bool]string{true: "--history"}[o.history]
	if kind != summary.None {
		flag = "--compare"
	}
	switch {
	case flag == "":
	case flag == "--compare" && o.history:
		return cli.Usagef("--history and --compare can't be used together")
	case f.Flags.Raw:
		return cli.Usagef("--raw prints one response unchanged, so it can't be used with %s", flag)
	case f.Flags.Chart || c.Flags().Changed("chart-file"):
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
	isRequired := o.report.Undated == nil || flag == "--compare"
	if o.asked = o.dates; o.dates == (client.Dates{}) && (isRequired || o.report.takesDates() && !f.Flags.Raw) {
		o.asked, o.defaulted = defaultDates(today), true
	}
	if isRequired {
		o.dates = o.asked
	}
	asked, err := periodOf(o.asked)
	if err == nil && flag == "" && o.report.summary != summary.ReportProvisioned { // whose links are dated by another day than is asked for
		o.within = asked
	}
	switch flag {
	case "--history":
		if o.asked == (client.Dates{}) {
			asked, err = summary.AllDays, nil
		}
		o.view = newHistory(asked, o.tracking)
		return err
	case "--compare":
		if o.scope, err = scopeOf(o.dates, kind, today); err != nil {
			return err
		}
		scope := &o.scope
		if scope.From == scope.Today && o.report.summary == summary.ReportTraffic {
			f.Note("the visits of today are left out, since the day is not over")
		}
		if n := scope.Compared.Days() - scope.Days(); n > 0 && o.report.summary == summary.ReportTraffic {
			f.Note("%s of %s, since %s has no day beside %s", phrase.Count(n, "day is missing", "days are missing"), scope.Compared.Words(nil), scope.Words(nil), phrase.Noun(n, "it", "them"))
		}
		o.dates, o.view = datesOf(scope.Request(o.report.summary, false)), newComparison(o.report, *scope, o.tracking)
	}
	return nil
}
