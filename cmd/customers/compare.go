package customers

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/dedupe"
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

// A comparison is what the customers of a file and those that the service holds have to do with each
// other.
type comparison struct {
	model   *portfolio.Model
	current *portfolio.Current // nil once the two are compared, unless results show it
	digest  string             // of the file
	plans   []portfolio.Plan   // of the rows that can be sent, in their order, and behind them of the pruned accounts
	rows    []int              // the row of each plan; those of pruned accounts are appended to the file
	pruned  portfolio.Pruned   // its accounts are the last of plans
	doubted map[int]bool       // the rows with credentials that may or may not be stored
	// faults are the issues of the rows of which only the service shows that they are invalid.
	faults  []rows.Fault
	invalid int             // the rows that are not compared, since they are invalid
	listed  []portfolio.IDs // the accounts that the service holds; nil if some may be created meanwhile
}

type compareFlags struct {
	readFlags
	prune    pruneFlags
	planFile string
	onlyNew  bool // customers that exist are completed, but not changed
	isShard  bool // other rows of the file are left out
	// What is meant, though it seems to be the wrong customer.
	allowSimilar, allowRename bool
}

func (o *compareFlags) addAllowTo(c *cobra.Command) {
	bulkcmd.AddAllowSimilar(c, &o.allowSimilar)
	c.Flags().BoolVar(&o.allowRename, "allow-rename", false, "also change accounts whose identifier, name and e-mail all differ")
}

func (o *compareFlags) check(c *cobra.Command, hasFile bool) error {
	if !hasFile {
		return &cli.UsageError{Message: "missing: --file", Hint: "`reseller export --output-file customers.yaml` writes a file to start from"}
	}
	return cmp.Or(o.readFlags.check(), o.prune.check(c))
}

func (o *compareFlags) jobKey() []string {
	key := []string{"--type=" + o.keywordType}
	if len(o.separators) > 0 {
		key = append(key, "--keyword-separator="+strings.Join(o.separators, " or "))
	}
	if len(o.prune.kinds) > 0 {
		key = append(key, "--prune="+strings.Join(o.prune.kinds, ","), "--prune-limit="+o.prune.limit)
	}
	if o.allowSimilar || o.allowRename {
		key = append(key, fmt.Sprintf("--allow=%t,%t", o.allowSimilar, o.allowRename))
	}
	return key
}

// sameFile returns the file as apply reads it again.
func sameFile(in *bulkcmd.InputFlags) string {
	return in.SameFile(nil, "type", "allow-similar", "allow-rename")
}

type request struct {
	*compareFlags
	session     *cli.Session
	file        *bulkcmd.FileFlags
	resumed     *decisions // of the job that resumes, nil if none does
	exists      bool       // a customer of the file exists, to compare it needs more than the list of version 1
	showsFaulty bool       // the changes of a row with a fault, as far as they are known, are plans, too
}

