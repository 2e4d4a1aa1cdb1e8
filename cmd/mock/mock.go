// Package mock holds the commands for the mock service.
package mock

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

func New(f *cli.Frame) *cobra.Command {
	g := cli.Group("mock", "Run the mock service", cli.Commands{"serve": newServeCmd, "reset": newResetCmd, "token": newTokenCmd})(f)
	g.Long = `Run a mock of the whole service on a database file, for trials, tests and CI. It has two resellers, the first
with accounts 1 to 5, campaigns 101 to 105, keywords, notes and reports.

With ` + "`--server mock`" + `, any command runs the mock in its own process, unless a mock_url is configured. You need
no login and no second terminal, and the data is kept for the next command. The commands below serve the
mock to other programs, reset its data, and print tokens for it.`
	return g
}

func addDatabaseFlag(c *cobra.Command, path *string) {
	c.Flags().StringVar(path, "db", "", "database `FILE` (default: that of --server mock)")
}
