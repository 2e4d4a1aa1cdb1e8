package jobs

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

func newShowCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "show JOB",
		Short: "Show a job and the outcome of its rows",
		Long: "Show a job on this machine: its address, the outcome of its rows, the file of refused rows, and on\n" +
			"stderr that of rows with an unknown outcome.",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs show \"$(reseller jobs list --jq '.[-1].job')\"",
		Args: cli.ExactArgs("a JOB"),
		RunE: func(c *cobra.Command, args []string) error {
			status, err := findJob(f, args[0])
			if err != nil {
				return err
			}
			reportDamage(f, status)
			if status.Summary.Unknown > 0 && status.Unknown != "" {
				f.Note("the rows with an unknown outcome are in %s", status.Unknown)
			}
			return f.PrintRecords(c.Context(), "jobs", true, showColumns, columnsOf(status, showColumns))
		},
	}
	return f.Arguments(c, jobField(f))
}
