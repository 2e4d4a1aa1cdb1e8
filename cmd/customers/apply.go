package customers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

type applyOptions struct {
	compareFlags
	file    bulkcmd.FileFlags
	toOther bool // apply a file that was exported from another server
}

func NewApply(f *cli.Frame) *cobra.Command {
	o := &applyOptions{}
	c := &cobra.Command{
		Use:   "apply",
		Short: "Make the customers of the service agree with a file",
		Long: "Bring the service in line with a file of customers: create the accounts that it lacks, and change what differs of the\n" +
			"others. What a customer of the file leaves out is not touched. The columns are those of `reseller onboard --file` and\n" +
			"these: account_id, campaign_id and status (active or deactivated). `reseller export` writes such a file.\n\n" +
			"A customer is the one with its account_id; without that, the one with its external_account_identifier; without that,\n" +
			"the one with its account_name, email, phone and postal code. For each customer, apply creates the account or updates\n" +
			"the fields that differ, changes its status, updates the notes of its campaign, attaches the plan if the service does\n" +
			"not list it, adds keywords, and changes the type and the status of keywords that differ. Credentials are sent with new\n" +
			"accounts only. A website_url or country_code that differs is shown, since neither can be updated.\n\n" +
			"The changes are shown on stderr, as by `reseller diff`, and made after a confirmation, which --yes skips, and at a\n" +
			"terminal the variable CI and the built-in mock. The load is a job: if it is interrupted, run the same command again or `reseller jobs resume` to\n" +
			"resume it, and nothing is written twice. A failed customer does not stop the others, and a second run changes nothing.\n" +
			"Credentials of accounts that exist stay as they are, on another machine too, and a note tells how many.\n\n" +
			"--prune keywords also deactivates the keywords of a campaign that its customer's list does not name, --prune accounts\n" +
			"the accounts that the file does not name. If that is more than --prune-limit permits, nothing is sent.\n\n" +
			"--results writes the customers whose account exists, with account_id, campaign_id, iam_credentials_id, task_id and\n" +
			"rank_ids (one for each keyword, separated by ;), and the outcome of each step: account_state, update_state,\n" +
			"status_state, credentials_state, notes_state, plan_state, keywords_state and keyword_changes_state. --dry-run prints\n" +
			"what `reseller diff` prints; json and yaml also have counts.",
		Example: "reseller apply --example yaml\n" +
			"reseller export --server mock --output-file customers.yaml\n" +
			"reseller apply --server mock --file customers.yaml --yes\n" +
			"reseller apply --server mock --file customers.yaml --prune keywords --dry-run",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(c, o.file.Given()); err != nil {
				return err
			}
			if o.isShard = c.Flags().Changed("shard"); o.isShard && len(o.prune.kinds) > 0 {
				return cli.Usagef("--prune and --shard can't be used together: the customers of other shards would be pruned")
			}
			return runApply(c.Context(), f, o)
		},
	}
	o.addTo(c)
	o.prune.addTo(c)
	o.addAllowTo(c)
	c.Flags().BoolVar(&o.toOther, "to-other-server", false, "with --yes, also apply a file that was exported from another server or reseller")
	c.Flags().StringVar(&o.planFile, "plan-file", "", "send nothing unless the changes are those of the plan in `FILE`, which `reseller diff` wrote")
	o.file.AddTo(c, f.Session, decode.Tables...)
	f.Flags.AddResendSent(c)
	_ = c.MarkFlagFilename("plan-file")
	return c
}

