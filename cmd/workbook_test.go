package cmd_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"reseller/client/xlsx"
)

// cells [-typed] FILE prints the cells of the first sheet of a workbook as csv. With -typed it puts a ' in front of each text
// that the command workbook would take for another type.
func cells(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args) > 2 {
		ts.Fatalf("usage: cells [-typed] FILE")
	}
	ts.Check(printCells(ts.MkAbs(args[len(args)-1]), args[0] == "-typed", ts.Stdout()))
}

func printCells(path string, typed bool, to io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	book, err := xlsx.Open(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return err
	}
	out := csv.NewWriter(to)
	for row, err := range book.Rows(book.Sheets()[0]) {
		if err != nil {
			return err
		}
		var line []string
		for _, c := range row.Cells {
			for len(line) < c.Column {
				line = append(line, "")
			}
			if typed && c.Kind == xlsx.KindText && strings.Contains(cellOf(c.Text), "<v>") {
				c.Text = "'" + c.Text
			}
			line = append(line, c.Text)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// A workbookSheet is a sheet of a workbook that the program wrote, as encoding/xml reads it.
type workbookSheet struct {
	Rows []struct {
		Cells []struct {
			Place string `xml:"r,attr"`
			Type  string `xml:"t,attr"`
			Style string `xml:"s,attr"`
			Text  string `xml:"is>t"`
			Value string `xml:"v"`
		} `xml:"c"`
	} `xml:"sheetData>row"`
}

// readWorkbook returns the first sheet of a workbook, and its name.
func readWorkbook(t *testing.T, workbook string) (sheet workbookSheet, name string) {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(workbook), int64(len(workbook)))
	noError(t, err)
	var about struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
		} `xml:"sheets>sheet"`
	}
	for part, into := range map[string]any{"xl/worksheets/sheet1.xml": &sheet, "xl/workbook.xml": &about} {
		f, err := z.Open(part)
		noError(t, err)
		if err := xml.NewDecoder(f).Decode(into); err != nil {
			t.Fatalf("%s: %v", part, err)
		}
	}
	return sheet, about.Sheets[0].Name
}

// kinds returns the type of each column of a sheet by its name: text, number, date or
// boolean, that of the first cell that is not blank.
func (s *workbookSheet) kinds() map[string]string {
	names, kinds := map[string]string{}, map[string]string{}
	for i, row := range s.Rows {
		for _, c := range row.Cells {
			column := strings.TrimRight(c.Place, "0123456789")
			if i == 0 {
				names[column] = c.Text
				continue
			}
			kind := map[string]string{"inlineStr": "text", "b": "boolean"}[c.Type]
			if kind == "" {
				kind = map[string]string{"2": "date", "3": "date"}[c.Style]
			}
			if kind == "" {
				kind = "number"
			}
			if kinds[names[column]] == "" {
				kinds[names[column]] = kind
			}
		}
	}
	return kinds
}

// The cells of a workbook have the types of the fields.
func TestWorkbookTypes(t *testing.T) {
	home := t.TempDir()
	for args, want := range map[string]struct {
		name  string
		kinds map[string]string
	}{
		"accounts list":  {"accounts", map[string]string{"status": "text", "account_id": "text", "campaign_id": "text", "phone": "text", "postal": "text", "attributes": "text"}},
		"keywords list":  {"keywords", map[string]string{"rank_id": "text", "keyword": "text", "status": "number", "rank_google_organic": "number"}},
		"campaigns list": {"campaigns", map[string]string{"campaign_id": "text", "campaign_start_date": "date", "ppc_monthly_budget": "number"}},
		"reports traffic --account 1 --campaign 101":                            {"reports", map[string]string{"date": "date", "total": "number"}},
		"reports workflows --all --from 2026-01-01":                             {"reports", map[string]string{"account_id": "text", "built_date": "date", "task_id": "text"}},
		"budget estimate https://a.example.com https://b.example.com --summary": {"estimates", map[string]string{"url": "text", "total_keywords": "number", "estimated_budget.average_cpc": "number", "cached": "boolean"}},
		"budget estimate https://a.example.com":                                 {"keywords", map[string]string{"keyword": "text", "position": "number", "cpc": "number", "trend_summary.direction": "text", "budget_estimate.monthly_budget": "number"}},
		"jobs list":                                                             {"jobs", nil},
		"config list":                                                           {"settings", map[string]string{"key": "text"}},
		"doctor":                                                                {"checks", map[string]string{"check": "text"}},
		"accounts update 1 --phone 2 --dry-run":                                 {"Sheet1", map[string]string{"method": "text", "body": "text"}},
	} {
		t.Run(args, func(t *testing.T) {
			code, out, errs := session{home: home}.run(t, append(strings.Fields(args), "--server", "mock", "-o", "xlsx")...)
			if code != 0 {
				t.Fatalf("got exit code %d, want 0: %s", code, errs)
			}
			sheet, name := readWorkbook(t, out)
			got := sheet.kinds()
			if name != want.name {
				t.Errorf("got the sheet %q, want %q", name, want.name)
			}
			for column, kind := range want.kinds {
				if got[column] != kind {
					t.Errorf("got %q in the column %s, want %s: %v", got[column], column, kind, got)
				}
			}
		})
	}
}

