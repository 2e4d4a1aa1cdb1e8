// Package budget has the command that estimates the keyword budget of a site.
package budget

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New returns the command group.
func New(f *cli.Frame) *cobra.Command {
	return f.Group("budget", "Estimate the cost of keywords", cli.Commands{"estimate": cli.With(newEstimateCmd, runEstimate)})
}
