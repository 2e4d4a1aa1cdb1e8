package bulk

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/schema"
)

// creating and updating are the specs of keywords that most tests begin with.
func creating() Spec {
	return Spec{Resource: &schema.Keywords, Use: schema.Create, Check: true, Identity: KeywordIdentity}
}

func updating() Spec {
	return Spec{Resource: &schema.Keywords, Use: schema.Update, Check: true, ReadOnly: true, Identity: UpdateIdentity("rank_id")}
}

func accounts(use schema.Use) Spec {
	s := Spec{Resource: &schema.AccountsV2, Use: use, Check: true, ReadOnly: use == schema.Update, Identity: AccountIdentity}
	if use == schema.Update {
		s.Identity = UpdateIdentity("account_id")
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

func source(t testing.TB, format, text string, spec Spec) (*Source, error) {
	t.Helper()
	s, err := Open(decode.Options{Path: file(t, "input."+format, text)}, spec)
	if err == nil {
		t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// load opens, checks and walks; rows are the ones that would be sent.
func load(t testing.TB, format, text string, spec Spec) (rows []Row, report Report, err error) {
	t.Helper()
	s, err := source(t, format, text, spec)
	if err != nil {
		return nil, report, err
	}
	if report, err = s.Check(t.Context()); err != nil {
		return nil, report, err
	}
	for row, err := range s.Rows() {
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
	kept := Keep(row)[0]
	kept.Extra, kept.Cells = maps.Clone(row.Extra), slices.Clone(row.Cells)
	return kept
}

// keywordID is the identity of a keyword.
func keywordID(account, campaign, text string) string {
	return string(AppendKeywordID(nil, record.Quote(account), record.Quote(campaign), record.Quote(text)))
}

// show is a row's values as name=json, sorted.
func show(r Row) string {
	var out []string
	for _, v := range r.Values.sorted() {
		out = append(out, v.name+"="+string(v.json))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Extra)) {
		out = append(out, "("+name+"="+r.Extra[name]+")")
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

// wrapped makes calls that wrap those of an operation.
func wrapped(op Op, wrap func(Send) Send) Op {
	begin := op.Begin
	op.Begin = func() Body { return wrappedBody{begin(), wrap} }
	return op
}

type wrappedBody struct {
	Body
	wrap func(Send) Send
}

func (b wrappedBody) Send() Send { return b.wrap(b.Body.Send()) }