// compare reads what the service holds of the customers in a file, which was validated, and compares the two. It sends nothing.
func compare(ctx context.Context, c *client.Client, source *rows.Source, q request) (all *comparison, err error) {
	if !q.onlyNew { // whose rows have most of what their plans need
		cli.Comparing.Use() // until the command ends
	}
	all = &comparison{model: portfolio.New(), doubted: map[int]bool{}}
	if all.digest, err = source.Digest(); err != nil {
		return all, err
	}
	lists := loads.ListOptions{Campaigns: q.anyOfCampaign.Load() || q.prune.unmanaged, MayLackV2: q.onlyNew}
	if q.onlyNew && !q.exists { // new accounts need no more
		lists = loads.ListOptions{OnlyVersion1: true}
	}
	defer q.session.Status("")
	q.session.Status("reading the lists of the service …")
	all.current, err = loads.ReadLists(ctx, c, all.model, lists)
	if q.prune.unmanaged && err == nil {
		err = all.current.CampaignsUnread
	}
	if err != nil {
		return all, err
	}
	if q.onlyNew && q.resumed == nil { // otherwise a question may wait for its answer, or a job have sent some
		all.listed = all.current.IDs()
	}
	memory, unknown := q.session.Memory(ctx)
	sent := unlisted{request: &q, memory: memory, place: source.Place, isNone: unknown != nil || q.file.Restart} // without a store, there are no jobs
	defer func() { _ = sent.history.Close() }()
	if err := sent.addAccounts(ctx, all, source); err != nil {
		return all, err
	}
	o, limit := q.options(c, source)
	matched := portfolio.NewComparison(all.model, all.current, o)
	unidentified := slices.IndexFunc(all.current.Customers, func(c portfolio.CurrentCustomer) bool { return !c.InVersion1 })
	var needs []loads.Need
	isRead, needsKeywords := make([]bool, len(all.current.Customers)), q.prune.has(pruneKeywords) || q.prune.unmanaged
	for _, w := range all.desired(ctx, source, &q, &err) {
		matched.See(w)
		at, _, reason := all.current.Match(all.model, w)
		if lists.OnlyVersion1 && at >= 0 { // to be compared with all that the lists show
			q.exists = true
			break
		}
		if reason == "" && at >= 0 && !isRead[at] {
			isRead[at], needsKeywords = true, needsKeywords || w.HasKeywords
			if w.Notes != nil || w.Plan != nil {
				needs = append(needs, loads.Need{Customer: at, Notes: w.Notes != nil, Plans: w.Plan != nil})
			}
		}
	}
	switch {
	case err != nil:
		return all, err
	case lists.OnlyVersion1 && q.exists:
		return compare(ctx, c, source, q)
	}
	q.session.Status("comparing " + phrase.Count(source.Report.Send, "customer", "customers") + " with the service …")
	if err := loads.ReadDetails(ctx, c, all.model, all.current, needs, needsKeywords, q.file.Concurrency); err != nil {
		return all, err
	}
	for of, w := range all.desired(ctx, source, &q, &err) {
		row := of.Ordinal
		p, faults := matched.Add(w)
		if p.Create != nil && unidentified >= 0 {
			faults = []portfolio.Fault{{Reason: fmt.Sprintf("account %d, which the list of version 1 lacks, may be this customer: run the command again", all.current.Customers[unidentified].Account)}}
		}
		for _, f := range faults {
			all.faults = append(all.faults, rows.Fault{Row: row, Column: f.Field, Reason: f.Reason, Shown: f.Shown})
		}
		if faults != nil && !(q.showsFaulty && p.HasChanges()) {
			continue
		}
		sent.see(ctx, all, &p, w, of)
		p.Changes, p.AddKeywords = slices.Clone(p.Changes), slices.Clone(p.AddKeywords) // without room for more
		all.plans, all.rows = append(all.plans, p), append(all.rows, row)
	}
	if err != nil {
		return all, err
	}
	ofCampaign := func(f rows.Fault) bool { return f.Column == "campaign_id" }
	if !lists.Campaigns && !lists.OnlyVersion1 && (slices.ContainsFunc(all.faults, ofCampaign) || all.current.StrayKeywords > 0) {
		q.anyOfCampaign.Store(true)
		return compare(ctx, c, source, q)
	}
	if all.pruned, err = matched.Prune(limit); err != nil {
		return all, cli.Usagef("--prune-limit: %v", err)
	}
	if q.isShard || source.Report.Invalid > 0 { // the other rows may name them
		all.pruned.UnmanagedAccounts, all.pruned.UnmanagedCampaigns, all.pruned.Unmanaged = 0, 0, nil
	}
	if q.resumed == nil && (o.PruneKeywords || o.PruneAccounts) {
		err = unknown
	}
	if err == nil && o.PruneKeywords && q.resumed == nil {
		err = all.checkRecent(&memory)
	}
	if err == nil {
		err = cmp.Or(sent.err, sent.leaveOutKeywords(all.plans))
	}
	if err == nil && unknown == nil && !q.onlyNew && q.resumed == nil {
		err = sent.noteUpdates()
	}
	noteFirst(q.session, sent.doubts, "%d more are looked up first")
	noteFirst(q.session, sent.attached, "%d more were sent and are not listed")
	if err == nil && o.PruneAccounts {
		err = all.addPruned(&memory, source)
	}
	if q.file.Results == "" {
		all.current = nil
	}
	return all, err
}

// options returns how the file is compared, and how much may be pruned. What a resumed job permits and prunes was decided when it
// began.
func (q *request) options(c *client.Client, source *rows.Source) (portfolio.Options, portfolio.Limit) {
	o := portfolio.Options{
		Place: source.Place, IsLate: c.IsLate, OnRestored: bulkcmd.OnRestored(q.session, source.Place), NoValidate: q.session.Flags.NoValidate,
		Strict: q.session.Flags.Strict, KeepExisting: q.onlyNew, AllowSimilar: q.allowSimilar, AllowRename: q.allowRename,
		PruneAccounts: q.prune.has(pruneAccounts), PruneKeywords: q.prune.has(pruneKeywords), ListUnmanaged: q.prune.unmanaged,
	}
	if q.resumed == nil {
		return o, q.prune.parsed
	}
	o.AllowSimilar, o.AllowRename, o.PruneAccounts, o.PruneKeywords, o.PruneOnly = true, true, false, true, map[int64]bool{}
	for _, of := range q.resumed.Keywords {
		for _, k := range of {
			o.PruneOnly[k.RankID] = true
		}
	}
	return o, portfolio.NoLimit
}

