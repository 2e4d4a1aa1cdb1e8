// Package budget has the command that estimates the keyword budget of a site.
package budget

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/form"
	"reseller/cmd/resource"
	"reseller/output/encode"
)

type estimateOptions struct {
	calls   []client.Call // one for each URL
	several bool          // there are several URLs, so rows say which one they are about
	summary bool
	fan     fanout.Flags
}

// listFlags are the flags, which can be repeated, for fields that are lists.
type listFlags struct{ categories, seeds []string }

func newEstimateCmd(f *cli.Frame) *cobra.Command {
	o := &estimateOptions{}
	var lists listFlags
	var fields *resource.FieldFlags
	c := &cobra.Command{
		Use:   "estimate [URL...]",
		Short: "Estimate the keyword budget of a site",
		Long: "Estimate what the keywords of a site would cost. This changes nothing. The service caches each estimate for\n" +
			"24 hours: the same request gets the same response, with cached set to true.\n\n" +
			"A table shows the totals of each estimate, then its keywords; csv, tsv, ndjson and xlsx contain the keywords, for several\n" +
			"URLs with url, market and language in front (the url of the keyword is then called keyword_url); json and yaml contain\n" +
			"the whole estimate. --summary prints the totals only, in every format. If one of several fails, the others continue.",
		Example: "reseller budget estimate https://harbourbikes.example.com --server mock --max-keywords 5\n" +
			"reseller budget estimate https://harbourbikes.example.com --server mock --seed 'city bike' --seed 'bike repair, same day' -o csv\n" +
			"reseller budget estimate https://a.example.com https://b.example.com --server mock --market uk --summary\n" +
			"xargs reseller budget estimate --server mock --summary -o csv <examples/sites.txt",
		Args: cli.Args(-1, "a URL"),
		RunE: func(c *cobra.Command, args []string) error {
			if o.summary && f.Flags.Raw {
				return cli.Usagef("--raw prints the response unchanged, so it can't be used with --summary")
			}
			if err := o.fan.Check(f.Session); err != nil {
				return err
			}
			values, err := fields.Values(c.Context(), f.Session, &schema.Estimates, schema.Create)
			if err == nil {
				err = lists.addTo(f.Session, values)
			}
			if err == nil {
				err = o.addCalls(f.Session, args, values)
			}
			if err != nil {
				return err
			}
			return runEstimate(c.Context(), f, o)
		},
	}
	c.Flags().StringArrayVar(&lists.categories, "category", nil, "only keywords of this business `CATEGORY` (repeatable)")
	c.Flags().StringArrayVar(&lists.seeds, "seed", nil, "seed `KEYWORD` to guide the analysis (repeatable)")
	fields = resource.AddFieldFlags(c, schema.Create, schema.Estimates.Without("url"))
	c.Flags().BoolVar(&o.summary, "summary", false, "print the totals of the estimate without its keywords")
	c.Flags().BoolVar(&f.Flags.NoValidate, "no-validate", false, "do not validate values before sending them")
	o.fan.AddCallsTo(c)
	f.Flags.AddSummaryFile(c)
	url := form.Argument("URL", "the address of the site")
	url.Check = func(text string) error {
		_, _, err := schema.Estimates.Field("url").Accept(text, "", !f.Flags.NoValidate)
		return err
	}
	return f.SetPrinted(f.SetCompletionResource(f.Prompt.Arguments(c, url), &schema.EstimateKeywords), whole, cli.Plan{})
}

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

func (o *estimateOptions) addCalls(session *cli.Session, urls []string, values schema.Values) error {
	o.several = len(urls) > 1
	for _, text := range urls {
		v, err := resource.Accept(session, "URL", schema.Estimates.Field("url"), text, "")
		if err != nil {
			return err
		}
		values["url"] = v
		call := client.Call{Op: &schema.OpEstimate, Body: schema.Estimates.Body(values)}
		if o.several {
			call.Subject = []string{redact.URL(v.Text())}
		}
		o.calls = append(o.calls, call)
	}
	return nil
}

func runEstimate(ctx context.Context, f *cli.Frame, o *estimateOptions) error {
	if f.Flags.DryRun {
		return resource.DryRun(ctx, f.Session, f.Output, o.calls...)
	}
	format, err := f.Output.Format()
	if err != nil {
		return err
	}
	switch {
	case o.summary:
		return o.print(ctx, f, &schema.Estimates)
	case f.Flags.Raw || format.Kind() == encode.KindDocument:
		return o.print(ctx, f, whole)
	}
	return printKeywords(ctx, f, o, format.Kind() == encode.KindReading)
}

var New = cli.Group("budget", "Estimate the cost of keywords", cli.Commands{"estimate": newEstimateCmd})
