package reports

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/summary"
	"reseller/cmd/cli"
	"reseller/output/page"
)

const readyFolder = "ready"

// heldReasons are in the order of the conditions of heldBack.
var heldReasons = []struct{ key, one, many string }{
	{"parts", "parts are missing", "parts are missing"},
	{"unmeasured", "nothing was measured", "nothing was measured"},
	{"deactivated", "the account is deactivated", "their accounts are deactivated"},
	{heldNameless, "the customer has no name", "the customers have no names"},
	{heldUnshown, "a PDF can't show the name of the customer", "a PDF can't show the names of the customers"},
}

const heldNameless, heldUnshown = "nameless", "unshown"

// heldBack returns the key of why a page can't be sent, empty if it can. Its parts are missing if err is not nil.
func heldBack(err error, made *summary.Page, of summary.Subject, format page.Format) string {
	for i, isHeld := range []bool{err != nil, len(made.Sentences) == 0, of.IsDeactivated, of.AccountName == "", format == page.PDF && !page.PDFShows(made.Title)} {
		if isHeld {
			return heldReasons[i].key
		}
	}
	return ""
}

// formatOf returns the format of a page by the name of its file, empty if it is none of a page.
func formatOf(name string) page.Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm":
		return page.HTML
	case ".pdf":
		return page.PDF
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

func (m *pageMaker) noteHeldBack(session *cli.Session) {
	counts := map[string]int{}
	var without []string // an e-mail address
	for _, e := range m.index.Entries {
		if e.IsReady && e.Email == "" {
			without = append(without, e.Called)
		}
		if e.File != "" && !e.IsReady {
			if e.State != page.Whole {
				e.Held = "parts"
			}
			counts[e.Held]++ // none if a copy was removed
		}
	}
	if len(without) > 0 {
		session.Note("%s lacks the e-mail address of %s", filepath.Join(m.dir, mailFile), phrase.First(without, maxNamed))
	}
	for _, why := range heldReasons {
		if n := counts[why.key]; n > 0 {
			session.Note("%s held back from %s, since %s", phrase.Count(n, "page is", "pages are"), filepath.Join(m.dir, readyFolder), phrase.Noun(n, why.one, why.many))
		}
	}
}

// pageName is the end of the names of pages, which a file of somebody else in the ready folder hardly has.
var pageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-[0-9]+\.(html|pdf)$`) })

// pruneReady removes pages that are not ready any more: of a customer who has another name now, or of another period.
func pruneReady(dir string, entries []page.Entry) error {
	files, err := os.ReadDir(filepath.Join(dir, readyFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		isReady := func(e page.Entry) bool { return e.IsReady && e.File == file.Name() }
		if err == nil && file.Type().IsRegular() && pageName().MatchString(file.Name()) && !slices.ContainsFunc(entries, isReady) {
			err = os.Remove(filepath.Join(dir, readyFolder, file.Name()))
		}
	}
	return err
}

// mailsOf returns the list of the customers whose page is ready, for a mail merge. Its cells are for the eyes of customers, so
// that no ' is before one that could be a formula.
func mailsOf(entries []page.Entry, withBOM bool) []byte {
	var text bytes.Buffer
	if withBOM {
		text.WriteString("\ufeff")
	}
	w := csv.NewWriter(&text)
	add := func(cells ...string) {
		for i, cell := range cells {
			cells[i] = string(safetext.AppendData(nil, []byte(cell)))
		}
		_ = w.Write(cells) // a buffer takes all
	}
	add("account_name", "email", "file", "subject", "first_sentence")
	for _, e := range entries {
		if e.IsReady {
			add(e.Called, e.Email, readyFolder+"/"+e.File, e.Subject, e.Sentence)
		}
	}
	w.Flush()
	return text.Bytes()
}

// isPageOf reports whether a file has the name of a page of a campaign, and of no other that is made: it may be named by an index
// that somebody has changed.
func (m *pageMaker) isPageOf(name string, campaign int64) bool {
	called, ok := strings.CutSuffix(name, fmt.Sprintf("-%d.%s", campaign, m.format))
	return ok && name == page.FileName(called, string(m.format), campaign) && !slices.Contains(m.files, name)
}
