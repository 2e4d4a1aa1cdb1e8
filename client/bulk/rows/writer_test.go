package rows

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/schema"
)

// TestWriterKeepsTheFormatOfTheSource writes every valid row again, with an added
// column and without the values of another one.
func TestWriterKeepsTheFormatOfTheSource(t *testing.T) {
	for format, c := range map[string]struct{ text, want string }{
		"csv":    {"account_id,city,error\n1,\"a,b\",old\n", "account_id,city,error\n1,,new\n"},
		"tsv":    {"account_id\tcity\n1\ta\\\\b\n", "account_id\tcity\terror\n1\t\tnew\n"},
		"json":   {`[{"account_id":1,"city":"a","error":"old"},{"account_id":2,"external_account_manager":{"name":"Kim"}}]`, "[\n{\"account_id\":1,\"city\":\"\",\"error\":\"new\"},\n{\"account_id\":2,\"external_account_manager\":{\"name\":\"Kim\"},\"error\":\"new\"}\n]\n"},
		"ndjson": {"{\"account_id\":1,\"city\":\"a\"}\n", "{\"account_id\":1,\"city\":\"\",\"error\":\"new\"}\n"},
		"yaml":   {"- account_id: 1\n  city: a\n", "- {\"account_id\":1,\"city\":\"\",\"error\":\"new\"}\n"},
	} {
		t.Run(format, func(t *testing.T) {
			s, err := source(t, format, c.text, accountSchema(schema.Update))
			noError(t, err)
			path := filepath.Join(t.TempDir(), "out")
			w := NewWriter(s, path, "error")
			n := 0
			for row, err := range s.All() {
				if err == nil {
					err = w.WriteInstead(*row, TextsIn(map[string]string{"city": ""}), nil, "new")
				}
				noError(t, err)
				n++
			}
			if got := w.Rows(); got != n || w.Path() != path {
				t.Errorf("got %d rows in %s, want %d in %s", got, w.Path(), n, path)
			}
			noError(t, w.Commit())
			if got, err := os.ReadFile(path); err != nil || string(got) != c.want {
				t.Errorf("got %q, error %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestAbortedWriterLeavesNoFile(t *testing.T) {
	s, err := source(t, "csv", keywordHead+"1,1,a,target\n", createSchema())
	noError(t, err)
	dir := t.TempDir()
	w := NewWriter(s, filepath.Join(dir, "out"), "error")
	for row := range s.All() {
		noError(t, w.Write(*row, "new"))
	}
	w.Abort()
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("got the files %v, want none", files)
	}
	var none *Writer // the writer of a load without such a file
	if err := none.Commit(); err != nil || none.Rows() != 0 {
		t.Errorf("a nil writer: got %d rows, error %v; want none", none.Rows(), err)
	}
	none.Abort()
}

// TestWriterOfUnreadableRows checks that a row which is no object is kept as text,
// unless it may contain a password.
func TestWriterOfUnreadableRows(t *testing.T) {
	for name, c := range map[string]struct {
		sch  Schema
		want string
	}{
		"plain":     {accountSchema(schema.Update), "{\"input\":\"{oops\",\"error\":\"new\"}\n"},
		"passwords": {credentialsSchema(), "{\"error\":\"new; the row is left out, since it may hold a password\"}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := source(t, "ndjson", "{oops\n", c.sch)
			noError(t, err)
			path := filepath.Join(t.TempDir(), "out")
			w := NewWriter(s, path, "error")
			for row, err := range s.All() {
				if !decode.InvalidRow(err) {
					t.Fatalf("got error %v, want one of an invalid row", err)
				}
				noError(t, w.Write(*row, "new"))
			}
			noError(t, w.Commit())
			if got, _ := os.ReadFile(path); string(got) != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestCopyOfStandardInput checks that the bytes of standard input can be copied, so
// that a job can be resumed.
func TestCopyOfStandardInput(t *testing.T) {
	const text = keywordHead + "1,1,a,target\n"
	for name, c := range map[string]struct {
		options decode.Options
		spooled bool
	}{
		"standard input": {decode.Options{Path: "-", Stdin: strings.NewReader(text), Format: "csv"}, true},
		"file":           {decode.Options{Path: writeFile(t, "k.csv", text)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(c.options, createSchema())
			noError(t, err)
			defer func() { _ = s.Close() }()
			var copied strings.Builder
			if err := s.File.CopyTo(&copied); err != nil || copied.String() != text {
				t.Errorf("CopyTo: got %q, error %v; want %q", copied.String(), err, text)
			}
			if got := s.File.IsCopy(); got != c.spooled {
				t.Errorf("IsCopy: got %t, want %t", got, c.spooled)
			}
		})
	}
}

const credentialsHead = "reseller_account_id,account_id,campaign_id,credentials_types_id,username,password,note\n"

// TestPasswordColumnOfStandardInput checks that standard input with a password column
// stays in memory.
func TestPasswordColumnOfStandardInput(t *testing.T) {
	for name, c := range map[string]struct {
		head    string
		secrets bool
	}{
		"with a password column": {credentialsHead, true},
		"without":                {strings.Replace(credentialsHead, "password,", "", 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			sch := credentialsSchema()
			sch.Constants = nil
			if !c.secrets {
				sch.Constants = map[string]string{"password": "p"}
			}
			s, err := Open(decode.Options{Path: "-", Stdin: strings.NewReader(c.head), Format: "csv"}, sch)
			noError(t, err)
			defer func() { _ = s.Close() }()
			if got := s.Layout.HoldsSecrets(); got != c.secrets {
				t.Errorf("HoldsSecrets: got %t, want %t", got, c.secrets)
			}
		})
	}
}
