package summaryfile

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"reseller/client/bulk/job"
	"reseller/output"
)

// TestJUnit reads a report of hostile texts by encoding/xml: it is well-formed, and has a test case for
// each file.
func TestJUnit(t *testing.T) {
	line, column, record := 3, "type", "keyword \"\x1b\ufffe<&\""
	s := Summary{
		Summary: job.Summary{Operation: "keywords.create"}, Input: "in", Files: []string{"a.csv", "b.csv"},
		Faults:      []output.Fault{{File: "b.csv", Line: &line, Column: &column, Reason: "missing"}, {File: "b.csv", Column: &column, Reason: "unknown column"}},
		RefusedRows: []Row{{File: "b.csv", Line: &line, Record: &record, Reason: "]]> \x00\n\xff"}, {File: "b.csv", Line: &line, Reason: "again"}},
	}
	var got struct {
		Suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(s.junit(), &got); err != nil {
		t.Fatal(err)
	}
	const want = "invalid: line 3, type: missing\ninvalid: type: unknown column\n" + `refused: line 3: keyword "\u001b` + "\ufffd" + `<&": ]]> \u0000\n\xff` + "\nrefused: line 3: again"
	if len(got.Suite.Cases) != 2 || got.Suite.Tests != 2 || got.Suite.Failures != 1 || got.Suite.Cases[0].Failure != "" || got.Suite.Cases[1].Name != "in/b.csv" || got.Suite.Cases[1].Failure != want {
		t.Errorf("got %+v, want 2 cases, the second with the failure %s", got, want)
	}
}

// TestEntries makes lines of what failed, of which any part may be unknown.
func TestEntries(t *testing.T) {
	line, record, refused, gone := 3, "keyword a", 400, 404
	for want, row := range map[string]Row{
		"line 3: keyword a: no (400)": {Line: &line, Record: &record, Reason: "no", HTTPStatus: &refused},
		"line 3: keyword a (400)":     {Line: &line, Record: &record, HTTPStatus: &refused},
		"no":                          {Reason: "no"},
		"failed (404): no":            {Reason: "failed (404): no", HTTPStatus: &gone},
		"(400)":                       {HTTPStatus: &refused},
	} {
		if got := (entry{Row: row}).String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCommandGuard writes texts in pieces: GitHub finds no command in what comes out.
func TestCommandGuard(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "error: no such file\n", "error: no such file\n"},
		{"command", "::error::x\n", ":%3Aerror:%3Ax\n"},
		{"behind white space", "\t ::debug::x", "\t :%3Adebug:%3Ax"},
		{"three colons", ":::", ":%3A%3A"},
		{"old form", "a ##[error]b", "a ##%5Berror]b"},
		{"more signs", "###[x", "###%5Bx"},
		{"percent and carriage return", "50%\r", "50%25%0D"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, len(tt.in)} {
				var out bytes.Buffer
				g := NewCommandGuard(&out, func() bool { return true })
				for rest := tt.in; rest != ""; {
					n := min(size, len(rest))
					if wrote, err := g.Write([]byte(rest[:n])); wrote != n || err != nil {
						t.Fatalf("got %d bytes written and %v, want %d", wrote, err, n)
					}
					rest = rest[n:]
				}
				if got := out.String(); got != tt.want {
					t.Errorf("in pieces of %d: got %q, want %q", size, got, tt.want)
				}
			}
		})
	}
	t.Run("off", func(t *testing.T) {
		var out bytes.Buffer
		_, _ = NewCommandGuard(&out, func() bool { return false }).Write([]byte("::error::50%"))
		if got := out.String(); got != "::error::50%" {
			t.Errorf("got %q, want the text as it was", got)
		}
	})
}

// TestGuardJSON escapes JSON: the guard finds nothing in it, and it means the same.
func TestGuardJSON(t *testing.T) {
	var out bytes.Buffer
	g := NewCommandGuard(&out, func() bool { return true })
	want := "::::: ##[x] ###[ 50% \\::"
	text, _ := json.Marshal(want)
	_, _ = g.Write(GuardJSON(g, text))
	var got string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got != want || strings.Contains(out.String(), "::") {
		t.Errorf("got %s (%v), want JSON of %q without two colons", out.String(), err, want)
	}
}
