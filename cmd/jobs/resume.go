package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"reseller/client/bulk/job"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/config"
	"reseller/output/summaryfile"
)

type resumeOptions struct {
	job, file string
	resend    bool
}

func newResumeCmd(f *cli.Frame) *cobra.Command {
	o := &resumeOptions{}
	c := &cobra.Command{
		Use:   "resume JOB",
		Short: "Resume a stopped job",
		Long: "Resume a stopped job with its own address and profile. Rows with an unknown outcome are looked up before they\n" +
			"are sent again. The file must not have changed; --file reads the same content from another place. Input from stdin is\n" +
			"saved with the job; if it contains passwords, it is not saved and you must give it again.\n\n" +
			"It is an error if RESELLER_BASE_URL or RESELLER_SERVER names another address than that of the job. A token of the\n" +
			"environment is sent only to an address that the environment, the job's profile or --base-url names.",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs resume \"$(reseller jobs list --jq '.[-1].job')\"",
		Args: cli.Args(1, "a JOB"),
		PreRunE: func(c *cobra.Command, _ []string) error {
			for _, name := range []string{"profile", "server"} {
				if c.Flags().Changed(name) {
					return cli.Usagef("--%s can't be used: a job is resumed with its own address and profile", name)
				}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			o.job = idOf(args[0])
			return runResume(c.Context(), f, c.Root(), o)
		},
	}
	c.Flags().StringVarP(&o.file, "file", "f", "", "read the rows from `FILE`, which has the content that the job began with")
	c.Flags().BoolVar(&o.resend, "resend-unknown", false, "send rows again whose outcome in an earlier run is unknown")
	f.Flags.AddSettleTime(c)
	f.Flags.AddSummaryFile(c)
	return f.Prompt.Arguments(f.SetPrinted(c, cli.Fields{Of: shown{}, Names: showColumns}, summaryfile.Summary{}), jobField(f.Session))
}

func runResume(ctx context.Context, f *cli.Frame, root *cobra.Command, o *resumeOptions) error {
	status, err := findJob(f.Session, o.job)
	if err == nil {
		err = f.Outcome.Spare(slices.Concat([]string{status.File}, status.Flags["results"], status.Flags["rejects"], status.Flags["unknown"])...)
	}
	if err != nil {
		return err
	}
	switch {
	case status.State == job.JobRunning:
		return withHint(&job.BusyError{ID: o.job})
	case status.Corrupt != nil:
		return status.Corrupt
	case status.State == job.JobFinished:
		f.Note("job %s is finished; there is nothing to do", o.job)
		f.Outcome.Summary.Summary, f.Outcome.Summary.Input = status.Summary, status.File
		return f.Output.PrintRecords(ctx, "jobs", true, showColumns, columnsOf(status, showColumns))
	}
	if err := checkAddress(f.Session, root, status.Header); err != nil {
		return err
	}
	if _, err := os.Stat(status.File); o.file == "" && status.File != "-" && errors.Is(err, fs.ErrNotExist) {
		return cli.Usagef("%s, the file of job %s, is not there", status.File, o.job).
			Hinted("say where it is now: " + f.JobCommand("resume "+o.job+" --file FILE"))
	}
	if o.resend {
		status.Flags["resend-unknown"] = []string{"true"}
	}
	if settle := f.Flags.SettleTime; settle != nil {
		status.Flags["settle-time"] = []string{settle.String()}
	}
	return bulkcmd.Resume(ctx, f.Session, f.Outcome, root, status.Header, o.file)
}

// checkAddress returns an error if the user names another address than that of the job.
// Whoever can write a journal chooses its address, so a token that serves every address
// is not sent to one that neither the user nor the profile names.
func checkAddress(session *cli.Session, root *cobra.Command, h job.Header) error {
	flags := map[string]string{}
	if flag := root.PersistentFlags().Lookup("base-url"); flag.Changed {
		flags["base-url"] = flag.Value.String()
	}
	settings, err := session.JobSettings(h, flags)
	if err != nil {
		return err
	}
	confirm := fmt.Sprintf("if the address of the job is right, run %s", session.JobCommand("resume "+h.ID+" --base-url "+h.BaseURL))
	for _, key := range []string{"base_url", "server"} {
		source := settings.Get(key).Origin
		if source.Kind != config.FromFlag && source.Kind != config.FromEnvironment {
			continue
		}
		address, err := settings.Address()
		if err != nil {
			return err
		}
		named := cmp.Or(address.URL, "mock") // the built-in mock has no URL
		if named == h.BaseURL {
			return nil
		}
		if h.BaseURL == "mock" {
			confirm = "the job belongs to the built-in mock: leave " + source.Name + " out"
		}
		return &cli.UsageError{Message: fmt.Sprintf("%s names %s, but job %s is for %s", source.Name, named, h.ID, h.BaseURL), Hint: confirm}
	}
	if session.NamesAddress(h) {
		return nil
	}
	return cli.Usagef("job %s is for %s, which is no address of the environment or the profile %s", h.ID, h.BaseURL, h.Profile).
		Hinted("the token of the environment is not sent there; " + confirm)
}
