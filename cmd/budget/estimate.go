// Package budget has the command that estimates the keyword budget of a site.
package budget

import (
	"context"
	"maps"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/form"
	"reseller/cmd/resource"
	"reseller/output/encode"
	"reseller/output/summaryfile"
)

// estimateOptions are what the arguments and flags of the command say.
type estimateOptions struct {
	calls   []client.Call // one for each URL
	urls    []string
	origins []*summaryfile.Row // of the rows of the file, nil for URLs among the arguments
	values  schema.Values      // the fields that flags set in every request
	several bool               // there may be several URLs, so rows say which one they are about
	summary bool
	input   bulkcmd.InputFlags
	fan     fanout.Flags
}

// listFlags are the flags for fields that are lists. Each flag gives one item and
// can be repeated.
type listFlags struct{ categories, seeds []string }

func newEstimateCmd(f *cli.Frame, run func(context.Context, *cli.Frame, *estimateOptions) error) *cobra.Command {
	o := &estimateOptions{}
	var lists listFlags
	var fields *resource.FieldFlags
	c := &cobra.Command{
		Use:   "estimate [URL...]",
		Short: "Estimate the keyword budget of a site",
		Long: "Estimate what the keywords of a site would cost. This changes nothing. The service caches each estimate for\n" +
			"24 hours: the same request gets the same response, with cached set to true.\n\n" +
			"A table shows the totals of the estimate, followed by its keywords. csv, tsv, ndjson and xlsx contain the\n" +
			"keywords; for several URLs, each row starts with url, market and language, and the url of the keyword is called\n" +
			"keyword_url. json and yaml contain the whole estimate. --summary prints the totals only, in every format.\n\n" +
			"--file reads many URLs: one per line of a txt file, or from a column url. The columns market, language,\n" +
			"max_keywords, categories and seeds are optional; lists are JSON or separated by semicolons.\n\n" +
			"Estimates are requested in parallel (--concurrency) and printed in the order of the file. If one fails, the\n" +
			"error is printed, the others continue, and the exit code is 3. --failures writes the URLs that failed to a\n" +
			"file that you can pass to --file to retry them. If none failed, the file has no rows.",
		Example: "reseller budget estimate https://harbourbikes.example.com --server mock --max-keywords 5\n" +
			"reseller budget estimate https://harbourbikes.example.com --server mock --seed 'city bike' --seed 'bike repair, same day' -o csv\n" +
			"reseller budget estimate https://a.example.com https://b.example.com --server mock --market uk --summary\n" +
			"reseller budget estimate --file examples/sites.csv --server mock --summary -o csv --failures failed.csv",
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case o.input.Given() && len(args) > 0:
				return cli.Usagef("the URLs come from --file, which can't be used with the argument %q", args[0])
			case o.input.Given():
				return nil
			}
			return cli.MinArgs(1, "a URL, or --file")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if shown, err := o.input.Example(f.Session, f.Output, &schema.Estimates, schema.Create); shown {
				return err
			}
			if o.summary && f.Flags.Raw {
				return cli.Usagef("--raw prints the response unchanged, so it can't be used with --summary")
			}
			if err := o.fan.Check(f.Session); err != nil {
				return err
			}
			var err error
			if o.values, err = fields.Values(c.Context(), f.Session, &schema.Estimates, schema.Create); err != nil {
				return err
			}
			if err := lists.addTo(f.Session, o.values); err != nil {
				return err
			}
			if err := o.addURLs(f.Session, args); err != nil {
				return err
			}
			return run(c.Context(), f, o)
		},
	}
	c.Flags().StringArrayVar(&lists.categories, "category", nil, "only keywords of this business `CATEGORY` (repeatable)")
	c.Flags().StringArrayVar(&lists.seeds, "seed", nil, "seed `KEYWORD` to guide the analysis (repeatable)")
	fields = resource.AddFieldFlags(c, schema.Create, schema.Estimates.Without("url"))
	c.Flags().BoolVar(&o.summary, "summary", false, "print the totals of the estimate without its keywords")
	c.Flags().BoolVar(&f.Flags.NoValidate, "no-validate", false, "do not validate values before sending them")
	o.input.AddTo(c, f.Session, decode.Formats...)
	o.fan.AddTo(c, phrase.Each(schema.Estimates.Having(schema.Create), func(field *schema.Field) string { return field.Name })...)
	url := form.Argument("URL", "the address of the site")
	url.Check = func(text string) error {
		_, _, err := schema.Estimates.Field("url").Accept(text, "", !f.Flags.NoValidate)
		return err
	}
	return f.SetCompletionResource(f.Prompt.Arguments(c, url), &schema.EstimateKeywords)
}

// addTo adds the lists that were given to the values of a request.
func (l *listFlags) addTo(session *cli.Session, values schema.Values) error {
	for _, list := range []struct {
		flag, field string
		items       []string
	}{{"category", "categories", l.categories}, {"seed", "seeds", l.seeds}} {
		if list.items == nil {
			continue
		}
		var array []record.Value
		for _, item := range list.items {
			v, err := resource.Accept(session, "--"+list.flag, &schema.Field{}, item, "")
			if err != nil {
				return err
			}
			array = append(array, v)
		}
		values[list.field] = record.ArrayOf(array...)
	}
	return nil
}

// addURLs adds a call for each URL among the arguments.
func (o *estimateOptions) addURLs(session *cli.Session, urls []string) error {
	o.several = len(urls) > 1 || o.input.Path != ""
	for _, url := range urls {
		v, err := resource.Accept(session, "URL", schema.Estimates.Field("url"), url, "")
		if err != nil {
			return err
		}
		values := maps.Clone(o.values)
		values["url"] = v
		o.addCall(values, nil)
	}
	return nil
}

func (o *estimateOptions) addCall(values schema.Values, origin *summaryfile.Row) {
	url := values["url"].Text()
	call := client.Call{Op: &schema.OpEstimate, Body: schema.Estimates.Body(values)}
	if o.several {
		call.Subject = []string{redact.URL(url)}
	}
	o.calls, o.urls, o.origins = append(o.calls, call), append(o.urls, url), append(o.origins, origin)
}

func runEstimate(ctx context.Context, f *cli.Frame, o *estimateOptions) error {
	if o.input.Path != "" {
		spec := rows.Schema{Resource: &schema.Estimates, Use: schema.Create, Validate: !f.Flags.NoValidate}
		rows, err := o.input.Rows(ctx, f, spec, o.values)
		if err != nil {
			return err
		}
		for _, row := range rows {
			o.addCall(row.Values.Map(), o.input.Origin(&row))
		}
	}
	if f.Flags.DryRun {
		return resource.DryRun(ctx, f.Session, f.Output, o.calls...)
	}
	format, err := f.Output.Format()
	if err != nil {
		return err
	}
	switch {
	case o.summary:
		return printTotals(ctx, f, o)
	case f.Flags.Raw || format.Kind() == encode.KindDocument:
		return printWhole(ctx, f, o)
	case format.Kind() == encode.KindReading:
		return printTotalsAndKeywords(ctx, f, o)
	}
	return printKeywords(ctx, f, o)
}

// New returns the command group.
func New(f *cli.Frame) *cobra.Command {
	return f.Group("budget", "Estimate the cost of keywords", cli.Commands{"estimate": cli.With(newEstimateCmd, runEstimate)})
}
