package xlsx

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// foreignSample is a workbook with a cell of each kind. LibreOffice shows them as they are
// to be read: dates in the format of ISO 8601, numbers without separators. Two things are
// read as Excel reads them, and LibreOffice does not: white space around a text without
// xml:space, and _xHHHH_ for any other character than a control character.
func foreignSample() parts {
	cells := [][]string{
		{"name", "value"},
		{"text", `t="inlineStr"><is><t xml:space="preserve"> kept  spaces </t></is>`},
		{"shared", `t="s"><v>0</v>`},
		{"rich", `t="s"><v>1</v>`},
		{"lines", `t="inlineStr"><is><t>a&#10;b</t></is>`},
		{"comma, quote", `t="inlineStr"><is><t>a,"b";c</t></is>`},
		{"formula as text", `t="inlineStr"><is><t>=1+1</t></is>`},
		{"zeros", `t="inlineStr"><is><t>00123</t></is>`},
		{"escape", `t="inlineStr"><is><t>_x005F_x0041_</t></is>`},
		{"unicode", `t="inlineStr"><is><t>Zürich 😀 日本</t></is>`},
		{"phone", `><v>5.0355501E9</v>`},
		{"half", `><v>0.5</v>`},
		{"sum", `><v>0.30000000000000004</v>`},
		{"negative", `><v>-1234.25</v>`},
		{"true", `t="b"><v>1</v>`},
		{"false", `t="b"><v>0</v>`},
		{"error", `t="e"><v>#N/A</v>`},
		{"date", `s="1"><v>46348</v>`},
		{"date and time", `s="2"><v>46348.770833333336</v>`},
		{"date of 1999", `s="1"><v>36525</v>`},
		{"clock", `s="3"><v>0.25</v>`},
		{"duration", `s="4"><v>1.5</v>`},
		{"formula", `><f>1/4</f><v>0.25</v>`},
		{"formula of texts", `t="str"><f>"a"&amp;"b"</f><v>ab</v>`},
	}
	var rows strings.Builder
	for i, c := range cells {
		rest := c[1]
		if i == 0 {
			rest = `t="inlineStr"><is><t>` + c[1] + `</t></is>`
		}
		hidden := ""
		if i%5 == 3 {
			hidden = ` hidden="1"`
		}
		fmt.Fprintf(&rows, `<row r="%d"%s><c r="A%[1]d" t="inlineStr"><is><t>%[3]s</t></is></c><c r="C%[1]d" %[4]s</c></row>`, i+1, hidden, c[0], rest)
	}
	fmt.Fprintf(&rows, `<row r="%d"><c r="A%[1]d" t="inlineStr"><is><t>after a gap</t></is></c></row>`, len(cells)+3)
	p := workbook(rows.String())
	const namespaces = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	p["xl/sharedStrings.xml"] = `<sst` + namespaces + `><si><t>shared</t></si><si><r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si></sst>`
	p["xl/styles.xml"] = strings.Replace(strings.Replace(styles, `<numFmts count="2">`, `<numFmts count="4"><numFmt numFmtId="166" formatCode="hh:mm:ss"/><numFmt numFmtId="167" formatCode="[hh]:mm:ss"/>`, 1),
		`<cellXfs count="6">`, `<cellXfs count="11"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`+
			`<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="167" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`, 1)
	p["xl/workbook.xml"] = strings.Replace(p["xl/workbook.xml"], "<workbook", "<workbook"+namespaces, 1)
	p["xl/workbook.xml"] = strings.Replace(p["xl/workbook.xml"], `xmlns:r="r"`, `xmlns:r="`+relationshipTypes+`"`, 1)
	p["xl/_rels/workbook.xml.rels"] = strings.NewReplacer("<Relationships", `<Relationships xmlns="`+packageNamespace+`/relationships"`, `"x/`, `"`+relationshipTypes+`/`).Replace(p["xl/_rels/workbook.xml.rels"])
	p["_rels/.rels"] = packageRelationships
	p["[Content_Types].xml"] = strings.Replace(contentTypes, "</Types>", `<Override PartName="/xl/sharedStrings.xml" ContentType="`+contentType+`sharedStrings+xml"/></Types>`, 1)
	return p
}

