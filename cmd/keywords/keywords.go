// Package keywords has the commands on the keywords of campaigns.
package keywords

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New returns the group.
func New(f *cli.Frame) *cobra.Command {
	return f.Group("keywords", "Manage the keywords of campaigns", cli.Commands{
		"add": cli.With(newAddCmd, runAdd), "update": cli.With(newUpdateCmd, runUpdate), "delete": cli.With(newDeleteCmd, runDelete),
		"list": listCmd.Command, "get": getCmd.Command,
	})
}
