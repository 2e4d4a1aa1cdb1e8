// Package gbp has the command on business profiles.
package gbp

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New returns the group.
func New(f *cli.Frame) *cobra.Command {
	return f.Group("gbp", "Manage access to business profiles", cli.Commands{"create": newCreateCmd})
}
