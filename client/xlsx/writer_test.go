package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

// write returns a workbook with the rows that fill writes.
func write(t testing.TB, header []string, fill func(*Writer)) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, "rows", header)
	fill(w)
	noError(t, w.Close())
	return b.Bytes()
}

// part returns a part of a workbook.
func part(t testing.TB, workbook []byte, name string) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(workbook), int64(len(workbook)))
	noError(t, err)
	f, err := z.Open(name)
	noError(t, err)
	text, err := io.ReadAll(f)
	noError(t, err)
	return string(text)
}

// A sheetXML is the part of a sheet, as encoding/xml reads it.
type sheetXML struct {
	Rows []struct {
		Number int `xml:"r,attr"`
		Cells  []struct {
			Place string `xml:"r,attr"`
			Style int    `xml:"s,attr"`
			Type  string `xml:"t,attr"`
			Value string `xml:"v"`
			Text  string `xml:"is>t"`
		} `xml:"c"`
	} `xml:"sheetData>row"`
	Filter struct {
		Cells string `xml:"ref,attr"`
	} `xml:"autoFilter"`
	Columns []struct {
		Width float64 `xml:"width,attr"`
		Style int     `xml:"style,attr"`
	} `xml:"cols>col"`
}

func readSheet(t testing.TB, workbook []byte, i int) (s sheetXML) {
	t.Helper()
	noError(t, xml.Unmarshal([]byte(part(t, workbook, fmt.Sprintf("xl/worksheets/sheet%d.xml", i))), &s))
	return s
}

func TestCells(t *testing.T) {
	number := func(text string) func(*Writer) { return func(w *Writer) { w.Number([]byte(text)) } }
	date := func(text string) func(*Writer) { return func(w *Writer) { w.Date([]byte(text), false) } }
	text := func(text string) func(*Writer) { return func(w *Writer) { w.Text([]byte(text)) } }
	for _, c := range []struct {
		name string
		add  func(*Writer)
		want string // type, style and value
	}{
		{"a text", text("=1+1"), "inlineStr 1 =1+1"},
		{"leading zeros", text("0123"), "inlineStr 1 0123"},
		{"a number", number("12"), " 0 12"},
		{"a negative fraction", number("-0.5"), " 0 -0.5"},
		{"an exponent", number("1e3"), " 0 1e3"},
		{"11 digits", number("12345678901"), " 0 12345678901"},
		{"12 digits, which a program would show with an exponent", number("123456789012"), " 4 123456789012"},
		{"15 digits", number("123456789012345"), " 4 123456789012345"},
		{"16 digits", number("1234567890123456"), "inlineStr 1 1234567890123456"},
		{"16 digits of a fraction", number("0.1234567890123456"), "inlineStr 1 0.1234567890123456"},
		{"too large", number("1e400"), "inlineStr 1 1e400"},
		{"too small", number("1e-400"), "inlineStr 1 1e-400"},
		{"less exact than its digits", number("1.23456789e-310"), "inlineStr 1 1.23456789e-310"},
		{"zero", number("0.000"), " 0 0.000"},
		{"a number with leading zeros", number("012"), "inlineStr 1 012"},
		{"no number", number("0x10"), "inlineStr 1 0x10"},
		{"infinity", number("Inf"), "inlineStr 1 Inf"},
		{"a date", date("2024-04-10"), " 2 45392"},
		{"a date and a time", date("2024-04-10T18:00:00"), " 3 45392.75"},
		{"midnight", date("2024-04-10 00:00:00"), " 2 45392"},
		{"UTC", date("2024-04-10T18:00:00Z"), " 3 45392.75"},
		{"the last date", date("9999-12-31"), " 2 2958465"},
		{"the first date", date("1900-03-01"), " 2 61"},
		{"before the first date", date("1900-02-28"), "inlineStr 1 1900-02-28"},
		{"no date", date("2024-02-30"), "inlineStr 1 2024-02-30"},
		{"another notation", date("10.04.2024"), "inlineStr 1 10.04.2024"},
		{"parts of seconds", date("2024-04-10T18:00:00.5"), "inlineStr 1 2024-04-10T18:00:00.5"},
		{"true", func(w *Writer) { w.Bool(true) }, "b 0 1"},
		{"false", func(w *Writer) { w.Bool(false) }, "b 0 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := readSheet(t, write(t, nil, func(w *Writer) { w.Blank(); c.add(w); _ = w.EndRow() }), 1)
			if len(s.Rows) != 1 || len(s.Rows[0].Cells) != 1 {
				t.Fatalf("got %+v, want one cell", s)
			}
			cell := s.Rows[0].Cells[0]
			if got := fmt.Sprintf("%s %d %s%s", cell.Type, cell.Style, cell.Value, cell.Text); got != c.want || cell.Place != "B1" {
				t.Errorf("got %q at %s, want %q at B1", got, cell.Place, c.want)
			}
		})
	}
}

