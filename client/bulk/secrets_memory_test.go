package bulk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

// TestPasswordsAreNotSpilled plans a load whose index would be on disk, and checks that
// nothing of a file with passwords goes to a temporary file.
func TestPasswordsAreNotSpilled(t *testing.T) {
	var many strings.Builder
	for row := range 1<<20 + 10 { // more than an index in memory has otherwise
		fmt.Fprintf(&many, "%d,x,p\n", row)
	}
	res := &schema.Resource{Name: "login", Fields: []schema.Field{
		{Name: "site", Use: schema.Create | schema.Required | schema.Identity}, {Name: "note", Use: schema.Create}, {Name: "password", Type: schema.Password, Use: schema.Create},
	}}
	for _, column := range []string{"password", "MRR"} {
		t.Run("with a column "+column, func(t *testing.T) {
			src := openText(t, "csv", "site,note,"+column+"\n"+many.String(), rows.Schema{Resource: res, Use: schema.Create, Identity: rows.IdentityOf(res, schema.Create), IgnoreUnknown: true})
			t.Setenv("TMPDIR", filepath.Join(os.TempDir(), "missing")) // no temporary file can be created
			if _, err := src.Validate(t.Context()); (err != nil) != (column != "password") {
				t.Errorf("got error %v, want one: %t", err, column != "password")
			}
		})
	}
}
