package jobs

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client/bulk"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

type resumeOptions struct {
	job    string
	resend bool
}

func newResumeCmd(f *cli.Factory, runF func(*resumeOptions) error) *cobra.Command {
	o := &resumeOptions{}
	c := &cobra.Command{
		Use:   "resume JOB",
		Short: "Go on with a load that was stopped",
		Long: "Go on with a load that was stopped, at its own address and with its own profile. Rows whose calls had no\n" +
			"outcome are read back first and never sent again blindly. A file that has changed since is refused; what came\n" +
			"from stdin was kept with the job, save where it holds passwords: then it must be given again.",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs resume \"$(reseller jobs list --jq '.[-1].job')\"",
		Args: oneJob,
		RunE: func(c *cobra.Command, args []string) error {
			if o.job = args[0]; runF != nil {
				return runF(o)
			}
			for _, name := range []string{"profile", "server", "base-url"} {
				if c.Flags().Changed(name) {
					return cli.Usagef("--%s: a job goes on at its own address and with its own profile", name)
				}
			}
			return runResume(c.Context(), f, c.Root(), o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVar(&o.resend, "resend-unknown", false, "send again the rows that can't be read back and of which it is unknown whether they are in")
	return c
}

func runResume(ctx context.Context, f *cli.Factory, root *cobra.Command, o *resumeOptions) error {
	status, err := find(f, o.job)
	if err != nil {
		return err
	}
	switch {
	case status.State == bulk.Running:
		return usage(&bulk.BusyError{ID: o.job})
	case status.Damaged != nil:
		return status.Damaged
	case status.State == bulk.Finished:
		f.Note("the job %s is finished, nothing is left to do", o.job)
		return f.PrintRecords(ctx, true, showColumns, whole(status))
	}
	if o.resend {
		status.Flags["resend-unknown"] = []string{"true"}
	}
	return bulkcmd.Resume(ctx, f, root, status.Header)
}
