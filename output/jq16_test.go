package output

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"reseller/client/record"
)

// TestDifferencesFromJQAreListed runs the expressions of testdata/jq-1.6.tsv. Each line has an expression, what `jq -rc` of jq 1.6
// prints as a JSON text, and the heading of `reseller help jq` that says how --jq differs from it, if it does. The result of an
// error ends in ERROR.
func TestDifferencesFromJQAreListed(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		noError(t, err)
		return string(text)
	}
	topic, input := read("../cmd/meta/topics/jq.txt"), record.Value(strings.TrimSpace(read("testdata/jq.json")))
	told := map[string]bool{}
	for line := range strings.Lines(read("testdata/jq-1.6.tsv")) {
		column := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var want string
		noError(t, json.Unmarshal([]byte(column[1]), &want))
		var out bytes.Buffer
		p, err := New(&out, Options{JQ: column[0]})
		if err == nil {
			err = p.Value(t.Context(), input)
		}
		if err != nil {
			out.WriteString("ERROR")
		}
		if got := out.String(); (got == want) != (column[2] == "") {
			t.Errorf("%s: got %q (%v), jq 1.6 prints %q: list it under %q, or not", column[0], got, err, want, column[2])
		}
		told[column[2]] = true
	}
	delete(told, "")
	for line := range strings.Lines(topic) {
		if heading := strings.TrimSpace(line); line[0] >= 'A' && line[0] <= 'Z' && strings.ToUpper(heading) == heading {
			if !told[heading] {
				t.Errorf("no expression shows the difference %s", heading)
			}
			delete(told, heading)
		}
	}
	for heading := range told {
		t.Errorf("`reseller help jq` has no heading %s", heading)
	}
}
