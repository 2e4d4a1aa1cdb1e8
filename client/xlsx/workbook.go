package xlsx

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// A Workbook is an .xlsx file whose sheets can be read, each any number of times.
type Workbook struct {
	archive *archive
	sheets  []Sheet
	epoch   epoch
	formats []numberFormat // by the number of the format that a cell has

	loadTexts func() error // readTexts once
	texts     textTable    // the shared texts, once loadTexts has run
	textsPath string
}

// A Sheet is one of the sheets of a workbook.
type Sheet struct {
	Name   string
	Hidden bool

	number int    // its place in the workbook, from 1
	kind   string // of its part: worksheet, chartsheet and so on
	part   string // the name of its part; empty if it lies outside of the workbook
}

// Open reads the list of the sheets of a workbook. The file must stay open while the workbook is
// used.
//
// If the file is no workbook, or is damaged, the error is an *Error. An error of r is
// returned as it is.
func Open(r io.ReaderAt, length int64) (*Workbook, error) {
	a, err := openArchive(r, length)
	if err != nil {
		return nil, err
	}
	w := &Workbook{archive: a}
	w.loadTexts = sync.OnceValue(w.readTexts)
	main, err := a.mainPart()
	if err != nil {
		return nil, err
	}
	if err := w.readSheets(main); err != nil {
		return nil, err
	}
	return w, nil
}

func (a *archive) mainPart() (string, error) {
	const usual = "xl/workbook.xml"
	packaged, err := a.relationships("")
	if err != nil {
		return "", err
	}
	main, err := only(packaged, "officeDocument")
	switch name := memberName(main); {
	case err != nil || strings.HasSuffix(name, "workbook.xml") && a.members[name] != nil:
		return main, err
	case a.members[usual] == nil:
		return "", a.noWorkbook()
	}
	return usual, nil
}

func (w *Workbook) readSheets(main string) error {
	parts, err := w.archive.relationships(main)
	if err != nil {
		return err
	}
	if w.textsPath, err = only(parts, "sharedStrings"); err != nil {
		return err
	}
	styles, err := only(parts, "styles")
	if err == nil && styles != "" {
		w.formats, err = w.archive.readFormats(styles)
	}
	if err != nil {
		return err
	}
	named := map[string]bool{} // the parts of sheets, each of which is read once
	return w.archive.eachStart(main, maxSmallPart, func(x *xmlReader) error {
		switch x.Name.Local {
		case "workbookPr":
			if value := x.attr("date1904"); value == "1" || value == "true" {
				w.epoch = epoch1904
			}
		case "sheet":
			to := parts[x.attr("id")]
			if part := memberName(to.target); to.target != "" && named[part] {
				return errorf("is damaged: several of its sheets are the part %.80s", part)
			} else {
				named[part] = true
			}
			state := x.attr("state")
			w.sheets = append(w.sheets, Sheet{
				Name: string(appendUnescapedControl(nil, []byte(x.attr("name")))), Hidden: state == "hidden" || state == "veryHidden",
				number: len(w.sheets) + 1, kind: to.kind, part: to.target,
			})
		}
		return nil
	})
}

// Sheets returns the sheets in the order of the workbook.
func (w *Workbook) Sheets() []Sheet { return w.sheets }

// Sheet returns the sheet with a name, whatever its case, or with a number, counted from 1
// in the order of the workbook. Without a name it returns the first sheet that is visible
// and has cells.
func (w *Workbook) Sheet(name string) (Sheet, error) {
	if name == "" {
		return w.firstSheet()
	}
	for _, isSame := range []func(Sheet) bool{
		func(s Sheet) bool { return s.Name == name },
		func(s Sheet) bool { return strings.EqualFold(s.Name, name) },
		func(s Sheet) bool { return strconv.Itoa(s.number) == name },
	} {
		for _, s := range w.sheets {
			if isSame(s) {
				return s, nil
			}
		}
	}
	return Sheet{}, errorf("has no sheet %.60q: %s", name, w.list())
}

func (w *Workbook) firstSheet() (Sheet, error) {
	for _, s := range w.sheets {
		if s.Hidden || s.kind != kindWorksheet {
			continue
		}
		hasCells := false
		if err := w.readRows(s, func(*Row) bool { hasCells = true; return false }); err != nil || hasCells {
			return s, err
		}
	}
	return Sheet{}, errorf("has no visible sheet with cells: %s", w.list())
}

const maxListed = 20

func (w *Workbook) list() string {
	if len(w.sheets) == 0 {
		return "it has no sheets"
	}
	var out []string
	for _, s := range w.sheets[:min(len(w.sheets), maxListed)] {
		one := fmt.Sprintf("%d %.60q", s.number, s.Name)
		if s.Hidden {
			one += " (hidden)"
		}
		out = append(out, one)
	}
	if more := len(w.sheets) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return "its sheets are " + strings.Join(out, ", ")
}
