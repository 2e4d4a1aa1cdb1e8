package customers

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"reseller/cmd/cli"
)

func TestApplyFlags(t *testing.T) {
	for args, want := range map[string]string{
		"":                              "missing: --file",
		"--file f.yaml":                 "target [] 10% ",
		"--file f.yaml --type both":     `--type: "both" is neither target nor interest`,
		"--file f.yaml --prune plans":   `--prune: "plans" is neither keywords nor accounts`,
		"--file f.yaml --prune=":        "target [] 10% ",
		"--file f.yaml --plan-file p":   "target [] 10% p",
		"--file f.yaml --plan-file=":    "--plan-file: the path is empty",
		"--file f.yaml --prune-limit 5": "--prune-limit requires --prune",
		"--file f.yaml --prune keywords --prune accounts --prune-limit 5": "target [accounts keywords] 5 ",
		"--file f.yaml --prune keywords --shard 1/2":                      "--prune and --shard can't be used together: the customers of other shards would be pruned",
		"--file f.yaml --keyword-separator=":                              `--keyword-separator: "" can't separate keywords`,
	} {
		t.Run(args, func(t *testing.T) {
			got := ""
			c := newApply(&cli.Factory{}, func(_ context.Context, _ *cli.Factory, o *applyOptions) error {
				got = fmt.Sprint(o.keywordType, " ", o.prune.kinds, " ", o.prune.limit, " ", o.planFile)
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
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestPrunedNamesAreShort names an account and a keyword with long texts: a question must not be pushed out of sight.
func TestPrunedNamesAreShort(t *testing.T) {
	long := strings.Repeat("x", 500)
	k := &kept{Accounts: []namedAccount{{3, long}}, Keywords: map[int][]keptKeyword{0: {{Text: long}}}}
	if got := k.prunedWords(); len(got) > 300 {
		t.Errorf("got %d bytes, want at most 300: %s", len(got), got)
	}
}
