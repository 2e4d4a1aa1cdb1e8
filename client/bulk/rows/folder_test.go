package rows

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/schema"
	"reseller/client/xlsx"
)

// folder writes the files of a folder and returns its path.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// openFolder opens the files of a folder as one source.
func openFolder(t testing.TB, files map[string]string, sch Schema) (s *Source, dir string) {
	t.Helper()
	dir = folder(t, files)
	s, err := Open(decode.Options{Path: dir}, sch)
	noError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s, dir
}

// workbook returns a workbook with a header and rows.
func workbook(t testing.TB, header []string, rows ...[]string) string {
	t.Helper()
	var out bytes.Buffer
	w := xlsx.NewWriter(&out, "Sheet", header)
	for _, row := range rows {
		for _, cell := range row {
			w.Text([]byte(cell))
		}
		noError(t, w.EndRow())
	}
	noError(t, w.Close())
	return out.String()
}

// describeAll returns the rows of a validated source, one a line, behind their places.
func describeAll(t testing.TB, s *Source) string {
	t.Helper()
	var out strings.Builder
	for row, err := range s.All() {
		noError(t, err)
		fmt.Fprintf(&out, "%d %s: %s\n", row.Ordinal, s.Place(row.Line), describe(*row))
	}
	return out.String()
}

func TestFolder(t *testing.T) {
	s, _ := openFolder(t, map[string]string{
		"b.ndjson":   `{"account_id":1,"campaign_id":2,"keyword":"b","type":"target"}` + "\n",
		"a.csv":      "Account ID;campaign_id;Search term;type\n\n1;2; a1 ;target\n1;2;a2;interest\n",
		"c.yaml":     "keyword: c\naccount_id: 1\ncampaign_id: 2\ntype: target\n",
		"d.xlsx":     workbook(t, []string{"type", "keyword", "account_id", "campaign_id"}, []string{"target", "d", "1", "2"}),
		"e.tsv":      "keyword\taccount_id\tcampaign_id\ttype\n",
		"f.txt":      "f1\nf2\n",
		".hidden":    "x",
		"a.csv~":     "x",
		"~$d.xlsx":   "x",
		"#c.yaml#":   "x",
		".#lock.csv": "x",
	}, func() Schema {
		sch := createSchema()
		sch.Defaults = schema.Values{"account_id": []byte("1"), "campaign_id": []byte("2"), "keyword_type": []byte(`"target"`)}
		return sch
	}())
	report, err := s.Validate(t.Context())
	noError(t, err)
	for _, note := range []string{
		`"a.csv": the cells are separated by semicolons`,
		"removed white space around the text of 1 cell: a.csv: line 3, Search term",
	} {
		if !slices.Contains(report.Notes, note) {
			t.Errorf("got the notes %q, want %q", report.Notes, note)
		}
	}
	want := strings.ReplaceAll(`0 a.csv: line 3: A keyword="a1" keyword_type="target"
1 a.csv: line 4: A keyword="a2" keyword_type="interest"
2 b.ndjson: line 1: A keyword="b" keyword_type="target"
3 c.yaml: line 1: A keyword="c" keyword_type="target"
4 d.xlsx: row 2: A keyword="d" keyword_type="target"
5 f.txt: line 1: A keyword="f1" keyword_type="target"
6 f.txt: line 2: A keyword="f2" keyword_type="target"
`, "A", "account_id=1 campaign_id=2")
	for range 2 {
		if got := describeAll(t, s); got != want {
			t.Errorf("got the rows\n%s\nwant\n%s", got, want)
		}
	}
}

