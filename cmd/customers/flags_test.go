package customers

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/client/portfolio"
	"reseller/cmd/cli"
)

// TestFlags checks what the commands make of their flags, or how their errors begin.
func TestFlags(t *testing.T) {
	f, got := cli.NewFrame(cli.Streams{}, ""), ""
	commands := map[string]func() *cobra.Command{
		"apply": func() *cobra.Command {
			return newApply(f, func(_ context.Context, _ *cli.Frame, o *applyOptions) error {
				got = fmt.Sprint(o.keywordType, " ", o.prune.kinds, " ", o.prune.limit, " ", o.planFile)
				return nil
			})
		},
		"diff": func() *cobra.Command {
			return newDiff(f, func(_ context.Context, _ *cli.Frame, o *diffOptions) error {
				got = fmt.Sprintf("%v %v %s %v %s", o.prune.kinds, o.prune.parsed, o.keywordType, o.exitCode, o.planFile)
				return nil
			})
		},
		"export": func() *cobra.Command {
			return newExport(f, func(_ context.Context, _ *cli.Frame, o *exportOptions) error {
				got = fmt.Sprint(o.accounts, o.fan.Concurrency, o.fan.FailFast)
				return nil
			})
		},
		"onboard": func() *cobra.Command {
			return newOnboard(f, func(_ context.Context, _ *cli.Frame, o *onboardOptions) error {
				got = fmt.Sprint(o.keywordType, " ", o.repeat)
				return nil
			})
		},
	}
	for _, test := range [][2]string{
		{"apply", "missing: --file"},
		{"apply --file f.yaml", "target [] 10% "},
		{"apply --file f.yaml --type both", `--type: "both" is neither target nor interest`},
		{"apply --file f.yaml --prune plans", `--prune: "plans" is neither keywords nor accounts`},
		{"apply --file f.yaml --prune=", "target [] 10% "},
		{"apply --file f.yaml --plan-file p", "target [] 10% p"},
		{"apply --file f.yaml --plan-file=", "--plan-file: the path is empty"},
		{"apply --file f.yaml --prune-limit 5", "--prune-limit requires --prune"},
		{"apply --file f.yaml --prune keywords --prune accounts --prune-limit 5", "target [accounts keywords] 5 "},
		{"apply --file f.yaml --prune keywords --shard 1/2", "--prune and --shard can't be used together: the customers of other shards would be pruned"},
		{"apply --file f.yaml --keyword-separator=", `--keyword-separator: "" can't separate keywords`},
		{"diff --file a.yaml", "[] {10% 10 true} target false "},
		{"diff --file a.yaml --prune keywords,accounts --prune keywords --prune-limit 5", "[accounts keywords] {5 5 false} target false "},
		{"diff --file a.yaml --type interest --exit-code --plan-file p.json", "[] {10% 10 true} interest true p.json"},
		{"diff --file a.yaml --type other", `--type: "other" is neither target nor interest`},
		{"diff --file a.yaml --keyword-separator ||", `--keyword-separator: "||" can't separate keywords`},
		{"diff --file a.yaml --prune plans", `--prune: "plans" is neither keywords nor accounts`},
		{"diff --file a.yaml --prune-limit 5", "--prune-limit requires --prune"},
		{"diff --file a.yaml --prune keywords --prune-limit -1", `--prune-limit: "-1" is neither a number nor a percentage`},
		{"diff --file a.yaml --plan-file=", "--plan-file: the path is empty"},
		{"diff", "missing: --file"},
		{"export", "[] 8 false"},
		{"export --all", "[] 8 false"},
		{"export --account 2 --account-id 1", "[2 1] 8 false"},
		{"export --concurrency 3 --fail-fast", "[] 3 true"},
		{"export --account 1 --all", "--all exports every customer and can't be used with --account"},
		{"export --account 1.0", `--account: "1.0" is not a whole number`},
		{"export 1", "`export` takes no arguments"},
		{"onboard", "missing: --file"},
		{"onboard --file f.csv", "target []"},
		{"onboard --file f.csv --type interest", "interest []"},
		{"onboard --file f.csv --keyword-type interest", "interest []"},
		{"onboard --file f.csv --type both", `--type: "both" is neither target nor interest`},
		{"onboard --file f.csv --repeat plan", "target [plan]"},
		{"onboard --file f.csv --repeat plan,credentials", "target [plan credentials]"},
		{"onboard --file f.csv --repeat=", "target []"},
		{"onboard --file f.csv --repeat notes", `--repeat: "notes" is neither credentials nor plan`},
		{"onboard --example csv", "target []"},
	} {
		t.Run(test[0], func(t *testing.T) {
			f.Flags = cli.Flags{}
			args := strings.Fields(test[0])
			c := commands[args[0]]()
			c.SetGlobalNormalizationFunc(cli.Normalize)
			c.SetArgs(args[1:])
			c.SetOut(io.Discard)
			c.SetErr(io.Discard)
			c.SilenceErrors, c.SilenceUsage = true, true
			if err := c.Execute(); err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, test[1]) {
				t.Errorf("got %s, want %s", got, test[1])
			}
		})
	}
}

// TestPrunedNamesAreShort names an account and a keyword with long texts: a question must not be pushed out of sight.
func TestPrunedNamesAreShort(t *testing.T) {
	long := strings.Repeat("x", 500)
	l := &customerLoad{decisions: &decisions{Keywords: map[int][]deactivation{0: {{Text: long}}}}, comparison: &comparison{rows: []int{0, 1}, plans: []portfolio.Plan{
		{Line: 1, ChangeKeywords: []portfolio.PlannedKeyword{{Text: long}}}, {Account: 3, Customer: long, Status: portfolio.ActionDeactivate},
	}}}
	if got := l.prunedWords(); len(got) < 2*30 || len(got) > 300 {
		t.Errorf("got %d bytes, want at most 300 about both: %s", len(got), got)
	}
}
