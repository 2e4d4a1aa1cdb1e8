package output

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/xlsx"
	"reseller/output/encode"
)

// hostile are records as a broken or malicious service would send them.
var hostile = []string{
	`{"account_id":1,"campaign_id":101,"account_name":"Acme, \"Inc\"","note":"line\nbreak\ttab \u001b[31m",
	  "external_account_manager":{"name":"Ann","email":"ann@example.com"},
	  "attributes":[ {"field_name":"Industry", "field_value":"Cars"} ],
	  "big":12345678901234567890,"huge":1e400,"exact":1.0,"extra":{"deep":{"x":[1,{"y":2}]},"none":{}}}`,
	`{"account_id":"22","campaign_id":null,"account_name":"日本語 ümlaut <b>x</b> [l](http://example.com) www.example.com","note":"-5","attributes":[]}`,
	"{\"account_name\":\"del\x7f c1\u009b rtl\u202e bad\xff\",\"note\":\"a|b\\\\c\\r\",\"attributes\":[\"\xff\u202e\"]}",
	`{}`,
	`{"account_id":3,"account_name":"=cmd()","note":" pad ","phone_number":"555","zip":"1","active":true}`,
	`{"account_id":-4,"account_name":"＝cmd()","note":"","phone":"1","phone_number":"2"}`,
	`{"account_name":"yes","note":"2024-01-01","campaign_id":"007","phone":"null"}`,
}

var accounts = Shape{Columns: []Column{
	{Name: "account_id"}, {Name: "campaign_id"}, {Name: "account_name"}, {Name: "note"},
	{Name: "phone", Alt: []string{"phone_number"}, Wide: true},
	{Name: "external_account_manager.name", Wide: true}, {Name: "attributes", Wide: true},
}}

var abc = Shape{Columns: []Column{{Name: "a"}, {Name: "b"}, {Name: "c"}}}

func records(texts ...string) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for _, text := range texts {
			if !yield(record.Parse([]byte(text))) {
				return
			}
		}
	}
}

// failing is records and then an error.
func failing(err error, texts ...string) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for rec, bad := range records(texts...) {
			if !yield(rec, bad) {
				return
			}
		}
		yield(record.Record{}, err)
	}
}

// render returns what a printer writes of texts; of a workbook, the XML of its sheet.
func render(t *testing.T, o Options, s Shape, texts ...string) string {
	t.Helper()
	var out bytes.Buffer
	p, err := New(&out, o)
	noError(t, err)
	noError(t, p.Print(context.Background(), s, records(texts...)))
	if o.Format == encode.XLSX {
		return sheetOf(t, out.String())
	}
	return out.String()
}

// sheetOf returns the XML of the sheet of a workbook.
func sheetOf(t *testing.T, workbook string) string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(workbook), int64(len(workbook)))
	noError(t, err)
	f, err := z.Open("xl/worksheets/sheet1.xml")
	noError(t, err)
	text, err := io.ReadAll(f)
	noError(t, err)
	return string(text)
}

// printed returns what a printer wrote of seq, and the error.
func printed(t *testing.T, o Options, seq iter.Seq2[record.Record, error]) (string, error) {
	t.Helper()
	var out bytes.Buffer
	p, err := New(&out, o)
	noError(t, err)
	err = p.Print(context.Background(), abc, seq)
	return out.String(), err
}

func single(s Shape) Shape {
	s.Single = true
	return s
}

func TestGolden(t *testing.T) {
	front := accounts
	front.Columns = slices.Concat([]Column{{Name: "report_id"}, {Name: "account_id"}}, accounts.Columns[2:4])
	with := `{"note":"n","report_id":7,"account_name":"Ann","account_id":1}`
	type run struct {
		name  string
		o     Options
		shape Shape
		texts []string
	}
	runs := []run{
		{"table-terminal", Options{TTY: true, Width: 60, Color: true}, accounts, hostile},
		{"table-detail-terminal", Options{TTY: true, Width: 50}, single(accounts), hostile[:1]},
		{"json-columns", Options{Format: encode.JSON, Columns: []string{"account_id", "attributes.Industry", ".extra.deep", "external_account_manager", "account_id"}}, accounts, hostile[:2]},
		{"csv-all", Options{Format: encode.CSV, Columns: []string{"all"}}, accounts, hostile},
		{"csv-safe", Options{Format: encode.CSV, CSVSafe: true}, accounts, hostile},
		{"tsv-safe", Options{Format: encode.TSV, CSVSafe: true, NoHeader: true}, accounts, hostile},
		{"sorted", Options{Format: encode.CSV, Sort: []string{"-account_id"}}, accounts, hostile},
	}
	for _, name := range encode.RecordNames() {
		f := encode.Format(name)
		name := string(f)
		runs = append(runs,
			run{name + "-list", Options{Format: f}, accounts, hostile},
			run{name + "-single", Options{Format: f}, single(accounts), hostile},
			run{name + "-empty", Options{Format: f}, accounts, nil},
			run{name + "-front", Options{Format: f}, front, []string{with}},
			run{name + "-no-header", Options{Format: f, NoHeader: true}, accounts, hostile[3:5]},
		)
	}
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			got := render(t, r.o, r.shape, r.texts...)
			compareGolden(t, filepath.Join("testdata", "golden", r.name), got)
		})
	}
}