func TestFaultsOfFolders(t *testing.T) {
	const good = keywordHead + "1,2,a,target\n"
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"headers of two files": {map[string]string{"a.csv": "keyword,colour\n", "b.csv": good, "c.csv": "keyword,size\n"}, []string{
			"a.csv: line 1, colour: unknown column: use --map or --ignore-unknown\nc.csv: line 1, size: unknown column: use --map or --ignore-unknown"}},
		"rows of two files": {map[string]string{"b.csv": keywordHead + "1,2,b,red\n", "a.yaml": "account_id: x\ncampaign_id: 2\nkeyword: a\ntype: target\n"}, []string{
			`a.yaml: line 1, account_id: "x" is not a whole number`, "\nb.csv: line 2, keyword_type: "}},
		"row of a workbook": {map[string]string{"a.csv": good, "b.xlsx": workbook(t, []string{"account_id", "campaign_id", "keyword", "type"}, []string{"1", "2", "TRUE", "target"})}, []string{
			`b.xlsx: row 2, keyword: `}},
		"rest of a file": {map[string]string{"a.csv": good, "b.json": "[{}"}, []string{"b.json: line 1: the array is not closed"}},
		"empty file":     {map[string]string{"a.csv": good, "b.csv": ""}, []string{"b.csv: the file is empty"}},
		"cells":          {map[string]string{"a.csv": good, "b.csv": keywordHead + "1,2\n"}, []string{"b.csv: line 2: has 2 cells where the header has 4"}},
		"conflict": {map[string]string{"a.csv": good, "b.ndjson": "\n\n" + `{"account_id":1,"campaign_id":2,"keyword":"A","type":"interest"}`}, []string{
			"b.ndjson: line 3: contradicts a.csv: line 2: the same keyword with different content in keyword_type"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openFolder(t, test.files, createSchema())
			_, err := s.Validate(t.Context())
			wantError(t, err, test.want...)
			if invalid := decode.AsError(err); strings.Contains(err.Error(), "unknown column") && !strings.Contains(invalid.Hint, "--map") {
				t.Errorf("got the hint %q, want that of the headers", invalid.Hint)
			}
		})
	}
}

// TestSheetOfAFolder names a sheet of the workbooks of a folder, which its other files do not have.
func TestSheetOfAFolder(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": keywordHead + "1,2,a,target\n", "b.xlsx": workbook(t, []string{"account_id", "campaign_id", "keyword", "type"}, []string{"1", "2", "b", "target"})})
	s, err := Open(decode.Options{Path: dir, Sheet: "Sheet"}, createSchema())
	noError(t, err)
	defer func() { _ = s.Close() }()
	if report, err := s.Validate(t.Context()); err != nil || report.Rows != 2 {
		t.Errorf("got %d rows and the error %v, want 2 and none", report.Rows, err)
	}
}

func TestRepeatsInFolders(t *testing.T) {
	s, _ := openFolder(t, map[string]string{"a.csv": keywordHead + "1,2,a,target\n", "b.csv": keywordHead + "1,2,b,target\n1,2,A,target\n"}, createSchema())
	report, err := s.Validate(t.Context())
	if err != nil || report.Send != 2 || !slices.Contains(report.Notes, "b.csv: line 3 repeats a.csv: line 2 and counts once") {
		t.Errorf("got %+v, error %v; want 2 rows and a note on the third", report, err)
	}
}

func TestMappingsOfFolders(t *testing.T) {
	files := map[string]string{"a.csv": "Konto,campaign_id,keyword,type\n1,2,a,target\n", "b.csv": keywordHead + "1,2,b,target\n", "c.csv": "Konto,campaign_id,keyword,type,MRR\n1,2,c,target,9\n"}
	sch := createSchema()
	sch.Map = map[string]string{"konto": "account_id", "MRR": ""}
	s, _ := openFolder(t, files, sch)
	if _, err := s.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprint(s.MappingKey); got != "map[Konto:account_id MRR:]" {
		t.Errorf("got the key %s, want Konto and MRR", got)
	}
	sch.Map["Kunde"] = "account_id"
	s, _ = openFolder(t, files, sch)
	_, err := s.Validate(t.Context())
	wantError(t, err, "Kunde: no such column in the file")

	sch, asked := createSchema(), 0
	sch.Ask = func(q Question) (answers []string, err error) {
		for _, column := range q.Columns {
			if !column.Known {
				asked++
			}
			answers = append(answers, cmp.Or(map[string]string{"Konto": "account_id"}[column.Name], column.Field))
		}
		return answers, nil
	}
	s, _ = openFolder(t, files, sch)
	if report, err := s.Validate(t.Context()); err != nil || report.Send != 3 || asked != 2 {
		t.Errorf("got %+v, error %v, %d questions; want 3 rows and 2 questions", report, err, asked)
	}
}

