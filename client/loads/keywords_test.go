package loads

import (
	"testing"

	"reseller/client/record"
	"reseller/client/schema"
)

func TestCompleteKeywordFillsStatusAndType(t *testing.T) {
	for _, c := range []struct{ given, remote, want string }{
		{"", `{"type":"target","status":1}`, "activate target"},
		{"", `{"keyword_type":"interest","status":"0"}`, "deactivate interest"},
		{"", `{"type":"interest","status":"activate"}`, "activate interest"},
		{"deactivate", `{"type":"target","status":1}`, "deactivate target"},
		{"deactivate", `{"type":"target"}`, "deactivate target"},
		{"", `{"type":"target"}`, ""},
		{"", `{"status":1}`, ""},
		{"", `{"type":null,"status":1}`, ""},
		{"", `{"type":"target","status":2}`, ""},
	} {
		t.Run(c.given+" "+c.remote, func(t *testing.T) {
			rec, err := record.Parse([]byte(c.remote))
			noError(t, err)
			change := schema.Values{"rank_id": record.Value("1")}
			if c.given != "" {
				change["status"] = record.Quote(c.given)
			}
			err = Complete(&schema.Keywords, change, rec, "keyword 1")
			if got := change["status"].Text() + " " + change["keyword_type"].Text(); (err == nil) != (c.want != "") || err == nil && got != c.want {
				t.Errorf("got %q, error %v, want %q", got, err, c.want)
			}
		})
	}
}
