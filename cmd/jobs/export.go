package jobs

import (
	"github.com/spf13/cobra"

	"reseller/cmd/ask"
	"reseller/cmd/cli"
)

type exportOptions struct{ job string }

func newExportCmd(f *cli.Factory, runF func(*exportOptions) error) *cobra.Command {
	o := &exportOptions{}
	c := &cobra.Command{
		Use:   "export JOB",
		Short: "Write a job to a file, for another machine",
		Long: "Write a job to an archive, with its journal and its copy of stdin, if it has one. `reseller jobs import` reads it on\n" +
			"another machine, where the job goes on. The archive has no token and no password, but it has the rows of stdin, the\n" +
			"ids that the service gave and the path of the file: a new archive can be read by its owner only. The job must not be\n" +
			"running.\n\n" +
			"What later loads know of the job does not travel: which of its rows the service does not list yet, and which\n" +
			"credentials it has sent. To keep that too, keep the whole state folder (--state-dir).",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs export \"$(reseller jobs list --jq '.[-1].job')\" --output-file job.tgz",
		Args: oneJob,
		RunE: func(_ *cobra.Command, args []string) error {
			if o.job = args[0]; runF != nil {
				return runF(o)
			}
			return runExport(f, o)
		},
	}
	c.Flags().SortFlags = false
	return ask.Arguments(f, c, jobField(f))
}

func runExport(f *cli.Factory, o *exportOptions) error {
	if f.ToTerminal() {
		return &cli.UsageError{Message: "a terminal can't show the archive of a job", Hint: "write it to a file with --output-file FILE, or to a pipe"}
	}
	store, err := f.Jobs()
	if err != nil {
		return err
	}
	out, err := f.OutputAsReceived(false)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := store.Export(o.job, out.Raw()); err != nil {
		return usageError(err)
	}
	return out.Commit()
}
