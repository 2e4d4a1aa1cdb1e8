package customers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/portfolio"
	"reseller/cmd/cli"
)

// TestPlanFiles: with `--plan-file`, `apply` begins only if its changes are those of the plan, made for the same
// file, service and reseller.
func TestPlanFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.json")
	f := cli.NewFrame(cli.Streams{Env: func(string) (string, bool) { return "", false }}, "")
	made := planFile{planVersion, "https://a.example", "7", "abc", []string{"keywords"}, "10%", nil, "key"}
	made.Changes = made.hashes([]portfolio.Plan{harbour, bakery})
	if err := made.write(path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, error %v, want a file that only its owner may read", info.Mode(), err)
	}
	plans := []portfolio.Plan{}
	check := func(change func(*planFile), isResumed bool) string {
		want := made
		plans = []portfolio.Plan{harbour, bakery}
		change(&want)
		plan, err := readPlan(f.Session, path)
		if err == nil {
			err = plan.check(path, &want, plans, isResumed, "customers.yaml")
		}
		if err == nil {
			return ""
		}
		if code := cli.ExitCode(err); code != cli.ExitUsage {
			t.Errorf("got exit code %d, want %d", code, cli.ExitUsage)
		}
		return err.Error()
	}
	now := func(needed ...portfolio.Plan) func(*planFile) {
		return func(p *planFile) { plans, p.Changes = needed, p.hashes(needed) }
	}
	phone, kept := harbour, harbour
	phone.Changes, kept.Changes = slices.Clone(harbour.Changes), slices.Clone(harbour.Changes)
	phone.Changes[0].From = "555-0101"
	kept.Changes = append(kept.Changes, change("keep", "keyword", "old bikes", "active", "active"))
	const changed = "its changes are not those that are needed by now"
	for name, test := range map[string]struct {
		change func(*planFile)
		want   string // the end of the message
	}{
		"same":          {now(harbour, bakery), ""},
		"what is kept":  {now(kept, bakery), ""},
		"version":       {func(p *planFile) { p.Version = 4 }, "it has version 3, and this program reads version 4"},
		"address":       {func(p *planFile) { p.BaseURL = "https://b.example" }, "it was made for https://a.example, not for https://b.example"},
		"reseller":      {func(p *planFile) { p.Subject = "8" }, `it was made for another reseller: the subject of the token is "8", not "7"`},
		"file":          {func(p *planFile) { p.Digest = "abd" }, "customers.yaml has changed since the plan was made"},
		"pruning":       {func(p *planFile) { p.Prune = nil }, "it was made with --prune keywords --prune-limit 10%, not with no --prune"},
		"limit":         {func(p *planFile) { p.PruneLimit = "20%" }, "not with --prune keywords --prune-limit 20%"},
		"another value": {now(phone, bakery), changed + `: account 6 (Harbour Bikes), phone: "555-0101", not "555-0199"`},
		"one less":      {now(harbour), changed},
		"one more":      {now(harbour, bakery, bakery), changed},
		"other order":   {now(bakery, harbour), changed},
		"none left":     {now(), changed},
	} {
		t.Run(name, func(t *testing.T) {
			got := check(test.change, false)
			if !strings.HasSuffix(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("got %q, want %q at its end", got, test.want)
			}
		})
	}
	for name, test := range map[string]struct {
		left func(*planFile)
		want string
	}{
		"all":           {now(harbour, bakery), ""},
		"some":          {now(bakery), ""},
		"none":          {now(), ""},
		"another value": {now(phone, bakery), changed + `: account 6 (Harbour Bikes), phone: "555-0101", not "555-0199"`},
	} {
		t.Run("resumed, "+name, func(t *testing.T) {
			if got := check(test.left, true); (got == "") != (test.want == "") || !strings.HasSuffix(got, test.want) {
				t.Errorf("got %q, want %q at its end", got, test.want)
			}
		})
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	noPlan := map[string]string{
		"not JSON":    "customer,action\n",
		"other JSON":  `{"changes":[],"plan":{}}`,
		"wrong types": `{"version":"2"}`,
		"more text":   string(whole) + "x",
		"nested":      strings.Repeat("[", 1_000_000),
		"blanks":      strings.Repeat(" ", 1_000_000),
		"control":     "\x00\x1b[2J",
	}
	for n := range len(whole) - 1 { // but for the line end
		noPlan[fmt.Sprintf("cut after %d bytes", n)] = string(whole[:n])
	}
	for name, text := range noPlan {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := check(now(harbour, bakery), false); !strings.Contains(got, "not a plan of `reseller diff`") {
			t.Errorf("%s: got %q, want it to be no plan", name, got)
		}
	}
}
