package bulk

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

const keywordHead = "account_id,campaign_id,keyword,keyword_type\n"

// creating and updating are the specs of keywords that most tests begin with.
func creating() rows.Schema {
	return rows.Schema{Resource: &schema.Keywords, Use: schema.Create, Validate: true, Identity: keywordIdentity}
}

func updating() rows.Schema {
	return rows.Schema{Resource: &schema.Keywords, Use: schema.Update, Validate: true, ReadOnly: true, Identity: rows.ByField("rank_id")}
}

func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func source(t testing.TB, format, text string, spec rows.Schema) (*rows.Source, error) {
	t.Helper()
	s, err := rows.Open(decode.Options{Path: file(t, "input."+format, text)}, spec)
	if err == nil {
		t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// load opens, checks and walks; rows are the ones that would be sent.
func load(t testing.TB, format, text string, spec rows.Schema) (batch []rows.Row, report rows.Report, err error) {
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
		batch = append(batch, keep(*row))
	}
	if len(batch) != report.Send {
		t.Fatalf("%d batch, the report says %d", len(batch), report.Send)
	}
	return batch, report, nil
}

// keep is a copy of a row that outlives the walk.
func keep(row rows.Row) rows.Row {
	kept := rows.Clone(row)[0]
	kept.ReadOnly, kept.Cells = maps.Clone(row.ReadOnly), slices.Clone(row.Cells)
	return kept
}

// keywordIdentity identifies a keyword by account, campaign and text, as a service
// that ignores spelling does. The type must agree.
func keywordIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	id = append(id, keywordID(v.Get("account_id").Text(), v.Get("campaign_id").Text(), v.Get("keyword").Text())...)
	return id, v.Get("keyword_type").AppendText(content)
}

// keywordID is the identity of a keyword.
func keywordID(account, campaign, text string) string {
	return string(rows.JoinKey(account, campaign, rows.FoldText(text)))
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

// wrapped makes calls that wrap those of an operation.
func wrapped(op Operation, wrap func(Call) Call) Operation {
	begin := op.Encode
	op.Encode = func() BatchEncoder { return wrappedEncoder{begin(), wrap} }
	return op
}

type wrappedEncoder struct {
	BatchEncoder
	wrap func(Call) Call
}

func (b wrappedEncoder) Call() Call { return b.wrap(b.BatchEncoder.Call()) }

const credentialsHead = "reseller_account_id,account_id,campaign_id,credentials_types_id,username,password,note\n"

// credentials is a schema with a password.
func credentials() rows.Schema {
	return rows.Schema{Resource: &schema.Credentials, Use: schema.Create, Validate: true}
}
