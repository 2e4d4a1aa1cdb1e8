package keywords

import (
	"context"
	"fmt"
	"maps"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type addOptions struct {
	keywords []string
	fields   *resource.FieldFlags
	file     bulkcmd.FileFlags
}

func newAddCmd(f *cli.Frame) *cobra.Command {
	o := &addOptions{}
	c := &cobra.Command{
		Use:   "add [KEYWORD...]",
		Short: "Add keywords to a campaign",
		Long: "Add keywords to a campaign, from arguments or from a file of any size.\n\n" +
			"From arguments, they are sent in one call and always added: the service does not detect duplicates. If the response is\n" +
			"lost, they are looked up before the command reports the outcome.\n\n" +
			"From a file, keywords that exist are present and not added again. They are recognized by account, campaign and text,\n" +
			"ignoring case and white space. A keyword with ; or | is refused, since it is probably several; --no-validate adds it as one.\n" +
			"An interrupted load goes on with the same command, on another machine too.",
		Example: "reseller keywords add 'red shoes' 'running shoes' --server mock --account 1 --campaign 101 --type target\n" +
			"printf 'city bikes\\ncargo bikes\\n' | reseller keywords add --server mock --account 1 --campaign 101 --type interest --file -\n" +
			"reseller keywords add --example csv",
		RunE: func(c *cobra.Command, args []string) error {
			o.keywords = args
			return f.Again(func() error { return runAdd(c.Context(), f, o) })
		},
	}
	o.fields = resource.AddFieldFlags(c, schema.Constant, schema.Keywords.For(schema.Create))
	o.file.AddTo(c, f.Session)
	o.file.AddNoSkipExisting(c)
	o.file.AddUpdateExisting(c)
	return f.SetCompletionResource(c, &schema.KeywordsCreated)
}

func runAdd(ctx context.Context, f *cli.Frame, o *addOptions) error {
	values, err := o.fields.Values(ctx, f.Session, &schema.Keywords, schema.Create)
	if err != nil {
		return err
	}
	if o.file.Given() {
		return bulkcmd.Run(ctx, f, &o.file, bulkcmd.Command{New: loads.Keywords, Constants: values})
	}
	if len(o.keywords) > 0 {
		values["keyword"] = record.Quote(o.keywords[0]) // which a form need not ask for
	}
	if err := resource.FillRequired(ctx, f.Session, f.Prompt, &schema.OpKeywordsCreate, &schema.Keywords, values, nil); err != nil {
		return err
	}
	texts, keywords, created := o.keywords, []string{}, []schema.Values{}
	if len(texts) == 0 {
		texts = []string{values["keyword"].Text()}
	}
	given := map[string]bool{}
	for _, text := range texts {
		v, err := resource.Accept(f.Session, "KEYWORD", schema.Keywords.Field("keyword"), text, "")
		if err != nil {
			return err
		}
		folded := schema.FoldText(v.Text())
		if given[folded] {
			f.Note("%s repeats an earlier keyword, and is left out", safetext.Quote(v.Text()))
			continue
		}
		row := maps.Clone(values)
		row["keyword"], given[folded] = v, true
		keywords, created = append(keywords, v.Text()), append(created, row)
	}
	call := loads.NewKeywordCall(keywords, values)
	return resource.Send(ctx, f.Session, f.Output, resource.Write{
		Check: func(response *client.Response) error {
			if _, err := loads.CheckAdded(call, response, nil); err != nil {
				return fmt.Errorf("%s: %w", call.Action(), err)
			}
			if n := len(keywords); n > 1 {
				f.Note("%d keywords were sent; the response of the service is one record for all of them", n)
			}
			return nil
		},
		Names: o.fields.Names, Call: call, Rows: created, Load: loads.Keywords(nil),
		ReadBack: func(ctx context.Context, c *client.Client) (bulk.Outcome, error) {
			return loads.FindKeywords(ctx, c, keywords, values)
		},
	})
}
