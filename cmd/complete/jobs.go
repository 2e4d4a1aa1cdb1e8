package complete

import (
	"slices"

	"github.com/spf13/cobra"

	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/cmd/cli"
)

// jobs completes the ids of jobs, the latest first, each once.
func jobs(f *cli.Factory) cobra.CompletionFunc {
	return func(_ *cobra.Command, given []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		store, err := f.Jobs()
		if err != nil {
			return nil, noFiles
		}
		list, _ := store.List()
		var found []cobra.Completion
		for _, status := range slices.Backward(list) {
			if !slices.Contains(given, status.ID) {
				about := phrase.List(status.Operation, status.State, status.File)
				found = append(found, status.ID+"\t"+safetext.Escape(safetext.Cut(about, 200)))
			}
		}
		return found, noFiles | cobra.ShellCompDirectiveKeepOrder
	}
}
