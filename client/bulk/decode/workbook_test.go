package decode

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/xlsx"
)

// bookOf returns a workbook with the sheet customers. A cell that is a number in the text
// becomes one; an empty text makes no cell.
func bookOf(t *testing.T, rows ...[]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := xlsx.NewWriter(&out, "customers", nil)
	for _, row := range rows {
		for _, cell := range row {
			if cell == "" {
				w.Blank()
			} else {
				w.Text([]byte(cell))
			}
		}
		noError(t, w.EndRow())
	}
	noError(t, w.Close())
	return out.Bytes()
}

// lines returns a line for each row of a file: its number, its cells and its issues.
func lines(f *File) (out []string, err error) {
	for row, err := range f.Rows() {
		if err != nil {
			return out, err
		}
		line := fmt.Sprintf("%d %q", row.Row, row.Cells)
		for _, issue := range row.Issues {
			line += " " + issue.String()
		}
		out = append(out, line)
	}
	return out, nil
}

// TestWorkbook checks that the columns with a name are read, wherever they are, and that a
// value in another column is an issue of its row.
func TestWorkbook(t *testing.T) {
	book := bookOf(t, nil, []string{"", "username", "", "password", " "}, nil, []string{"", "u", "", "p"}, []string{"x", "", "", "q", "", "y"}, []string{"", "v"})
	for name, o := range map[string]Options{
		"by its content":       {Path: "-", Stdin: bytes.NewReader(book)},
		"by its format":        {Path: "-", Stdin: bytes.NewReader(book), Format: "xlsx"},
		"by the sheet's name":  {Path: "-", Stdin: bytes.NewReader(book), Sheet: "Customers"},
		"by the sheet's place": {Path: "-", Stdin: bytes.NewReader(book), Sheet: "1"},
		"as a file":            {Path: tempFile(t, "customers.xlsx", book)},
		"with another ending":  {Path: tempFile(t, "customers.csv", book)},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Open(o, plainTable{})
			noError(t, err)
			defer func() { _ = f.Close() }()
			h, err := f.ReadHeader()
			if want := []string{"username", "password"}; err != nil || !slices.Equal(h.Columns, want) || h.Row != 2 || h.Notes != nil {
				t.Errorf("got %+v, %v, want the columns %q of row 2", h, err, want)
			}
			for range 2 {
				got, err := lines(f)
				want := []string{
					`4 ["u" "p"]`, `5 ["" "q" "x" "y"] row 5: the cell A5 has a value, but its column has no name row 5: the cell F5 has a value, but its column has no name`, `6 ["v" ""]`,
				}
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("got %q, %v, want %q", got, err, want)
				}
			}
			if f.Format != "xlsx" || f.Sheet() != "customers" {
				t.Errorf("got the format %q and the sheet %q, want xlsx and customers", f.Format, f.Sheet())
			}
		})
	}
}

// countingTable is a schema that counts how many sheets it was asked about.
type countingTable struct {
	plainTable
	asked *int
}

func (c countingTable) Fit(Header) int {
	if *c.asked++; *c.asked == 2 {
		return 1
	}
	return 0
}

// TestManySheets checks that the sheet with the required columns is looked for among a bounded number of sheets.
func TestManySheets(t *testing.T) {
	for _, c := range []struct {
		sheets, asked int
		sheet         string
	}{{100, 100, "2"}, {101, 0, "1"}} {
		t.Run(fmt.Sprint(c.sheets), func(t *testing.T) {
			var out bytes.Buffer
			z := zip.NewWriter(&out)
			part := func(name, xml string) {
				w, err := z.Create(name)
				if err == nil {
					_, err = io.WriteString(w, xml)
				}
				noError(t, err)
			}
			var list, links strings.Builder
			for i := range c.sheets {
				fmt.Fprintf(&list, `<sheet name="%d" r:id="a%[1]d"/>`, i+1)
				fmt.Fprintf(&links, `<Relationship Id="a%d" Type="x/worksheet" Target="%[1]d.xml"/>`, i+1)
				part(fmt.Sprintf("xl/%d.xml", i+1), `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`)
			}
			part("xl/workbook.xml", `<workbook><sheets>`+list.String()+`</sheets></workbook>`)
			part("xl/_rels/workbook.xml.rels", `<Relationships>`+links.String()+`</Relationships>`)
			noError(t, z.Close())
			asked := 0
			f, err := Open(Options{Path: tempFile(t, "a.xlsx", out.Bytes())}, countingTable{asked: &asked})
			noError(t, err)
			defer func() { _ = f.Close() }()
			if f.Sheet() != c.sheet || asked != c.asked {
				t.Errorf("read sheet %q after %d sheets, want %q after %d", f.Sheet(), asked, c.sheet, c.asked)
			}
		})
	}
}

func tempFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	noError(t, os.WriteFile(path, content, 0o600))
	return path
}

