package jobs

import (
	"github.com/spf13/cobra"

	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

type removeOptions struct{ jobs []string }

func newRemoveCmd(f *cli.Factory, runF func(*removeOptions) error) *cobra.Command {
	o := &removeOptions{}
	c := &cobra.Command{
		Use:   "remove JOB...",
		Short: "Forget loads, and remove what is kept of them",
		Long: "Forget loads: the journal, the copy of stdin and the rejects that are kept beside the journal are removed. What\n" +
			"the service holds stays. Of a load that is not finished, nobody knows afterwards which rows are in doubt: the\n" +
			"same command begins it anew and skips what the service then shows.",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs remove \"$(reseller jobs list --jq '.[-1].job')\"",
		Args: cli.MinArgs(1, "a JOB"),
		RunE: func(_ *cobra.Command, args []string) error {
			if o.jobs = args; runF != nil {
				return runF(o)
			}
			store, err := bulkcmd.Jobs(f)
			if err != nil {
				return err
			}
			for _, id := range o.jobs {
				if err := store.Remove(id); err != nil {
					return usage(err)
				}
				f.Note("the job %s is removed", id)
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	return c
}
