// Package doctor has the command that checks the setup of this program and says
// how to fix what is wrong.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/cmd/cli"
)

func New(f *cli.Frame) *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, keyring, token, address and clock",
		Long: `Check the configuration, the keyring, the token, the address and the clock, and say how to fix what is wrong.
The command requests the list of campaigns from the service, which changes nothing. The exit code is 0 if
no check failed; warnings do not count. Otherwise it is that of the most severe failure: 2 for a missing
address or an invalid setting, 4 for a missing or refused token, 7 for a service that can't be reached.`,
		Example: `reseller doctor --server mock
reseller doctor --server mock -o json`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), f.Session, f.Output) },
	}
	return f.SetPrinted(c, []finding{})
}

const (
	resultOK      = "ok"
	resultWarning = "warning"
	resultFailed  = "failed"
	resultSkipped = "skipped"
)

type finding struct {
	Check  string `json:"check"`
	Result string `json:"result" enum:"ok,warning,failed,skipped"`
	Detail string `json:"detail"`
	Advice string `json:"advice"`
	code   int    // the exit code, if Result is failed
}

// failure returns the finding of a check that failed with err. Without advice, the
// error's own hint is used.
func failure(check string, err error, advice string) finding {
	return finding{check, resultFailed, err.Error(), cmp.Or(advice, cli.Hint(err)), cli.ExitCode(err)}
}

func run(ctx context.Context, session *cli.Session, to *cli.Output) error {
	d := &diagnosis{session: session}
	if err := d.run(ctx); err != nil {
		return err
	}
	var recs []record.Record
	var names []string
	code := cli.ExitOK
	for _, found := range d.findings {
		recs = append(recs, cli.RecordOf(found))
		if found.Result == resultFailed {
			names = append(names, found.Check)
			code = max(code, found.code)
		}
	}
	if err := to.PrintRecords(ctx, "checks", false, []string{"check", "result", "detail", "advice"}, recs...); err != nil {
		return err
	}
	if len(names) == 0 {
		return nil
	}
	return &cli.ExitError{Code: code, Err: fmt.Errorf("checks failed: %s", strings.Join(names, ", "))}
}
