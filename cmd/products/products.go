// Package products has the commands on the service plans of campaigns.
package products

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New makes the group.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("products", "Manage what campaigns are sold",
		cli.Group("plans", "Show and attach service plans", newAttachCmd(f, nil), newListCmd(f, nil)))
}
