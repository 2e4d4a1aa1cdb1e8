package keywords

import (
	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type getOptions struct{ ids []int64 }

func newGetCmd(f *cli.Factory, runF func(*getOptions) error) *cobra.Command {
	o := &getOptions{}
	c := &cobra.Command{
		Use:   "get RANK_ID...",
		Short: "Show keywords",
		Long: "Show one keyword, or several as a list. Of several, those found are shown; the exit code is 5 when\n" +
			"none is, and 3 when some are not.",
		Example: "reseller keywords get 1001 --server mock\n" +
			"reseller keywords get 1001 1002 --server mock -o csv",
		Args: cli.MinArgs(1, "a RANK_ID"),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if o.ids, err = cli.IDs("RANK_ID", args); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			return resource.Get(c.Context(), f, o.ids, call)
		},
	}
	c.Flags().SortFlags = false
	return f.SetCompletionResource(c, &schema.Keywords)
}

func call(rankID int64) client.Call {
	return client.Call{Op: &schema.OpKeywordsGet}.WithID("rank_id", rankID)
}
