package budget

import (
	"context"
	"maps"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/chartcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/resource"
	"reseller/output/encode"
)

type estimateOptions struct {
	calls   []client.Call // one an address
	urls    []string
	values  schema.Values // what flags gave for all of them
	several bool          // several addresses may come, so that rows say whose they are
	summary bool
	input   bulkcmd.InputFlags
	fan     fanout.FanFlags
	drawing *drawing // nil where no chart was asked for
}

// estimateFlags are the flags that are fields of the request.
type estimateFlags struct {
	categories, seeds []string
	fields            *resource.FieldFlags // all others but the URL
}

func newEstimateCmd(f *cli.Factory, runF func(*estimateOptions) error) *cobra.Command {
	o := &estimateOptions{}
	flags := &estimateFlags{}
	c := &cobra.Command{
		Use:   "estimate [URL...]",
		Short: "Estimate the keyword budget of a site",
		Long: "Estimate what the keywords of a site would cost. Nothing is changed by it, and the service remembers an\n" +
			"estimate for 24 hours: the same question gets the same answer, with cached true.\n\n" +
			"A table shows the estimate's figures and then its keywords. csv, tsv and ndjson carry the keywords, and of\n" +
			"several addresses url, market and language in front of each, a keyword's own url being keyword_url then.\n" +
			"json and yaml carry the whole estimate. --summary carries the figures instead, in every format.\n\n" +
			"--file reads many addresses, one a line of a txt file, or from a column url beside which market, language,\n" +
			"max_keywords, categories and seeds may stand; lists as JSON or set apart by semicolons. Several are\n" +
			"asked for at a time (--concurrency), and the estimates come in the order of the file. One that fails is told,\n" +
			"the others go on, and the exit code is 3. --failures lists those that failed in a file that --file takes;\n" +
			"where none failed, it has no rows.\n\n" +
			"The chart shows the monthly budget of the 20 dearest keywords, of several addresses that of each address.\n" +
			"--chart shows it in the terminal in place of the table; --chart-file writes a file beside what is printed,\n" +
			"whole or not at all. An .html file has the numbers too, and loads nothing from elsewhere.",
		Example: "reseller budget estimate https://harbourbikes.example.com --server mock --max-keywords 5 --chart\n" +
			"reseller budget estimate https://harbourbikes.example.com --server mock --seed 'city bike' --seed 'bike repair, same day' -o csv\n" +
			"reseller budget estimate https://a.example.com https://b.example.com --server mock --market uk --summary\n" +
			"reseller budget estimate --file examples/sites.csv --server mock --summary -o csv --failures failed.csv",
		Args: func(c *cobra.Command, args []string) error {
			if o.input.Given() && len(args) > 0 {
				return cli.Usagef("the URLs come from --file, so %q can't go with it", args[0])
			} else if o.input.Given() {
				return nil
			}
			return cli.MinArgs(1, "a URL, or --file")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if shown, err := o.input.Example(f, &schema.Estimates, schema.Create); shown {
				return err
			}
			if o.summary && f.Flags.Raw {
				return cli.Usagef("--raw prints the answer as it came, so --summary can't take anything out of it")
			}
			if err := o.fan.Check(f); err != nil {
				return err
			}
			var err error
			if o.values, err = flags.values(c, f); err != nil {
				return err
			}
			if err := o.ask(args, !f.Flags.NoValidate); err != nil {
				return err
			}
			if !f.Flags.DryRun { // then there is nothing to draw
				if err := chartcmd.Enable(f, c, o.draw); err != nil {
					return err
				}
			}
			if runF != nil {
				return runF(o)
			}
			return runEstimate(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringArrayVar(&flags.categories, "category", nil, "a business category that filters keywords; may be given several times")
	c.Flags().StringArrayVar(&flags.seeds, "seed", nil, "a keyword that guides the analysis; may be given several times")
	flags.fields = resource.AddFieldFlags(c, schema.Create, schema.Estimates.Without("url"))
	c.Flags().BoolVar(&o.summary, "summary", false, "show the estimate's figures and not its keywords")
	c.Flags().BoolVar(&f.Flags.NoValidate, "no-validate", false, "leave the checking of values to the service")
	o.input.AddTo(c, "csv", "tsv", "json", "ndjson", "yaml", "txt")
	o.fan.AddTo(c)
	chartcmd.AddFlags(f, c)
	return f.SetCompletionResource(c, &schema.EstimateKeywords)
}

// values are the fields of the request that flags gave, and no others.
func (flags *estimateFlags) values(c *cobra.Command, f *cli.Factory) (schema.Values, error) {
	values, err := flags.fields.Values(f, &schema.Estimates, schema.Create, false)
	if err != nil {
		return nil, err
	}
	for _, list := range []struct {
		flag, name string
		texts      []string
	}{{"category", "categories", flags.categories}, {"seed", "seeds", flags.seeds}} {
		if !c.Flags().Changed(list.flag) {
			continue
		}
		array := record.Value("[")
		for i, text := range list.texts {
			v, err := (&schema.Field{}).FromText(text, !f.Flags.NoValidate)
			if err != nil {
				return nil, cli.Usagef("--%s: %v", list.flag, err)
			}
			if i > 0 {
				array = append(array, ',')
			}
			array = append(array, v...)
		}
		values[list.name] = append(array, ']')
	}
	return values, nil
}

// ask makes a call for each address among the arguments.
func (o *estimateOptions) ask(urls []string, check bool) error {
	o.several = len(urls) > 1 || o.input.Path != ""
	for _, url := range urls {
		v, err := schema.Estimates.Field("url").FromText(url, check)
		if err != nil {
			return cli.Usagef("URL: %v", err)
		}
		values := maps.Clone(o.values)
		values["url"] = v
		o.add(values)
	}
	return nil
}

// read makes a call for each row of the file.
func (o *estimateOptions) read(ctx context.Context, f *cli.Factory) error {
	spec := bulk.Spec{Resource: &schema.Estimates, Use: schema.Create, Check: !f.Flags.NoValidate}
	rows, err := o.input.Rows(ctx, f, spec, o.values)
	for _, row := range rows {
		o.add(row.Values.Map())
	}
	return err
}

func (o *estimateOptions) add(values schema.Values) {
	url := values["url"].Text()
	call := client.Call{Op: &schema.OpEstimate, Body: schema.Estimates.Body(values)}
	if o.several {
		call.Subject = []string{redact.URL(url)}
	}
	o.calls, o.urls = append(o.calls, call), append(o.urls, url)
}

func runEstimate(ctx context.Context, f *cli.Factory, o *estimateOptions) error {
	if o.input.Path != "" {
		if err := o.read(ctx, f); err != nil {
			return err
		}
	}
	if f.Flags.DryRun {
		return resource.DryRun(ctx, f, o.calls...)
	}
	format, err := f.Format()
	if err != nil {
		return err
	}
	switch {
	case o.summary || f.Flags.Chart:
		return printFigures(ctx, f, o)
	case f.Flags.Raw || format.Kind() == encode.KindDocument:
		return printWhole(ctx, f, o)
	case format.Kind() == encode.KindReading:
		return printBoth(ctx, f, o)
	}
	return printKeywords(ctx, f, o)
}
