package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/chartcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
)

type options struct {
	kind      kind
	accounts  []int64
	campaigns []int64
	all       bool
	input     bulkcmd.InputFlags
	fan       fanout.FanFlags
	dates     client.Dates
	defaulted bool // the dates are not the user's
}

func newReportCmd(f *cli.Factory, now func() time.Time, k kind, runF func(*options) error) *cobra.Command {
	o := &options{kind: k}
	var accounts, campaigns []string
	var from, to string
	c := &cobra.Command{
		Use:   k.path[strings.LastIndexByte(k.path, ' ')+1:],
		Short: k.short,
		Long: k.long + "\n\n" +
			"--account and --campaign name what to report on; one of each needs no look-up. --account alone is all\n" +
			"campaigns of the account, --campaign alone looks its account up, --all is every campaign of the reseller.\n" +
			"--file reads account_id and campaign_id, or one of them, from a file such as `campaigns list -o csv` writes.\n" +
			"Unless exactly one account and one campaign are named, account_id and campaign_id stand in front of each row.\n\n" +
			"Several reports are asked for at a time (--concurrency), and their rows come in the order of the file or of\n" +
			"the campaigns list. One that fails, or that the list does not have, is told, the others go on, and the exit\n" +
			"code is 3. --failures lists those that failed in a file that --file takes; where none failed, it has no rows.\n\n" +
			k.chart + "\n" +
			"--chart shows it in the terminal in place of the table; --chart-file writes a file beside what is printed,\n" +
			"whole or not at all. An .html file has the numbers too, and loads nothing from elsewhere.",
		Example: fmt.Sprintf("reseller reports %[1]s --server mock --account 1 --campaign 101 --chart\nreseller reports %[1]s --server mock %[2]s", k.path, k.sample),
		Args: func(c *cobra.Command, args []string) error {
			if c.HasSubCommands() && len(args) > 0 {
				return cli.GroupRun(c, args)
			}
			return cli.NoArgs(c, args)
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if shown, err := o.input.Example(f, &schema.Campaigns, schema.Create); shown {
				return err
			}
			if err := o.choose(accounts, campaigns, f.Flags.Raw); err != nil {
				return err
			}
			if err := o.fan.Check(f); err != nil {
				return err
			}
			if k.dated() {
				p := period{today: dayOf(now()), needed: k.needsDates(), check: !f.Flags.NoValidate}
				p.from, p.fromGiven = from, c.Flags().Changed("from")
				p.to, p.toGiven = to, c.Flags().Changed("to")
				var err error
				if o.dates, o.defaulted, err = p.dates(); err != nil {
					return err
				}
			}
			if err := chartcmd.Enable(f, c, o.drawing); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			return run(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringArrayVar(&accounts, "account", nil, "an account to report on; may be given several times")
	c.Flags().StringArrayVar(&campaigns, "campaign", nil, "a campaign to report on; may be given several times")
	c.Flags().BoolVar(&o.all, "all", false, "report on every campaign of the reseller")
	if k.dated() {
		addDates(c, f, &from, &to)
	}
	o.input.AddTo(c, "csv", "tsv", "json", "ndjson", "yaml")
	o.fan.AddTo(c)
	chartcmd.AddFlags(f, c)
	return f.SetCompletionResource(c, k.row())
}

// addDates declares the flags of a period.
func addDates(c *cobra.Command, f *cli.Factory, from, to *string) {
	c.Flags().StringVar(from, "from", "", "first day: YYYY-MM-DD, today, yesterday, -30d, or the first of a month such as 2026-10")
	c.Flags().StringVar(to, "to", "", "last day, likewise, or the last of a month (default today)")
	c.Flags().BoolVar(&f.Flags.NoValidate, "no-validate", false, "leave the checking of dates to the service")
	days := cobra.FixedCompletions([]string{"today", "yesterday", "-7d", "-30d", "-90d"}, cobra.ShellCompDirectiveNoFileComp)
	_ = c.RegisterFlagCompletionFunc("from", days)
	_ = c.RegisterFlagCompletionFunc("to", days)
}

// choose notes what was named, each once, and finds choices that can't be.
func (o *options) choose(accounts, campaigns []string, raw bool) (err error) {
	if o.accounts, err = distinct("--account", accounts); err != nil {
		return err
	}
	if o.campaigns, err = distinct("--campaign", campaigns); err != nil {
		return err
	}
	none := len(o.accounts) == 0 && len(o.campaigns) == 0
	file := o.input.Path != ""
	switch {
	case none && !o.all && !file:
		return &cli.UsageError{Message: "missing: --account or --campaign, --all, or --file", Hint: "`reseller campaigns list` shows the ids"}
	case o.all && (!none || file):
		return cli.Usagef("--all is every campaign, so --account, --campaign and --file can't go with it")
	case file && (len(o.accounts) > 1 || len(o.campaigns) > 1):
		return cli.Usagef("with --file, --account and --campaign hold for all its rows: give one of each at most")
	case raw && (file || len(o.campaigns) != 1):
		return cli.Usagef("--raw prints one answer as it came: name one --campaign")
	case o.fan.Failures != "" && (raw || o.named()):
		return cli.Usagef("--failures is for many campaigns: of one, the command's own error tells")
	}
	return nil
}

// distinct reads ids, each once, in the order given.
func distinct(flag string, texts []string) ([]int64, error) {
	ids, err := cli.IDs(flag, texts)
	if err != nil {
		return nil, err
	}
	var once []int64
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once, nil
}
