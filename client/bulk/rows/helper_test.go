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

// creating and updating are the specs of keywords that most tests begin with.
func creating() Schema {
	return Schema{Resource: &schema.Keywords, Use: schema.Create, Validate: true, Identity: keywordIdentity}
}

func updating() Schema {
	return Schema{Resource: &schema.Keywords, Use: schema.Update, Validate: true, ReadOnly: true, Identity: ByField("rank_id")}
}

func accounts(use schema.Use) Schema {
	s := Schema{Resource: &schema.AccountsV2, Use: use, Validate: true, ReadOnly: use == schema.Update, Identity: ByAllFields}
	if use == schema.Update {
		s.Identity = ByField("account_id")
	}
	return s
}

func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func source(t testing.TB, format, text string, spec Schema) (*Source, error) {
	t.Helper()
	s, err := Open(decode.Options{Path: file(t, "input."+format, text)}, spec)
	if err == nil {
		t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// load opens, checks and walks; rows are the ones that would be sent.
func load(t testing.TB, format, text string, spec Schema) (rows []Row, report Report, err error) {
	t.Helper()
	s, err := source(t, format, text, spec)
	if err != nil {
		return nil, report, err
	}
	if report, err = s.Validate(t.Context()); err != nil {
		return nil, report, err
	}
	for row, err := range s.All() {
		if err != nil {
			t.Fatalf("checked, yet: %v", err)
		}
		rows = append(rows, keep(*row))
	}
	if len(rows) != report.Send {
		t.Fatalf("%d rows, the report says %d", len(rows), report.Send)
	}
	return rows, report, nil
}

// keep is a copy of a row that outlives the walk.
func keep(row Row) Row {
	kept := Clone(row)[0]
	kept.ReadOnly, kept.Cells = maps.Clone(row.ReadOnly), slices.Clone(row.Cells)
	return kept
}

// keywordIdentity identifies a keyword by account, campaign and text, as a service
// that ignores spelling does. The type must agree.
func keywordIdentity(v Values, id, content []byte) ([]byte, []byte) {
	id = append(id, keywordID(v.Get("account_id").Text(), v.Get("campaign_id").Text(), v.Get("keyword").Text())...)
	return id, v.Get("keyword_type").AppendText(content)
}

// keywordID is the identity of a keyword.
func keywordID(account, campaign, text string) string {
	return string(JoinKey(account, campaign, FoldText(text)))
}

// show is a row's values as name=json, sorted.
func show(r Row) string {
	var out []string
	for _, v := range r.Values.sorted() {
		out = append(out, v.Name+"="+string(v.JSON))
	}
	for _, name := range slices.Sorted(maps.Keys(r.ReadOnly)) {
		out = append(out, "("+name+"="+r.ReadOnly[name]+")")
	}
	return strings.Join(out, " ")
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q has no %q", err, part)
		}
	}
}

func faultsOf(t *testing.T, err error) *decode.Error {
	t.Helper()
	var wrong *decode.Error
	if !errors.As(err, &wrong) {
		t.Fatalf("error %v is no RowsError", err)
	}
	return wrong
}