// gridOf returns the cells of the first sheet, row by row, without empty rows.
func gridOf(t *testing.T, path string) (grid [][]string) {
	t.Helper()
	file, err := os.ReadFile(path)
	noError(t, err)
	w, err := open(t, file)
	noError(t, err)
	s, err := w.Sheet("")
	noError(t, err)
	for row, err := range w.Rows(s) {
		noError(t, err)
		texts := make([]string, 3)
		for _, c := range row.Cells {
			texts[c.Column] = c.Text
		}
		grid = append(grid, texts)
	}
	return grid
}

// csvOf returns the rows of a csv file.
func csvOf(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.ReadFile(path)
	noError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	noError(t, err)
	return rows
}

// TestWorkbooksOfOtherPrograms checks that a workbook reads like the csv file that
// LibreOffice exports of it: one that was made here, and what LibreOffice and openpyxl make
// of it; and that LibreOffice shows the cells that were written.
func TestWorkbooksOfOtherPrograms(t *testing.T) {
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed (Debian: libreoffice-calc)")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "made.xlsx")
	noError(t, os.WriteFile(path, foreignSample().zipped(t), 0o600))
	profile := "-env:UserInstallation=file://" + t.TempDir()
	for _, to := range []string{"csv:Text - txt - csv (StarCalc):44,34,76", "xlsx:Calc MS Excel 2007 XML"} {
		convert := exec.CommandContext(t.Context(), office, profile, "--headless", "--convert-to", to, "--outdir", filepath.Join(folder, "office"), path)
		if strings.HasPrefix(to, "csv") {
			convert.Args = append(convert.Args, writeSamples(t))
		}
		if out, err := convert.CombinedOutput(); err != nil {
			t.Fatalf("%s: got %v, want a file: %s", to, err, out)
		}
	}
	t.Run("samples", func(t *testing.T) { checkSamples(t, csvOf(t, filepath.Join(folder, "office", "samples.csv"))) })
	want := slices.DeleteFunc(csvOf(t, filepath.Join(folder, "office", "made.csv")), func(row []string) bool { return strings.Join(row, "") == "" })
	for _, row := range want {
		switch row[0] {
		case "date and time": // LibreOffice writes the T of the format as a space
			row[2] = strings.Replace(row[2], " ", "T", 1)
		case "clock": // LibreOffice counts days from 1899-12-30, Excel from the day after
			row[2] = strings.Replace(row[2], "1899-12-30 ", "1899-12-31T", 1)
		case "duration": // LibreOffice exports it as its format rounds it
			row[2] = strings.Replace(row[2], "2", "1.5", 1)
		}
	}
	books := map[string]string{"made": path, "LibreOffice": filepath.Join(folder, "office", "made.xlsx")}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), python, "-c", "import openpyxl").Run() != nil {
			continue
		}
		books["openpyxl"] = filepath.Join(folder, "openpyxl.xlsx")
		script := "import sys, openpyxl; openpyxl.load_workbook(sys.argv[1], data_only=True).save(sys.argv[2])"
		if out, err := exec.CommandContext(t.Context(), python, "-c", script, path, books["openpyxl"]).CombinedOutput(); err != nil {
			t.Fatalf("got %v, want a workbook of openpyxl: %s", err, out)
		}
		break
	}
	for _, name := range slices.Sorted(maps.Keys(books)) {
		t.Run(name, func(t *testing.T) {
			got := gridOf(t, books[name])
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || !slices.Equal(got[i], want[i]) {
					t.Errorf("row %d: got %q, want %q", i, at(got, i), at(want, i))
				}
			}
		})
	}
	if books["openpyxl"] == "" {
		t.Run("openpyxl", func(t *testing.T) { t.Skip("openpyxl is not installed (Debian: python3-openpyxl)") })
	}
}

func at(grid [][]string, i int) []string {
	if i < len(grid) {
		return grid[i]
	}
	return nil
}
