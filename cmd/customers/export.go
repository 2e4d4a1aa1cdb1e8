// Package customers has the commands that work on whole customers, with a record for each: its account, keywords,
// notes and plan.
package customers

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/lookup"
	"reseller/output"
	"reseller/output/encode"
	"reseller/output/page"
)

type exportOptions struct {
	accounts []int64 // empty for all
	fan      fanout.Flags
	finder   *lookup.Finder // has found the accounts
	dir      string         // of a file for each customer; empty for one output
}

func NewExport(f *cli.Frame) *cobra.Command {
	o := &exportOptions{}
	var accounts []string
	var all bool
	c := &cobra.Command{
		Use:   "export",
		Short: "Export the customers: accounts, keywords, notes and plans",
		Long: "Export what the service holds, one record for each customer: account_id, campaign_id, status, the fields of\n" +
			"`reseller accounts create`, the keywords and the notes of the campaign, and the plan that is attached to it. The\n" +
			"customers are in the order of account_id, their keywords in the order of their texts, so that two exports of the\n" +
			"same customers are the same. Of keywords that differ in case and white space at most, a campaign has one. Fields that the\n" +
			"service does not show are left out. Credentials can't be read, so no export has them.\n\n" +
			"In yaml, each customer is a document, and a comment names the server and the reseller. An active target keyword is written as its text, any other keyword as an\n" +
			"object with keyword, type and status. In formats with cells, keywords are separated by ;, each as text or text|type,\n" +
			"if that says all about them; otherwise the cell has them as JSON.\n\n" +
			"--output-dir DIR writes a file for each customer, in yaml unless -o says otherwise, which --file DIR of `reseller diff`\n" +
			"and `reseller apply` reads. Its name has the name of the account, its id and that of the campaign. Other files of the\n" +
			"folder stay as they are, also those of an earlier export.\n\n" +
			"The accounts, campaigns and keywords are read as lists, the notes and plans of each customer one by one, in parallel\n" +
			"(--concurrency). A customer of which a part can't be read is left out: the error is printed, the others continue,\n" +
			"and the exit code is 3.",
		Example: "reseller export --server mock --output-file customers.yaml\n" +
			"reseller export --server mock --output-dir customers\n" +
			"reseller export --server mock --account 1 --account 2 -o ndjson\n" +
			"reseller export --server mock -o csv --columns account_id,account_name,keywords",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case all && len(accounts) > 0:
				return cli.Usagef("--all exports every customer and can't be used with --account")
			case f.Flags.Raw:
				return cli.Usagef("--raw prints one response unchanged, and a customer comes from several")
			}
			if c.Flags().Changed("output-dir") {
				if err := o.checkDir(f.Session, f.Output); err != nil {
					return err
				}
			}
			if err := o.fan.Check(f.Session); err != nil {
				return err
			}
			var err error
			o.finder = lookup.New(f.Session)
			o.finder.Partial = true
			if o.accounts, err = o.finder.Accounts(c.Context(), "--account", accounts...); err != nil {
				return err
			}
			return runExport(c.Context(), f, o)
		},
	}
	c.Flags().StringArrayVar(&accounts, "account", nil, "`ID` or name of an account to export (repeatable)")
	c.Flags().BoolVar(&all, "all", false, "export every customer of the reseller, which is the default")
	c.Flags().StringVar(&o.dir, "output-dir", "", "write a file for each customer to the folder `DIR`")
	_ = c.MarkFlagDirname("output-dir")
	o.fan.AddCallsTo(c)
	f.Flags.AddSummaryFile(c)
	return f.SetCompletionResource(c, portfolio.New().Resource())
}