// The flags about columns and rows mean in a workbook what they mean in csv.
func TestWorkbookHasTheCellsOfCSV(t *testing.T) {
	home := t.TempDir()
	for _, flags := range []string{"", "--no-header", "--columns rank_id,.added,keyword", "--columns all", "--sort -rank_id"} {
		t.Run(flags, func(t *testing.T) {
			var texts [2]string
			for i, format := range []string{"xlsx", "csv"} {
				code, out, errs := session{home: home}.run(t, append(strings.Fields("keywords list --server mock "+flags), "-o", format)...)
				if code != 0 {
					t.Fatalf("got exit code %d, want 0: %s", code, errs)
				}
				texts[i] = out
			}
			sheet, _ := readWorkbook(t, texts[0])
			var got strings.Builder
			for _, row := range sheet.Rows {
				cells := map[string]string{}
				for _, c := range row.Cells {
					cells[strings.TrimRight(c.Place, "0123456789")] = c.Text + c.Value
				}
				for i := range strings.Count(strings.SplitN(texts[1], "\n", 2)[0], ",") + 1 {
					if i > 0 {
						got.WriteByte(',')
					}
					got.WriteString(cells[fmt.Sprintf("%c", 'A'+i)])
				}
				got.WriteByte('\n')
			}
			if got.String() != texts[1] {
				t.Errorf("got\n%swant\n%s", got.String(), texts[1])
			}
		})
	}
}

// A terminal can't show the example of a workbook.
func TestExampleWorkbookOnATerminal(t *testing.T) {
	for _, to := range []string{"", "--output-file -"} {
		t.Run(to, func(t *testing.T) {
			code, out, errs := session{tty: true}.run(t, strings.Fields("keywords add --example xlsx "+to)...)
			if code != 2 || out != "" || !strings.Contains(errs, "--output-file FILE.xlsx") {
				t.Errorf("got exit code %d and %q, want 2 and nothing but an error that names --output-file: %s", code, out, errs)
			}
		})
	}
}

// TestListsAreTakenBack checks that a list counts as not edited when it is given to the update
// command: as it was written, and after LibreOffice has opened and saved it.
func TestListsAreTakenBack(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if code, _, errs := (session{home: home}).run(t, strings.Fields("accounts create --server mock --concurrency 1 --ignore-unknown --file ../examples/customers.xlsx")...); code != 0 {
		t.Fatalf("got exit code %d, want 0: %s", code, errs)
	}
	for _, format := range []string{"xlsx", "csv"} {
		var paths []string
		for _, name := range []string{"accounts", "keywords"} {
			path := filepath.Join(home, name+"."+format)
			if code, _, errs := (session{home: home}).run(t, name, "list", "--server", "mock", "--output-file", path); code != 0 {
				t.Fatalf("got exit code %d, want 0: %s", code, errs)
			}
			paths = append(paths, path)
		}
		t.Run(format, func(t *testing.T) { takeBack(t, home, paths, "") })
		t.Run(format+" saved by LibreOffice", func(t *testing.T) {
			office, err := exec.LookPath("soffice")
			if err != nil {
				t.Skip("LibreOffice is not installed (Debian: libreoffice-calc)")
			}
			dir := t.TempDir()
			convert := []string{"-env:UserInstallation=file://" + t.TempDir(), "--headless"}
			if format == "xlsx" {
				convert = append(convert, "--convert-to", "xlsx:Calc MS Excel 2007 XML")
			} else {
				convert = append(convert, "--infilter=CSV:44,34,76,1", "--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76")
			}
			convert = append(append(convert, "--outdir", dir), paths...)
			if out, err := exec.CommandContext(t.Context(), office, convert...).CombinedOutput(); err != nil {
				t.Fatalf("got %v, want saved files: %s", err, out)
			}
			var saved []string
			for _, path := range paths {
				saved = append(saved, filepath.Join(dir, filepath.Base(path)))
			}
			note := ""
			if format == "csv" { // a spreadsheet takes a postal code for a number
				note = "note: put back the leading zeros of the postal code in 1 cell: line 8, postal\n"
			}
			takeBack(t, home, saved, note)
		})
	}
}

// takeBack gives the lists of accounts and of keywords in files to the update commands, and
// expects that nothing is sent. note is what is told of the accounts.
func takeBack(t *testing.T, home string, paths []string, note string) {
	t.Helper()
	notes := []string{note, ""}
	for i, want := range []string{",accounts.v2.update,9,0,9,", ",keywords.update,30,0,30,"} {
		name := strings.Fields("accounts keywords")[i]
		code, out, errs := session{home: home}.run(t, name, "update", "--server", "mock", "--file", paths[i], "-o", "csv")
		if code != 0 || !strings.Contains(out, want) || errs != notes[i] {
			t.Errorf("%s: got exit code %d and %s%s, want 0 and %s with %q", name, code, out, errs, want, notes[i])
		}
	}
}
