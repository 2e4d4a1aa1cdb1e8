// Package budget has the command that estimates what keywords would cost.
package budget

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New makes the group.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("budget", "Estimate what keywords would cost", newEstimateCmd(f, nil))
}
