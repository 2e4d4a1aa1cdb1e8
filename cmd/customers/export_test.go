package customers

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"reseller/cmd/cli"
)

func TestExportFlags(t *testing.T) {
	for args, want := range map[string]string{
		"":                            "[] 8 false",
		"--all":                       "[] 8 false",
		"--account 2 --account-id 1":  "[2 1] 8 false",
		"--concurrency 3 --fail-fast": "[] 3 true",
		"--account 1 --all":           "--all exports every customer and can't be used with --account",
		"--account 1.0":               `--account: "1.0" is not a whole number`,
		"1":                           "`export` takes no arguments, got \"1\"",
	} {
		t.Run(args, func(t *testing.T) {
			got := ""
			c := newExport(&cli.Factory{}, func(_ context.Context, _ *cli.Factory, o *exportOptions) error {
				got = fmt.Sprint(o.accounts, o.fan.Concurrency, o.fan.FailFast)
				return nil
			})
			c.SetGlobalNormalizationFunc(cli.Normalize)
			c.SetArgs(strings.Fields(args))
			c.SetOut(io.Discard)
			c.SetErr(io.Discard)
			c.SilenceErrors, c.SilenceUsage = true, true
			if err := c.Execute(); err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
