package reports

import (
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/summary"
	"reseller/cmd/cli"
)

// addCompareFlag adds --compare, whose default is the value that to has.
func addCompareFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "compare", *to, "compare with the `PERIOD` before: "+strings.Join(summary.Comparisons, ", "))
	_ = c.RegisterFlagCompletionFunc("compare", cobra.FixedCompletions(summary.Comparisons, cobra.ShellCompDirectiveNoFileComp))
}

// parseComparison returns the comparison of --compare.
func parseComparison(text string) (summary.Comparison, error) {
	for _, known := range summary.Comparisons {
		if text == known {
			return summary.Comparison(known), nil
		}
	}
	return "", cli.Usagef("--compare: %q is none of %s", text, strings.Join(summary.Comparisons, ", "))
}
