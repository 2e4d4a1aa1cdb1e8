package reports

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"reseller/client"
	"reseller/client/atomicfile"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/summary"
	"reseller/client/trust"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/config"
	"reseller/output"
	"reseller/output/chart"
	"reseller/output/page"
)

type summaryOptions struct {
	asked []record.Pair // the period and the comparison, as a file of failures has them
	selection
	scope summary.Scope
	dir   string // of the pages of several campaigns, empty for one campaign
	brand string // the file
	words ownWords
	notes customerNotes
	page  page.Options // of pages whose customer has no language
	// format is that of the pages in dir, and of the file of one campaign. It is empty for the terminal.
	format page.Format

	isCSVMarked bool // mail.csv begins with a byte-order mark

	mu      sync.Mutex // of what the pages that are made at the same time change
	lacking []rune     // characters that the PDFs made so far can't show
	squares []string   // the names of these PDFs
}

// render returns the page of a campaign in its format. It has a name if it is one of several.
func (o *summaryOptions) render(p *summary.Page, ref campaignRef, name string) ([]byte, error) {
	note := o.notes.of(ref)
	options := o.page
	options.Words, options.Note = note.words, note.Text
	if o.format != page.PDF {
		return page.Render(p, options), nil
	}
	text, lacking, err := page.RenderPDF(p, options)
	if len(lacking) > 0 {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.lacking, o.squares = append(o.lacking, lacking...), append(o.squares, name)
	}
	return text, err
}

// noteLacking tells which characters the PDFs show as squares, and which of several PDFs.
func (o *summaryOptions) noteLacking(session *cli.Session) {
	if len(o.squares) == 0 {
		return
	}
	slices.Sort(o.lacking)
	slices.Sort(o.squares)
	in := ""
	if names := phrase.First(o.squares, maxNamed); names != "" {
		in = ", in " + names
	}
	session.Note("a PDF can't show %s%s; print the page in HTML from a browser", chart.FirstLetters(slices.Compact(o.lacking)), in)
}

// noteUnshown names the customers whose names PDFs can't show.
func (m *pageMaker) noteUnshown(session *cli.Session) {
	var names []string
	for _, of := range m.subjects {
		if name, _ := of.Names(); m.format == page.PDF && !page.PDFShows(name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		session.Note("a PDF can't show the %s %s", phrase.Noun(len(names), "name", "names"), phrase.First(names, maxNamed))
	}
}

// readBrand reads the brand of the flag, the environment or the profile. A relative path in a profile
// starts at the folder of the settings file.
func (o *summaryOptions) readBrand(ctx context.Context, session *cli.Session) error {
	path := o.brand
	if path == "" {
		settings, err := session.Settings()
		if err != nil {
			return err
		}
		value := settings.Get("brand")
		if path = value.Text; value.Origin.Kind == config.FromProfile && path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(settings.Path()), path)
		}
	}
	if path == "" || o.format == "" {
		return nil
	}
	err := parseFile(ctx, session, "brand", path, page.MaxBrandFile, func(text []byte) (err error) {
		o.page.Brand, err = page.ParseBrand(text, func(name string) ([]byte, error) {
			if !filepath.IsAbs(name) {
				name = filepath.Join(filepath.Dir(path), name)
			}
			file, err := trust.OpenUnnamed(name)
			if err != nil {
				return nil, unnamed(err)
			}
			defer func() { _ = file.Close() }()
			return cli.ReadAtMost(file, name, page.MaxLogo)
		})
		if err == nil && o.page.Brand.Language != "" && o.words.all == nil {
			o.page.Words, err = o.words.in(o.page.Brand.Language)
		}
		return err
	})
	if err == nil && o.format == page.PDF && !o.page.Brand.HasLogoInPDF() {
		session.Note("brand %s: the logo is left out, since a PDF can't show an SVG file; use a PNG or JPEG file", path)
	}
	return err
}

// indexTimes is how often the index is written while pages are made, so that it is nearly whole if the command is killed.
const indexTimes = 20

