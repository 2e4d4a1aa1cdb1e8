package bulk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

// TestPasswordsAreNotSpilled plans loads that would take too much memory, and checks that
// nothing of a file with passwords goes to a temporary file.
func TestPasswordsAreNotSpilled(t *testing.T) {
	defer func(rows int) { dedupe.MaxInMemory = rows }(dedupe.MaxInMemory)
	dedupe.MaxInMemory = 1000
	var long, many strings.Builder
	for row := range 20 { // of as many keys, each of whose batches is not full
		fmt.Fprintf(&long, "%d,%s,p\n", row, strings.Repeat("x", maxOpenBytes/10))
	}
	for row := range dedupe.MaxInMemory + 10 { // more than an index in memory has otherwise
		fmt.Fprintf(&many, "%d,x,p\n", row)
	}
	res := &schema.Resource{Name: "login", Fields: []schema.Field{
		{Name: "site", Use: schema.Create | schema.Required | schema.Identity}, {Name: "note", Use: schema.Create}, {Name: "password", Type: schema.Password, Use: schema.Create},
	}}
	for name, text := range map[string]string{"long rows": long.String(), "many rows": many.String()} {
		for _, column := range []string{"password", "MRR"} {
			t.Run(name+" with a column "+column, func(t *testing.T) {
				src := openText(t, "csv", "site,note,"+column+"\n"+text, rows.Schema{Resource: res, Use: schema.Create, Identity: rows.IdentityOf(res, schema.Create), IgnoreUnknown: true})
				t.Setenv("TMPDIR", filepath.Join(os.TempDir(), "missing")) // no temporary file can be created
				_, err := src.Validate(t.Context())
				op := Operation{Name: "logins", Key: []string{"site"}, Send: func([]rows.Row) Call {
					return func(_ context.Context, onSend func() error) ([]Outcome, error) { return []Outcome{{}}, onSend() }
				}}
				if err == nil {
					_, err = DryRun(t.Context(), src, op, nil, Options{}, func([]rows.Row, bool) {}, nil)
				}
				if (err == nil) == (column == "password") && name == "long rows" {
					_, err = Run(t.Context(), src, Rows(op), nil, Options{})
				}
				if wantFile := column != "password"; (err != nil) != wantFile {
					t.Errorf("got error %v, want one: %t", err, wantFile)
				}
			})
		}
	}
}
