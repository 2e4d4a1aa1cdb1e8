package rows

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/schema"
)

// TestKeepsInvalid reads rows with invalid values that the schema keeps: they are valid, and have these values apart from
// those that can be sent. want has the values of each row, and then what is kept of it or its issues.
func TestKeepsInvalid(t *testing.T) {
	sch := accountSchema(schema.Update)
	sch.Identity = IdentityOf(&schema.AccountsV2, schema.Update)
	sch.KeepsInvalid = func(name string) bool { return name != "account_id" }
	var checked []string // the e-mails that CheckRow got
	sch.CheckRow = func(v Values) (field, reason string) {
		checked = append(checked, v.Get("email").Text())
		return "", ""
	}
	for name, c := range map[string]struct{ format, text, want string }{
		"csv": {"csv", "account_id,Email,attributes.a,city\n1,nobody,\"x\ny\",Bonn\n", `account_id=1 city="Bonn" email "nobody": line 2, Email: "nobody" is not an e-mail address` +
			` attributes.a "x\ny": line 2, attributes.a: "x\ny" has a line feed: write it in one line` + "\n"},
		"json":       {"json", `[{"account_id":1,"email":"nobody","attributes":"x"}]`, `account_id=1 email "nobody": line 1, email: "nobody" is not an e-mail address attributes "x": line 1, attributes: "x" is a string, not an array of field_name and field_value` + "\n"},
		"repaired":   {"json", `[{"account_id":1,"email":" nobody "}]`, `account_id=1 email "nobody": line 1, email: "nobody" is not an e-mail address` + "\n"},
		"not kept":   {"json", `[{"account_id":"x","email":"nobody"}]`, `line 1, account_id: "x" is not a whole number` + "\n" + `line 1, email: "nobody" is not an e-mail address` + "\n"},
		"named":      {"json", `[{"account_id":1,"account_name":"N","email":"nobody"}]`, `account_id=1 account_name="N" email "nobody": line 1, email: "nobody" is not an e-mail address (account_name "N")` + "\n"},
		"next row":   {"json", `[{"account_id":1,"email":"nobody"},{"account_id":2,"email":"a@example.com"}]`, `account_id=1 email "nobody": record 1, email: "nobody" is not an e-mail address` + "\n" + `account_id=2 email="a@example.com"` + "\n"},
		"repetition": {"ndjson", `{"account_id":1}` + "\n" + `{"account_id":1,"email":"nobody"}` + "\n", "line 1: contradicts line 2: the same account with different content in email\nline 2: contradicts line 1: the same account with different content in email\nline 2, email: \"nobody\" is not an e-mail address\n"},
	} {
		t.Run(name, func(t *testing.T) {
			checked = nil
			s, err := source(t, c.format, c.text, sch)
			noError(t, err)
			if _, err := s.Validate(t.Context()); err != nil && decode.AsError(err) == nil {
				t.Fatal(err)
			}
			if name != "not kept" && checked[0] != "nobody" && name != "repetition" {
				t.Errorf("got the e-mail %q checked with the row, want nobody", checked)
			}
			got := ""
			for row, err := range s.All() {
				if err != nil {
					got += err.Error() + "\n"
					continue
				}
				got += describe(*row)
				for _, v := range row.Invalid {
					got += fmt.Sprintf(" %s %s: %s", v.Name, v.JSON, v.Issue)
					if issue := s.Refuse(row, Fault{Column: v.Name, Reason: v.Issue.Reason}); issue != v.Issue {
						t.Errorf("got the issue %s of a refused value, want %s", issue, v.Issue)
					}
				}
				got += "\n"
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if r := s.Report; r.Rows != r.Send+r.Invalid {
				t.Errorf("got %d rows, %d to send and %d invalid: a row that is refused twice counts once", r.Rows, r.Send, r.Invalid)
			}
		})
	}
}

// TestKeepsInvalidInFolder checks that the issue of a kept value names its file.
func TestKeepsInvalidInFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.csv", "b.csv"} {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte("account_id,email\n"+name[:1]+",nobody\n"), 0o600))
	}
	sch := Schema{Resource: &schema.AccountsV2, Use: schema.Update, KeepsInvalid: func(string) bool { return true }, Validate: true}
	s, err := Open(decode.Options{Path: dir}, sch)
	noError(t, err)
	defer func() { _ = s.Close() }()
	if _, err := s.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := ""
	for row, err := range s.All() {
		noError(t, err)
		got += fmt.Sprintln(s.Refuse(row, Fault{Column: "email", Reason: row.Invalid[len(row.Invalid)-1].Issue.Reason}))
	}
	if want := "a.csv: line 2, email: \"nobody\" is not an e-mail address\nb.csv: line 2, email: \"nobody\" is not an e-mail address\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestBrokenDiskIsNoInvalidRow checks that a file which can't be read further ends the validation.
func TestBrokenDiskIsNoInvalidRow(t *testing.T) {
	broken := errors.New("input/output error")
	if err := new(validation).addInvalid(&Row{}, broken); err != broken {
		t.Errorf("got error %v, want %v", err, broken)
	}
}
