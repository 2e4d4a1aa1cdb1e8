package loads

import (
	"testing"

	"reseller/client/record"
	"reseller/client/schema"
)

func TestCompleteKeyword(t *testing.T) {
	for _, c := range []struct{ given, held, want string }{
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
		rec, _ := record.Parse([]byte(c.held))
		change := schema.Values{"rank_id": record.Value("1")}
		if c.given != "" {
			change["status"] = record.Quote(c.given)
		}
		err := CompleteKeyword(change, rec)
		if got := change["status"].Text() + " " + change["keyword_type"].Text(); (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%q with %s: got %q, %v, want %q", c.given, c.held, got, err, c.want)
		}
	}
}
