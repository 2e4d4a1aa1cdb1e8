package customers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/cmd/cli"
)

// pruneFlags are the flags of pruning: what the service holds and the file does not name is
// deactivated.
type pruneFlags struct {
	kinds  []string // keywords, accounts or both, sorted; empty if nothing is pruned
	limit  string
	parsed portfolio.Limit // limit, once check has returned no error
	// unmanaged says to treat what the file does not name, and what is not pruned, as a difference.
	unmanaged bool
}

// What can be pruned.
const (
	pruneAccounts = "accounts"
	pruneKeywords = "keywords"
)

func (p *pruneFlags) addTo(c *cobra.Command) {
	c.Flags().StringSliceVar(&p.kinds, "prune", nil, "also deactivate `WHAT` the file does not name: keywords (of customers with a list) or accounts (repeatable)")
	c.Flags().StringVar(&p.limit, "prune-limit", "10%", "refuse to prune more than `N`, or N% of the active ones of each kind (default 10%)")
	_ = c.RegisterFlagCompletionFunc("prune", func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return cli.CompleteList(typed, []string{pruneKeywords, pruneAccounts})
	})
}

func (p *pruneFlags) check(c *cobra.Command) (err error) {
	for _, kind := range p.kinds {
		if kind != pruneAccounts && kind != pruneKeywords {
			return cli.Usagef("--prune: %q is neither keywords nor accounts", kind)
		}
	}
	if len(p.kinds) == 0 && c.Flags().Changed("prune-limit") {
		return cli.Usagef("--prune-limit requires --prune")
	}
	slices.Sort(p.kinds)
	p.kinds = slices.Compact(p.kinds)
	if p.parsed, err = portfolio.ParseLimit(p.limit); err != nil {
		return cli.Usagef("--prune-limit: %v", err)
	}
	return nil
}

// has reports whether a kind is pruned.
func (p *pruneFlags) has(kind string) bool { return slices.Contains(p.kinds, kind) }

// unmanaged says what stays active although the file does not name it, and how it is pruned. It is empty if there is nothing.
func unmanaged(p *portfolio.Pruned) string {
	var counts, kinds []string
	if n := p.UnmanagedAccounts; n > 0 {
		counts, kinds = append(counts, phrase.Count(n, "account", "accounts")), append(kinds, pruneAccounts)
	}
	if n := p.UnmanagedKeywords; n > 0 {
		counts, kinds = append(counts, phrase.Count(n, "keyword", "keywords")), append(kinds, pruneKeywords)
	}
	if counts == nil {
		return ""
	}
	return fmt.Sprintf("not in the file: %s (`--prune %s`)", strings.Join(counts, ", "), strings.Join(kinds, ","))
}
