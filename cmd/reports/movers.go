package reports

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/cli"
	"reseller/output/encode"
)

const defaultMovers = 20

// fieldRise is the column with the number of places by which a keyword rose.
const fieldRise = "rise"

func moverFields() *schema.Resource {
	return &schema.Resource{Name: "mover", Fields: slices.Concat(keywordFields(), []schema.Field{
		{Name: "list", Type: schema.Choice, Enum: []string{"organic", "map"}, Use: schema.Read | schema.DefaultColumn | schema.Title},
		rankField("rank"), rankField("rank_previous"), column(fieldRise, schema.Int), column("date", schema.Date), column("date_previous", schema.Date),
	})}
}

func newMoversCmd(f *cli.Frame) *cobra.Command {
	o := &options{report: &report{Report: client.ReportKeywords.Report, summary: summary.ReportKeywords}, within: summary.AllDays, tracking: &tracking{}, selection: selection{compare: string(summary.Previous)}}
	limit := defaultMovers
	c := &cobra.Command{
		Use:   "movers",
		Short: "List the keywords that rose and fell most",
		Long: "List the keywords of all selected campaigns whose rank rose or fell most: first those that rose, from the greatest\n" +
			"rise, then those that fell, from the greatest fall. list says which of the two ranks it is, organic or map: a keyword\n" +
			"has a row for each that changed.\n\n" +
			"The last rank of the period is compared with the last one of the period before or, if it was not measured then, with\n" +
			"the first rank of the period. date and date_previous are the days on which they were measured. rise is by how many\n" +
			"places the keyword rose, and negative if it fell. A keyword that does not rank has rank 999, \"not ranked\" in tables,\n" +
			"and counts as just behind rank 100 and every rank that a tracked keyword of its campaign has. One that was not\n" +
			"measured twice is not listed, nor is one that is no longer tracked. Without --month, --from and --to, the period is the last\n" +
			"30 days.\n\n" +
			"Select campaigns with --account and --campaign, --all, or --file, as in the reports. If the report of a campaign\n" +
			"fails, the error is printed, the others continue, and the exit code is 3.",
		Example: "reseller reports movers --server mock --all\nreseller reports movers --server mock --account 1 --month 2026-10 --limit 5 -o csv",
		Args:    cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.begin(c, f, false); err != nil {
				return err
			}
			switch {
			case o.compare == string(summary.None):
				return cli.Usagef("--compare: movers are found by a comparison: use previous or year")
			case limit < 1:
				return cli.Usagef("--limit: %d is not a number from 1 up", limit)
			case f.Flags.Raw:
				return cli.Usagef("--raw prints one response unchanged, which has no movers")
			}
			if err := o.check(f.Session); err != nil {
				return err
			}
			if err := o.setDates(c, f, summary.DayOf(time.Now()).Time()); err != nil {
				return err
			}
			format, err := f.Output.Format()
			if err != nil {
				return err
			}
			isGiven := c.Flags().Changed("limit")
			if !isGiven && format != encode.Table {
				limit = math.MaxInt
			}
			dropped := 0
			o.view = newView(moverFields(), func(rows []record.Record, give func(...record.Value)) {
				for _, m := range o.tracking.builderOf(o.scope, summary.ReportKeywords, rows).Movers(true) {
					giveMover(rows[m.Row], m, give)
				}
			})
			o.arrange = func(list iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] {
				return mostOf(list, limit, &dropped)
			}
			return o.tracked(c.Context(), f.Session, func() error {
				err := run(c.Context(), f, o)
				if dropped > 0 && !isGiven {
					f.Note("%s rose or fell; --limit N lists more of them", phrase.Count(dropped, "more rank", "more ranks"))
				}
				return err
			})
		},
	}
	o.addTo(c, f.Session, true, false, summary.Comparisons[:2])
	f.Flags.AddFilters(c)
	c.Flags().IntVar(&limit, "limit", limit, "print at most `N` ranks that rose, and as many that fell; without it, formats other than table have all")
	return f.SetCompletionResource(c, moverFields())
}

func giveMover(row record.Record, m summary.Mover, give func(...record.Value)) {
	for i, move := range []summary.KeywordMove{m.Organic, m.Map} {
		if move.Rise != 0 && move.DayBefore != 0 && move.Day != 0 {
			give(append(valuesOf(row, keywordFields()...), record.Quote([...]string{"organic", "map"}[i]), numberValue(move.Rank), numberValue(move.Before),
				record.Integer(int64(move.Rise)), dayValue(move.Day), dayValue(move.DayBefore))...)
		}
	}
}

func riseOf(row record.Record) int64 {
	n, _ := row.Get(fieldRise).Int64()
	return n
}

// mostOf collects the rows of all campaigns and returns at most limit that rose, the greatest rise first, and then as many that fell,
// the greatest fall first. Of equal moves, the rows of earlier campaigns come first. It sets dropped to how many others there are.
func mostOf(list iter.Seq2[record.Record, error], limit int, dropped *int) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		moved := map[bool][]record.Record{} // whether they rose
		for row, err := range list {
			if err != nil {
				yield(record.Record{}, err)
				return
			}
			moved[riseOf(row) > 0] = append(moved[riseOf(row) > 0], row)
		}
		rose, fell := moved[true], moved[false]
		slices.SortStableFunc(rose, func(x, y record.Record) int { return cmp.Compare(riseOf(y), riseOf(x)) })
		slices.SortStableFunc(fell, func(x, y record.Record) int { return cmp.Compare(riseOf(x), riseOf(y)) })
		kept := slices.Concat(rose[:min(limit, len(rose))], fell[:min(limit, len(fell))])
		*dropped = len(rose) + len(fell) - len(kept)
		cli.Records(kept)(yield)
	}
}