// The hints after a list that was late, or that lacks an account for good.
const (
	again          = "run the command again in a minute"
	againOrWithout = again + "; if it stays so, leave out --prune accounts, and deactivate by `reseller accounts status` what is to be pruned"
)

// addPruned adds the plans of the accounts that are pruned. It returns an error if the file may name them.
func (all *comparison) addPruned(memory *bulk.Memory, source *rows.Source) error {
	if len(all.plans)+len(all.faults) == 0 {
		return cli.Usagef("--prune accounts: the file has no customers; all accounts would be deactivated")
	}
	if file := source.EmptyFile(); file != "" {
		return cli.Usagef("--prune accounts: %s has no customers; accounts that it named before would be deactivated", file).
			Hinted("remove the file if it should have none")
	}
	var ids [][]byte
	for i, account := range all.pruned.Accounts {
		switch current := &all.current.Customers[account.At]; {
		case !current.InVersion1:
			return cli.NotYet(againOrWithout, "--prune accounts: the list of version 1 lacks account %d, so a customer of the file may have it", account.Account)
		case current.Listed == nil:
			return cli.NotYet(againOrWithout, "--prune accounts: the list of version 2 lacks account %d, so its status is not known", account.Account)
		}
		listed, _ := record.Parse(all.current.Customers[account.At].Listed)
		values := rows.Values{{Name: "external_account_identifier", JSON: record.Quote(account.Identifier)}}
		for _, f := range portfolio.ContactFields() {
			values.Set(f.Name, listed.Get(f.ReadName()))
		}
		id, _ := loads.AccountIdentity(values, nil, nil)
		ids = append(ids, id)
		all.plans, all.rows = append(all.plans, account), append(all.rows, source.Len()+i)
	}
	var creating error
	err := memory.Each("account", 0, ids, func(i int, of *job.Memory, sent job.SentRow) {
		if sent.IsOpen {
			creating = cli.NotYet(again, "--prune accounts: job %s, which is running, creates account %d", of.Job, all.pruned.Accounts[i].Account)
		}
	})
	return cmp.Or(err, creating)
}

// checkRecent returns an error if jobs have just sent keywords that neither the service lists yet nor the file names: they
// could not be pruned.
func (all *comparison) checkRecent(memory *bulk.Memory) error {
	recent := map[dedupe.Identity]string{}
	err := memory.Each("keyword", bulk.MaxListLag, nil, func(_ int, of *job.Memory, sent job.SentRow) {
		if of.Job != "" || sent.State != job.StateRejectedBatch {
			recent[sent.Identity()] = of.By()
		}
	})
	if err != nil || len(recent) == 0 {
		return err
	}
	for _, c := range all.current.Customers {
		for i := range c.Keywords {
			delete(recent, memory.Identity(loads.KeywordKey(c.Account, c.Campaign, c.Keywords[i].Text)))
		}
	}
	for _, p := range all.plans {
		for _, k := range p.AddKeywords {
			delete(recent, memory.Identity(loads.KeywordKey(p.Account, p.Campaign, k.Text)))
		}
	}
	if by := slices.Compact(slices.Sorted(maps.Values(recent))); by != nil {
		return cli.NotYet(again, "--prune keywords: the service does not list %s yet that %s %s just sent",
			phrase.Count(len(recent), "keyword", "keywords"), phrase.And(by), phrase.Noun(len(by), "has", "have"))
	}
	return nil
}

func compareFile(ctx context.Context, f *cli.Frame, in *bulkcmd.InputFlags, flags *compareFlags) (*comparison, error) {
	defer cli.Streaming.Use()()
	defaults, err := credentialsDefaults(f.Session)
	if err != nil {
		return nil, err
	}
	spec := flags.anyCustomers(f.Session, portfolio.New())
	spec.Defaults, spec.Validate = defaults, !f.Flags.NoValidate
	source, err := in.Source(ctx, f, spec, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }()
	c, err := f.Client()
	if err != nil {
		return nil, err
	}
	all, err := compare(ctx, c, source, request{
		compareFlags: flags, session: f.Session, file: &bulkcmd.FileFlags{InputFlags: *in, Options: bulk.Options{Concurrency: cli.DefaultConcurrency}}, showsFaulty: !in.Skips(),
	})
	if err != nil {
		return nil, err
	}
	err = in.Refuse(f.Session, f.Outcome, all.faults)
	all.invalid = source.Report.Invalid
	return all, cmp.Or(err, flags.prune.checkInvalid(all.invalid))
}

