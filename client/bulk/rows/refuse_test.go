package rows

import (
	"os"
	"path/filepath"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/schema"
)

// TestRefuse refuses a valid row: it is invalid until the file is validated again, and its issue
// names its place. In a file with a password, the issue quotes nothing.
func TestRefuse(t *testing.T) {
	const head, secret = "account_id,campaign_id,credentials_types_id,reseller_account_id,username", ",password\n"
	for format, c := range map[string]struct{ text, want string }{
		"csv":    {head + secret + "1,1,4,1,u,p\n2,1,4,1,u,p\n3,1,4,1,u,p\n", `line 3, username: [hidden] is taken`},
		"ndjson": {`{"account_id":1,"username":"u"}` + "\n" + `{"account_id":2,"username":"u"}` + "\n" + `{"account_id":3,"username":"u"}` + "\n", `line 2, username: "u" is taken`},
	} {
		t.Run(format, func(t *testing.T) {
			sch := Schema{Resource: schema.Credentials.For(schema.Create), Use: schema.Update}
			for i := range sch.Resource.Fields {
				sch.Resource.Fields[i].Use = schema.Update
			}
			s := validSource(t, format, c.text, sch)
			for row, err := range s.Valid() {
				noError(t, err)
				if row.Ordinal != 1 {
					continue
				}
				if got := s.Refuse(row, Fault{Column: "username", Reason: `"u" is taken`}).String(); got != c.want {
					t.Errorf("got the issue %s, want %s", got, c.want)
				}
			}
			if r := s.Report; r.Rows != 3 || r.Send != 2 || r.Invalid != 1 || !s.IsInvalid(1) || s.IsSendable(1) {
				t.Errorf("got %d rows, %d to send, %d invalid, want 3, 2, 1", r.Rows, r.Send, r.Invalid)
			}
			got := ""
			for row, err := range s.All() {
				if got += row.Values.Get("account_id").Text(); decode.InvalidRow(err) {
					got += " " + err.Error() + " "
				}
			}
			if want := "12 " + c.want + " 3"; got != want {
				t.Errorf("got the rows %s, want %s", got, want)
			}
			if r, err := s.Validate(t.Context()); err != nil || r.Send != 3 {
				t.Errorf("validated again: got %d rows to send, error %v, want 3", r.Send, err)
			}
		})
	}
}

// TestAppend appends a row: the walks yield it behind those of the file, under its name, and a
// writer writes it.
func TestAppend(t *testing.T) {
	for format, c := range map[string]struct{ text, want string }{
		"csv":    {"email,account_id\na@example.com,1\n", "email,account_id,state\na@example.com,1,0\n,7,-1\n"},
		"ndjson": {`{"account_id":1}` + "\n", `{"account_id":1,"state":"0"}` + "\n" + `{"account_id":7,"first_name":"x","state":"-1"}` + "\n"},
	} {
		t.Run(format, func(t *testing.T) {
			s := validSource(t, format, c.text, accountSchema(schema.Update))
			s.Append(Appended{Name: "account 7", Values: Values{{"first_name", record.Quote("x")}, {"account_id", record.Integer(7)}}})
			if r := s.Report; r.Rows != 1 || r.Appended != 1 || r.Send != 2 || s.Len() != 2 {
				t.Errorf("got %d rows and %d appended, %d to send, length %d, want 1, 1, 2 and 2", r.Rows, r.Appended, r.Send, s.Len())
			}
			path := filepath.Join(t.TempDir(), "out")
			w := NewWriter(s, path, "state")
			for row, err := range s.All() {
				noError(t, err)
				state := "0"
				if row.Line < 0 {
					state = "-1"
					if got := s.Place(row.Line); got != "account 7" || row.Ordinal != 1 {
						t.Errorf("got row %d at %s, want row 1 at account 7", row.Ordinal, got)
					}
				}
				noError(t, w.Write(*row, state))
			}
			noError(t, w.Commit())
			if got, err := os.ReadFile(path); err != nil || string(got) != c.want {
				t.Errorf("got\n%s\n(error %v), want\n%s", got, err, c.want)
			}
			if r, err := s.Validate(t.Context()); err != nil || r.Send != 1 {
				t.Errorf("validated again: got %d rows to send, error %v, want 1", r.Send, err)
			}
		})
	}
}