func runApply(ctx context.Context, f *cli.Frame, o *applyOptions) error {
	l := newCustomerLoad(f, &o.compareFlags, &o.file)
	l.repeat = []string{stepPlan} // the plans of accounts that existed are compared, too
	return l.run(ctx, f, o.anyCustomers(f.Session, l.model), bulk.Operation{Name: "apply", Idempotent: true}, bulkcmd.Command{
		Prunes: o.prune.has(pruneAccounts),
		Steps:  &bulkcmd.Steps{},
		Prepare: func(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (bulkcmd.Prepared, error) {
			return l.prepareApply(ctx, c, source, resumes, o.toOther)
		},
	})
}

func (l *customerLoad) run(ctx context.Context, f *cli.Frame, sch rows.Schema, operation bulk.Operation, c bulkcmd.Command) (err error) {
	if c.Defaults, err = credentialsDefaults(f.Session); err != nil {
		return err
	}
	if !l.flags.onlyNew { // whose rows are kept while they are sent
		defer cli.Streaming.Use()()
	}
	c.JobKey = l.flags.jobKey()
	c.New = func(*client.Client) loads.Load { return loads.Load{Schema: sch, Operation: operation} }
	c.Steps.Make, c.Steps.Advice, c.Steps.Show = l.steps, l.advice, l.print
	return bulkcmd.Run(ctx, f, l.file, c)
}

// prepareApply is prepare, which then shows the changes, and returns the question whether to make them.
func (l *customerLoad) prepareApply(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status, toOther bool) (p bulkcmd.Prepared, err error) {
	other, err := exportedElsewhere(ctx, l.Session, l.file.Path)
	if err == nil && other != "" && l.SendsUnasked() && !toOther && !l.Flags.DryRun {
		err = cli.Usagef("the file was exported from %s: without a question it is applied here only with --to-other-server", other)
	}
	if err == nil {
		err = l.prepare(ctx, c, source, resumes)
	}
	if err != nil || l.Flags.DryRun {
		return p, err
	}
	p.Keep, p.Shown = l.decisions, true
	if err := l.show(ctx); err != nil {
		return p, err
	}
	pruned := l.prunedWords()
	if p.Question, err = l.question(ctx, pruned+"Apply these changes to"); err != nil {
		return p, err
	}
	if p.Question != "" && other != "" {
		p.Question = "The file was exported from " + other + ". " + p.Question
	}
	if pruned != "" && l.SendsUnasked() {
		l.Note("%s", strings.TrimSuffix(pruned, ". "))
	}
	for i := range l.comparison.plans {
		l.comparison.plans[i].Changes = nil // they were shown, and take most of the memory
	}
	return p, nil
}

// question returns the question whether to make the changes, of which what says what is done with them. It names the customers by
// their number, the server and the reseller. It is empty if nothing changes.
func (l *customerLoad) question(ctx context.Context, what string) (string, error) {
	counts := tallyOf(l.comparison.plans, l.flags.onlyNew)
	if !counts.changes() && l.comparison.unknown() == nil {
		return "", nil
	}
	address, err := l.Address()
	if err != nil {
		return "", err
	}
	if address.Server != "" && !address.BuiltInMock {
		what += " " + address.Server + ","
	}
	where, err := destinationText(ctx, l.Session)
	return fmt.Sprintf("%s. %s %s?", counts, what, where), err
}

// prepare compares the service with the file, refuses the rows with faults, and appends those of accounts that are pruned.
func (l *customerLoad) prepare(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (err error) {
	if resumes != nil {
		return l.prepareResumed(ctx, c, source, resumes)
	}
	if err := l.flags.prune.checkInvalid(source.Report.Invalid); err != nil {
		return err
	}
	if l.comparison, err = compare(ctx, c, source, request{compareFlags: l.flags, session: l.Session, file: l.file}); err != nil {
		return err
	}
	l.decisions = l.comparison.decide()
	if l.flags.onlyNew && l.flags.allowSimilar { // which customer such a row means is unknown
		l.decisions.Faults = nil
	}
	if err := l.file.Refuse(l.Session, l.outcome, l.decisions.Faults); err != nil {
		return err
	}
	if err := l.flags.prune.checkInvalid(source.Report.Invalid); err != nil {
		return err
	}
	if err = l.checkPlan(ctx, false); err == nil {
		source.Append(l.decisions.appended()...)
	}
	return err
}

// prepareResumed makes the rows those that the job had when it began. A row that has a fault by now has no plan.
func (l *customerLoad) prepareResumed(ctx context.Context, c *client.Client, source *rows.Source, resumes *job.Status) (err error) {
	l.decisions = &decisions{job: resumes.ID, state: l.state}
	if err := json.Unmarshal(resumes.Kept, l.decisions); err != nil {
		return fmt.Errorf("the header of job %s: %w", resumes.ID, err)
	}
	if err := l.file.Refuse(l.Session, l.outcome, l.decisions.Faults); err != nil {
		return err
	}
	source.Append(l.decisions.appended()...)
	l.tables = resumes.Table.Steps()
	if l.comparison, err = compare(ctx, c, source, request{compareFlags: l.flags, session: l.Session, file: l.file, resumed: l.decisions}); err != nil {
		return err
	}
	if err := l.checkPlan(ctx, true); err != nil {
		return err
	}
	l.leaveOutSent(bulkcmd.ResendCommand(l.Session, resumes.Header))
	return nil
}

// checkPlan returns an error unless the plan of --plan-file, if one is given, has the changes that are needed. All customers must
// have been compared.
func (l *customerLoad) checkPlan(ctx context.Context, isResumed bool) error {
	if l.flags.planFile == "" {
		return nil
	}
	if !l.comparison.isWhole() {
		l.noteUnread()
		return cli.Usagef("--plan-file: not all customers could be compared with the file, so changes may be needed that the plan does not have: run the command again")
	}
	plan, err := readPlan(l.Session, l.flags.planFile)
	if err != nil {
		return err
	}
	want, err := newPlan(ctx, l.Session, l.comparison, &l.flags.prune)
	if err != nil {
		return err
	}
	return plan.check(l.flags.planFile, want, l.comparison.plans, isResumed, l.file.Path)
}

// checkInvalid returns the error about n rows that are skipped while accounts are pruned.
func (p *pruneFlags) checkInvalid(n int) error {
	if n == 0 || !p.has(pruneAccounts) {
		return nil
	}
	return cli.Usagef("--prune accounts: %s, whose customers might be pruned", phrase.Count(n, "row is invalid", "rows are invalid")).
		Hinted("correct the file, or leave out --prune accounts")
}

// show prints the changes on stderr.
func (l *customerLoad) show(ctx context.Context) error {
	l.comparison.noteDoubts(l.Session)
	if l.Flags.Quiet {
		return nil
	}
	l.noteUnread()
	width := 80
	if l.ErrTTY && l.OutTTY {
		width = l.Width()
	}
	return showPlans(ctx, l.Err, width, l.Color(l.ErrTTY), l.comparison.plans, &l.comparison.pruned, l.flags)
}

// print prints the changes as the output of a dry run. A document also says how many customers need some, with the pruned ones.
func (l *customerLoad) print(ctx context.Context, source *rows.Source, steps []bulk.Step) (failed error) {
	l.comparison.noteDoubts(l.Session)
	if !l.flags.onlyNew {
		failed = reportUnknown(l.Session, l.comparison)
	} else if err := l.settle(ctx, source, steps); err != nil {
		return err
	} else {
		noteFirst(l.Session, phrase.Each(l.comparison.unknown(), func(p *portfolio.Plan) string {
			return fmt.Sprintf("%s: %v", l.file.Place(p.Line), p.Unknown())
		}), "%d more are not known as a whole")
	}
	plans, pruned, report := l.comparison.plans, &l.comparison.pruned, &source.Report
	n, s := statesOf(plans, l.flags.onlyNew), &l.outcome.Summary
	s.Unknown, s.Differs, s.Present, s.Refused = n[bulk.Unknown], n[bulk.Differs], n[bulk.Present], n[bulk.Refused]
	isDocument, err := l.output.IsDocument()
	if err != nil {
		return err
	}
	if !isDocument {
		return cmp.Or(l.output.Write(cli.Shape(changeRows, false), func(out *cli.Out) error {
			return printPlans(ctx, l.Session, out, plans, pruned, l.flags)
		}), failed)
	}
	if words := unmanaged(pruned, &l.flags.prune); words != "" {
		l.Note("%s", words)
	}
	return cmp.Or(l.output.PrintPlan(ctx, cli.Plan{Unknown: s.Unknown, DryRunSummary: bulk.DryRunSummary{
		Operation: s.Operation, Rows: report.Rows + len(pruned.Accounts), Duplicates: report.Duplicates, Invalid: report.Invalid,
		Send: n[portfolio.ActionCreate] + n[bulk.Absent], Present: s.Present, Differs: s.Differs, Refused: s.Refused,
	}}, nil, changesOf(slices.Concat(plans, pruned.Unmanaged))), failed)
}

// noteUnread notes the customers of which the changes do not show all.
func (l *customerLoad) noteUnread() {
	notes := phrase.Each(l.comparison.unknown(), func(p *portfolio.Plan) string {
		return fmt.Sprintf("account %d may need other changes, too: %v", p.Account, p.Unknown())
	})
	noteFirst(l.Session, notes, "%d more may need other changes")
}

// maxPruned is how many accounts and keywords the question names that are pruned.
const maxPruned = 5

// prunedWords returns sentences that name what is pruned, an empty text if nothing is. Of what the job has decided, earlier runs
// may have pruned some.
func (l *customerLoad) prunedWords() (sentences string) {
	var accounts, keywords []string
	for i := range l.comparison.plans {
		p := &l.comparison.plans[i]
		if p.Line <= 0 && (p.Status != "" || p.Unread != nil) {
			accounts = append(accounts, namedAccount{p.Account, p.Customer}.String())
		}
		for _, kw := range l.decisions.Keywords[l.comparison.rows[i]] {
			if !kw.IsNamed && (p.Unread != nil || slices.ContainsFunc(p.ChangeKeywords, func(c portfolio.PlannedKeyword) bool { return c.RankID == kw.RankID })) {
				keywords = append(keywords, safetext.Quote(kw.Text))
			}
		}
	}
	if n := len(accounts); n > 0 {
		sentences = fmt.Sprintf("%s the file does not name will be deactivated: %s. ", phrase.Count(n, "account that", "accounts that"), phrase.First(accounts, maxPruned))
	}
	if n := len(keywords); n > 0 {
		sentences += fmt.Sprintf("%s the lists do not name will be deactivated: %s. ", phrase.Count(n, "keyword that", "keywords that"), phrase.First(keywords, maxPruned))
	}
	return sentences
}

// decisions are what a job keeps of its comparison, so that it has the same rows and items when it is
// resumed, whatever the service holds then.
type decisions struct {
	Faults   []rows.Fault           `json:"faults,omitempty"`
	Accounts []namedAccount         `json:"accounts,omitempty"`
	Keywords map[int][]deactivation `json:"keywords,omitempty"` // by the row of their customer

	job   string                                         // the one that is resumed, which knows itself what it has created; empty if none is
	state func(row int, step string, item int) job.State // of it, as of customerLoad
}

// A deactivation is of a keyword that is deactivated, and that is not the one which an entry of its
// customer's list means: no entry names it, or it is one of several with the text of an entry.
type deactivation struct {
	RankID  int64  `json:"rank_id"`
	Text    string `json:"keyword"`
	Type    string `json:"keyword_type"`
	IsNamed bool   `json:"named,omitempty"` // an entry has its text, so that it is not pruned
}

func (all *comparison) decide() *decisions {
	k := &decisions{Faults: all.faults, Keywords: map[int][]deactivation{}}
	for i := range all.plans {
		for _, change := range all.plans[i].ChangeKeywords {
			if change.Item < 0 {
				k.Keywords[all.rows[i]] = append(k.Keywords[all.rows[i]], deactivation{change.RankID, change.Text, change.Type, !change.Pruned})
			}
		}
	}
	for i := range all.pruned.Accounts {
		k.Accounts = append(k.Accounts, namedAccount{all.pruned.Accounts[i].Account, all.pruned.Accounts[i].Customer})
	}
	return k
}

func (k *decisions) appended() []rows.Appended {
	var added []rows.Appended
	for _, a := range k.Accounts {
		added = append(added, rows.Appended{Name: fmt.Sprintf("account %d", a.Account), Values: rows.Values{
			{Name: "account_id", JSON: record.Integer(a.Account)}, {Name: "status", JSON: record.Quote(portfolio.StatusDeactivated)},
		}})
	}
	return added
}
