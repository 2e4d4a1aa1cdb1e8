// Package campaigns has the commands on campaigns and their notes.
package campaigns

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New makes the group.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("campaigns", "Show campaigns, and change their notes",
		listCmd.Command(f, nil),
		cli.Group("notes", "Show and change the notes of a campaign", newNotesGetCmd(f, nil), newNotesUpdateCmd(f, nil)))
}