func runExport(ctx context.Context, f *cli.Frame, o *exportOptions) error {
	model := portfolio.New()
	shape := cli.Shape(model.Resource(), false)
	shape.Documents = true
	destination, err := destinationText(ctx, f.Session)
	if err != nil {
		return err
	}
	shape.Comment = exportedPrefix + destination
	format, err := f.Output.Format()
	if err != nil {
		return err
	}
	out, err := o.output(f.Output, shape)
	if err != nil {
		return err
	}
	defer out.Abort()
	if o.dir != "" {
		unlock, err := cli.LockOutputDir(o.dir)
		if err != nil {
			return err
		}
		defer unlock()
	}
	c, err := f.Client()
	if err != nil {
		return err
	}
	lists := loads.ListOptions{Accounts: o.accounts, Keywords: true, Campaigns: true}
	current, err := loads.ReadLists(ctx, c, model, lists)
	if unread := err; loads.IsRefused(err) { // maybe of the campaigns, without which an account whose campaign no other list shows has none
		lists.Campaigns = false
		if current, err = loads.ReadLists(ctx, c, model, lists); err == nil {
			current.CampaignsUnread = unread
		}
	}
	isListed := func(id int64) bool {
		return slices.ContainsFunc(current.Customers, func(c portfolio.CurrentCustomer) bool { return c.Account == id && (c.Listed != nil || c.InVersion1) })
	}
	if err == nil && o.finder.Replace(ctx, lookup.Account, o.accounts, isListed) {
		current, err = loads.ReadLists(ctx, c, model, lists)
	}
	if err != nil {
		return err
	}
	if current.CampaignsUnread != nil {
		f.Note("further campaigns of an account are not exported: %v", current.CampaignsUnread)
	}
	if current.StrayKeywords > 0 {
		f.Note("%s of campaigns that no list shows: not exported", phrase.Count(current.StrayKeywords, "keyword", "keywords"))
	}
	r := &reading{Current: current, model: model, inCells: !format.WholeRecords(), severalPlans: make([]string, len(current.Customers))}
	r.notes.isOffered = sync.OnceValue(func() bool { return r.offers(ctx, c, loads.Need{Notes: true}) })
	r.plans.isOffered = sync.OnceValue(func() bool { return r.offers(ctx, c, loads.Need{Plans: true}) })
	fan := &fanout.FanOut{Flags: o.fan, Calls: len(r.Customers)}
	fan.Call = func(ctx context.Context, c *client.Client, i int, give func(record.Record) error) error {
		if err := o.finder.Unfound(r.Customers[i].Account); err != nil {
			return err
		}
		rec, err := r.customer(ctx, c, i)
		if err != nil {
			return fmt.Errorf("account %d: %w", r.Customers[i].Account, err)
		}
		return give(rec)
	}
	return fanout.Export(ctx, f.Session, f.Outcome, fan, out, func(list iter.Seq2[record.Record, error]) error {
		defer r.noteLeftOut(f.Session)
		var err error
		if o.dir != "" {
			err = o.writeFiles(ctx, f.Session, f.Output, shape, list)
		} else {
			err = out.Records(ctx, list)
		}
		return cmp.Or(err, r.notes.lost("notes"), r.plans.lost("plans"))
	})
}

// checkDir checks the flags that are used with --output-dir, and sets the format to yaml unless there is one.
func (o *exportOptions) checkDir(session *cli.Session, to *cli.Output) error {
	if err := to.CheckOutputDir(o.dir, "writes a file for each customer, so it can't be used with --output-file"); err != nil {
		return err
	}
	session.Flags.Output = cmp.Or(session.Flags.Output, string(encode.YAML))
	format, err := to.Format()
	switch {
	case session.Flags.JQ != "":
		return cli.Usagef("--output-dir writes customers, so it can't be used with --jq")
	case err == nil && format.Kind() == encode.KindReading:
		return cli.Usagef("--output-dir: no command reads customers from %s: use -o yaml, json, ndjson, csv, tsv or xlsx", format)
	}
	return err
}

// output opens the output of the records. With --output-dir nothing is written to it: it only checks the flags.
func (o *exportOptions) output(to *cli.Output, shape output.Shape) (*cli.Out, error) {
	if o.dir == "" {
		return to.Open(shape)
	}
	out, err := to.OpenText(output.OpenFile)
	if err == nil {
		err = out.Check(shape)
	}
	return out, err
}

func (o *exportOptions) writeFiles(ctx context.Context, session *cli.Session, to *cli.Output, shape output.Shape, list iter.Seq2[record.Record, error]) error {
	n := 0
	for rec, err := range list {
		if err != nil {
			return err
		}
		account, campaign := loads.IDsOf(rec)
		session.Flags.OutputFile = filepath.Join(o.dir, page.FileName(rec.Get("account_name").Text(), session.Flags.Output, account, campaign))
		if err := to.Write(shape, func(out *cli.Out) error { return out.Record(ctx, rec) }); err != nil {
			return err
		}
		n++
	}
	session.Note("%s written to %s", phrase.Count(n, "file was", "files were"), o.dir)
	return nil
}

// A reading is one reading of the customers to export. The notes and plans are not held: they
// are read when their customer is printed.
type reading struct {
	*portfolio.Current
	model        *portfolio.Model
	inCells      bool         // the format has cells
	severalPlans []string     // for each customer, the ids of its plans if its campaign has several
	repeated     atomic.Int64 // the keywords that the records leave out (see portfolio.Distinct)
	notes, plans part
}

// A part of customers, which the service may not offer.
type part struct {
	isOffered func() bool // asks for it once
	adding    sync.Mutex
	isRead    bool    // of a campaign
	missing   []int64 // the campaigns that lack it
}

func (p *part) add(isRead bool, campaign int64) {
	p.adding.Lock()
	defer p.adding.Unlock()
	if p.isRead = p.isRead || isRead; !isRead {
		p.missing = append(p.missing, campaign)
	}
}

// offers reports whether the service has what is needed of one of the first customers.
func (r *reading) offers(ctx context.Context, c *client.Client, need loads.Need) bool {
	return slices.ContainsFunc(r.Customers[:min(len(r.Customers), 8)], func(current portfolio.CurrentCustomer) bool {
		notes, plans := loads.ReadCustomer(ctx, c, &current, need)
		return notes == nil && plans == nil && current.Campaign != 0
	})
}

