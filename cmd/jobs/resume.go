package jobs

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client/bulk/job"
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
		Short: "Resume a stopped job",
		Long: "Resume a stopped job with its own address and profile. Rows with an unknown outcome are looked up before they\n" +
			"are sent again. The file must not have changed. Input from stdin is saved with the job; if it contains passwords, it\n" +
			"is not saved and you must give it again.",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs resume \"$(reseller jobs list --jq '.[-1].job')\"",
		Args: oneJob,
		RunE: func(c *cobra.Command, args []string) error {
			if o.job = args[0]; runF != nil {
				return runF(o)
			}
			for _, name := range []string{"profile", "server", "base-url"} {
				if c.Flags().Changed(name) {
					return cli.Usagef("--%s can't be used: a job is resumed with its own address and profile", name)
				}
			}
			return runResume(c.Context(), f, c.Root(), o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVar(&o.resend, "resend-unknown", false, "send rows again whose outcome in an earlier run is unknown")
	f.Flags.AddSettleTime(c)
	return c
}

func runResume(ctx context.Context, f *cli.Factory, root *cobra.Command, o *resumeOptions) error {
	status, err := findJob(f, o.job)
	if err != nil {
		return err
	}
	switch {
	case status.State == job.JobRunning:
		return usageError(&job.BusyError{ID: o.job})
	case status.Corrupt != nil:
		return status.Corrupt
	case status.State == job.JobFinished:
		f.Note("job %s is finished; there is nothing to do", o.job)
		return f.PrintRecords(ctx, true, showColumns, detailOf(status))
	}
	if o.resend {
		status.Flags["resend-unknown"] = []string{"true"}
	}
	if settle := f.Flags.SettleTime; settle != nil {
		status.Flags["settle-time"] = []string{settle.String()}
	}
	return bulkcmd.Resume(ctx, f, root, status.Header)
}
