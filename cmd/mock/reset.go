package mock

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"reseller/client/mock"
	"reseller/cmd/cli"
	"reseller/output"
)

type resetOptions struct{ db string }

func newResetCmd(f *cli.Factory, runF func(*resetOptions) error) *cobra.Command {
	o := &resetOptions{}
	c := &cobra.Command{
		Use:   "reset",
		Short: "Reset the mock's data",
		Long: `Delete everything that was created in the mock's database and restore its initial data.
The command asks for confirmation. It refuses a file that is not a database of the mock.`,
		Example: `reseller mock reset --yes
reseller mock reset --db trial.db --yes`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var err error
			if o.db, err = databasePath(f, c, o.db); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			return reset(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	addDatabaseFlag(c, &o.db)
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

func reset(ctx context.Context, f *cli.Factory, o *resetOptions) error {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	if f.Flags.DryRun {
		f.Note("would reset the mock's data in %s", o.db)
		return nil
	}
	if err := f.Confirm(ctx, "delete everything that was created in "+o.db+"?"); err != nil {
		return err
	}
	if err := mock.Reset(o.db); err != nil {
		return err
	}
	if err := os.Remove(cli.MockHistory(o.db)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := forget(f, o.db); err != nil {
		return err
	}
	f.Note("reset the mock's data in %s", o.db)
	return nil
}
