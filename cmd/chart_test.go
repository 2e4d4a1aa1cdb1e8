package cmd_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mattn/go-runewidth"

	"reseller/cmd"
	"reseller/cmd/cli"
)

// TestChartsFitTheTerminal shows every chart of the mock in terminals of
// several widths, with color and without.
func TestChartsFitTheTerminal(t *testing.T) {
	home := t.TempDir()
	for _, line := range []string{
		"reports keywords --account 1 --campaign 101", "reports traffic --all --from -30d", "reports workflows --all --from -90d", "reports backlinks --all",
		"reports backlinks lost --account 1 --campaign 101", "reports backlinks referring --all --from -90d", "reports backlinks provisioned --account 1 --from -90d",
		"budget estimate https://x.example.com", "budget estimate https://x.example.com https://y.example.com", "reports summary --account 1 --campaign 101 --from -365d",
	} {
		if !strings.Contains(line, "summary") {
			line += " --chart"
		}
		for _, width := range []int{24, 40, 80, 120} {
			t.Run(fmt.Sprintf("%s/%d", line, width), func(t *testing.T) {
				plain, color := chartIn(t, home, width, "1", line), chartIn(t, home, width, "", line)
				if strings.Contains(plain, "\x1b") {
					t.Error("NO_COLOR has color")
				}
				if !strings.Contains(color, "\x1b[") {
					t.Error("a terminal has no color")
				}
				for text := range strings.Lines(plain) {
					text = strings.TrimSuffix(text, "\n")
					if got := runewidth.StringWidth(text); got > width {
						t.Errorf("%d columns: %s", got, text)
					}
					if strings.TrimRight(text, " ") != text {
						t.Errorf("trailing spaces: %q", text)
					}
				}
			})
		}
	}
}

func chartIn(t *testing.T, home string, width int, noColor, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	code := cmd.Main(t.Context(), append(strings.Fields(line), "--server", "mock", "-q"), cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, OutTTY: true, Width: func() int { return width }, Restore: func() {},
		Env: func(name string) (string, bool) {
			v, ok := map[string]string{"HOME": home, "XDG_DATA_HOME": home + "/data", "XDG_CONFIG_HOME": home + "/config", "NO_COLOR": noColor}[name]
			return v, ok
		},
	}, "test")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	return out.String()
}

// TestEstimateOnATerminal has both tables of an estimate printed for where they
// go: --output-file - is stdout.
func TestEstimateOnATerminal(t *testing.T) {
	for _, file := range []string{"", " --output-file -"} {
		text := chartIn(t, t.TempDir(), 80, "", "budget estimate https://bikes.example.com --max-keywords 3"+file)
		for _, head := range []string{"\x1b[1mFIELD", "\x1b[1mKEYWORD"} {
			if !strings.Contains(text, head) {
				t.Errorf("%q has no %q", text, head)
			}
		}
	}
}

// TestSummaryAsksAtOnce has a service that answers no report before it was
// asked for all seven.
func TestSummaryAsksAtOnce(t *testing.T) {
	var all sync.WaitGroup
	all.Add(7)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/reports/") {
			all.Done()
			all.Wait()
		}
		_, _ = io.WriteString(w, `{"data":[],"error":false}`)
	}))
	defer server.Close()
	home := t.TempDir()
	var out, errs bytes.Buffer
	args := []string{"reports", "summary", "--account", "1", "--campaign", "2", "--from", "-1d", "--base-url", server.URL, "--retries", "0", "--chart-file", filepath.Join(home, "s.html")}
	code := cmd.Main(t.Context(), args, cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Width: func() int { return 80 }, Restore: func() {},
		Env: func(name string) (string, bool) {
			v, ok := map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "RESELLER_TOKEN": "t"}[name]
			return v, ok
		},
	}, "test")
	if code != 0 || out.Len()+errs.Len() > 0 {
		t.Fatalf("exit %d: %s%s", code, out.String(), errs.String())
	}
}
