// Package mock holds the commands for the mock service.
package mock

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"reseller/client/mock"
	"reseller/cmd/cli"
)

// New makes `reseller mock`.
func New(f *cli.Factory) *cobra.Command {
	g := cli.Group("mock", "Run the mock service", newServeCmd(f, nil), newResetCmd(f, nil), newTokenCmd(f, nil))
	g.Long = `Run a mock of the whole service on a database file, for trials, tests and CI. It has two resellers, the first
with accounts 1 to 5, campaigns 101 to 105, keywords, notes and reports.

With ` + "`--server mock`" + `, and no address configured for it, any command runs the mock in its own process: without a
login or a second terminal. What one command creates the next one lists. The commands below serve the mock
to other programs, reset its data, and print tokens for it.`
	return g
}

// addDatabaseFlag adds the flag for the database file.
func addDatabaseFlag(c *cobra.Command, path *string) {
	c.Flags().StringVar(path, "db", "", "database `FILE` (default: the one of --server mock)")
}

// databasePath is the file that --db names, or the one of --server mock.
func databasePath(f *cli.Factory, c *cobra.Command, path string) (string, error) {
	if path == "" && c.Flags().Changed("db") {
		return "", cli.Usagef("--db: the path is empty")
	}
	if path == "" {
		return f.MockPath()
	}
	return path, nil
}

type resetOptions struct{ db string }

func newResetCmd(f *cli.Factory, runF func(*resetOptions) error) *cobra.Command {
	o := &resetOptions{}
	c := &cobra.Command{
		Use:   "reset",
		Short: "Reset the mock's data",
		Long: `Delete everything that was created in the mock's database and start again with the data that it comes with.
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
	f.Note("reset the mock's data in %s", o.db)
	return nil
}

type tokenOptions struct {
	db       string
	reseller int
}

func newTokenCmd(f *cli.Factory, runF func(*tokenOptions) error) *cobra.Command {
	o := &tokenOptions{}
	c := &cobra.Command{
		Use:   "token",
		Short: "Print a token for the mock service",
		Long: `Print a new token for ` + "`reseller mock serve`" + ` on one line. It is valid for 60 minutes, on every mock, and belongs
to one of the two resellers. Commands with --server mock need no token.`,
		Example: `reseller mock token
reseller mock token --reseller 2`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.reseller != 1 && o.reseller != 2 {
				return cli.Usagef("--reseller: the mock has resellers 1 and 2, not %s", strconv.Itoa(o.reseller))
			}
			var err error
			if o.db, err = databasePath(f, c, o.db); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			service, err := mock.New(mock.Options{Path: o.db})
			if err != nil {
				return err
			}
			token, err := service.Token(o.reseller)
			if err != nil {
				return err
			}
			return f.SecretLine(token)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().IntVar(&o.reseller, "reseller", 1, "reseller that the token belongs to: 1 or 2")
	_ = c.RegisterFlagCompletionFunc("reseller", cobra.FixedCompletions([]string{"1", "2"}, cobra.ShellCompDirectiveNoFileComp))
	addDatabaseFlag(c, &o.db)
	return c
}
