package cmd_test

import (
	"archive/zip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"reseller/client/schema"
	"reseller/output/encode"
)

// recordCommands has the arguments of the commands that print records and can't be run
// with defaultArgs.
var recordCommands = map[string]string{
	"accounts create":               "--account-name N --phone 1 --email a@example.com --first-name F --last-name L --address-1 A --city C --state S --postal P --country-code us --website-url https://x.example.com --external-account-identifier k",
	"accounts update":               "1 --phone 2",
	"accounts get":                  "1 2",
	"accounts status":               "1",
	"accounts credentials create":   "--reseller-account-id 1 --account 1 --campaign 101 --credentials-types-id 4 --username u --note n --password-stdin",
	"keywords add":                  "k --account 1 --campaign 101 --type target",
	"keywords update":               "1001 --status activate",
	"keywords delete":               "1001 --yes",
	"keywords get":                  "1001",
	"budget estimate":               "https://x.example.com",
	"campaigns notes get":           "101",
	"campaigns notes update":        "101 --writer-instructions w --additional-instructions a",
	"reports traffic":               "--account 1",
	"reports workflows":             "--campaign 101 --from 2026-01-01",
	"reports backlinks":             "--all",
	"reports backlinks referring":   "--account 1 --campaign 101 --from 2026-01 --to 2026-03",
	"reports backlinks provisioned": "--account 1 --account 2",
	"products plans attach":         "--account 1 --campaign 101 --plan 2 --yes",
	"products plans list":           "--account 1 --campaign 101",
	"gbp create":                    "--ticket-id 1 --gpid g --nob n --address a --website-url https://x.example.com --access-confirmed",
	"diff":                          "--file ../examples/customers.csv",
	"onboard":                       "--file ../examples/customers.csv --dry-run",
	"apply":                         "--file ../examples/customers.csv --dry-run",
}

// defaultArgs returns the arguments of a command that recordCommands does not have: an
// account and a campaign for a report, none for all others.
func defaultArgs(name string) string {
	if strings.HasPrefix(name, "reports ") {
		return "--account 1 --campaign 101"
	}
	return ""
}

// textCommands are the commands that print texts of their own, which no format changes.
// They have stories.
var textCommands = map[string]bool{
	"api": true, "auth login": true, "auth status": true, "auth logout": true, "auth token": true, "config init": true, "config get": true, "config set": true, "config path": true,
	"config use": true, "mock serve": true, "mock reset": true, "mock token": true, "completion": true, "completion bash": true, "completion zsh": true, "completion fish": true,
	"completion powershell": true, "doctor": true, "reports summary": true, "reports notes init": true, "reports words": true, "help": true, "jobs list": true, "jobs show": true, "jobs resume": true, "jobs remove": true,
}

// TestMatrix runs every command that prints records in every format, in a terminal and
// in a pipe.
func TestMatrix(t *testing.T) {
	t.Parallel()
	lines := maps.Clone(recordCommands)
	walk(newTree(), func(c *cobra.Command) {
		name := strings.TrimPrefix(c.CommandPath(), "reseller ")
		_, listed := lines[name]
		if c.HasParent() && c.Runnable() && !(c.HasAvailableSubCommands() && name != "reports backlinks") && !listed && !textCommands[name] {
			lines[name] = defaultArgs(name)
		}
	})
	home := t.TempDir()
	for name, args := range lines {
		for _, format := range append([]string{""}, encode.Names()...) {
			for _, tty := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/tty=%v", name, format, tty), func(t *testing.T) {
					line := append(strings.Fields(name), strings.Fields(args)...)
					line = append(line, "--server", "mock")
					if format != "" {
						line = append(line, "-o", format)
					}
					code, out, errs := session{home: home, stdin: "secret\n", tty: tty, width: matrixWidth}.run(t, line...)
					if format == "xlsx" && tty {
						if code != 2 || out != "" || !strings.Contains(errs, "--output-file") {
							t.Fatalf("got exit code %d and %q, want 2 and nothing but an error that names --output-file: %s", code, out, errs)
						}
						return
					}
					if code == 2 && encode.Format(format).IsIDs() && out == "" && strings.Contains(errs, "of which there are none") {
						return
					}
					if code != 0 || strings.Contains(errs, "error") || strings.Contains(out+errs, "secret") {
						t.Fatalf("got exit code %d, want 0 and the secret nowhere: %s\n%s", code, errs, out)
					}
					checkFormat(t, format, tty, out)
				})
			}
		}
	}
}

