package customers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/output/encode"
	"reseller/output/summaryfile"
)

type diffOptions struct {
	compareFlags
	file     bulkcmd.InputFlags
	exitCode bool
}

func NewDiff(f *cli.Frame) *cobra.Command {
	o := &diffOptions{}
	c := &cobra.Command{
		Use:   "diff",
		Short: "Show what `reseller apply` would change",
		Long: "Compare the customers in a file with what the service holds, and show what `reseller apply` would change. Nothing is\n" +
			"sent. What a customer of the file leaves out is not compared.\n\n" +
			"The table is for people: + is created or added, ~ changes, - is deactivated, = differs but can't be changed, and · stays\n" +
			"although the file does not name it. Customers that do not change are only counted. Long texts are cut, to 80 columns in\n" +
			"a pipe. The other formats, and --columns and --sort, give a row for each change, and for what stays one with the action\n" +
			"keep. Passwords are neither compared nor shown. Active accounts that the file does not name, active keywords that the\n" +
			"list of their customer does not name, and further campaigns of the accounts, if they are known, are counted before the\n" +
			"last line; with --unmanaged, all of them are differences.\n\n" +
			"A customer of which a part can't be read is left out: the error is printed, the others continue, and the exit code is\n" +
			"3, as it is if invalid rows are skipped. With --exit-code, it is 8 if there are changes.\n\n" +
			"--plan-file keeps the plan. `reseller apply` with the same flag refuses to apply any other one.",
		Example: "reseller export --server mock --output-file customers.yaml\n" +
			"reseller diff --server mock --file customers.yaml\n" +
			"reseller diff --server mock --file customers.yaml --prune keywords --exit-code\n" +
			"reseller diff --server mock --file customers.yaml -o csv --columns customer,field,from,to",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(c, o.file.Given()); err != nil {
				return err
			}
			if f.Flags.Raw {
				return cli.Usagef("--raw prints one response unchanged, and a comparison comes from several")
			}
			return runDiff(c.Context(), f, o)
		},
	}
	o.file.AddTo(c, f.Session, decode.Tables...)
	o.file.AddValidation(c, f.Session, "compare nothing")
	o.addTo(c)
	o.prune.addTo(c)
	o.addAllowTo(c)
	c.Flags().BoolVar(&o.exitCode, "exit-code", false, "exit with 8 if there are changes")
	c.Flags().BoolVar(&o.prune.unmanaged, "unmanaged", false, "also show accounts and campaigns the file does not name, and let --exit-code count them and keywords")
	c.Flags().StringVar(&o.planFile, "plan-file", "", "write the plan to `FILE`, for `reseller apply --plan-file`")
	return f.SetCompletionResource(c, changeRows)
}

func runDiff(ctx context.Context, f *cli.Frame, o *diffOptions) error {
	if shown, err := o.file.Example(f.Session, f.Output, o.anyCustomers(f.Session, portfolio.New()).Resource, schema.Update); shown {
		return err
	}
	out, err := f.Output.Open(cli.Shape(changeRows, false))
	if err != nil {
		return err
	}
	defer out.Abort()
	all, refused := compareFile(ctx, f, &o.file, &o.compareFlags)
	if refused != nil && (all == nil || !slices.ContainsFunc(all.faults, func(of rows.Fault) bool { return slices.Contains(all.rows, of.Row) })) {
		return refused
	}
	if _, err := exportedElsewhere(ctx, f.Session, o.file.Path); err != nil {
		return err
	}
	n, s := statesOf(all.ofFile(), false), &f.Outcome.Summary
	s.Unknown, s.Differs, s.Present = n[bulk.Unknown], n[bulk.Absent]+n[bulk.Differs], n[bulk.Present]
	s.Remaining -= s.Unknown + s.Differs + s.Present
	all.noteDoubts(f.Session)
	failed := cmp.Or(refused, reportUnknown(f.Session, all))
	if o.planFile != "" && (refused != nil || !all.isWhole()) {
		f.Note("%s is not written, since not all customers could be compared", o.planFile)
	} else if o.planFile != "" {
		plan, err := newPlan(ctx, f.Session, all, &o.prune)
		if err != nil {
			return err
		}
		if err := plan.write(o.planFile); err != nil {
			return err
		}
	}
	if err := printPlans(ctx, f.Session, out, all.plans, &all.pruned, &o.compareFlags); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	s.State = summaryfile.StateFinished
	switch {
	case failed != nil:
		return failed
	case all.invalid > 0:
		failed := slices.Repeat([]int{cli.ExitUsage}, all.invalid)
		return &cli.ExitError{Code: cli.JointExitCode(len(all.ofFile())+all.invalid, failed...), Err: fmt.Errorf("%s not compared", phrase.Count(all.invalid, "invalid row was", "invalid rows were"))}
	}
	if o.exitCode && (tallyOf(all.plans, false).changes() || o.prune.unmanaged && unmanaged(&all.pruned, &o.prune) != "") {
		return cli.ErrChanges
	}
	return nil
}

// statesOf counts customers by the states in which a load would find them: bulk.Absent stands for those that it would change,
// portfolio.ActionCreate for those that it would create. One that onboard completes and does not change differs all the same.
func statesOf(plans []portfolio.Plan, onlyNew bool) map[string]int {
	n := map[string]int{}
	for i := range plans {
		switch p := &plans[i]; {
		case errors.Is(p.InDoubt, errRefused):
			n[bulk.Refused]++
		case p.Unknown() != nil:
			n[bulk.Unknown]++
		case onlyNew && p.Kept != nil:
			n[bulk.Differs]++
		case p.Create != nil:
			n[portfolio.ActionCreate]++
		case p.HasChanges():
			n[bulk.Absent]++
		case p.Differs():
			n[bulk.Differs]++
		default:
			n[bulk.Present]++
		}
	}
	return n
}

// reportUnknown reports the customers of which not all is known that has to change, and returns an error about them.
func reportUnknown(session *cli.Session, all *comparison) error {
	var failed []error
	for _, p := range all.unknown() {
		failed = append(failed, fmt.Errorf("account %d: %w", p.Account, p.Unknown()))
	}
	for i := 0; i < len(failed) && len(all.plans) > 1; i++ {
		session.ReportFailure(failed[i])
	}
	return fanout.AggregateErrors(len(all.plans), failed)
}

// printPlans prints plans: for people in a table, unless columns or an order are asked for, and
// otherwise a row for each change.
func printPlans(ctx context.Context, session *cli.Session, out *cli.Out, plans []portfolio.Plan, pruned *portfolio.Pruned, flags *compareFlags) error {
	if out.Format == encode.Table && len(session.Flags.Columns) == 0 && len(session.Flags.Sort) == 0 {
		w, width, color := out.Text()
		return showPlans(ctx, w, width, color, plans, pruned, flags)
	}
	if words := unmanaged(pruned, &flags.prune); words != "" {
		session.Note("%s", words)
	}
	return out.Records(ctx, func(yield func(record.Record, error) bool) {
		for _, some := range [][]portfolio.Plan{plans, pruned.Unmanaged} {
			for change := range changesOf(some) {
				if !yield(change, nil) {
					return
				}
			}
		}
	})
}