// desired iterates over the rows that can be sent, and the customers that they describe. It ends with an error in err.
func (all *comparison) desired(ctx context.Context, source *rows.Source, q *request, err *error) iter.Seq2[*rows.Row, *portfolio.Desired] {
	return func(yield func(*rows.Row, *portfolio.Desired) bool) {
		keywords := q.keywords(q.session)
		for row, failed := range source.Valid() {
			if *err = cmp.Or(failed, context.Cause(ctx)); *err != nil {
				return
			}
			w, column, reason := all.model.Desired(row.Given().Map(), keywords)
			if reason != "" { // CheckRow of the schema has found the row to be valid
				*err = fmt.Errorf("%s, %s: %s", source.Place(row.Line), column, reason)
				return
			}
			w.Line = row.Line
			for i := range row.Invalid {
				w.AddInvalid(row.Invalid[i].Name, row.Invalid[i].Issue.Reason)
			}
			for _, cell := range row.Repaired {
				if w.Original == nil {
					w.Original = map[string]string{}
				}
				w.Original[cell.Field] = cell.Text
			}
			if !yield(row, w) {
				return
			}
		}
	}
}

func (all *comparison) ofFile() []portfolio.Plan {
	return all.plans[:len(all.plans)-len(all.pruned.Accounts)]
}

// isWhole reports whether all customers could be compared with all that the file says of them.
func (all *comparison) isWhole() bool {
	return !slices.ContainsFunc(all.plans, func(p portfolio.Plan) bool { return p.Unread != nil })
}

// unknown returns the plans of the customers of which not all is known that has to change.
func (all *comparison) unknown() (plans []*portfolio.Plan) {
	for i := range all.plans {
		if all.plans[i].Unknown() != nil {
			plans = append(plans, &all.plans[i])
		}
	}
	return plans
}

// noteDoubts notes what seems to be wrong, and is not refused.
func (all *comparison) noteDoubts(session *cli.Session) {
	var shared, doubled, others, deactivated []string
	for i := range all.plans {
		p := &all.plans[i]
		if p.Sharing != "" && !slices.Contains(shared, p.Sharing) {
			shared = append(shared, p.Sharing)
		}
		for _, d := range p.Doubled {
			doubled = append(doubled, fmt.Sprintf("campaign %d has the active keyword %s %d times: %s", p.Campaign, safetext.Quote(d.Text), len(d.RankIDs), portfolio.IDsText(d.RankIDs)))
		}
		if p.Deactivated != "" {
			deactivated = append(deactivated, p.Deactivated)
		}
		if p.Other != "" {
			others = append(others, p.Other+": the row may be another customer with the same identifier")
		}
	}
	noteFirst(session, shared, "%d more are those of several accounts")
	noteFirst(session, doubled, "%d more are there several times; `reseller keywords list --duplicates` shows all")
	noteFirst(session, deactivated, "%d more are deactivated")
	noteFirst(session, others, "%d more may be other customers")
}

type pruneFlags struct {
	kinds  []string // keywords, accounts or both, sorted; empty if nothing is pruned
	limit  string
	parsed portfolio.Limit // limit, once check has returned no error
	// unmanaged says to treat what the file does not name, and what is not pruned, as a difference.
	unmanaged bool
}

const (
	pruneAccounts = "accounts"
	pruneKeywords = "keywords"
)

func (p *pruneFlags) addTo(c *cobra.Command) {
	c.Flags().StringSliceVar(&p.kinds, "prune", nil, "also deactivate `WHAT` the file does not name: keywords (of customers with a list) or accounts (repeatable)")
	c.Flags().StringVar(&p.limit, "prune-limit", "10%", "refuse to prune more than `N`, or N% of the active ones of each kind (default 10%)")
	cli.Offer(c, "prune", pruneKeywords, pruneAccounts)
}

func (p *pruneFlags) check(c *cobra.Command) (err error) {
	for _, kind := range p.kinds {
		if kind != pruneAccounts && kind != pruneKeywords {
			return cli.Usagef("--prune: %q is neither keywords nor accounts", kind)
		}
	}
	if len(p.kinds) == 0 && c.Flags().Changed("prune-limit") {
		return cli.Usagef("--prune-limit requires --prune")
	}
	slices.Sort(p.kinds)
	p.kinds = slices.Compact(p.kinds)
	if p.parsed, err = portfolio.ParseLimit(p.limit); err != nil {
		return cli.Usagef("--prune-limit: %v", err)
	}
	return nil
}

func (p *pruneFlags) has(kind string) bool { return slices.Contains(p.kinds, kind) }
