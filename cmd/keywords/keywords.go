// Package keywords has the commands on the keywords of campaigns.
package keywords

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New returns the group.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("keywords", "Manage the keywords of campaigns",
		newAddCmd(f, nil), newUpdateCmd(f, nil), newDeleteCmd(f, nil), listCmd.Command(f, nil), getCmd.Command(f, nil))
}
