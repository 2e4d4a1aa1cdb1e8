package cmd_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
)

// TestChartsFitTheTerminal shows every chart of the mock in terminals of
// several widths, with color and without.
func TestChartsFitTheTerminal(t *testing.T) {
	home := t.TempDir()
	for _, line := range []string{
		"reports keywords --account 1 --campaign 101", "reports traffic --campaign 101 --from -30d", "reports workflows --campaign 101 --from -90d", "reports backlinks --campaign 101",
		"reports backlinks lost --account 1 --campaign 101", "reports backlinks referring --campaign 101 --from -90d", "reports backlinks provisioned --account 1 --from -90d",
		"reports summary --account 1 --campaign 101 --from -365d",
	} {
		if !strings.Contains(line, "summary") {
			line += " --chart"
		}
		for _, width := range []int{24, 40, 80, 120} {
			t.Run(fmt.Sprintf("%s/%d", line, width), func(t *testing.T) {
				plain, color := chart(t, home, width, "1", line), chart(t, home, width, "", line)
				if strings.Contains(plain, "\x1b") {
					t.Error("got color with NO_COLOR, want none")
				}
				if !strings.Contains(color, "\x1b[") {
					t.Error("got no color on a terminal, want some")
				}
				for text := range strings.Lines(plain) {
					text = strings.TrimSuffix(text, "\n")
					if got := runewidth.StringWidth(text); got > width {
						t.Errorf("got a line of %d columns, want at most %d: %s", got, width, text)
					}
					if strings.TrimRight(text, " ") != text {
						t.Errorf("got %q, want no spaces at the end", text)
					}
				}
			})
		}
	}
}

// chart is what a command line prints on a terminal of this width, whose
// NO_COLOR is noColor.
func chart(t *testing.T, home string, width int, noColor, line string) string {
	t.Helper()
	s := session{home: home, tty: true, width: width, env: map[string]string{"NO_COLOR": noColor}}
	code, out, errs := s.run(t, append(strings.Fields(line), "--server", "mock", "-q")...)
	if code != 0 {
		t.Fatalf("got exit code %d, want 0: %s", code, errs)
	}
	return out
}

// TestEstimateOnATerminal has both tables of an estimate printed for where they
// go: --output-file - is stdout.
func TestEstimateOnATerminal(t *testing.T) {
	for name, flags := range map[string]string{"stdout": "", "output-file": " --output-file -"} {
		t.Run(name, func(t *testing.T) {
			text := chart(t, t.TempDir(), 80, "", "budget estimate https://bikes.example.com --max-keywords 3"+flags)
			for _, head := range []string{"\x1b[1mFIELD", "\x1b[1mKEYWORD"} {
				if !strings.Contains(text, head) {
					t.Errorf("got %q, want %q in it", text, head)
				}
			}
		})
	}
}

// TestSummaryAsksAtOnce has a service that answers no report before all reports
// were requested.
func TestSummaryAsksAtOnce(t *testing.T) {
	var all sync.WaitGroup
	walk(newTree(), func(c *cobra.Command) {
		name, ok := strings.CutPrefix(c.CommandPath(), "reseller reports ")
		if ok && !slices.Contains([]string{"summary", "movers", "words", "notes", "notes init"}, name) { // which are no reports
			all.Add(1)
		}
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/reports/") {
			all.Done()
			all.Wait()
		}
		data := "[]"
		if strings.HasSuffix(r.URL.Path, "/accounts/1") {
			data = `{"account_id":1,"account_name":"Acme"}`
		}
		_, _ = io.WriteString(w, `{"data":`+data+`,"error":false}`)
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "s.html")
	code, out, errs := session{env: map[string]string{"RESELLER_TOKEN": "t"}}.run(t, "reports", "summary", "--account", "1", "--campaign", "2",
		"--from", "-1d", "--base-url", server.URL, "--retries", "0", "--output-file", file, "-q")
	if code != 0 || out+errs != "" {
		t.Fatalf("got exit code %d, %q, want 0 and nothing printed", code, out+errs)
	}
}
