// Package keywords has the commands on the keywords of campaigns.
package keywords

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New makes the group.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("keywords", "Manage the keywords of campaigns",
		newAddCmd(f, nil), newUpdateCmd(f, nil), newListCmd(f, nil), newGetCmd(f, nil))
}

var types = cobra.FixedCompletions([]string{"target", "interest"}, cobra.ShellCompDirectiveNoFileComp)