type pageMaker struct {
	*summaryOptions
	refs     []campaignRef
	subjects []summary.Subject
	files    []string        // of the pages
	entries  []int           // for each campaign, its place in the index
	pages    []*summary.Page // for each campaign, its page until that is written
	listed   []*summary.Page // for each campaign, its page in the language of the index, until it is in there
	tracking tracking

	index page.Index
	made  int // pages since the index was written

	nameless error // why the names of accounts or campaigns could not be read
}

func (o *summaryOptions) runAll(ctx context.Context, f *cli.Frame) error {
	out, err := f.Output.OpenText(output.OpenFile)
	if err != nil {
		return err
	}
	defer out.Abort()
	m := &pageMaker{summaryOptions: o}
	if err := m.find(ctx, f); err != nil {
		return err
	}
	unlock, err := cli.LockOutputDir(o.dir)
	if err != nil {
		return err
	}
	defer unlock()
	if err := cmp.Or(trust.MakeFolder(filepath.Join(o.dir, readyFolder), 0o777), m.readIndex()); err != nil {
		return err
	}
	m.noteUnshown(f.Session)
	m.begin(f.Session)
	if err := cmp.Or(pruneReady(o.dir, m.index.Entries), m.writeIndex(true)); err != nil {
		return err
	}
	defer m.tracking.start(ctx, f.Session)()
	defer cli.Streaming.Use()()
	fan := m.newFan()
	fan.Finish = m.makePage
	err = fanout.Export(ctx, f.Session, f.Outcome, fan, out, fanout.Drain)
	if failed := cmp.Or(m.writeIndex(false), pruneReady(o.dir, m.index.Entries)); failed != nil {
		return f.Both(err, failed)
	}
	err = m.tracking.end(f.Session, err)
	o.noteLacking(f.Session)
	index := filepath.Join(o.dir, indexFile)
	f.Note("%s lists the pages", index)
	m.noteHeldBack(f.Session)
	f.Output.Show(index)
	return err
}

func (m *pageMaker) find(ctx context.Context, f *cli.Frame) (err error) {
	if m.refs, err = m.resolve(ctx, f); err == nil {
		err = m.notes.match(ctx, f.Session, m.finder, m.refs)
	}
	if err == nil {
		err = m.name(ctx, f.Session)
	}
	return err
}

func (m *pageMaker) newFan() *fanout.FanOut {
	m.pages, m.listed = make([]*summary.Page, len(m.refs)), make([]*summary.Page, len(m.refs))
	fan := m.fanOf(m.refs, m.asked)
	fan.Call = func(ctx context.Context, c *client.Client, i int, _ func(record.Record) error) error {
		if err := m.refs[i].err; err != nil {
			return err
		}
		return m.read(ctx, c, i)
	}
	return fan
}

// What is beside the pages of several campaigns.
const (
	indexFile = "index.html"
	mailFile  = "mail.csv" // a row for each customer with a page in the ready folder
)

// name names the files of the pages. Names that can't be read are left out. The file of a campaign whose id several accounts
// have is named by the account's id as well, whichever of them are selected.
func (m *pageMaker) name(ctx context.Context, session *cli.Session) error {
	names := readNames(ctx, session, &m.selection, m.refs...)
	switch names.read.Wait(); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case names.err != nil && fanout.IsFatal(names.err):
		return names.err
	case names.err != nil:
		m.nameless = namesMissing(names.err)
	}
	if err := names.check(m.refs...); err != nil {
		return err
	}
	for _, ref := range m.refs { // whose names may be missing
		names.index.names[ref.ids()] = names.index.names[ref.ids()]
	}
	owners := map[int64]int{} // how many accounts have a campaign with the id
	for ref := range names.index.names {
		owners[ref.campaign]++
	}
	for _, ref := range m.refs {
		subject := names.subject(ref)
		called := subject.AccountName
		if owners[ref.campaign] > 1 {
			called = fmt.Sprintf("%d-%s", ref.account, called)
		}
		m.subjects, m.files = append(m.subjects, subject), append(m.files, page.FileName(called, string(m.format), ref.campaign))
	}
	return nil
}

