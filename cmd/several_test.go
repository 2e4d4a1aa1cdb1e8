package cmd_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// twoCustomers is a service with two customers, whose lists can be read. What is about one of them alone is answered with its
// status.
func twoCustomers(t *testing.T, statuses [2]int) string {
	t.Helper()
	ids := [2][]string{{"71", "81", "91", "one.example"}, {"72", "82", "92", "two.example"}}
	about := func(text string, customer int) bool {
		for _, id := range ids[customer] {
			if strings.Contains(text, id) {
				return true
			}
		}
		return false
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		text := r.URL.String() + string(body)
		first, second := about(text, 0), about(text, 1)
		data := `{"account_id":71,"campaign_id":81,"rank_id":91,"keyword":"k","service_plan_id":2,"type":"target","status":1}`
		switch {
		case first && second: // an update of several keywords
			data = fmt.Sprintf(`[{"rank_id":91,"status_code":%d,"status_message":"m"},{"rank_id":92,"status_code":%d,"status_message":"m"}]`, statuses[0], statuses[1])
		case first || second:
			status := statuses[0]
			if second {
				status = statuses[1]
				data = strings.NewReplacer("71", "72", "81", "82", "91", "92").Replace(data)
			}
			if strings.Contains(r.URL.Path, "/reports/") && !strings.Contains(r.URL.Path, "/backlinks/accounts") || strings.Contains(r.URL.Path, "/plans/") || r.Method == http.MethodPut && r.URL.Path == "/api/v1/keywords" {
				data = "[" + strings.Replace(data, "{", `{"status_code":200,`, 1) + "]"
			}
			if strings.Contains(r.URL.Path, "/estimate") {
				data = `{"keywords":[]}`
			}
			if status != http.StatusOK {
				w.WriteHeader(status)
				data = `{},"error":true,"messages":[]` // in the envelope by which the service itself refuses
			}
		case r.URL.Path == "/api/v1/keywords":
			data = `[]`
		default:
			data = `[{"account_id":71,"campaign_id":81,"account_name":"One","phone":"1","status":"active"},{"account_id":72,"campaign_id":82,"account_name":"Two","phone":"1","status":"active"}]`
		}
		fmt.Fprintf(w, `{"data":%s}`, data)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestExitCodeOfSeveral runs the commands that are about several things: if all fail, the exit code is that of their failures, or
// 1 if these have several, and if some fail, it is 3.
func TestExitCodeOfSeveral(t *testing.T) {
	dir := t.TempDir()
	customers := filepath.Join(dir, "customers.csv")
	if err := os.WriteFile(customers, []byte("account_id,writer_instructions,additional_instructions\n71,w,a\n72,w,a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	commands := []string{
		"accounts get 71 72", "accounts status 71 72", "accounts status 71 72 --deactivate --yes",
		"keywords get 91 92", "keywords update 91 92 --status activate --type target", "keywords delete 91 92 --yes",
		"budget estimate https://one.example https://two.example", "budget estimate https://one.example https://two.example --summary",
		"export", "diff --file " + customers, "apply --dry-run --file " + customers,
		"reports movers --all", "reports notes init --all", "reports summary --all --output-dir " + filepath.Join(dir, "pages"),
	}
	for _, report := range []string{"keywords", "traffic", "workflows", "backlinks", "backlinks lost", "backlinks referring", "backlinks provisioned"} {
		commands = append(commands, "reports "+report+" --all")
	}
	walk(newTree(), func(c *cobra.Command) {
		name := strings.TrimPrefix(c.CommandPath(), "reseller ")
		isOfSeveral := c.Flags().Lookup("all") != nil || strings.HasSuffix(c.Use, "_ID...") || c.Flags().Lookup("fail-fast") != nil
		if isOfSeveral && !slices.ContainsFunc(commands, func(line string) bool { return strings.HasPrefix(line+" ", name+" ") }) {
			t.Errorf("got no line of %s, which is about several things", name)
		}
	})
	for _, c := range []struct {
		statuses [2]int
		want     int
	}{
		{[2]int{404, 404}, 5}, {[2]int{422, 422}, 6}, {[2]int{503, 503}, 7}, {[2]int{404, 422}, 1}, {[2]int{503, 404}, 1}, {[2]int{200, 404}, 3}, {[2]int{422, 200}, 3},
	} {
		t.Run(fmt.Sprint(c.statuses), func(t *testing.T) {
			url := twoCustomers(t, c.statuses)
			for _, command := range commands {
				env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": url, "RESELLER_RETRIES": "0"}
				if code, out, errs := (session{env: env}).run(t, strings.Fields(command)...); code != c.want {
					t.Errorf("%s: got exit code %d, want %d: %s\n%s", command, code, c.want, errs, out)
				}
			}
		})
	}
}