// TestChangedWorkbook checks that a workbook that is changed between two passes is an error,
// wherever in the file the change is.
func TestChangedWorkbook(t *testing.T) {
	rows := [][]string{{"username"}}
	for i := range 40_000 {
		rows = append(rows, []string{fmt.Sprintf("user %x", uint64(i)*0x9e3779b97f4a7c15)})
	}
	book := bookOf(t, rows...)
	for name, changed := range map[string][]byte{
		"in its first half": flipped(book, blockSize+1), "in its midst": flipped(book, len(book)/2), "at its end": flipped(book, len(book)-1), "a shorter one": book[:len(book)-1],
	} {
		t.Run(name, func(t *testing.T) {
			path := tempFile(t, "big.xlsx", book)
			f, err := Open(Options{Path: path}, plainTable{})
			noError(t, err)
			defer func() { _ = f.Close() }()
			if _, err := f.ReadHeader(); err != nil {
				t.Fatal(err)
			}
			if got, err := lines(f); err != nil || len(got) != 40_000 {
				t.Fatalf("got %d rows, %v, want 40,000", len(got), err)
			}
			noError(t, f.CopyTo(io.Discard))
			noError(t, os.WriteFile(path, changed, 0o600))
			if err := f.CopyTo(io.Discard); !errors.Is(err, ErrChanged) {
				t.Errorf("got %v as the error of CopyTo, want %v", err, ErrChanged)
			}
			// The list of the sheets is not read again, so that its end may change.
			if got, err := lines(f); !errors.Is(err, ErrChanged) && (name != "at its end" || err != nil || len(got) != 40_000) {
				t.Errorf("got %d rows, %v, want %v", len(got), err, ErrChanged)
			}
		})
	}
}

// flipped returns the content with another bit in a byte.
func flipped(content []byte, at int) []byte {
	out := bytes.Clone(content)
	out[at] ^= 1
	return out
}

// TestWorkbookWithPasswords checks that no part of a workbook that may hold passwords is
// written to a file.
func TestWorkbookWithPasswords(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	f, err := Open(Options{Path: "-", Stdin: bytes.NewReader(bookOf(t, []string{"username", "password"}, []string{"u", "p"}))}, passwordTable{})
	noError(t, err)
	defer func() { _ = f.Close() }()
	if _, err := f.ReadHeader(); err != nil {
		t.Fatal(err)
	}
	if got, err := lines(f); err != nil || f.file != nil || len(got) != 1 {
		t.Errorf("got %q, %v, in a file: %t; want one row in memory", got, err, f.file != nil)
	}
}

// TestRefusedInputs checks what is said of inputs that can't be read as they are given.
func TestRefusedInputs(t *testing.T) {
	book := bookOf(t, []string{"username"}, []string{"u"})
	for name, c := range map[string]struct {
		options Options
		text    string
		want    string
	}{
		"no such sheet":            {Options{Sheet: "x"}, string(book), `standard input has no sheet "x": its sheets are 1 "customers"`},
		"a sheet of csv":           {Options{Format: "csv", Sheet: "x"}, "username\n", `--sheet "x": standard input is csv, which has no sheets`},
		"the encoding of a book":   {Options{Encoding: "latin1"}, string(book), `--encoding "latin1": standard input is a workbook`},
		"a workbook as csv":        {Options{Format: "csv"}, string(book), "standard input is a workbook or an archive, not csv"},
		"csv as a workbook":        {Options{Format: "xlsx"}, "username\nu\n", "standard input is not a workbook (.xlsx)"},
		"html":                     {Options{}, " <html>", "standard input is HTML or XML, not a workbook"},
		"xls":                      {Options{}, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "standard input is an old Office file"},
		"xls as csv":               {Options{Format: "csv"}, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "not csv"},
		"another archive":          {Options{}, "PK\x05\x06" + strings.Repeat("\x00", 18), "standard input is a zip archive without a workbook"},
		"an unknown encoding":      {Options{Format: "csv", Encoding: "latin-99"}, "username\n", `unknown encoding "latin-99": --encoding is a name such as windows-1252`},
		"an encoding without text": {Options{Format: "csv", Encoding: "iso-2022-kr"}, "username\n", "unknown encoding"},
		"utf-16le":                 {Options{}, "u\x00s\x00", "has a 0 at byte 2: it is damaged, or UTF-16 without a byte-order mark, for which to try --encoding utf-16le"},
		"a damaged text":           {Options{}, "username\nu\x00\n", "standard input has a 0 at byte 11: it is damaged, or UTF-16"},
		"utf-16be":                 {Options{}, "\x00u\x00s", "for which to try --encoding utf-16be"},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.Path, c.options.Stdin = "-", strings.NewReader(c.text)
			_, err := Open(c.options, plainTable{})
			if file := (*FileError)(nil); !errors.As(err, &file) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// wide returns a text in UTF-16.
func wide(text string, littleEndian bool) string {
	var out []byte
	for _, r := range text {
		low, high := byte(r), byte(r>>8)
		if !littleEndian {
			low, high = high, low
		}
		out = append(out, low, high)
	}
	return string(out)
}

// TestEncodings checks that a text in another encoding gives the rows of one in UTF-8.
func TestEncodings(t *testing.T) {
	const text = "username;password\r\nMüller;\"1 €\"\r\nB;b\r\n"
	latin := strings.NewReplacer("ü", "\xfc", "€", "\x80").Replace(text)
	for name, c := range map[string]struct{ text, encoding string }{
		"utf-8":                {text, ""},
		"a mark":               {"\ufeff" + text, ""},
		"utf-16le with a mark": {"\xff\xfe" + wide(text, true), ""},
		"utf-16be with a mark": {"\xfe\xff" + wide(text, false), ""},
		"a mark and a name":    {"\xff\xfe" + wide(text, true), "windows-1252"},
		"utf-16le":             {wide(text, true), "UTF-16LE"},
		"utf-16be":             {wide(text, false), "utf-16be"},
		"windows-1252":         {latin, "windows-1252"},
		"latin1":               {latin, "latin1"},
		"utf-8 by name":        {text, "utf-8"},
		"iso-8859-15":          {strings.NewReplacer("ü", "\xfc", "€", "\xa4").Replace(text), "ISO-8859-15"},
		"macintosh":            {strings.NewReplacer("ü", "\x9f", "€", "\xdb").Replace(text), "macintosh"},
		"ibm437":               {strings.NewReplacer("ü", "\x81", "€", "E").Replace(text), "IBM437"},
		"cp437":                {strings.NewReplacer("ü", "\x81", "€", "E").Replace(text), "cp437"},
		"ibm852":               {strings.NewReplacer("ü", "\x81", "€", "E").Replace(text), "ibm852"},
		"cp852":                {strings.NewReplacer("ü", "\x81", "€", "E").Replace(text), "cp852"},
		"cp850":                {strings.NewReplacer("ü", "\x81", "€", "E").Replace(text), "cp850"},
		"ibm850":               {strings.NewReplacer("ü", "\x81", "€", "E").Replace(text), "ibm850"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"-", tempFile(t, "file.csv", []byte(c.text))} {
				f, err := Open(Options{Path: path, Stdin: strings.NewReader(c.text), Encoding: c.encoding}, plainTable{})
				noError(t, err)
				h, err := f.ReadHeader()
				if err != nil || !slices.Equal(h.Columns, []string{"username", "password"}) || f.Format != "csv" {
					t.Errorf("got %+v, %v in %s, want the columns username and password in csv", h, err, f.Format)
				}
				got, err := lines(f)
				want := []string{`2 ["Müller" "1 €"]`, `3 ["B" "b"]`}
				if strings.Contains(c.text, "1 E") { // these have no € sign
					want[0] = `2 ["Müller" "1 E"]`
				}
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("got %q, %v, want %q", got, err, want)
				}
				_ = f.Close()
			}
		})
	}
}

