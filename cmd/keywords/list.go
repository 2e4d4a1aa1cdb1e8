package keywords

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/loads"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type listOptions struct {
	accountText, campaignText string
	account, campaign         []int64 // none or one
	keywordType               string
	status                    string
}

func newListCmd(f *cli.Factory, runF func(*listOptions) error) *cobra.Command {
	o := &listOptions{}
	c := &cobra.Command{
		Use:   "list",
		Short: "List the keywords of the reseller",
		Long: "List all keywords of the reseller across all campaigns. The service gives them all; --account, --campaign,\n" +
			"--type and --status filter on this side. What this writes as csv, `keywords update --file` takes back.",
		Example: "reseller keywords list --server mock --campaign 101\n" +
			"reseller keywords list --server mock -o csv --output-file keywords.csv\n" +
			"reseller keywords list --server mock --type target --sort rank_google_organic",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var err error
			if c.Flags().Changed("account") {
				if o.account, err = cli.IDs("--account", []string{o.accountText}); err != nil {
					return err
				}
			}
			if c.Flags().Changed("campaign") {
				if o.campaign, err = cli.IDs("--campaign", []string{o.campaignText}); err != nil {
					return err
				}
			}
			if c.Flags().Changed("type") && o.keywordType != "target" && o.keywordType != "interest" {
				return cli.Usagef("--type: %q is neither target nor interest", o.keywordType)
			}
			if c.Flags().Changed("status") && o.status != "0" && o.status != "1" {
				return cli.Usagef("--status: %q is neither 0 nor 1", o.status)
			}
			if runF != nil {
				return runF(o)
			}
			return runList(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.accountText, "account", "", "only keywords of this account")
	c.Flags().StringVar(&o.campaignText, "campaign", "", "only keywords of this campaign")
	c.Flags().StringVar(&o.keywordType, "type", "", "only keywords of this type: target or interest")
	c.Flags().StringVar(&o.status, "status", "", "only keywords with this status: 0 or 1")
	_ = c.RegisterFlagCompletionFunc("type", types)
	_ = c.RegisterFlagCompletionFunc("status", cobra.FixedCompletions([]string{"0", "1"}, cobra.ShellCompDirectiveNoFileComp))
	return f.SetCompletionResource(c, &schema.Keywords)
}

func runList(ctx context.Context, f *cli.Factory, o *listOptions) error {
	var keep resource.Predicate
	if o.account != nil || o.campaign != nil || o.keywordType != "" || o.status != "" {
		keep = func(rec record.Record) bool {
			return (o.account == nil || isID(rec.Get("account_id"), o.account[0])) &&
				(o.campaign == nil || isID(rec.Get("campaign_id"), o.campaign[0])) &&
				(o.keywordType == "" || loads.KeywordType(rec) == o.keywordType) &&
				(o.status == "" || rec.Get("status").Text() == o.status)
		}
	}
	return resource.List(ctx, f, client.Call{Op: &schema.OpKeywordsList}, keep)
}

func isID(v record.Value, id int64) bool {
	n, ok := v.Int64()
	return ok && n == id
}
