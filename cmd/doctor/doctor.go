// Package doctor holds the command that finds out why nothing works.
package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/cmd/cli"
)

// New makes `reseller doctor`.
func New(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, keyring, token, address and clock",
		Long: `Check the configuration, the keyring, the token, the address and the clock, and say what to do about what is
wrong. The service is asked for the list of campaigns, which changes nothing. The exit code is 0 when all
is well, warnings included; else it is that of the worst finding: 2 for no address or a setting that is not
valid, 4 for no token or a refused one, 7 for a service that can't be reached.`,
		Example: `reseller doctor --server mock
reseller doctor --server mock -o json`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), f) },
	}
	c.Flags().SortFlags = false
	return c
}

// What a check comes to.
const (
	ok      = "ok"
	warning = "warning"
	failed  = "failed"
	skipped = "skipped"
)

// A finding is what one check came to. Code is the exit code that a failure
// stands for.
type finding struct {
	Check  string `json:"check"`
	Result string `json:"result"`
	Detail string `json:"detail"`
	Advice string `json:"advice"`
	code   int
}

// fails is a finding of an error, with the error's own advice.
func fails(check string, err error, advice string) finding {
	if hint := cli.Hint(err); advice == "" {
		advice = hint
	}
	return finding{check, failed, err.Error(), advice, cli.ExitCode(err)}
}

func run(ctx context.Context, f *cli.Factory) error {
	d := &diagnosis{f: f}
	if err := d.examine(ctx); err != nil {
		return err
	}
	var recs []record.Record
	var names []string
	worst := cli.ExitOK
	for _, found := range d.findings {
		recs = append(recs, cli.RecordOf(found))
		if found.Result == failed {
			names = append(names, found.Check)
			worst = max(worst, found.code)
		}
	}
	if err := f.PrintRecords(ctx, false, []string{"check", "result", "detail", "advice"}, recs...); err != nil {
		return err
	}
	if len(names) == 0 {
		return nil
	}
	return &cli.ExitError{Code: worst, Err: fmt.Errorf("not well: %s", strings.Join(names, ", "))}
}