// matrixWidth is narrow, so that the tables of a terminal have to be cut.
const matrixWidth = 70

// checkFormat checks that what a command printed is of its format.
func checkFormat(t *testing.T, format string, tty bool, out string) {
	t.Helper()
	if format == "xlsx" {
		if z, err := zip.NewReader(strings.NewReader(out), int64(len(out))); err != nil || z.File[0].Name != "[Content_Types].xml" {
			t.Errorf("got %.40q (%v), want a workbook", out, err)
		}
		return
	}
	if out == "" || !strings.HasSuffix(out, "\n") {
		t.Fatalf("got %q, want lines", out)
	}
	switch format {
	case "json":
		if !json.Valid([]byte(out)) {
			t.Errorf("got %s, want JSON", out)
		}
	case "ndjson":
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("got %s, want JSON in each line", line)
			}
		}
	case "csv":
		if rows, err := csv.NewReader(strings.NewReader(out)).ReadAll(); err != nil || len(rows) == 0 {
			t.Errorf("got %d rows, %v, want some: %s", len(rows), err, out)
		}
	case "tsv":
		want := -1
		for line := range strings.Lines(out) {
			if n := strings.Count(line, "\t"); want < 0 {
				want = n
			} else if n != want {
				t.Errorf("got %d tabs, want %d as in the first line: %s", n, want, line)
			}
		}
	case "ids", "name":
		for line := range strings.Lines(out) {
			if id := line[strings.IndexByte(line, '/')+1:]; !schema.IsID(strings.TrimSuffix(id, "\n")) || (id == line) != (format == "ids") {
				t.Errorf("got %q, want an id", line)
			}
		}
	case "yaml":
		var v any
		if err := yaml.Unmarshal([]byte(out), &v); err != nil || v == nil {
			t.Errorf("got %v (%v), want YAML: %s", v, err, out)
		}
	case "markdown":
		if !strings.Contains(out, "|") {
			t.Errorf("got %s, want a table", out)
		}
	case "", "table":
		for line := range strings.Lines(out) {
			line = strings.TrimSuffix(line, "\n")
			if tty && runewidth.StringWidth(stripColors(line)) > matrixWidth {
				t.Errorf("got a line of %d columns, want at most %d: %s", runewidth.StringWidth(stripColors(line)), matrixWidth, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("got %q, want no spaces at the end", line)
			}
		}
	default:
		t.Errorf("this test has no check of the format %q", format)
	}
}

// stripColors removes what makes a text bold or colored.
func stripColors(s string) string {
	return strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "", "\x1b[22m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "").Replace(s)
}

// TestClosedStreams runs the real program with streams that are not there.
func TestClosedStreams(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full, which these need")
	}
	dir := t.TempDir()
	story := `
env RESELLER_SERVER=mock
exec sh -c 'reseller accounts list <&-'
stdout ACCOUNT_ID
exec sh -c 'reseller accounts list >&-'
! stderr .
! exec sh -c 'reseller accounts list -o csv >/dev/full'
stderr 'no space left'
! exec sh -c 'reseller accounts --help >/dev/full'
stderr 'no space left'
exec sh -c 'reseller help accounts list | true'
! stderr .
exec sh -c 'reseller accounts list 2>&-'
stdout ACCOUNT_ID
exec sh -c 'reseller accounts list -o csv | true'
! stderr .
exec sh -c 'reseller keywords add k --account 1 --campaign 101 --type target <&-'
! exec sh -c 'reseller accounts status 1 --deactivate <&-'
stderr 'there is no terminal'
`
	noError(t, os.WriteFile(filepath.Join(dir, "closed.txtar"), []byte(story), 0o600))
	runScripts(t, dir)
}