// readIndex makes the index, with the pages that an earlier run has made for the same period, so that a run that makes up for
// failures completes it. A folder with the pages of another period is an error, since some of them would be replaced.
func (m *pageMaker) readIndex() error {
	b := summary.NewBuilder(m.scope)
	blank := b.Page(summary.Subject{})
	asked := phrase.List(blank.Period, blank.Comparison)
	b.Words = m.page.Words
	blank = b.Page(summary.Subject{})
	m.index = page.Index{Days: asked, Period: blank.Period, Comparison: blank.Comparison, Made: blank.Made}
	text, err := trust.ReadFile(filepath.Join(m.dir, indexFile), "", page.MaxIndex)
	if err != nil {
		return nil // there is none
	}
	earlier, ok := page.ParseIndex(text)
	entries := slices.DeleteFunc(earlier.Entries, func(e page.Entry) bool { return e.File != "" && !m.has(e.File) })
	days := cmp.Or(earlier.Days, "another period")
	switch {
	case !ok:
	case days == asked:
		m.index.Entries = entries
	case slices.ContainsFunc(entries, func(e page.Entry) bool { return e.File != "" }):
		return &cli.UsageError{Message: fmt.Sprintf("--output-dir %s: it has the reports of %s, and not of %s", m.dir, days, asked), Hint: "use a folder for each period"}
	}
	return nil
}

// begin gives each campaign a place in the index. One that is to have all campaigns loses those that are listed no more.
func (m *pageMaker) begin(session *cli.Session) {
	places, isListed := map[campaignRef]int{}, map[campaignRef]bool{}
	for _, ref := range m.refs {
		isListed[ref.ids()] = true
	}
	earlier := len(m.index.Entries)
	m.index.Entries = slices.DeleteFunc(m.index.Entries, func(e page.Entry) bool {
		return m.all && !isListed[campaignRef{account: e.AccountID, campaign: e.CampaignID}]
	})
	if gone := earlier - len(m.index.Entries); gone > 0 {
		session.Note("%s no longer listed, since the campaigns list lacks %s", phrase.Count(gone, "page is", "pages are"), phrase.Noun(gone, "its campaign", "their campaigns"))
	}
	for i := range m.index.Entries {
		e := &m.index.Entries[i]
		e.IsReady = e.IsReady && isFile(filepath.Join(m.dir, readyFolder, e.File))
		places[campaignRef{account: e.AccountID, campaign: e.CampaignID}] = i
	}
	for i, ref := range m.refs {
		place, known := places[ref.ids()]
		if !known {
			place = len(m.index.Entries)
			places[ref.ids()] = place
			entry := page.Entry{AccountID: ref.account, CampaignID: ref.campaign, State: page.Waiting}
			entry.Name, entry.Campaign = m.subjects[i].Names()
			m.index.Entries = append(m.index.Entries, entry)
		}
		m.entries = append(m.entries, place)
	}
}

// has reports whether the folder has a page. name is from a file that anybody may have changed.
func (m *pageMaker) has(name string) bool {
	return name == filepath.Base(name) && formatOf(name) != "" && isFile(filepath.Join(m.dir, name))
}

