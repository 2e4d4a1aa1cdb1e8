package customers

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/cmd/cli"
)

func plans(all ...portfolio.Plan) iter.Seq[record.Record] { return changesOf(all) }

// TestPlanFiles: with `--plan-file`, `apply` begins only if its changes are those of the plan, made for the same
// file, service and reseller.
func TestPlanFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.json")
	header := planHeader{planVersion, "https://a.example", "7", "abc", []string{"keywords"}, "10%"}
	if err := writePlan(path, &header, plans(harbour, bakery)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, error %v, want a file that only its owner may read", info.Mode(), err)
	}
	f := cli.NewFrame(cli.Streams{Env: func(string) (string, bool) { return "", false }}, "")
	check := func(change func(*planHeader), now ...portfolio.Plan) string {
		want := header
		change(&want)
		_, err := checkPlan(f.Session, path, "customers.yaml", &want, plans(now...))
		if err == nil {
			return ""
		}
		if code := cli.ExitCode(err); code != cli.ExitUsage {
			t.Errorf("got exit code %d, want %d", code, cli.ExitUsage)
		}
		return err.Error()
	}
	same := func(*planHeader) {}
	phone := harbour
	phone.Changes = slices.Clone(harbour.Changes)
	phone.Changes[0].From = "555-0101"
	for name, test := range map[string]struct {
		change func(*planHeader)
		now    []portfolio.Plan
		want   string // the end of the message
	}{
		"same":          {same, []portfolio.Plan{harbour, bakery}, ""},
		"version":       {func(h *planHeader) { h.Version = 2 }, []portfolio.Plan{harbour, bakery}, "it has version 1, and this program reads version 2"},
		"address":       {func(h *planHeader) { h.BaseURL = "https://b.example" }, []portfolio.Plan{harbour, bakery}, "it was made for https://a.example, not for https://b.example"},
		"reseller":      {func(h *planHeader) { h.Subject = "8" }, []portfolio.Plan{harbour, bakery}, `it was made for another reseller: the subject of the token is "8", not "7"`},
		"file":          {func(h *planHeader) { h.Digest = "abd" }, []portfolio.Plan{harbour, bakery}, "customers.yaml has changed since the plan was made"},
		"pruning":       {func(h *planHeader) { h.Prune = nil }, []portfolio.Plan{harbour, bakery}, "it was made with --prune keywords --prune-limit 10%, not with no --prune"},
		"limit":         {func(h *planHeader) { h.PruneLimit = "20%" }, []portfolio.Plan{harbour, bakery}, "not with --prune keywords --prune-limit 20%"},
		"another value": {same, []portfolio.Plan{phone, bakery}, `change 1 is update account "phone" ("555-0101" → "555-0199") of "Harbour Bikes", and was update account "phone" ("555-0100" → "555-0199") of "Harbour Bikes"`},
		"one less":      {same, []portfolio.Plan{harbour}, `change 4, create account of "North Bakery", is not needed any more`},
		"one more":      {same, []portfolio.Plan{harbour, bakery, bakery}, `it lacks change 5, create account of "North Bakery"`},
		"none left":     {same, nil, `change 1, update account "phone" ("555-0100" → "555-0199") of "Harbour Bikes", is not needed any more`},
	} {
		t.Run(name, func(t *testing.T) {
			got := check(test.change, test.now...)
			if !strings.HasSuffix(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("got %q, want %q at its end", got, test.want)
			}
		})
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("cut short", func(t *testing.T) {
		for n := range len(whole) - 1 { // but for the line end
			if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			if got := check(same, harbour, bakery); !strings.Contains(got, "not a plan of `reseller diff`") {
				t.Fatalf("%d bytes: got %q, want it to be no plan", n, got)
			}
		}
	})
	for name, text := range map[string]string{
		"not JSON":     "customer,action\n",
		"other JSON":   `{"changes":[],"plan":{}}`,
		"wrong types":  `{"plan":[],"changes":[]}`,
		"no array":     `{"plan":{"version":1},"changes":{}}`,
		"more text":    string(whole) + "x",
		"more members": strings.TrimSuffix(string(whole), "}\n") + `,"a":1}`,
		"not records":  strings.Replace(string(whole), `"changes":[`, `"changes":[1,`, 1),
		"nested":       strings.Repeat("[", 1_000_000),
		"empty":        "",
		"blanks":       strings.Repeat(" ", 1_000_000),
		"control":      "\x00\x1b[2J",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := check(same, harbour, bakery); !strings.Contains(got, "not a plan of `reseller diff`") {
				t.Errorf("got %q, want it to be no plan", got)
			}
		})
	}
	t.Run("no changes", func(t *testing.T) {
		if err := writePlan(path, &header, plans()); err != nil {
			t.Fatal(err)
		}
		if got := check(same); got != "" {
			t.Errorf("got %q, want no error", got)
		}
	})
}