// lost returns the error of a part that some campaigns have and others lack: the service offers it, and a gateway has answered for it.
func (p *part) lost(name string) error {
	if !p.isRead || p.missing == nil {
		return nil
	}
	slices.Sort(p.missing)
	return &cli.ExitError{Code: cli.ExitPartial, Err: fmt.Errorf("the %s of %s %s were not found, though the service has those of others", name, phrase.Noun(len(p.missing), "campaign", "campaigns"), portfolio.IDsText(p.missing)), Hint: "run the command again"}
}

func (r *reading) customer(ctx context.Context, c *client.Client, i int) (record.Record, error) {
	current := r.Customers[i]
	switch {
	case current.Listed == nil || !current.InVersion1:
		version := 1
		if current.Listed == nil {
			version = 2
		}
		err := fmt.Errorf("it is not in the accounts list of version %d", version)
		return record.Record{}, &cli.ExitError{Code: cli.ExitNotFound, Err: err, Hint: "`reseller accounts list` shows the accounts"}
	case current.Account < 1 || current.Campaign < 0:
		return record.Record{}, &portfolio.NotShownError{What: fmt.Sprintf("the service shows no valid id of %s", safetext.Quote(current.Name()))}
	case current.KeywordsUnread != nil:
		return record.Record{}, current.KeywordsUnread
	}
	notes, plans := loads.ReadCustomer(ctx, c, &current, loads.Need{Notes: true, Plans: true})
	isLost := func(err error, of *part) bool {
		return err != nil && (!errors.Is(err, client.ErrNotOffered) || of.isOffered())
	}
	switch {
	case isLost(notes, &r.notes):
		return record.Record{}, notes
	case isLost(plans, &r.plans):
		return record.Record{}, plans
	}
	if current.Campaign != 0 {
		r.notes.add(current.Notes != nil, current.Campaign)
		r.plans.add(current.PlansRead, current.Campaign)
	}
	if len(current.Plans) > 1 {
		times, ids := map[string]int{}, phrase.Each(current.Plans, func(plan record.Value) string { return plan.Get("service_plan_id").Text() })
		for _, id := range ids {
			times[id]++
		}
		r.severalPlans[i] = phrase.List(phrase.Each(ids, func(id string) string { // each once
			if n := times[id]; n > 1 {
				return fmt.Sprintf("%s (%d times)", id, n)
			}
			return id
		})...)
	}
	kept := portfolio.Distinct(current.Keywords)
	for i := range kept {
		if what := kept[i].Unshown(); what != "" { // a file would mean that it is an active target keyword
			return record.Record{}, &portfolio.NotShownError{What: fmt.Sprintf("the service does not show the %s of the keyword %s", what, safetext.Quote(kept[i].Text))}
		}
	}
	r.repeated.Add(int64(len(current.Keywords) - len(kept)))
	return r.model.Record(&current, r.inCells)
}

func (r *reading) noteLeftOut(session *cli.Session) {
	if !r.notes.isRead && r.notes.missing != nil {
		session.Note("the service does not offer the notes of campaigns, so they are left out")
	}
	if !r.plans.isRead && r.plans.missing != nil {
		session.Note("the service does not offer the plans of campaigns, so service_plan_id is left out")
	}
	var several []string
	for i, plans := range r.severalPlans {
		if c := &r.Customers[i]; plans != "" {
			several = append(several, fmt.Sprintf("account %s: service_plan_id is left out, since campaign %d has several plans: %s", namedAccount{c.Account, c.Name()}, c.Campaign, plans))
		}
	}
	noteFirst(session, several, "service_plan_id is left out of %d more")
	if n := int(r.repeated.Load()); n > 0 {
		session.Note("%s left out, since another one of the campaign differs in case and white space at most", phrase.Count(n, "keyword is", "keywords are"))
	}
}

// exportedPrefix begins the comment in the first line of a yaml file that export has written.
const exportedPrefix = "exported from "

func destinationText(ctx context.Context, session *cli.Session) (string, error) {
	to, err := session.Destination(ctx)
	if err != nil || to.Subject == "" {
		return to.BaseURL, err
	}
	return to.BaseURL + " for reseller " + to.Subject, nil
}

// exportedElsewhere notes and returns from where a file, or a file of a folder, was exported, if that is not the server and the
// reseller of the command. It is empty if no file says so.
func exportedElsewhere(ctx context.Context, session *cli.Session, path string) (other string, err error) {
	here, err := destinationText(ctx, session)
	if err != nil || path == "-" {
		return "", err
	}
	err = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		if ext := strings.ToLower(filepath.Ext(file)); err != nil || !entry.Type().IsRegular() || ext != ".yaml" && ext != ".yml" {
			return nil // what can't be read is told when its rows are
		}
		opened, err := os.Open(file)
		if err != nil {
			return nil
		}
		defer func() { _ = opened.Close() }()
		line, _ := bufio.NewReader(io.LimitReader(opened, 4096)).ReadString('\n')
		if from, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "# "+exportedPrefix); ok && from != here {
			other = safetext.Shorten(from)
			session.Note("%s was exported from %s, and this is %s", file, other, here)
			return fs.SkipAll
		}
		return nil
	})
	return other, err
}