func TestEscapes(t *testing.T) {
	for text, want := range map[string]string{
		"a\x01b":     "a_x0001_b",
		"a\r\n\tb":   "a_x000D_\n\tb",
		"_x0041_":    "_x005F_x0041_",
		"_x004g_":    "_x004g_",
		"_x0041\x01": "_x005F_x0041_x0001_",
		"__x00e9__":  "__x005F_x00e9__",
		"\uFFFE":     "_xFFFE_",
		"a\xffb":     "a\uFFFDb",
		"&<>\"'":     "&amp;&lt;&gt;\"'",
		"é😀\u0085":   "é😀\u0085",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got := string(appendText(nil, []byte(text))); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestSheetContinues(t *testing.T) {
	workbook := write(t, []string{"a"}, func(w *Writer) {
		w.rows = 3
		for i := range 4 {
			w.Number(fmt.Append(nil, i))
			_ = w.EndRow()
		}
	})
	for i, want := range map[int]string{1: "A1:A3", 2: "A1:A3"} {
		if got := readSheet(t, workbook, i); len(got.Rows) != 3 || got.Rows[0].Cells[0].Text != "a" || got.Filter.Cells != want {
			t.Errorf("got sheet %d %+v, want a header, two rows and the filter %s", i, got, want)
		}
	}
	if got := part(t, workbook, "xl/workbook.xml"); !strings.Contains(got, `name="rows"`) || !strings.Contains(got, `name="rows 2"`) || strings.Contains(got, `name="rows 3"`) {
		t.Errorf("got %s, want the sheets rows and rows 2", got)
	}
}

func TestSheetNames(t *testing.T) {
	long := strings.Repeat("é", maxName)
	for name, want := range map[string][2]string{
		"":       {`name="Sheet1"`, `>'Sheet1'!$A$1:$A$2<`},
		"Bob's&": {`name="Bob's&amp; 2"`, `>'Bob''s&amp;'!$A$1:$A$2<`},
		long:     {`name="` + strings.Repeat("é", maxName-2) + ` 2"`, `name="` + long + `"`},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			w := NewWriter(&b, name, []string{"a"})
			w.rows = 2
			for range 2 {
				w.Text([]byte("x"))
				_ = w.EndRow()
			}
			noError(t, w.Close())
			for _, text := range want {
				if got := part(t, b.Bytes(), "xl/workbook.xml"); !strings.Contains(got, text) {
					t.Errorf("got %s, want %s in it", got, text)
				}
			}
		})
	}
}

func TestHead(t *testing.T) {
	rows := func(w *Writer) {
		for i := range heldRows + 5 {
			if i == heldRows-1 { // the last row that is held back
				w.Text([]byte("a text that is wider than its column\nand more"))
			} else {
				w.Text([]byte("x"))
			}
			w.Number([]byte("1"))
			w.Text([]byte(strings.Repeat("x", 100)))
			_ = w.EndRow()
		}
	}
	workbook := write(t, []string{"first", "second_column", "x"}, rows)
	var got []string
	for _, c := range readSheet(t, workbook, 1).Columns {
		got = append(got, fmt.Sprint(c.Width, c.Style))
	}
	if want := []string{"37 1", "17 0", "60 1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got the columns %q, want the widths and styles %q", got, want)
	}
	if text := part(t, workbook, "xl/worksheets/sheet1.xml"); !strings.Contains(text, `<pane ySplit="1"`) || !strings.Contains(text, fmt.Sprintf(`<autoFilter ref="A1:C%d"`, heldRows+6)) {
		t.Errorf("got %.900s, want a frozen and filtered header", text)
	}
	if text := part(t, write(t, nil, rows), "xl/worksheets/sheet1.xml"); strings.Contains(text, "<pane") || strings.Contains(text, "<autoFilter") {
		t.Errorf("got %.900s, want neither pane nor filter without a header", text)
	}
}

func TestEmptyWorkbooks(t *testing.T) {
	for name, header := range map[string][]string{"nothing": nil, "only a header": {"a", "b"}} {
		t.Run(name, func(t *testing.T) {
			if got := readSheet(t, write(t, header, func(*Writer) {}), 1); len(got.Rows) != min(len(header), 1) {
				t.Errorf("got %+v, want the header alone", got)
			}
		})
	}
}

func TestSameRowsGiveTheSameBytes(t *testing.T) {
	rows := func(w *Writer) { w.Date([]byte("2024-04-10"), false); _ = w.EndRow() }
	one, other := write(t, []string{"a"}, rows), write(t, []string{"a"}, rows)
	if !bytes.Equal(one, other) {
		t.Error("got two workbooks that differ, want equal ones")
	}
	z, err := zip.NewReader(bytes.NewReader(one), int64(len(one)))
	noError(t, err)
	for _, f := range z.File {
		if f.Modified.Year() != 1980 {
			t.Errorf("got the time %v of %s, want one that is always the same", f.Modified, f.Name)
		}
	}
}

