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
	g.Long = `Run the mock service: the whole interface on a database of its own, for trials, tests and CI. It holds two
resellers, the first with accounts 1 to 5, campaigns 101 to 105, keywords, notes and reports.

` + "`--server mock`" + ` with no address configured runs it inside any command, with no login and no second
terminal; what one command creates the next one lists. These commands serve it to other programs, begin
its data afresh, and print tokens for it.`
	return g
}

// database adds the flag for the database file.
func database(c *cobra.Command, path *string) {
	c.Flags().StringVar(path, "db", "", "database file (default the one of --server mock)")
}

// databasePath is the file that --db names, or the one of the embedded mock.
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
		Short: "Begin the mock's data afresh",
		Long: `Throw away all that was created in the mock's database and begin afresh with the data that it comes with. This
asks first. A database that another program wrote is left alone.`,
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
	database(c, &o.db)
	return c
}

func reset(ctx context.Context, f *cli.Factory, o *resetOptions) error {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	if f.Flags.DryRun {
		f.Note("the mock's data in %s would begin afresh", o.db)
		return nil
	}
	if err := f.Confirm(ctx, "throw away all that was created in "+o.db+"?"); err != nil {
		return err
	}
	if err := mock.Reset(o.db); err != nil {
		return err
	}
	f.Note("the mock's data in %s begins afresh", o.db)
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
		Long: `Print a fresh token for ` + "`reseller mock serve`" + `, on one line. It is good for 60 minutes and for every mock, and
speaks for one of its two resellers. The mock inside the command needs none.`,
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
	c.Flags().IntVar(&o.reseller, "reseller", 1, "reseller that the token speaks for: 1 or 2")
	_ = c.RegisterFlagCompletionFunc("reseller", cobra.FixedCompletions([]string{"1", "2"}, cobra.ShellCompDirectiveNoFileComp))
	database(c, &o.db)
	return c
}
