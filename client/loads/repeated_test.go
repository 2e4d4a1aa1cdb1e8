package loads

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"reseller/client"
	"reseller/client/bulk"
)

// TestRepeatedRecords verifies a load against lists that show a keyword twice. With the same id it is one record, which a
// list repeats when records move between its pages; with another id the service holds the keyword twice.
func TestRepeatedRecords(t *testing.T) {
	for _, c := range []struct {
		name    string
		ids     []int64
		doubled int
	}{
		{"the same record", []int64{5, 5}, 0},
		{"the same record with a large id", []int64{5 << 40, 5 << 40}, 0},
		{"two records", []int64{5, 6}, 1},
		{"two records whose ids differ in the upper half", []int64{5, 1<<32 + 5}, 1},
		{"two records without an id", []int64{0, 0}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := ""
			for i, id := range c.ids {
				if i > 0 {
					list += ","
				}
				list += fmt.Sprintf(`{"rank_id":%d,"account_id":1,"campaign_id":2,"keyword":"a","type":"target","status":1}`, id)
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprintf(w, `{"data":[%s],"error":false}`, list)
			}))
			defer server.Close()
			service, err := client.New(client.Options{BaseURL: server.URL})
			noError(t, err)
			path := filepath.Join(t.TempDir(), "rows.csv")
			noError(t, os.WriteFile(path, []byte("account_id,campaign_id,keyword,type\n1,2,a,target\n"), 0o600))
			sum, err := Keywords(service).Run(t.Context(), path, newStore(t), bulk.Options{Verify: true})
			noError(t, err)
			if sum.Present != 1 || sum.Verification == nil || sum.Doubled != c.doubled {
				t.Errorf("got %d present, verification %+v; want 1 present, %d doubled", sum.Present, sum.Verification, c.doubled)
			}
		})
	}
}