// TestTextsOfAnotherEncoding checks that bytes that are no text in the encoding of the file
// are an issue of their line, which names the flag.
func TestTextsOfAnotherEncoding(t *testing.T) {
	for name, c := range map[string]struct{ text, encoding string }{
		"utf-8":    {"username\na\nM\xfcller\n", ""},
		"utf-16":   {"\xff\xfe" + wide("username\na\n", true) + "\x00\xd8x\x00\n\x00", ""},
		"shiftjis": {"username\na\n\x81\n", "shift_jis"},
		"cut off":  {"\xff\xfe" + wide("username\na\nb", true) + "x", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Open(Options{Path: "-", Stdin: strings.NewReader(c.text), Format: "csv", Encoding: c.encoding}, plainTable{})
			noError(t, err)
			defer func() { _ = f.Close() }()
			if _, err := f.ReadHeader(); err != nil {
				t.Fatal(err)
			}
			got, err := lines(f)
			if err != nil || len(got) != 2 || !strings.Contains(got[1], "line 3: ") || !strings.Contains(got[1], "--encoding") {
				t.Errorf("got %q, %v, want an issue of line 3 with --encoding", got, err)
			}
		})
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestNoncharacters checks that a code point which is no character is text, in any encoding, and that what an encoding does not
// know is not.
func TestNoncharacters(t *testing.T) {
	const text = "username\na\uffffb\n"
	for name, c := range map[string]struct{ text, encoding, want string }{
		"utf-8":                {text, "", `2 ["a\uffffb"]`},
		"utf-8 by name":        {text, "utf-8", `2 ["a\uffffb"]`},
		"utf-16le with a mark": {"\xff\xfe" + wide(text, true), "", `2 ["a\uffffb"]`},
		"half of a pair":       {"\xff\xfe" + wide("username\na", true) + "\x00\xd8b\x00\n\x00", "", "no text in UTF-8"},
		"windows-874":          {"username\na\x81b\n", "windows-874", "no text in UTF-8"},
		"cut in a character":   {"username\na\x82", "shift_jis", "no text in UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Open(Options{Path: tempFile(t, "file.csv", []byte(c.text)), Encoding: c.encoding}, plainTable{})
			noError(t, err)
			_, err = f.ReadHeader()
			noError(t, err)
			got, err := lines(f)
			if err != nil || len(got) != 1 || !strings.Contains(got[0], c.want) || strings.Contains(c.want, "uffff") && got[0] != c.want {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
			_ = f.Close()
		})
	}
}
