package decode

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// passwordTable is the schema of rows that may have a password column.
type passwordTable struct{}

func (passwordTable) Secret() bool              { return true }
func (passwordTable) LineField() string         { return "" }
func (passwordTable) IsLine(string) bool        { return false }
func (passwordTable) IsColumn(name string) bool { return name == "username" || name == "password" }
func (passwordTable) Fit(Header) int            { return 1 }

// plainTable is the schema of rows without passwords.
type plainTable struct{ passwordTable }

func (plainTable) Secret() bool { return false }

func TestStandardInputIsSpooled(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	f, err := Open(Options{Path: "-", Stdin: strings.NewReader("username\nu\n"), Format: "csv"}, plainTable{})
	noError(t, err)
	for range 2 {
		n := 0
		for _, err := range f.Rows() {
			noError(t, err)
			n++
		}
		if n != 1 {
			t.Errorf("got %d rows behind the header, want 1", n)
		}
	}
	if f.temp == nil {
		t.Error("standard input was not copied to a file")
	}
	if info, err := f.file.Stat(); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has mode %v (%v), want 0600", info.Mode(), err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) != 0 {
		t.Errorf("files left after Close: %v", left)
	}
}

func TestPasswordsAreNotSpooled(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	f, err := Open(Options{Path: "-", Stdin: strings.NewReader("username,password\nu,p\n"), Format: "csv"}, passwordTable{})
	noError(t, err)
	if f.file != nil {
		t.Error("an input with passwords was copied to a file")
	}
	_ = f.Close()
	big := io.MultiReader(strings.NewReader("username,password\n"), io.LimitReader(endless{}, maxInMemory))
	_, err = Open(Options{Path: "-", Stdin: big, Format: "csv"}, passwordTable{})
	if err == nil || !strings.Contains(err.Error(), "larger than 50 MB") {
		t.Errorf("got error %v, want one that says larger than 50 MB", err)
	}
}

// endless is a reader that never ends and returns the same row again and again.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, strings.Repeat("u,p\n", len(p)/4+1)), nil }

func TestOpenNamesTheFileOnce(t *testing.T) {
	_, err := Open(Options{Path: "nope.csv"}, nil)
	if want := "nope.csv can't be opened: no such file or directory"; runtime.GOOS != "windows" && (err == nil || err.Error() != want) {
		t.Errorf("got error %v, want %q", err, want)
	}
}

// TestEndlessInput checks that an input which can be read only once is not copied without
// end.
func TestEndlessInput(t *testing.T) {
	before := maxCopied
	maxCopied = 1 << 20
	defer func() { maxCopied = before }()
	_, err := Open(Options{Path: "-", Stdin: endless{}, Format: "csv"}, plainTable{})
	if err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Errorf("got error %v, want one of the size", err)
	}
}

// FuzzCSV compares the decoder with encoding/csv. Both must read the same cells, and a
// row that encoding/csv refuses must be an error or an issue.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "\"a\nb\",c\r\n\n,\n", "a\"b,c\n", "\"a\"b\n", "\"a", "\r\n\"\"\"\",\r\n", "a\r", "\r", "=\"02134\",b\n", "=\"\n", "=\"a\"b\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		std := csv.NewReader(bytes.NewReader(data))
		std.FieldsPerRecord = -1
		own := &csvReader{lines: newLineReader(bytes.NewReader(data), nil), comma: ','}
		for {
			want, wantErr := std.Read()
			var got RawRow
			err := own.next(&got)
			if wantErr == io.EOF && err == io.EOF {
				return
			}
			invalid := err != nil || got.Issues != nil
			if wantErr == nil && invalid && invalidText(string(data)) != "" {
				return
			}
			if wantErr != nil && slices.ContainsFunc(got.Cells, isQuotedText) {
				return // ="02134" without outer quotes, which is read
			}
			if (wantErr != nil) != invalid {
				t.Fatalf("%q: got error %v, issues %v; want error %v", data, err, got.Issues, wantErr)
			}
			if wantErr != nil {
				return
			}
			line, _ := std.FieldPos(0)
			if !slices.Equal(got.Cells, want) || got.Line != line {
				t.Fatalf("%q: got %q on line %d, want %q on line %d", data, got.Cells, got.Line, want, line)
			}
		}
	})
}

// TestLinesOfYAMLErrors checks that an error in a document of a file names its line in the file, and once.
func TestLinesOfYAMLErrors(t *testing.T) {
	_, err := rowsOfYAML([]byte("a: 1\n\tb: 2\n"), 10)
	invalid := AsError(err)
	if invalid == nil || invalid.Issues[0].Line != 11 || strings.Contains(invalid.Issues[0].Reason, "line") {
		t.Errorf("got %v, want an error on line 11 that names it once", err)
	}
}

func TestReadsFile(t *testing.T) {
	folder := t.TempDir()
	inner := filepath.Join(folder, "inner")
	noError(t, os.Mkdir(inner, 0o700))
	for path, want := range map[string]bool{
		filepath.Join(folder, "rows.csv"): true, filepath.Join(inner, "..", "rows.csv"): true,
		filepath.Join(folder, ".rows.csv"): false, filepath.Join(inner, "rows.csv"): false, filepath.Join(folder, "none", "rows.csv"): false,
	} {
		if got := ReadsFile(folder, path); got != want {
			t.Errorf("%s: got %t, want %t", path, got, want)
		}
	}
	if file := filepath.Join(folder, "rows.csv"); ReadsFile(file, file) {
		t.Error("got a file that reads itself, want folders only")
	}
}