func TestNoControlCharacterGetsOut(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r < 0x2100; r++ {
		if r >= 0x20 && r != '"' && r != '\\' {
			all.WriteRune(r)
		}
	}
	all.WriteString("\u2028\u2029\u2060\u3164\ufeff\U000e0001\U000e0041")
	text := `{"account_name":"` + all.String() + `\u0000\u0007\b\f\r\u001b\u009b\u202e` + "\xff\xc3" + `"}`
	for _, name := range encode.RecordNames() {
		f := encode.Format(name)
		t.Run(string(f), func(t *testing.T) {
			for _, s := range []Shape{accounts, single(accounts), {}} {
				got := render(t, Options{Format: f}, s, text)
				for i, r := range got {
					if safetext.IsControl(r) && r != '\n' && (r != '\t' || f.Kind() != encode.KindRows) || r == '\uFFFD' && strings.HasPrefix(got[i:], "\xff") {
						t.Errorf("%U is in the output", r)
					}
					if safetext.IsInvisible(r) && f.Kind() == encode.KindReading {
						t.Errorf("%U is in the output for people", r)
					}
				}
				if !strings.ContainsRune(got, '\u200d') && f.Kind() != encode.KindReading {
					t.Error("U+200D, which belongs to some emoji, is not in the output for programs")
				}
			}
		})
	}
}

// TestMissingID checks that the ids before a record without one are printed.
func TestMissingID(t *testing.T) {
	var b bytes.Buffer
	p, err := New(&b, Options{Format: encode.IDs})
	noError(t, err)
	shape := Shape{Columns: []Column{{Name: "account_id", ID: "account"}}}
	if err := p.Print(context.Background(), shape, records(`{"account_id":1}`, `{"account_id":null}`)); err == nil || b.String() != "1\n" {
		t.Errorf("got %q and %v, want the first id and an error", b.String(), err)
	}
}

func TestColumnsAndSortAreChecked(t *testing.T) {
	for _, tc := range []struct {
		columns []string
		sort    string
		want    string // in the error, none when empty
	}{
		{columns: []string{"account_id", " note "}},
		{columns: []string{"all"}},
		{columns: []string{"external_account_manager", "attributes.In.dustry", ".added.later"}, sort: "-.added"},
		{columns: []string{"acount_id"}, want: `unknown column "acount_id"; did you mean account_id?`},
		{columns: []string{"manager"}, want: `did you mean external_account_manager.name?`},
		{columns: []string{"phone_number"}, want: `did you mean phone?`},
		{columns: []string{"external_account_manager.email"}, want: `unknown column "external_account_manager.email"`},
		{columns: []string{"note.x"}, want: `unknown column "note.x"`},
		{columns: []string{"attributes."}, want: `unknown column "attributes."`},
		{columns: []string{"note", ""}, want: "empty column name"},
		{columns: []string{"."}, want: "empty column name"},
		{columns: []string{"all", "note"}, want: "can't be used"},
		{sort: "-nte", want: `unknown sort column "nte"; did you mean note?`},
		{sort: "-", want: "empty sort column name"},
	} {
		t.Run(strings.Join(tc.columns, ",")+" "+tc.sort, func(t *testing.T) {
			p, err := New(io.Discard, Options{Columns: tc.columns, Sort: strings.Fields(tc.sort)})
			noError(t, err)
			err = p.Check(accounts)
			var usage *UsageError
			if tc.want == "" {
				if err != nil {
					t.Errorf("got error %v, want none", err)
				}
			} else if !errors.As(err, &usage) || !strings.Contains(usage.Message+"; "+usage.Hint, tc.want) {
				t.Errorf("got error %+v, want %q", err, tc.want)
			}
		})
	}
}

func TestUnknownFormat(t *testing.T) {
	_, err := New(io.Discard, Options{Format: "jsn"})
	var usage *UsageError
	if !errors.As(err, &usage) || !strings.Contains(usage.Hint, "did you mean json?") || !strings.Contains(usage.Hint, "markdown") {
		t.Errorf("got %v, want a usage error that names json, and all formats in its hint", err)
	}
}

