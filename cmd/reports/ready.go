package reports

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/cmd/cli"
	"reseller/output/page"
)

// readyFolder has copies of the pages that can be sent. Held back are those that lack a report or the customer's name, that have
// no sentence, since nothing was measured, or whose account is deactivated.
const readyFolder = "ready"

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

// noteHeldBack tells how many campaigns have a page, but none that is ready, and why.
func (m *pageMaker) noteHeldBack(session *cli.Session) {
	reasons := []string{"parts are missing", "nothing was measured", "the account is deactivated"}
	counts := make([]int, len(reasons))
	for _, e := range m.index.Entries {
		switch {
		case len(e.Files) == 0, len(e.Ready) > 0:
		case e.State != page.Whole:
			counts[0]++
		case e.Sentence == "":
			counts[1]++
		default:
			counts[2]++
		}
	}
	for i, n := range counts {
		if n > 0 {
			session.Note("%s held back from %s, since %s", phrase.Count(n, "page is", "pages are"), filepath.Join(m.dir, readyFolder), reasons[i])
		}
	}
}

// pageName is the end of the names of pages, which a file of somebody else in the ready folder hardly has.
var pageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-[0-9]+\.(html|pdf)$`) })

// pruneReady removes the pages from the ready folder that are not ready any more: of a customer who has another name now, or of
// another period.
func pruneReady(dir string, entries []page.Entry) error {
	files, err := os.ReadDir(filepath.Join(dir, readyFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		isReady := func(e page.Entry) bool { return slices.Contains(e.Ready, file.Name()) }
		if err == nil && file.Type().IsRegular() && pageName().MatchString(file.Name()) && !slices.ContainsFunc(entries, isReady) {
			err = os.Remove(filepath.Join(dir, readyFolder, file.Name()))
		}
	}
	return err
}

// mailAddress is an e-mail address that is no formula.
var mailAddress = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[+\w][\w.+-]*@[\w.-]+$`) })

// mailsOf returns the list of the customers whose page is ready, for a mail merge. If there are pages in several formats, it names
// that of the run.
func mailsOf(entries []page.Entry, format page.Format) []byte {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	add := func(cells ...string) {
		for i, cell := range cells {
			if !mailAddress().MatchString(cell) {
				cells[i] = string(safetext.AppendFormulaSafe(nil, []byte(safetext.Escape(cell))))
			}
		}
		_ = w.Write(cells) // a buffer takes all
	}
	add("account_name", "email", "file", "subject", "first_sentence")
	for _, e := range entries {
		if i := slices.IndexFunc(e.Ready, func(file string) bool { return formatOf(file) == format }); len(e.Ready) > 0 {
			add(e.Name, e.Email, readyFolder+"/"+e.Ready[max(i, 0)], e.Subject, e.Sentence)
		}
	}
	w.Flush()
	return text.Bytes()
}
