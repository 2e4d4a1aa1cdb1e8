package jobs

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/bulk/job"
	"reseller/client/trust"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

type importOptions struct{ file string }

func newImportCmd(f *cli.Factory, runF func(*importOptions) error) *cobra.Command {
	o := &importOptions{}
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Read a job that another machine has exported",
		Long: "Read a job from an archive that `reseller jobs export` has written, or from stdin if FILE is -, and show it. To go on with\n" +
			"it, run its command again with a file of the same content, or resume it: `reseller jobs resume JOB --file FILE`.\n\n" +
			"An archive is not trusted. Its files for results and rejected rows are left out, a token goes to its address only if\n" +
			"that is one of yours (see `reseller jobs resume`), and what asks before it writes asks again.\n\n" +
			"A job that is here already is replaced only if the archive continues its journal. It is an error if it went on here.",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs export \"$(reseller jobs list --jq '.[-1].job')\" --output-file job.tgz\n" +
			"reseller jobs import job.tgz --state-dir elsewhere",
		Args: cobra.MatchAll(cli.MinArgs(1, "a FILE"), cli.MaxArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if o.file = args[0]; runF != nil {
				return runF(o)
			}
			return runImport(c.Context(), f, c.Root(), o)
		},
	}
	c.Flags().SortFlags = false
	f.Flags.AddSelection(c)
	return c
}

func runImport(ctx context.Context, f *cli.Factory, root *cobra.Command, o *importOptions) error {
	store, err := f.Jobs()
	if err != nil {
		return err
	}
	in := f.In
	if o.file != "-" {
		file, err := trust.OpenUnnamed(o.file)
		if err != nil {
			return &cli.UsageError{Message: err.Error(), Hint: "from a pipe: `reseller jobs import -`"}
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	var left []string
	status, added, err := store.Import(in, func(h *job.Header) (err error) {
		left, err = bulkcmd.CheckImported(root, h)
		return err
	})
	var exists *job.ExistsError
	var invalid *job.ArchiveError
	switch {
	case errors.As(err, &exists):
		return &cli.UsageError{
			Message: err.Error(),
			Hint: f.JobCommand("resume "+exists.ID) + " goes on with the job of this machine; to go on with that of the archive instead, run " +
				f.JobCommand("remove "+exists.ID) + " and import again",
		}
	case errors.As(err, &invalid):
		return &cli.UsageError{Message: o.file + ": " + err.Error(), Hint: "export the job again: `reseller jobs export JOB --output-file FILE`"}
	case err != nil:
		return usageError(err)
	}
	switch {
	case !added:
		f.Note("job %s is here already, with the same rows done", status.ID)
	case len(left) > 0:
		f.Note("left out, since an archive may not name files to write: %s; the original command can name them", strings.Join(left, ", "))
	}
	return f.PrintRecords(ctx, "jobs", true, showColumns, detailOf(status))
}