// makePage makes the page of a campaign, the reading of which ended with err. If some of its reports
// failed, the page says so, and the campaign counts as failed, as it does without its names; if all failed, there is no page.
func (m *pageMaker) makePage(ctx context.Context, i int, err error) error {
	ref, made, listed := m.refs[i], m.pages[i], m.listed[i]
	m.pages[i], m.listed[i] = nil, nil
	if err != nil && ref.err == nil && (ctx.Err() != nil || fanout.IsFatal(err)) {
		return err
	}
	err = cmp.Or(err, m.nameless)
	m.mu.Lock()
	entry := m.index.Entries[m.entries[i]]
	m.mu.Unlock()
	earlier := entry.File
	entry.Name, entry.Campaign = m.subjects[i].Names()
	entry.State, entry.Error, entry.File, entry.IsReady = page.Whole, "", "", false
	if made != nil {
		entry.Held = heldBack(err, made, m.subjects[i], m.format)
		entry.File, entry.IsReady = m.files[i], entry.Held == ""
		if failed := m.write(earlier, m.files[i], made, ref, entry.IsReady); failed != nil {
			return failed
		}
		entry.Describe(m.notes.of(ref).words, made)
		called, subject, sentence := entry.Called, entry.Subject, entry.Sentence // of the mail, in the language of the customer
		entry.Describe(m.page.Words, listed)
		entry.Email, entry.Called, entry.Subject, entry.Sentence = m.subjects[i].Email, called, subject, sentence
		look := func(isDue bool, why string) {
			if isDue {
				entry.Look = append(entry.Look, m.page.Words.Say(why))
			}
		}
		look(m.subjects[i].IsDeactivated, "index.deactivated")
		look(entry.Held == heldNameless, "nameless")
		look(entry.Held == heldUnshown, "index.unshown")
		look(entry.IsReady && entry.Email == "", "index.no_email")
		look(m.notes.path != "" && len(m.notes.of(ref).Text) == 0, "index.no_note")
	}
	if err != nil {
		if entry.State, entry.Error = page.Incomplete, fanout.Causes(err); made == nil {
			entry.State = page.Failed
		}
	}
	m.mu.Lock()
	m.index.Entries[m.entries[i]] = entry
	m.made++
	isDue := m.made >= max(1, len(m.refs)/indexTimes)
	m.mu.Unlock()
	if isDue {
		err = cmp.Or(m.writeIndex(true), err)
	}
	return err
}

// read reads the reports of a campaign one after the other. It makes no page if all of them failed.
func (m *pageMaker) read(ctx context.Context, c *client.Client, i int) error {
	b, note := summary.NewBuilder(m.scope), m.notes.of(m.refs[i])
	b.Words, b.Targets = note.words, note.Targets
	var failed []error
	for n := range reports {
		if err := m.tracking.read(ctx, c, m.scope, &reports[n], m.refs[i], b, true); err != nil {
			failed = append(failed, err)
		}
		if n := len(failed); n > 0 && (ctx.Err() != nil || fanout.IsFatal(failed[n-1])) {
			return failed[n-1]
		}
	}
	if len(failed) == len(reports) {
		return fanout.PartErrors(len(reports), failed)
	}
	requests := len(reports)
	if b.TrackingUnknown != nil {
		requests, failed = requests+1, append(failed, b.TrackingUnknown)
	}
	m.pages[i] = b.Page(m.subjects[i])
	if m.listed[i] = m.pages[i]; b.Words != m.page.Words {
		b.Words = m.page.Words
		m.listed[i] = b.Page(m.subjects[i])
	}
	return fanout.PartErrors(requests, failed)
}

// write writes a page as a whole in place of the earlier one of its campaign, and a copy of one that is ready to the folder of those.
func (m *pageMaker) write(earlier, name string, p *summary.Page, ref campaignRef, isReady bool) error {
	text, err := m.render(p, ref, name)
	if err != nil {
		return err
	}
	err = atomicfile.WriteFile(filepath.Join(m.dir, name), text, 0o666)
	if err == nil && !strings.EqualFold(earlier, name) && m.isPageOf(earlier, ref.campaign) && m.has(earlier) {
		err = os.Remove(filepath.Join(m.dir, earlier))
	}
	if err == nil && isReady {
		err = atomicfile.WriteFile(filepath.Join(m.dir, readyFolder, name), text, 0o666)
	}
	return err
}

// writeIndex writes the index as it is now. isOpen says that more pages are to be made.
func (m *pageMaker) writeIndex(isOpen bool) (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.made, m.index.IsOpen = 0, isOpen
	files := m.index.RenderLetters(m.page.Words, m.page.Brand)
	files[mailFile], files[indexFile] = mailsOf(m.index.Entries, m.isCSVMarked), m.index.Render(m.page.Words, m.page.Brand)
	for name, text := range files {
		path := filepath.Join(m.dir, name)
		if text != nil {
			err = cmp.Or(err, atomicfile.WriteFile(path, text, 0o666))
		} else if isFile(path) {
			err = cmp.Or(err, os.Remove(path))
		}
	}
	return err
}
