package cmd_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A customer of the built-in mock whose name and identifier are numbers, and those of no other.
const (
	zerosName  = "0012"
	identifier = "3"      // which is the id of another account
	noID       = "900001" // the identifier of account 2, which is no id
)

// newZeros returns a home with that customer, and its ids.
func newZeros(t *testing.T) (home, account, campaign string) {
	t.Helper()
	home = t.TempDir()
	args := strings.NewReplacer("--account-name N", "--account-name "+zerosName, "-identifier k", "-identifier "+identifier).Replace(recordCommands["accounts create"])
	code, out, errs := session{home: home}.run(t, strings.Fields("accounts create --server mock -o csv "+args)...)
	if code != 0 {
		t.Fatalf("got exit code %d, want 0: %s", code, errs)
	}
	ids := strings.Split(strings.Split(strings.TrimSpace(out), "\n")[1], ",")
	if code, _, errs := (session{home: home}).run(t, "keywords", "add", "--server", "mock", "--account", ids[0], "--campaign", ids[1], "--type", "target", "walked"); code != 0 {
		t.Fatalf("got exit code %d, want 0: %s", code, errs)
	}
	if code, _, errs := (session{home: home}).run(t, "accounts", "update", "2", "--server", "mock", "--external-account-identifier", noID); code != 0 {
		t.Fatalf("got exit code %d, want 0: %s", code, errs)
	}
	return home, ids[0], ids[1]
}

// A naming is a command line that names an account or a campaign.
type naming struct {
	line   func(ref string) []string
	writes bool
}

// namings returns a command line for each argument and flag of a command that takes an account or a campaign.
func namings(c *cobra.Command) map[string]naming {
	name := strings.TrimPrefix(c.CommandPath(), "reseller ")
	args, ok := recordCommands[name]
	if !ok {
		args = defaultArgs(name)
	}
	args = strings.TrimSpace(regexp.MustCompile(`--(account|campaign|all)\b( \d+)?`).ReplaceAllString(args, ""))
	isWrite := c.Flags().Lookup("rejects") != nil || c.Flags().Lookup("resend-sent") != nil
	if isWrite && name != "accounts status" {
		args += " --dry-run"
	}
	found := map[string]naming{}
	base := strings.Fields(name + " --server mock -o json " + args)
	if strings.Contains(c.Use, "ACCOUNT_ID") || strings.Contains(c.Use, "CAMPAIGN_ID") {
		ids := regexp.MustCompile(`^\d+$`)
		rest := slices.DeleteFunc(slices.Clone(base), func(word string) bool { return ids.MatchString(word) })
		found["argument"] = naming{func(ref string) []string { return append(slices.Clone(rest), ref) }, isWrite && name != "accounts status"}
		base = rest
	}
	for _, flag := range []string{"account", "campaign"} {
		if c.Flags().Lookup(flag) == nil || name == "reports summary" {
			continue
		}
		rest := base
		switch {
		case strings.HasPrefix(name, "keywords ") && c.Flags().Lookup("type") == nil || name == "keywords update": // a text in place of an id
			rest = slices.DeleteFunc(slices.Clone(base), func(word string) bool { return regexp.MustCompile(`^\d+$`).MatchString(word) })
			if name != "keywords list" {
				rest = append(rest, "walked")
			}
		case name == "accounts create":
			rest = strings.Fields(name + " --server mock -o json --dry-run")
		}
		found["--"+flag] = naming{func(ref string) []string {
			line := append(slices.Clone(rest), "--"+flag, ref)
			isRequired := isWrite && c.Flags().Lookup("campaign") != nil && name != "keywords update" && name != "keywords delete" || name == "products plans list"
			switch {
			case flag == "account" && isRequired:
				line = append(line, "--campaign", "name:"+zerosName)
			case flag == "campaign" && isRequired && c.Flags().Lookup("account") != nil && strings.HasPrefix(ref, "id:"): // a name stands for its account
				line = append(line, "--account", "name:"+zerosName)
			}
			return line
		}, isWrite}
	}
	return found
}

