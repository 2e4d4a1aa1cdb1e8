package jobs

import (
	"github.com/spf13/cobra"

	"reseller/client/phrase"
	"reseller/cmd/cli"
)

func newRemoveCmd(f *cli.Frame) *cobra.Command {
	c := &cobra.Command{
		Use:   "remove JOB...",
		Short: "Remove jobs and their files",
		Long: "Remove jobs with their journals, copies of stdin and rejects files. Nothing is deleted from the service. For an\n" +
			"unfinished job, this also deletes the record of rows with an unknown outcome: the original command then starts a new\n" +
			"job, which skips only the rows that the service lists, and those that this machine has sent in the last 24 hours.",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs remove \"$(reseller jobs list --jq '.[-1].job')\"",
		Args: cli.Args(-1, "a JOB"),
		RunE: func(_ *cobra.Command, args []string) error {
			store, err := f.Jobs()
			if err != nil {
				return err
			}
			for _, id := range phrase.Each(args, idOf) {
				if err := store.Remove(id); err != nil {
					return withHint(err)
				}
				f.Note("job %s removed", id)
			}
			return nil
		},
	}
	return f.Prompt.Arguments(c, jobField(f.Session))
}
