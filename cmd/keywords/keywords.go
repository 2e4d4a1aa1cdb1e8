// Package keywords has the commands on the keywords of campaigns.
package keywords

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New returns the group.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("keywords", "Manage the keywords of campaigns",
		newAddCmd(f, runAdd), newUpdateCmd(f, runUpdate), newDeleteCmd(f, runDelete), listCmd.Command(f), getCmd.Command(f))
}
