// Package products has the commands on the service plans of campaigns.
package products

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New returns the group.
func New(f *cli.Frame) *cobra.Command {
	return f.Group("products", "Manage the service plans of campaigns", cli.Commands{"plans": func(f *cli.Frame) *cobra.Command {
		return f.Group("plans", "List and attach service plans", cli.Commands{"attach": newAttachCmd, "list": newListCmd})
	}})
}
