package xlsx

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
)

// A sample is a cell as it is written, as LibreOffice shows it, and with the type that
// openpyxl finds.
type sample struct {
	add   func(*Writer)
	shown string
	kind  string
}

var samples = func() []sample {
	text := func(s, kind string) sample {
		return sample{func(w *Writer) { w.Text([]byte(s)) }, s, kind}
	}
	number := func(s, shown, kind string) sample {
		return sample{func(w *Writer) { w.Number([]byte(s)) }, shown, kind}
	}
	date := func(s, shown, kind string) sample {
		return sample{func(w *Writer) { w.Date([]byte(s), false) }, shown, kind}
	}
	return []sample{
		text("plain", "s"), text("  led by spaces and  ended ", "s"), text("two\nlines", "s"), text("a\tb", "s"),
		text("=1+1", "s"), text("+49", "s"), text("@x", "s"), text("-", "s"), text("0123", "s"), text("5035550100", "s"), text("12345678901234567890", "s"),
		text("2024-04-10", "s"), text("1/2", "s"), text("TRUE", "s"), text("#N/A", "s"), text("1E5", "s"), text("'quoted", "s"), text("<b>&amp;\"", "s"),
		text("日本語 é😀", "s"), text("_x0041_", "s"), text("a\x01b\rc", "s"), text("_x0041\x02", "s"),
		number("0", "0", "n"), number("-0.5", "-0.5", "n"), number("1e3", "1000", "n"), number("12345678901", "12345678901", "n"),
		number("123456789012345", "123456789012345", "n"), number("1234567890123456", "1234567890123456", "s"),
		date("2024-04-10", "2024-04-10", "d"), date("2024-04-10 23:59:59", "2024-04-10 23:59:59", "d"), date("1900-02-28", "1900-02-28", "s"), date("9999-12-31T00:00:01Z", "9999-12-31 00:00:01", "d"),
		{func(w *Writer) { w.Bool(true) }, "TRUE", "b"}, {func(w *Writer) { w.Bool(false) }, "FALSE", "b"},
	}
}()

// writeSamples writes a workbook with a row for each sample, its number in front.
func writeSamples(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "samples.xlsx")
	workbook := write(t, []string{"id", "value"}, func(w *Writer) {
		for i, s := range samples {
			w.Text(fmt.Append(nil, i))
			s.add(w)
			noError(t, w.EndRow())
		}
	})
	noError(t, os.WriteFile(path, workbook, 0o600))
	return path
}

// checkSamples compares the cells that LibreOffice exports of the samples with what was written.
func checkSamples(t *testing.T, got [][]string) {
	want := [][]string{{"id", "value"}}
	for i, s := range samples {
		want = append(want, []string{fmt.Sprint(i), s.shown})
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("got %q as row %d of %d, want %q", got[min(i, len(got)-1)], i, len(got), want[min(i, len(want)-1)])
		}
	}
}

// TestOpenpyxlFindsTheSameTypes compares the types of the cells that openpyxl finds, the
// styles of the header, and the rows that stay in view and filter.
func TestOpenpyxlFindsTheSameTypes(t *testing.T) {
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), name, "-c", "import openpyxl").Run() == nil {
			python = name
		}
	}
	if python == "" {
		t.Skip("openpyxl is not installed (Debian: python3-openpyxl)")
	}
	out, err := exec.CommandContext(t.Context(), python, "-c", `
import json, sys, openpyxl
sheet = openpyxl.load_workbook(sys.argv[1]).active
print(json.dumps({
    "about": [sheet.title, sheet.freeze_panes, sheet.auto_filter.ref, [c.value for c in sheet[1]], [c.font.b for c in sheet[1]]],
    "types": [row[1].data_type for row in sheet.iter_rows(min_row=2)],
}))`, writeSamples(t)).Output()
	noError(t, err)
	var got struct {
		About []any
		Types []string
	}
	noError(t, json.Unmarshal(out, &got))
	about := []any{"rows", "A2", fmt.Sprintf("A1:B%d", len(samples)+1), []any{"id", "value"}, []any{true, true}}
	if !reflect.DeepEqual(got.About, about) {
		t.Errorf("got %v, want %v", got.About, about)
	}
	for i, s := range samples {
		if i >= len(got.Types) || got.Types[i] != s.kind {
			t.Errorf("got the types %v, want %s for sample %d, %q", got.Types, s.kind, i, s.shown)
		}
	}
}
