// Package keywords has the commands on the keywords of campaigns.
package keywords

import (
	"cmp"
	"strings"

	"reseller/client"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

var listCmd = resource.ListCmd{
	Short: "List keywords",
	Long: "List the keywords of all campaigns of the reseller. The service returns all of them; --account, --campaign,\n" +
		"--type and --status filter the list on this machine. `reseller keywords update --file` accepts its csv output.",
	Examples: []string{
		"reseller keywords list --server mock --campaign 101",
		"reseller keywords list --server mock -o csv --output-file keywords.csv",
		"reseller keywords list --server mock --type target --sort rank_google_organic",
		"reseller keywords list --server mock --duplicates",
	},
	Op: func() *schema.Operation { return &schema.OpKeywordsList },
	Filters: []resource.Filter{
		{Flag: "account", Usage: "only keywords of the account with this `ID` or name"},
		{Flag: "campaign", Usage: "only keywords of the campaign with this `ID` or name"},
		{Flag: "type", Usage: "only keywords of this `TYPE`: target or interest", Values: []string{"target", "interest"}, Of: func(rec record.Record) string {
			return strings.ToLower(cmp.Or(rec.Get("type").Text(), rec.Get("keyword_type").Text()))
		}},
		{Flag: "status", Usage: "only keywords with this `STATUS`: 0 or 1", Values: []string{"0", "1"}, Of: func(rec record.Record) string { return schema.Keywords.Field("status").Shows(rec.Get("status").Text()) }},
	},
	Duplicates: "only active keywords that their campaign has more than once, but for case and white space",
	DuplicateOf: func(rec record.Record) string {
		if !portfolio.IsActive(rec) || rec.Get("keyword").Text() == "" {
			return ""
		}
		return rec.Get("campaign_id").Text() + " " + schema.FoldText(rec.Get("keyword").Text())
	},
}

var getCmd = resource.GetCmd{
	Arg:   "a RANK_ID",
	Field: pick,
	Short: "Show keywords",
	Long: "Show one keyword, or several as a list. If some of several do not exist, the others are shown and the exit\n" +
		"code is 3. If none exists, it is 5. - reads the ids from stdin, as -o ids and -o name print them.\n\n" + textHelp,
	Examples: []string{
		"reseller keywords get 1001 --server mock",
		"reseller keywords get 1001 1002 --server mock -o csv",
		"reseller keywords get 'dentist portland' --campaign 101 --server mock",
	},
	ByName: find,
	Flags:  addTextFlags,
	Call:   func(id int64) client.Call { return client.Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", id) },
}

const textHelp = "With --account or --campaign, keywords may be named by their texts. Case and white space do not matter; a text that\n" +
	"several of these keywords have is an error that lists them."

var New = cli.Group("keywords", "Manage the keywords of campaigns", cli.Commands{
	"add": newAddCmd, "update": newUpdateCmd, "delete": newDeleteCmd,
	"list": listCmd.Command, "get": getCmd.Command,
})
