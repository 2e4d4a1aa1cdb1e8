package customers

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"reseller/cmd/cli"
)

func TestDiffFlags(t *testing.T) {
	for args, want := range map[string]string{
		"--file a.yaml": "[] {10 true} target false ",
		"--file a.yaml --prune keywords,accounts --prune keywords --prune-limit 5": "[accounts keywords] {5 false} target false ",
		"--file a.yaml --type interest --exit-code --plan-file p.json":             "[] {10 true} interest true p.json",
		"--file a.yaml --type other":                                               `--type: "other" is neither target nor interest`,
		"--file a.yaml --keyword-separator ||":                                     `--keyword-separator: "||" can't separate keywords`,
		"--file a.yaml --prune plans":                                              `--prune: "plans" is neither keywords nor accounts`,
		"--file a.yaml --prune-limit 5":                                            "--prune-limit requires --prune",
		"--file a.yaml --prune keywords --prune-limit -1":                          `--prune-limit: "-1" is neither a number nor a percentage`,
		"--file a.yaml --plan-file=":                                               "--plan-file: the path is empty",
		"--file a.yaml --plan-file ./a.yaml":                                       "--plan-file and --file name the same file",
		"":                                                                         "missing: --file",
	} {
		t.Run(args, func(t *testing.T) {
			got := ""
			c := newDiff(&cli.Factory{}, func(_ context.Context, _ *cli.Factory, o *diffOptions) error {
				got = fmt.Sprintf("%v {%d %v} %s %v %s", o.prune.kinds, o.prune.parsed.N, o.prune.parsed.Percent, o.keywordType, o.exitCode, o.planFile)
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
