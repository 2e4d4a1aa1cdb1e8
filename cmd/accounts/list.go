package accounts

import (
	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/portfolio"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

func newListCmd(f *cli.Frame) *cobra.Command {
	var v version
	return resource.ListCmd{
		Short: "List accounts",
		Long: "List the accounts of the reseller. The service returns all of them; --status filters the list on this machine.\n" +
			"`reseller accounts update --file` accepts its csv output.",
		Examples: []string{
			"reseller accounts list --server mock",
			"reseller accounts list --server mock --status active -o csv --columns account_id,account_name",
			"reseller accounts list --server mock --jq '.[].email'",
		},
		Op: func() *schema.Operation { return v.list },
		Filters: []resource.Filter{{
			Flag: "status", Usage: "only accounts with this `STATUS`: active or deactivated",
			Values: []string{"active", "deactivated"}, Of: portfolio.AccountStatus,
		}},
		Flags: v.addTo,
	}.Command(f)
}

func newGetCmd(f *cli.Frame) *cobra.Command {
	var v version
	return resource.GetCmd{
		Arg:   "an ACCOUNT_ID",
		Field: func(session *cli.Session, _ *cobra.Command) *form.Field { return lookup.PickAccount(session) },
		Short: "Show accounts",
		Long: "Show one account, or several as a list. If some of several do not exist, the others are shown and the exit\n" +
			"code is 3. If none exists, it is 5. - reads the ids from stdin, as -o ids and -o name print them.\n\n" +
			"ACCOUNT_ID is the id, the name or the external identifier of an account, here and in all commands. A number is an\n" +
			"id, unless no account has it; id:12, name:0012 and ext:900001 say which is meant, also in the columns account_id\n" +
			"and campaign_id of files. A write refuses a number by which, as far as this machine remembers the names, another\n" +
			"customer is called as well.",
		Examples: []string{
			"reseller accounts get 1 --server mock",
			"reseller accounts get 1 2 3 --server mock -o json",
			"reseller accounts list --server mock --where city=Portland -o ids | reseller accounts get - --server mock",
			"reseller accounts get 1 --server mock --jq .website_url",
		},
		ByName: func(c *cobra.Command, _ *cli.Session, finder *lookup.Finder, args []string) ([]int64, error) {
			return finder.Accounts(c.Context(), "ACCOUNT_ID", args...)
		},
		Call: func(id int64) client.Call {
			return client.Call{Op: v.get}.WithID("account_id", id)
		},
		Flags: v.addTo,
	}.Command(f)
}