func TestColumnNames(t *testing.T) {
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 701: "ZZ", 702: "AAA", MaxColumns - 1: "XFD"} {
		if got := string(appendColumn(nil, i)); got != want {
			t.Errorf("got %s for %d, want %s", got, i, want)
		}
	}
}

func TestTooManyColumns(t *testing.T) {
	w := NewWriter(io.Discard, "rows", nil)
	for range MaxColumns + 1 {
		w.Text([]byte("x"))
	}
	if err := w.EndRow(); err == nil || !strings.Contains(err.Error(), "16385 columns") {
		t.Errorf("got %v, want an error that names the number of columns", err)
	}
}

type failingWriter struct{ left int }

var errFull = errors.New("no space left")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// Wherever the writer below fails, the error is that of the workbook.
func TestErrorsOfTheWriterBelow(t *testing.T) {
	fill := func(w *Writer) error {
		for range 3 * heldRows {
			w.Text([]byte("x"))
			if err := w.EndRow(); err != nil {
				return err
			}
		}
		return w.Close()
	}
	var whole bytes.Buffer
	noError(t, fill(NewWriter(&whole, "rows", []string{"a"})))
	for left := 0; left < whole.Len(); left += 97 {
		if err := fill(NewWriter(&failingWriter{left}, "rows", []string{"a"})); !errors.Is(err, errFull) {
			t.Fatalf("got %v after %d bytes, want %v", err, left, errFull)
		}
	}
}

func TestCheckText(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"longest":      {strings.Repeat("x", MaxText), nil},
		"too long":     {strings.Repeat("x", MaxText+1), ErrTooLong},
		"longest wide": {strings.Repeat("é", MaxText), nil},
		"pairs":        {strings.Repeat("😀", MaxText/2), nil},
		"too many":     {strings.Repeat("😀", MaxText/2+1), ErrTooLong},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CheckText([]byte(c.text)); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// readBack returns the texts of the first sheet of a workbook, as the Rows of this package
// read them.
func readBack(t testing.TB, workbook []byte) (rows [][]string) {
	t.Helper()
	book, err := open(t, workbook)
	noError(t, err)
	for row, err := range book.Rows(book.Sheets()[0]) {
		noError(t, err)
		var texts []string
		for _, c := range row.Cells {
			texts = append(texts, make([]string, c.Column-len(texts))...)
			texts = append(texts, c.Text)
		}
		rows = append(rows, texts)
	}
	return rows
}

// What is written is read back: texts as they are, numbers as plain decimals, dates as ISO
// 8601 writes them.
func TestReadBack(t *testing.T) {
	var want [][]string
	got := readBack(t, write(t, nil, func(w *Writer) {
		for i, s := range samples {
			w.Text(fmt.Append(nil, i))
			s.add(w)
			_ = w.EndRow()
			text := s.shown
			if s.kind == "d" {
				text = strings.Replace(text, " ", "T", 1)
			}
			want = append(want, []string{fmt.Sprint(i), text})
		}
	}))
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

// FuzzText writes any text and reads it back.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", " a ", "_x0041_", "_x0041\x01", "__x005F_x000d_\r", "]]>&lt;", "=1", "\uFFFE\uFFFF", "a\x00b", "_xD83D_", "\r\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		got := readBack(t, write(t, nil, func(w *Writer) { w.Text([]byte("id")); w.Text([]byte(text)); _ = w.EndRow() }))
		if want := [][]string{{"id", text}}; text != "" && !reflect.DeepEqual(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// FuzzNumber checks that what is a number in a workbook is the number that was written.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"0", "-1.50", "1e3", "1e-400", "12345678901234567", "1.7976931348623157e308", "-0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		digits, _, ok := shapeOf([]byte(text))
		if !ok || digits > 15 {
			return
		}
		s := readSheet(t, write(t, nil, func(w *Writer) { w.Number([]byte(text)); _ = w.EndRow() }), 1)
		cell := s.Rows[0].Cells[0]
		var value float64
		if _, err := fmt.Sscan(cell.Value, &value); cell.Type == "" && (err != nil || math.IsInf(value, 0)) {
			t.Fatalf("got the number %s (%v), want one that is in range", cell.Value, err)
		}
		if cell.Value+cell.Text != text {
			t.Fatalf("got %s%s, want %s", cell.Value, cell.Text, text)
		}
	})
}

// TestNeedsSpace checks which texts say that their white space is kept, without which a reader changes it.
func TestNeedsSpace(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "a": false, "a b": false, "a b c": false, " a": true, "a ": true, "a  b": true, "a\tb": true, "a\nb": true,
	} {
		if got := needsSpace([]byte(text)); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}