// TestChangedFolders checks that a file that changes between two passes ends the second
// one, and that another run finds another digest.
func TestChangedFolders(t *testing.T) {
	const row = keywordHead + "1,2,b,target\n"
	block := row + strings.Repeat("\n", 1<<16-len(row)) // what is behind it is a block of its own
	files := map[string]string{"a.csv": keywordHead + "1,2,a,target\n", "b.csv": block}
	digest := func(dir string) string {
		s, err := Open(decode.Options{Path: dir}, createSchema())
		noError(t, err)
		defer func() { _ = s.Close() }()
		if _, err := s.Validate(t.Context()); err != nil {
			t.Fatal(err)
		}
		sum, err := s.Digest()
		noError(t, err)
		return sum
	}
	for name, test := range map[string]struct {
		change func(dir string) error
		seen   bool // by the run that is reading the folder
	}{
		"unchanged": {func(string) error { return nil }, false},
		"other bytes": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "b.csv"), []byte(keywordHead+"1,2,c,target\n"), 0o600)
		}, true},
		"longer": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "b.csv"), []byte(block+"1,2,c,target\n"), 0o600)
		}, true},
		"removed": {func(dir string) error { return os.Remove(filepath.Join(dir, "b.csv")) }, true},
		"renamed": {func(dir string) error { return os.Rename(filepath.Join(dir, "b.csv"), filepath.Join(dir, "c.csv")) }, true},
		"added":   {func(dir string) error { return os.WriteFile(filepath.Join(dir, "c.csv"), []byte(keywordHead), 0o600) }, false},
		"added row": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "c.txt.csv"), []byte(keywordHead+"1,2,c,target\n"), 0o600)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := openFolder(t, files, createSchema())
			before := digest(dir)
			if _, err := s.Validate(t.Context()); err != nil {
				t.Fatal(err)
			}
			noError(t, test.change(dir))
			var err error
			for _, err = range s.All() {
			}
			if errors.Is(err, decode.ErrChanged) != test.seen {
				t.Errorf("got the error %v, want one: %t", err, test.seen)
			}
			if got := digest(dir) != before; got != (name != "unchanged") {
				t.Errorf("another digest: got %t, want %t", got, !got)
			}
		})
	}
}

// TestFilesAreOpenedOneByOne reads more files than a process may open by default.
func TestFilesAreOpenedOneByOne(t *testing.T) {
	const n = 1500
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("%05d.csv", i)] = fmt.Sprintf("%s1,2,k%d,target\n", keywordHead, i)
	}
	s, _ := openFolder(t, files, createSchema())
	report, err := s.Validate(t.Context())
	if err != nil || report.Send != n {
		t.Fatalf("got %+v, error %v; want %d rows", report, err, n)
	}
	next := 0
	for row, err := range s.Valid() {
		if err != nil || row.Ordinal != next {
			t.Fatalf("got row %d, error %v; want row %d", row.Ordinal, err, next)
		}
		if next++; next == n {
			open, err := os.ReadDir("/proc/self/fd")
			if err != nil {
				continue
			}
			if len(open) > 100 {
				t.Fatalf("got %d open files, want one of the folder", len(open))
			}
		}
	}
}

// TestCutFiles checks that a csv has the same rows as a folder with its parts, whatever
// their formats, and that the rows that a folder writes are read as the same ones.
func TestCutFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	sch := accountSchema(schema.Create)
	sch.IgnoreUnknown = true
	sch.Map = map[string]string{"Contact": "first_name"}
	for i := range 30 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			header := []string{"Account Name", "phone", "E-Mail", "Contact", "surname", "street", "Address 2", "town", "state", "ZIP code", "Country", "site", "crm id", "attributes", "MRR"}
			var all [][]string
			for n := range 1 + r.IntN(12) {
				all = append(all, []string{
					fmt.Sprintf("%s %d", pick("Bikes", " Bikes", "Bäckerei \"Nord\"", "a\u00a0b"), n), pick("555", "5.03556E+09", "1"), pick("a@example.com", " b@example.com"),
					pick("Ann", "Bo"), pick("Lee", "O'Hara, jr."), "s", pick("", "x\\y"), "c", "OR", pick("97201", "1234"), pick("US", "USA", "Germany"),
					pick("example.com", "https://example.com"), pick("", fmt.Sprintf("external_account_identifier=k-%d", n), fmt.Sprintf(`{"field_name":"f","field_value":"%d"}`, n)),
					pick("", `[{"field_name":"a","field_value":"1"}]`), pick("", "9"),
				})
			}
			files := map[string]string{}
			for n, rest := 0, all; len(rest) > 0; n++ {
				take := 1 + r.IntN(len(rest))
				name, text := cut(t, pick("csv", "xlsx", ";"), n, header, rest[:take])
				files[name], rest = text, rest[take:]
			}
			_, whole := cut(t, "csv", 0, header, all)
			single, err := source(t, "csv", whole, sch)
			noError(t, err)
			parts, _ := openFolder(t, files, sch)
			want, got := outcome(t, single, ""), outcome(t, parts, "")
			if got != want {
				t.Errorf("got the rows\n%s\nwant\n%s", got, want)
			}
			for _, format := range []string{"ndjson", "json", "yaml"} {
				path := filepath.Join(t.TempDir(), "out."+format)
				if got := outcome(t, parts, path); got != want {
					t.Fatalf("got the rows\n%s\nwant\n%s", got, want)
				}
				written, err := Open(decode.Options{Path: path}, sch)
				noError(t, err)
				if got := outcome(t, written, ""); got != want {
					t.Errorf("%s: got the rows\n%s\nwant\n%s", format, got, want)
				}
				_ = written.Close()
			}
		})
	}
}

