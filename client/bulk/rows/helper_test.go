package rows

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/schema"
)

// createSchema is the schema of new keywords, which most tests read.
func createSchema() Schema {
	return Schema{Resource: &schema.Keywords, Use: schema.Create, Validate: true, Identity: keywordIdentity}
}

// updateSchema is the schema of changes of keywords.
func updateSchema() Schema {
	return Schema{Resource: &schema.Keywords, Use: schema.Update, Validate: true, ReadOnly: true, Identity: IdentityOf(&schema.Keywords, schema.Update)}
}

// accountSchema is the schema of new accounts, or of changes of accounts.
func accountSchema(use schema.Use) Schema {
	s := Schema{Resource: &schema.AccountsV2, Use: use, Validate: true, ReadOnly: use == schema.Update, Identity: ByAllFields}
	if use == schema.Update {
		s.Identity = IdentityOf(&schema.AccountsV2, schema.Update)
	}
	return s
}

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	noError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func source(t testing.TB, format, text string, sch Schema) (*Source, error) {
	t.Helper()
	s, err := Open(decode.Options{Path: writeFile(t, "input."+format, text)}, sch)
	if err == nil {
		t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// validSource returns a source of a text that Validate has found valid.
func validSource(t testing.TB, format, text string, sch Schema) *Source {
	t.Helper()
	s, err := source(t, format, text, sch)
	if err == nil {
		_, err = s.Validate(t.Context())
	}
	noError(t, err)
	return s
}

// validRows validates a text and returns the rows that would be sent.
func validRows(t testing.TB, format, text string, sch Schema) (rows []Row, report Report, err error) {
	t.Helper()
	s, err := source(t, format, text, sch)
	if err != nil {
		return nil, report, err
	}
	if report, err = s.Validate(t.Context()); err != nil {
		return nil, report, err
	}
	for row, err := range s.All() {
		if err != nil {
			t.Fatalf("a validated file gave the error %v", err)
		}
		rows = append(rows, cloneRow(*row))
	}
	if len(rows) != report.Send {
		t.Fatalf("got %d rows, want the %d of the report", len(rows), report.Send)
	}
	return rows, report, nil
}

// cloneRow returns a copy of a row that stays valid after the walk.
func cloneRow(row Row) Row {
	kept := Clone(row)[0]
	kept.ReadOnly, kept.Cells = maps.Clone(row.ReadOnly), slices.Clone(row.Cells)
	return kept
}

// keywordIdentity identifies a keyword by account, campaign and folded text. Its content
// is its type.
func keywordIdentity(v Values, id, content []byte) ([]byte, []byte) {
	id = append(id, keywordID(v.Get("account_id").Text(), v.Get("campaign_id").Text(), v.Get("keyword").Text())...)
	return id, v.Get("keyword_type").AppendText(content)
}

// keywordID returns the identity of a keyword.
func keywordID(account, campaign, text string) string {
	return string(JoinKey(account, campaign, schema.FoldText(text)))
}

// describe returns a row's values as name=json, sorted, and its read-only cells in
// brackets.
func describe(r Row) string {
	out := strings.FieldsFunc(string(AppendValues(nil, r.Values)), func(r rune) bool { return r == '\n' })
	for _, name := range slices.Sorted(maps.Keys(r.ReadOnly)) {
		out = append(out, "("+name+"="+r.ReadOnly[name]+")")
	}
	return strings.Join(out, " ")
}

// wantRow fails the test unless err is nil and the first row has the wanted values.
func wantRow(t *testing.T, rows []Row, err error, want string) {
	t.Helper()
	if err != nil || len(rows) == 0 {
		t.Fatalf("got %d rows, error %v; want the row %s", len(rows), err, want)
	}
	if got := describe(rows[0]); got != want {
		t.Errorf("got the row %s\nwant %s", got, want)
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("got no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("got error %q, want one with %q", err, part)
		}
	}
}

// issuesOf returns the issues of an error.
func issuesOf(t *testing.T, err error) *decode.Error {
	t.Helper()
	var issues *decode.Error
	if !errors.As(err, &issues) {
		t.Fatalf("got error %v, want a *decode.Error", err)
	}
	return issues
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