// TestNamesOfAccounts runs every command that takes an account or a campaign with each way to name one. A number by which another
// customer is called is refused by writes, and read with a note.
func TestNamesOfAccounts(t *testing.T) {
	t.Parallel()
	home, account, campaign := newZeros(t)
	if code, _, errs := (session{home: home}).run(t, "accounts", "get", zerosName, "--server", "mock"); code != 0 { // the names are remembered
		t.Fatal(errs)
	}
	shown := regexp.MustCompile(`"account_id": ?"?(\d+)`)
	tried := 0
	walk(newTree(), func(c *cobra.Command) {
		for where, n := range namings(c) {
			id := account
			if where == "--campaign" || strings.Contains(c.Use, "CAMPAIGN_ID") && where == "argument" {
				id = campaign
			}
			tried++
			for _, ref := range []string{"id:" + id, "name:" + zerosName, "ext:" + identifier, zerosName} {
				t.Run(fmt.Sprint(c.CommandPath(), " ", where, " ", ref), func(t *testing.T) {
					code, out, errs := session{home: home, stdin: "secret\n"}.run(t, n.line(ref)...)
					if code != 0 {
						t.Fatalf("%s: got exit code %d, want 0: %s", n.line(ref), code, errs)
					}
					if m := shown.FindStringSubmatch(out); m != nil && m[1] != account {
						t.Errorf("%s: got account %s, want %s", n.line(ref), m[1], account)
					}
				})
			}
			if where == "--campaign" || id == campaign {
				continue // no campaign has the id 3
			}
			t.Run(fmt.Sprint(c.CommandPath(), " ", where, " a number"), func(t *testing.T) {
				code, _, errs := session{home: home, stdin: "secret\n"}.run(t, n.line(identifier)...)
				isTold := strings.Contains(errs, "ext:"+identifier) && strings.Contains(errs, "account "+account+" (")
				if n.writes != (code == 2) || !isTold {
					t.Errorf("%s: got exit code %d, want the customer and its prefix, and 2 for a write: %s", n.line(identifier), code, errs)
				}
			})
			if line := n.line(noID); !n.writes && !slices.Contains(line, "--campaign") && !slices.Contains(line, "walked") {
				t.Run(fmt.Sprint(c.CommandPath(), " ", where, " a number that is no id"), func(t *testing.T) {
					code, out, errs := session{home: home}.run(t, line...)
					if m := shown.FindStringSubmatch(out); code != 0 || m != nil && m[1] != "2" || !strings.Contains(errs, "ext:"+noID) {
						t.Errorf("%s: got exit code %d, want account 2 and a note of it: %s%s", line, code, errs, out)
					}
				})
			}
		}
	})
	if tried < 35 {
		t.Errorf("tried %d arguments and flags, want at least 35", tried)
	}
}

// TestNamesInFiles loads a file with each way to name an account or a campaign in a column.
func TestNamesInFiles(t *testing.T) {
	t.Parallel()
	home, account, campaign := newZeros(t)
	tried := 0
	for _, command := range commandsWith("input-format") {
		table := [][]string{{"account_id", "campaign_id"}, {"1", "101"}} // of the commands without an example, which read campaigns
		if code, example, _ := (session{}).run(t, append(strings.Fields(command), "--example", "csv")...); code == 0 {
			var err error
			if table, err = csv.NewReader(strings.NewReader(example)).ReadAll(); err != nil {
				t.Fatal(err)
			}
		}
		if command == "diff" || command == "apply" { // whose example is a new customer
			table = [][]string{{"account_id", "writer_instructions"}, {"1", "w"}}
		}
		at := map[string]int{"account_id": slices.Index(table[0], "account_id"), "campaign_id": slices.Index(table[0], "campaign_id")}
		if at["account_id"] < 0 && at["campaign_id"] < 0 {
			continue
		}
		for _, ref := range []string{"id", "name:" + zerosName, "ext:" + identifier, zerosName} {
			tried++
			t.Run(command+" "+ref, func(t *testing.T) {
				for field, id := range map[string]string{"account_id": account, "campaign_id": campaign} {
					if at[field] >= 0 {
						table[1][at[field]] = strings.Replace(ref, "id", "id:"+id, 1)
					}
				}
				path := filepath.Join(t.TempDir(), "rows.csv")
				var text strings.Builder
				_ = csv.NewWriter(&text).WriteAll(table[:2])
				if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
					t.Fatal(err)
				}
				line := append(strings.Fields(command), "--file", path, "--dry-run", "--server", "mock")
				if command == "reports summary" {
					line = append(line, "--output-dir", t.TempDir())
				}
				if code, _, errs := (session{home: home}).run(t, line...); code != 0 {
					t.Errorf("%s: got exit code %d, want 0: %s", line, code, errs)
				}
			})
		}
	}
	if tried < 60 {
		t.Errorf("tried %d cells, want at least 60", tried)
	}
}
