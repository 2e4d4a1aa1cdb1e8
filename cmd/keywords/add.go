package keywords

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
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

func newAddCmd(f *cli.Factory, runF func(*addOptions) error) *cobra.Command {
	o := &addOptions{}
	c := &cobra.Command{
		Use:   "add [KEYWORD...]",
		Short: "Add keywords to a campaign",
		Long: "Add keywords to a campaign of an account, from arguments or from a file of any size.\n\n" +
			"From arguments the keywords are sent as given, in one call: the service stores a keyword again that it has\n" +
			"already. If the answer is lost, the keywords are read back before anything is said about them.\n\n" +
			"From a file, keywords that the service holds already are counted as present and not sent again: recognised by\n" +
			"account, campaign and text, whatever its case and spacing. The load is a job: interrupted or killed, the same\n" +
			"command or `reseller jobs resume` goes on where it stopped, and every row is in exactly once.",
		Example: "reseller keywords add 'red shoes' 'running shoes' --server mock --account 1 --campaign 101 --type target\n" +
			"printf 'city bikes\\ncargo bikes\\n' | reseller keywords add --server mock --account 1 --campaign 101 --type interest --file - --input-format txt\n" +
			"reseller keywords add --example csv",
		RunE: func(c *cobra.Command, args []string) error {
			o.keywords = args
			if len(args) > 0 && o.file.Given() {
				return cli.Usagef("KEYWORD and --file can't be given together")
			}
			if runF != nil {
				return runF(o)
			}
			return runAdd(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	o.fields = resource.AddFieldFlags(c, schema.Constant, schema.Keywords.For(schema.Create))
	o.file.AddTo(c, f)
	o.file.AddNoSkipExisting(c)
	o.file.AddUpdateExisting(c)
	return c
}

func runAdd(ctx context.Context, f *cli.Factory, o *addOptions) error {
	values, err := o.fields.Values(f, &schema.Keywords, schema.Create, false)
	if err != nil {
		return err
	}
	if o.file.Given() {
		return loadNew(ctx, f, o, values)
	}
	var missing []*schema.Field
	for _, field := range schema.Keywords.Having(schema.Required) {
		if values[field.Name] == nil && (field.Name != "keyword" || len(o.keywords) == 0) {
			missing = append(missing, field)
		}
	}
	if err := resource.PromptMissing(ctx, f, missing, values); err != nil {
		return err
	}
	if len(o.keywords) == 0 {
		o.keywords = []string{values["keyword"].Text()}
	}
	keywords := make([]client.NewKeyword, len(o.keywords))
	for i, text := range o.keywords {
		text = strings.TrimSpace(text)
		if text == "" && !f.Flags.NoValidate {
			return cli.Usagef("KEYWORD: the text is empty")
		}
		keywords[i] = client.NewKeyword{Keyword: text, KeywordType: values["keyword_type"].Text()}
	}
	body := addBody{all: newBodies()}
	body.begin(values["account_id"], values["campaign_id"])
	for _, k := range keywords {
		values["keyword"] = record.Quote(k.Keyword)
		body.keyword(func(name string) record.Value { return values[name] })
	}
	return resource.Send(ctx, f, resource.Write{
		Call: body.Call(),
		ReadBack: func(ctx context.Context) (resource.Presence, record.Record, error) {
			return findAdded(ctx, f, values, keywords)
		},
	})
}

// typed is a keyword of a type, as it is recognised.
func typed(text, keywordType string) string { return keywordType + " " + bulk.FoldKeyword(text) }

// findAdded reads back which of the keywords the campaign holds.
func findAdded(ctx context.Context, f *cli.Factory, values schema.Values, keywords []client.NewKeyword) (resource.Presence, record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return resource.Ambiguous, record.Record{}, err
	}
	account, _ := values["account_id"].Int64()
	campaign, _ := values["campaign_id"].Int64()
	held := map[string]bool{}
	for rec, err := range c.Keywords(ctx) {
		if err != nil {
			return resource.Ambiguous, record.Record{}, err
		}
		if isID(rec.Get("account_id"), account) && isID(rec.Get("campaign_id"), campaign) {
			held[typed(rec.Get("keyword").Text(), typeOf(rec))] = true
		}
	}
	n := 0
	for _, k := range keywords {
		if held[typed(k.Keyword, k.KeywordType)] {
			n++
		}
	}
	switch n {
	case 0:
		return resource.Absent, record.Record{}, nil
	case len(keywords):
		return resource.Present, cli.RecordOf(client.KeywordsAdded{
			AccountID: client.Integer(account), CampaignID: client.Integer(campaign),
			Keyword: client.String(keywords[0].Keyword), KeywordType: client.String(keywords[0].KeywordType),
		}), nil
	}
	return resource.Partial, record.Record{}, nil
}
