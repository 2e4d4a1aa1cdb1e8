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

func newResetCmd(f *cli.Factory) *cobra.Command {
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
			path, err := databasePath(f, c, db)
			if err != nil {
				return err
			}
			return reset(f, path)
		},
	}
	addDatabaseFlag(c, &db)
	return c
}

// forget makes the jobs of --server mock forget which rows they have sent, if the reset
// database was that of --server mock.
func forget(f *cli.Factory, path string) error {
	own, err := f.MockPath()
	if err != nil || !output.SameFile(path, own) {
		return nil
	}
	store, err := f.Jobs()
	if err != nil {
		return nil // then there are no jobs
	}
	return store.Forget("mock")
}

func reset(f *cli.Factory, path string) error {
	if f.Flags.DryRun {
		f.Note("would reset the mock's data in %s", path)
		return nil
	}
	if err := f.Confirm("delete everything that was created in " + path + "?"); err != nil {
		return err
	}
	if err := mock.Reset(path); err != nil {
		return err
	}
	if err := os.Remove(cli.MockHistory(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := forget(f, path); err != nil {
		return err
	}
	f.Note("reset the mock's data in %s", path)
	return nil
}
