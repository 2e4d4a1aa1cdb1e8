package mock

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"reseller/client/mock"
	"reseller/cmd/cli"
	"reseller/output"
)

func newResetCmd(f *cli.Frame) *cobra.Command {
	var db string
	c := &cobra.Command{
		Use:   "reset",
		Short: "Reset the mock's data",
		Long: `Delete everything that was created in the mock's database and restore its initial data.
The command asks for confirmation. It refuses a file that is not a database of the mock.`,
		Example: `reseller mock reset --yes
reseller mock reset --db trial.db --yes`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			path, err := f.MockPath(db)
			if err != nil {
				return err
			}
			return reset(f.Session, f.Prompt, path)
		},
	}
	addDatabaseFlag(c, &db)
	return c
}

// forget makes the jobs of --server mock forget which rows they have sent, if the reset
// database was that of --server mock.
func forget(session *cli.Session, path string) error {
	own, err := session.MockPath("")
	if err != nil || !output.SameFile(path, own) {
		return nil
	}
	store, err := session.Jobs()
	if err != nil {
		return nil // then there are no jobs
	}
	return store.Forget("mock")
}

func reset(session *cli.Session, prompt *cli.Prompt, path string) error {
	if session.Flags.DryRun {
		session.Note("would reset the mock's data in %s", path)
		return nil
	}
	err := prompt.Confirm("delete everything that was created in " + path + "?")
	if err == nil {
		err = session.Context.Err() // from now on, a signal does not come between the database and what is remembered of it
	}
	if err == nil {
		err = mock.Reset(path)
	}
	if err != nil {
		return err
	}
	if err := os.Remove(cli.MockHistory(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := forget(session, path); err != nil {
		return err
	}
	session.Note("reset the mock's data in %s", path)
	return nil
}
