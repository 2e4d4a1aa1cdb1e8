package rows

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/columns"
	"reseller/client/bulk/decode"
	"reseller/client/schema"
	"reseller/client/xlsx"
)

// bookWith returns a workbook of one sheet with the XML of its rows.
func bookWith(t *testing.T, rows string) []byte { return bookNamed(t, "a", rows) }

// bookNamed is bookWith with the name of the sheet.
func bookNamed(t *testing.T, name, rows string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for part, xml := range map[string]string{
		"xl/workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="` + name + `" r:id="a"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Type="x/worksheet" Target="a.xml"/><Relationship Id="b" Type="x/styles" Target="b.xml"/></Relationships>`,
		"xl/b.xml": `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0000000000"/><numFmt numFmtId="171" formatCode="00000"/></numFmts>` +
			`<cellXfs><xf/><xf numFmtId="170"/><xf numFmtId="14"/><xf numFmtId="171"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
		"xl/a.xml": `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
	} {
		w, err := z.Create(part)
		if err == nil {
			_, err = io.WriteString(w, xml)
		}
		noError(t, err)
	}
	noError(t, z.Close())
	return out.Bytes()
}

// TestWorkbookIssues checks that an issue of a workbook has the row and no line, and that
// a cell which is an error is one, whatever its text, unless its column is passed over or
// values are not validated.
func TestWorkbookIssues(t *testing.T) {
	texts := func(cells ...string) (row string) {
		for _, cell := range cells {
			row += `<c t="str"><v>` + cell + `</v></c>`
		}
		return "<row>" + row + "</row>"
	}
	failed := `<row><c><v>1</v></c><c><v>1</v></c><c t="e"><v>#PYTHON!</v></c><c t="str"><v>target</v></c><c t="e"><v>#N/A</v></c></row>`
	rows := texts("account_id", "campaign_id", "keyword", "type", "error") + "<row/>" + failed + texts("1", "x", "b", "target")
	book, unnamed := string(bookWith(t, rows)), string(bookNamed(t, "", rows))
	unchecked := createSchema()
	unchecked.Validate = false
	for name, c := range map[string]struct {
		schema Schema
		want   string
	}{
		"validated":      {createSchema(), "row 3, keyword: \"#PYTHON!\" is an error of a spreadsheet: correct the cell there and save the file again\nrow 4, campaign_id: \"x\" is not a whole number (keyword \"b\")"},
		"not validated":  {unchecked, ""},
		"without a name": {createSchema(), "row 3, keyword: \"#PYTHON!\" is an error of a spreadsheet: correct the cell there and save the file again\nrow 4, campaign_id: \"x\" is not a whole number (keyword \"b\")"},
	} {
		t.Run(name, func(t *testing.T) {
			book := book
			if name == "without a name" {
				book = unnamed
			}
			s, err := Open(decode.Options{Path: "-", Stdin: strings.NewReader(book)}, c.schema)
			noError(t, err)
			defer func() { _ = s.Close() }()
			_, err = s.Validate(t.Context())
			got := ""
			if issues := decode.AsError(err); issues != nil {
				got = issues.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestErrorCells checks what a cell that is an error means in columns that are more or less
// than one field to write.
func TestErrorCells(t *testing.T) {
	split := accountSchema(schema.Update)
	split.MapFile = &columns.Mapping{Columns: map[string]columns.Fields{"name": {"first_name", "last_name"}}}
	for name, c := range map[string]struct {
		schema       Schema
		column, want string
	}{
		"a field":                 {accountSchema(schema.Update), "city", `row 2, city: "#N/A" is an error of a spreadsheet: correct the cell there and save the file again`},
		"a split column":          {split, "name", `row 2, name: "#N/A" is an error of a spreadsheet: correct the cell there and save the file again`},
		"a read-only field":       {accountSchema(schema.Update), "status", ""},
		"a field of no documents": {accountSchema(schema.Update), ".later", ""},
	} {
		t.Run(name, func(t *testing.T) {
			book := bookWith(t, `<row><c t="str"><v>account_id</v></c><c t="str"><v>`+c.column+`</v></c></row><row><c><v>1</v></c><c t="e"><v>#N/A</v></c></row>`)
			wantFault(t, book, c.schema, c.want)
		})
	}
}

// TestShownCells checks what cells mean that a sheet shows in another way than they were entered: a number with zeros in
// front is what the sheet shows, which is a repair, and a date is no name, no number and no keyword.
func TestShownCells(t *testing.T) {
	const percent = `<c s="4"><v>0.5</v></c>`
	const padded, date, keptZeros = `<c s="1"><v>351123456</v></c>`, `<c s="2"><v>46348</v></c>`, "took the number as the sheet shows it in 1 cell: row 2, "
	const isDate = `"2026-11-22" is a date to the spreadsheet: give the column the format Text, enter the text again and save the file again`
	strict, unchecked := accountSchema(schema.Update), accountSchema(schema.Update)
	strict.Strict, unchecked.Validate = true, false
	split := accountSchema(schema.Update)
	split.MapFile = &columns.Mapping{Columns: map[string]columns.Fields{"name": {"first_name", "last_name"}}}
	for name, c := range map[string]struct {
		schema            Schema
		column, cell      string
		want, told, issue string
	}{
		"phone":              {accountSchema(schema.Update), "phone", padded, "0351123456", keptZeros + "phone", ""},
		"postal code":        {accountSchema(schema.Update), "postal", `<c s="3"><v>1067</v></c>`, "01067", keptZeros + "postal", ""},
		"strict":             {strict, "phone", padded, "", "", `row 2, phone: "0351123456" is how the sheet shows a number with other digits or texts, which --strict refuses`},
		"many digits":        {accountSchema(schema.Update), "phone", `<c><v>1.2345678901234501E+18</v></c>`, "", "", `row 2, phone: "1234567890123450000" is a number of more than 15 digits, of which a spreadsheet keeps 15: give the column the format Text, enter the text again and save the file again`},
		"15 digits":          {accountSchema(schema.Update), "phone", `<c><v>123456789012345</v></c>`, "123456789012345", "", ""},
		"unchecked":          {unchecked, "phone", padded, "0351123456", keptZeros + "phone", ""},
		"read only":          {accountSchema(schema.Update), "status", padded, "", "", ""},
		"date":               {accountSchema(schema.Update), "phone", date, "", "", "row 2, phone: " + isDate},
		"date of a name":     {split, "name", date, "", "", "row 2, name: " + isDate},
		"date unchecked":     {unchecked, "phone", date, "2026-11-22", "", ""},
		"date read only":     {accountSchema(schema.Update), "status", date, "", "", ""},
		"date as attributes": {accountSchema(schema.Update), "attributes.since", date, "2026-11-22", "", ""},
		"percent":            {accountSchema(schema.Update), "account_name", percent, "", "", `row 2, account_name: "0.5" is a number that the spreadsheet shows as another text: give the column the format Text, enter the text again and save the file again`},
		"percent of a phone": {accountSchema(schema.Update), "phone", percent, "", "", `row 2, phone: "0.5" is a fraction: write the text that is meant`},
		"percent in general": {accountSchema(schema.Update), "attributes.since", percent, "0.5", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			book := bookWith(t, `<row><c t="str"><v>account_id</v></c><c t="str"><v>`+c.column+`</v></c></row><row><c s="3"><v>1</v></c>`+c.cell+`</row>`)
			s, err := Open(decode.Options{Path: "-", Stdin: bytes.NewReader(book)}, c.schema)
			noError(t, err)
			defer func() { _ = s.Close() }()
			report, err := s.Validate(t.Context())
			issue, got := "", ""
			if err != nil {
				issue = err.Error()
			}
			for row := range s.Valid() {
				got = row.Values.Get(c.column).Text()
				if id := string(row.Values.Get("account_id")); id != "1" {
					t.Errorf("got the id %s, want 1", id)
				}
			}
			if told := strings.Join(report.Notes, "; "); got != c.want || told != c.told || issue != c.issue {
				t.Errorf("got %q, note %q, issue %q; want %q, %q, %q", got, told, issue, c.want, c.told, c.issue)
			}
		})
	}
}

// TestShownPasswords checks that a password is no date, no truth value and no number that the sheet shows otherwise, and that no
// message quotes it.
func TestShownPasswords(t *testing.T) {
	const retype = ": give the column the format Text, enter the text again and save the file again"
	for name, c := range map[string]struct{ cell, want string }{
		"text":        {`<c t="str"><v>TRUE</v></c>`, ""},
		"number":      {`<c s="0"><v>12345</v></c>`, ""},
		"date":        {`<c s="2"><v>46348</v></c>`, "row 2, password: is a date to the spreadsheet" + retype},
		"truth value": {`<c t="b"><v>1</v></c>`, "row 2, password: is a truth value to the spreadsheet, or a number that it shows otherwise" + retype},
		"zeros":       {`<c s="1"><v>351123456</v></c>`, "row 2, password: is a truth value to the spreadsheet, or a number that it shows otherwise" + retype},
		"percent":     {`<c s="4"><v>0.5</v></c>`, "row 2, password: is a number that the spreadsheet shows as another text" + retype},
		"rounded":     {`<c><v>1.2345678901234501E+18</v></c>`, "row 2, password: is a number of more than 15 digits, of which a spreadsheet keeps 15" + retype},
	} {
		t.Run(name, func(t *testing.T) {
			book := bookWith(t, `<row><c t="str"><v>account_id</v></c><c t="str"><v>password</v></c></row><row><c s="3"><v>1</v></c>`+c.cell+`</row>`)
			sch := Schema{Resource: schema.Credentials.Only("account_id", "password"), Use: schema.Create, Validate: true}
			wantFault(t, book, sch, c.want)
		})
	}
}

// TestWrittenCells checks that the cells of a row which is written are read again as the same
// texts, and that those which are numbers, dates or booleans keep their types, unless a
// spreadsheet would then show another text.
func TestWrittenCells(t *testing.T) {
	for name, c := range map[string]struct {
		cell, text string
		kind       xlsx.Kind
	}{
		"number":             {`<c><v>-1250.50</v></c>`, "-1250.5", xlsx.KindNumber},
		"exponent":           {`<c><v>5.03555010012E+11</v></c>`, "503555010012", xlsx.KindNumber},
		"too many digits":    {`<c><v>12345678901234567</v></c>`, "12345678901234567", xlsx.KindRounded},
		"percent":            {`<c s="4"><v>0.5</v></c>`, "0.5", xlsx.KindStyled},
		"no number":          {`<c><v>soon</v></c>`, "soon", xlsx.KindText},
		"text of digits":     {`<c t="str"><v>00123</v></c>`, "00123", xlsx.KindText},
		"text of a number":   {`<c t="str"><v>12</v></c>`, "12", xlsx.KindText},
		"date":               {`<c t="d"><v>2026-11-22</v></c>`, "2026-11-22", xlsx.KindDate},
		"date and time":      {`<c t="d"><v>2026-11-22T12:30:59</v></c>`, "2026-11-22T12:30:59", xlsx.KindDate},
		"midnight":           {`<c t="d"><v>2026-11-22T00:00:00</v></c>`, "2026-11-22T00:00:00", xlsx.KindDate},
		"day of no calendar": {`<c t="d"><v>1899-11-22</v></c>`, "1899-11-22", xlsx.KindText},
		"time":               {`<c t="d"><v>12:30:00</v></c>`, "12:30:00", xlsx.KindDate},
		"long time":          {`<c t="d"><v>130:05:00</v></c>`, "130:05:00", xlsx.KindDate},
		"boolean":            {`<c t="b"><v>1</v></c>`, "TRUE", xlsx.KindBool},
		"text of a boolean":  {`<c t="str"><v>TRUE</v></c>`, "TRUE", xlsx.KindText},
		"error":              {`<c t="e"><v>#N/A</v></c>`, "#N/A", xlsx.KindText},
		"formula":            {`<c><f>1+1</f><v>2</v></c>`, "2", xlsx.KindNumber},
	} {
		t.Run(name, func(t *testing.T) {
			sch := accountSchema(schema.Update)
			sch.IgnoreUnknown = true
			book := bookWith(t, `<row><c t="str"><v>account_id</v></c><c t="str"><v>MRR</v></c></row><row><c><v>1</v></c>`+c.cell+`</row>`)
			s, err := Open(decode.Options{Path: "-", Stdin: bytes.NewReader(book)}, sch)
			noError(t, err)
			defer func() { _ = s.Close() }()
			w := NewWriter(s, filepath.Join(t.TempDir(), "out.xlsx"), "error")
			for row, err := range s.All() {
				if err == nil {
					err = w.Write(*row, "why")
				}
				noError(t, err)
			}
			noError(t, w.Commit())
			text, err := os.ReadFile(w.Path())
			noError(t, err)
			written, err := xlsx.Open(bytes.NewReader(text), int64(len(text)))
			noError(t, err)
			var cells []xlsx.Cell // of the last row
			for row, rowErr := range written.Rows(written.Sheets()[0]) {
				noError(t, rowErr)
				cells = slices.Clone(row.Cells)
			}
			want := []xlsx.Cell{{Kind: xlsx.KindNumber, Text: "1"}, {Column: 1, Kind: c.kind, Text: c.text}, {Column: 2, Text: "why"}}
			if !slices.Equal(cells, want) {
				t.Errorf("got %v, want %v", cells, want)
			}
		})
	}
}

// wantFault checks the error of the validation of a workbook, "" for none.
func wantFault(t *testing.T, book []byte, sch Schema, want string) {
	t.Helper()
	s, err := Open(decode.Options{Path: "-", Stdin: bytes.NewReader(book)}, sch)
	noError(t, err)
	defer func() { _ = s.Close() }()
	got := ""
	if _, err = s.Validate(t.Context()); err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
