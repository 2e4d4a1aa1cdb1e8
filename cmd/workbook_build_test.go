package cmd_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// workbook FILE SHEET.csv... makes a workbook with a sheet for each csv file, which has its
// name; that of a file hidden-NAME.csv is hidden. A cell that is a number, a date, TRUE,
// FALSE or an error of a spreadsheet has that type; one of ten digits that begins with 0 has
// its zeros by its format, and one that begins with = is a formula without a value. A ' in front makes any cell a text. A row whose first cell begins with ~ is hidden.
func workbook(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: workbook FILE SHEET.csv...")
	}
	var sheets []sheet
	for _, path := range args[1:] {
		name, state := strings.TrimSuffix(filepath.Base(path), ".csv"), "visible"
		if plain, hidden := strings.CutPrefix(name, "hidden-"); hidden {
			name, state = plain, "hidden"
		}
		r := csv.NewReader(strings.NewReader(ts.ReadFile(path)))
		r.FieldsPerRecord = -1
		rows, err := r.ReadAll()
		ts.Check(err)
		sheets = append(sheets, sheet{name, state, rows})
	}
	ts.Check(writeWorkbook(ts.MkAbs(args[0]), sheets))
}

// A sheet is one of a workbook to be made; state is visible or hidden.
type sheet struct {
	name, state string
	rows        [][]string
}

// writeWorkbook makes a workbook.
func writeWorkbook(path string, of []sheet) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var failed error
	part := func(name, xml string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = fmt.Fprint(w, xml)
		}
		failed = errors.Join(failed, err)
	}
	sheets, links := "", ""
	for i, sh := range of {
		sheets += fmt.Sprintf(`<sheet name="%s" sheetId="%d" state="%s" r:id="r%[2]d"/>`, sh.name, i+1, sh.state)
		links += fmt.Sprintf(`<Relationship Id="r%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="sheet%[1]d.xml"/>`, i+1)
		part(fmt.Sprintf("xl/sheet%d.xml", i+1), sheetOf(sh.rows))
	}
	part("xl/workbook.xml", `<workbook xmlns:r="r"><sheets>`+sheets+`</sheets></workbook>`)
	part("xl/_rels/workbook.xml.rels", `<Relationships>`+links+`<Relationship Id="s" Type="x/styles" Target="styles.xml"/></Relationships>`)
	part("xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0000000000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>`)
	return errors.Join(failed, z.Close(), os.WriteFile(path, b.Bytes(), 0o600))
}

// sheetOf returns the XML of a sheet.
func sheetOf(rows [][]string) string {
	var b strings.Builder
	b.WriteString("<worksheet><sheetData>")
	for _, row := range rows {
		if text, hidden := strings.CutPrefix(row[0], "~"); hidden {
			row[0] = text
			b.WriteString(`<row hidden="1">`)
		} else {
			b.WriteString("<row>")
		}
		for _, cell := range row {
			b.WriteString(cellOf(cell))
		}
		b.WriteString("</row>")
	}
	b.WriteString("</sheetData></worksheet>")
	return b.String()
}

// cellOf returns the XML of a cell.
func cellOf(cell string) string {
	date, noDate := time.Parse(time.DateOnly, cell)
	_, noNumber := strconv.ParseFloat(cell, 64)
	switch {
	case cell == "":
		return "<c/>"
	case noDate == nil:
		return fmt.Sprintf(`<c s="1"><v>%d</v></c>`, 25569+date.Unix()/86400)
	case noNumber == nil && len(cell) == 10 && cell[0] == '0':
		return fmt.Sprintf(`<c s="2"><v>%s</v></c>`, strings.TrimLeft(cell, "0"))
	case noNumber == nil:
		return fmt.Sprintf(`<c><v>%s</v></c>`, cell)
	case cell == "TRUE" || cell == "FALSE":
		return fmt.Sprintf(`<c t="b"><v>%d</v></c>`, strings.Count(cell, "R"))
	case strings.HasPrefix(cell, "="):
		return fmt.Sprintf(`<c><f>%s</f></c>`, cell[1:])
	case strings.HasPrefix(cell, "#"):
		return fmt.Sprintf(`<c t="e"><v>%s</v></c>`, cell)
	}
	text := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(strings.TrimPrefix(cell, "'"))
	return fmt.Sprintf(`<c t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, text)
}
