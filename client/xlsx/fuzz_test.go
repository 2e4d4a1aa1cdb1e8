package xlsx

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzWorkbook checks that any parts give the same rows, or the same error, in each pass,
// that rows and cells ascend, and that texts are valid.
func FuzzWorkbook(f *testing.F) {
	for _, rows := range []string{
		oneCell, `<row r="2"><c r="B2" t="s" s="1"><v>0</v></c></row><row r="9"/>`, `<row><c t="inlineStr"><is><r><t>a_x000D_</t></r><rPh/></is></c><c t="e"><v>#N/A</v></c></row>`,
		`<row><c s="1"><v>46348.25</v></c><c t="b"><v>1</v></c><c t="str"><f>A1</f><v>&#x41;<![CDATA[&]]></v></c><c t="d"><v>2026-11-22T01:02:03Z</v></c></row>`,
	} {
		f.Add([]byte(rows), []byte(`<si><t>a</t></si><si><r><t> b</t></r></si>`), []byte(`<numFmts><numFmt numFmtId="99" formatCode="[h]:mm d"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="99"/></cellXfs>`))
	}
	f.Fuzz(func(t *testing.T, rows, texts, formats []byte) {
		p := workbook(string(rows)).with("xl/sharedStrings.xml", "<sst>"+string(texts)+"</sst>").with("xl/styles.xml", "<styleSheet>"+string(formats)+"</styleSheet>")
		w, err := open(t, p.zipped(t))
		if err != nil {
			wantOwn(t, err)
			return
		}
		var first []string
		var firstErr error
		for pass := range 2 {
			got, err := read(t, w, "1")
			if err != nil {
				wantOwn(t, err)
			}
			if pass == 0 {
				first, firstErr = got, err
			} else if !slices.Equal(got, first) || fmt.Sprint(err) != fmt.Sprint(firstErr) {
				t.Errorf("got %q, %v, and then %q, %v", first, firstErr, got, err)
			}
		}
		last := 0
		for row, err := range w.Rows(w.Sheets()[0]) {
			if err != nil {
				return
			}
			if row.Number <= last || row.Number > MaxRows || len(row.Cells) == 0 {
				t.Errorf("got the row %d with %d cells behind row %d", row.Number, len(row.Cells), last)
			}
			last = row.Number
			column := -1
			for _, c := range row.Cells {
				if c.Column <= column || c.Column >= MaxColumns || c.Text == "" && c.Kind != KindUncomputed || !utf8.ValidString(c.Text) {
					t.Errorf("got the cell %+v behind column %d", c, column)
				}
				column = c.Column
			}
		}
	})
}

// wantOwn checks that an error is an *Error, in one line.
func wantOwn(t *testing.T, err error) {
	t.Helper()
	var own *Error
	if !errors.As(err, &own) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got the error %q, want an *Error in one line", err)
	}
}

// FuzzFile checks that any file is a workbook or an error.
func FuzzFile(f *testing.F) {
	f.Add(workbook(oneCell).zipped(f))
	f.Add(office("EncryptedPackage")[:2000])
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, file []byte) {
		w, err := open(t, file)
		if err == nil {
			_, err = read(t, w, "")
		}
		if err != nil {
			wantOwn(t, err)
		}
	})
}