func TestNullFallsBackToAlternative(t *testing.T) {
	s := Shape{Columns: []Column{{Name: "a", Alt: []string{"b", "c"}}, {Name: "e"}}}
	for text, want := range map[string]string{
		`{"a":null,"b":"=1, 2","e":null}`:    `"'=1, 2",`,
		`{"a":null,"b":null,"c":-5,"e":"x"}`: `-5,x`,
		`{"a":null,"b":["y"],"e":1}`:         `"[""y""]",1`,
		`{"a":null,"c":null,"e":2}`:          `,2`,
		`{"a":"","b":"z","e":3}`:             `,3`,
		`{"c":"first","e":4}`:                `first,4`,
	} {
		t.Run(text, func(t *testing.T) {
			if got := render(t, Options{Format: encode.CSV, NoHeader: true, CSVSafe: true}, s, text); got != want+"\n" {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	rows := slices.Repeat([]string{`{"a":null,"b":1,"e":2}`}, 101) // more than the rows that a table holds back
	for format, want := range map[encode.Format]string{encode.Table: "1  2\n", encode.TSV: "1\t2\n", encode.Markdown: "| 1 | 2 |\n", encode.NDJSON: `{"a":1,"e":2}` + "\n"} {
		t.Run(string(format), func(t *testing.T) {
			o := Options{Format: format, NoHeader: true}
			if format == encode.NDJSON {
				o.Columns = []string{"a", "e"}
			}
			if got := render(t, o, s, rows...); got != strings.Repeat(want, len(rows)) {
				t.Errorf("got %.40q, want %d times %q", got, len(rows), want)
			}
		})
	}
}

// Formats for reading show the dates of date columns in one shape. Other formats
// and columns show them as the service sent them.
func TestDatesByFormat(t *testing.T) {
	const text = `{"when":"2024-04-10T04:04:00","text":"2024-04-10T04:04:00","n":[{"when":"2024-04-10T04:04:00"}]}`
	const came = "2024-04-10T04:04:00"
	for _, c := range []struct {
		format encode.Format
		single bool
		want   string
	}{
		{encode.Table, false, "WHEN              TEXT                 N\n2024-04-10 04:04  " + came + "  [{\"when\":\"" + came + "\"}]\n"},
		{encode.Table, true, "FIELD  VALUE\nwhen   2024-04-10 04:04\ntext   " + came + "\nn      [{\"when\":\"" + came + "\"}]\n"},
		{encode.Markdown, false, "| when | text | n |\n| --- | --- | --- |\n| 2024-04-10 04:04 | " + came + " | \\[{\"when\":\"" + came + "\"}\\] |\n"},
		{encode.CSV, false, "when,text,n\n" + came + "," + came + ",\"[{\"\"when\"\":\"\"" + came + "\"\"}]\"\n"},
		{encode.NDJSON, false, text + "\n"},
	} {
		t.Run(fmt.Sprintf("%s single=%v", c.format, c.single), func(t *testing.T) {
			shape := Shape{Columns: []Column{{Name: "when", Date: true}, {Name: "text"}, {Name: "n"}}, Single: c.single}
			if got := render(t, Options{Format: c.format}, shape, text); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// Excel takes a workbook for damaged whose cells are too long, those of the header included.
func TestLongCellsOfWorkbooks(t *testing.T) {
	long := strings.Repeat("x", xlsx.MaxText)
	for name, c := range map[string]struct {
		text string
		want string // in the error, none when empty
	}{
		"longest":         {`{"a":"` + long + `","` + long[1:] + `":1}`, ""},
		"long value":      {`{"a":"` + long + `x"}`, "row 1, column a: the text is longer than the 32,767 characters that a cell of a workbook holds: use -o csv"},
		"long name":       {`{"` + long + `x":1}`, "the name of column 1: the text is longer"},
		"escaped to long": {`{"a":"` + long[1:] + `\u0001"}`, "row 1, column a: "},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := New(io.Discard, Options{Format: encode.XLSX})
			noError(t, err)
			err = p.Print(context.Background(), Shape{}, records(c.text))
			if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, xlsx.ErrTooLong) || !strings.HasPrefix(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestWriteError(t *testing.T) {
	var out bytes.Buffer
	_ = WriteError(&out, ErrorInfo{Message: "bad <\u202e\x1b>", ExitCode: 1})
	_ = WriteError(&out, ErrorInfo{Message: "m", ExitCode: 6, HTTPStatus: 422, Messages: []string{"a\n"}, ErrorCode: "E", Operation: "POST /x"})
	want := `{"error":{"message":"bad <\u202e\u001b>","exit_code":1,"http_status":0,"messages":[],"error_code":"","operation":""}}
{"error":{"message":"m","exit_code":6,"http_status":422,"messages":["a\n"],"error_code":"E","operation":"POST /x"}}
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
