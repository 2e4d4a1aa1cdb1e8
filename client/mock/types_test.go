package mock

import (
	"encoding/json"
	"strings"
	"testing"

	"reseller/client/schema"
)

// TestNumbersAreDeclared holds for every field of every read: the mock sends a number only where the schema declares one, so that
// filters and workbooks take the field for one.
func TestNumbersAreDeclared(t *testing.T) {
	c := start(t, Options{})
	fill := strings.NewReplacer("{account_id}", "1", "{campaign_id}", "101", "{rank_id}", "1001", "{date_from}", "2026-01-01", "{date_to}", "2026-12-31")
	numbers := 0
	for _, op := range schema.Operations() {
		if op.Writes() || op.Public || op.Response == nil {
			continue
		}
		data := c.ok("GET", fill.Replace(op.Path)+"?account_id=1&campaign_id=101", "", nil).Data
		var records []object
		if json.Unmarshal(data, &records) != nil {
			records = make([]object, 1)
			if err := json.Unmarshal(data, &records[0]); err != nil {
				t.Fatalf("%s: %v", op.ID, err)
			}
		}
		for _, rec := range records {
			for name, value := range rec {
				f := op.Response.Field(name)
				if _, isNumber := value.(float64); !isNumber || f == nil || name == "task_id" { // which is a number or a text
					continue
				}
				if numbers++; f.Type == schema.Text {
					t.Errorf("%s: %s is declared as a text, and the mock sends %v", op.ID, name, value)
				}
			}
		}
	}
	if numbers < 100 {
		t.Errorf("got %d numbers, want those of all lists", numbers)
	}
}
