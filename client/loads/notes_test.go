package loads

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// TestRepairedNotes checks when notes that only a repair changes are up to date: unless all
// rows are sent, which has then to be read back as it was sent.
func TestRepairedNotes(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":{"campaign_id":101,"writer_instructions":" short ","additional_instructions":""},"error":false}`)
	}))
	t.Cleanup(server.Close)
	c, err := client.New(client.Options{BaseURL: server.URL})
	noError(t, err)
	for name, test := range map[string]struct {
		sendsAll, reconciling bool
		cell, want            string
	}{
		"as exported":                {false, false, " short ", bulk.Present},
		"edited":                     {false, false, "short ", bulk.Absent},
		"read back":                  {false, true, " short ", bulk.Present},
		"all are sent":               {true, false, " short ", bulk.Absent},
		"all are sent and read back": {true, true, " short ", bulk.Absent},
	} {
		t.Run(name, func(t *testing.T) {
			load := Notes(c, UpdateOptions{SendUnchanged: test.sendsAll})
			snapshot, err := load.Operation.Snapshot(t.Context(), bulk.SnapshotRequest{Reconciling: test.reconciling})
			noError(t, err)
			row := rows.Row{
				Values: rows.Values{
					{Name: "campaign_id", JSON: record.Value("101")}, {Name: "writer_instructions", JSON: record.Quote("short")},
					{Name: "additional_instructions", JSON: record.Quote("")},
				},
				Repaired: []rows.RepairedCell{{Field: "writer_instructions", Text: test.cell, Repairs: 1}},
			}
			if out, err := snapshot.Find(t.Context(), &row); err != nil || out.State != test.want {
				t.Errorf("got the state %s, error %v; want %s", out.State, err, test.want)
			}
		})
	}
}
