// Package campaigns has the commands on campaigns and their notes.
package campaigns

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New returns the group.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("campaigns", "List campaigns and update their notes",
		listCmd.Command(f),
		cli.Group("notes", "Show and update the notes of a campaign", newNotesGetCmd(f), newNotesUpdateCmd(f, runNotesUpdate)))
}