// cut returns a file of rows, the n-th one of its folder. The kind ; is csv with semicolons.
func cut(t *testing.T, kind string, n int, header []string, rows [][]string) (name, text string) {
	if kind == "xlsx" {
		return fmt.Sprintf("%02d.xlsx", n), workbook(t, header, rows...)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if kind == ";" {
		w.Comma = ';'
	}
	noError(t, w.WriteAll(append([][]string{header}, rows...)))
	return fmt.Sprintf("%02d.csv", n), out.String()
}

// outcome validates a source and returns its rows without their places, invalid ones with
// their reasons. If path is not empty, it writes them there.
func outcome(t *testing.T, s *Source, path string) string {
	t.Helper()
	if _, err := s.Validate(t.Context()); err != nil && decode.AsError(err) == nil {
		t.Fatal(err)
	}
	var w *Writer
	if path != "" {
		w = NewWriter(s, path, "error")
	}
	var out strings.Builder
	for row, err := range s.All() {
		if invalid := decode.AsError(err); invalid != nil {
			for _, issue := range invalid.Issues {
				reason, _, _ := strings.Cut(issue.Reason, ", in a column with the format Text") // of a sheet
				fmt.Fprintf(&out, "%d: %s\n", row.Ordinal, reason)
			}
		} else if err != nil {
			t.Fatal(err)
		} else {
			fmt.Fprintf(&out, "%d: %s\n", row.Ordinal, describe(*row))
		}
		noError(t, w.Write(*row, "why"))
	}
	noError(t, w.Commit())
	return out.String()
}

// TestPasswordsOfFolders checks that neither an error nor a written file has a password, even
// if its row has a cell too many.
func TestPasswordsOfFolders(t *testing.T) {
	const head = "account_id,campaign_id,credentials_types_id,reseller_account_id,username,password,PIN\n"
	sch := credentialsSchema()
	sch.IgnoreUnknown = true
	s, _ := openFolder(t, map[string]string{
		"a.csv":  head + "1,2,3,4,u,hunter2,hunter2\n1,2,3,shifted,u,hunter2,\n1,2,3,4,u,v,hunter2,\n",
		"b.json": `[{"account_id":1,"campaign_id":3,"credentials_types_id":3,"reseller_account_id":4,"username":"u","password":"hunter2","PIN":"hunter2"},"hunter2"]`,
	}, sch)
	_, err := s.Validate(t.Context())
	wantError(t, err, "a.csv: line 3, reseller_account_id", "a.csv: line 4: has 8 cells", "b.json: record 2: is a string")
	if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "shifted") {
		t.Errorf("got the error %v, want no cell of a file with passwords in it", err)
	}
	for row, err := range s.All() {
		if err != nil {
			continue
		}
		issue := s.Refuse(row, Fault{Reason: `is "hunter2"`})
		if row.Line == 2 && strings.Contains(issue.Reason, "hunter2") {
			t.Errorf("got the reason %s, want no cell in it", issue.Reason)
		}
	}
	path := filepath.Join(t.TempDir(), "out.ndjson")
	w := NewWriter(s, path, "error")
	for row := range s.All() {
		noError(t, w.Write(*row, "why"))
	}
	noError(t, w.Commit())
	text, err := os.ReadFile(path)
	noError(t, err)
	if strings.Contains(string(text), "hunter2") || strings.Count(string(text), "\n") != 5 {
		t.Errorf("got the file\n%s\nwant 5 rows without a password", text)
	}
}
