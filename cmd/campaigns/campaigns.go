// Package campaigns has the commands on campaigns and their notes.
package campaigns

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// New returns the group.
func New(f *cli.Frame) *cobra.Command {
	return f.Group("campaigns", "List campaigns and update their notes", cli.Commands{"list": listCmd.Command, "notes": func(f *cli.Frame) *cobra.Command {
		return f.Group("notes", "Show and update the notes of a campaign", cli.Commands{"get": newNotesGetCmd, "update": cli.With(newNotesUpdateCmd, runNotesUpdate)})
	}})
}
