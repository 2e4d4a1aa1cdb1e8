package bulk

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

const (
	keywordHead     = "account_id,campaign_id,keyword,keyword_type\n"
	credentialsHead = "reseller_account_id,account_id,campaign_id,credentials_types_id,username,password,note\n"
)

// campaignKeyFields are the fields that the keywords of a call agree in.
var campaignKeyFields = []string{"account_id", "campaign_id"}

// createSchema is the schema of new keywords, which most tests load.
func createSchema() rows.Schema {
	return rows.Schema{Resource: &schema.Keywords, Use: schema.Create, Validate: true, Identity: keywordIdentity}
}

// updateSchema is the schema of changes of keywords.
func updateSchema() rows.Schema {
	return rows.Schema{Resource: &schema.Keywords, Use: schema.Update, Validate: true, ReadOnly: true, Identity: rows.IdentityOf(&schema.Keywords, schema.Update)}
}

// credentialsSchema is a schema with a password.
func credentialsSchema() rows.Schema {
	return rows.Schema{Resource: &schema.Credentials, Use: schema.Create, Validate: true}
}

// keywordIdentity identifies a keyword by account, campaign and folded text. Its content
// is its type.
func keywordIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	id = append(id, keywordID(v.Get("account_id").Text(), v.Get("campaign_id").Text(), v.Get("keyword").Text())...)
	return id, v.Get("keyword_type").AppendText(content)
}

// keywordID returns the identity of a keyword.
func keywordID(account, campaign, text string) string {
	return string(rows.JoinKey(account, campaign, schema.FoldText(text)))
}

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	noError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	noError(t, err)
	return string(text)
}

// openText opens a text as an input file.
func openText(t testing.TB, format, text string, sch rows.Schema) *rows.Source {
	t.Helper()
	s, err := rows.Open(decode.Options{Path: writeFile(t, "input."+format, text)}, sch)
	noError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// validRows validates a text and returns the rows that would be sent.
func validRows(t testing.TB, format, text string, sch rows.Schema) []rows.Row {
	t.Helper()
	s := openText(t, format, text, sch)
	report, err := s.Validate(t.Context())
	noError(t, err)
	var out []rows.Row
	for row, err := range s.All() {
		if err != nil {
			t.Fatalf("a validated file gave the error %v", err)
		}
		out = append(out, rows.Clone(*row)...)
	}
	if len(out) != report.Send {
		t.Fatalf("got %d rows, want the %d of the report", len(out), report.Send)
	}
	return out
}

// testingT is what *testing.T and *rapid.T have in common.
type testingT interface {
	Helper()
	Fatal(args ...any)
}

// beginJob opens a file and resumes its job in a store, or creates one.
func beginJob(t testingT, store job.Store, path string, sch rows.Schema) (*rows.Source, *job.Job) {
	src, err := rows.Open(decode.Options{Path: path}, sch)
	noError(t, err)
	if _, err := src.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	digest, err := src.Digest()
	noError(t, err)
	key := job.Key{Operation: "keywords.load", BaseURL: "http://localhost", Digest: digest, Shard: sch.Shard.String()}
	j, err := Begin(store, job.Header{Key: key, File: path, Format: src.File.Format}, src, false)
	noError(t, err)
	return src, j
}

func newStore(t *testing.T) job.Store {
	t.Helper()
	return job.Store(filepath.Join(t.TempDir(), "jobs"))
}

// counts are the numbers of a summary.
type counts struct {
	Rows, Sent, Present, Differs, Duplicates, Invalid, Refused, Unknown int
}

func countsOf(s job.Summary) counts {
	return counts{s.Rows, s.Sent, s.Present, s.Differs, s.Duplicates, s.Invalid, s.Refused, s.Unknown}
}

func wantCounts(t *testing.T, s job.Summary, want counts) {
	t.Helper()
	if got := countsOf(s); got != want {
		t.Errorf("got the counts %+v, want %+v", got, want)
	}
}

// wantStates fails the test unless the rows of a table have the states.
func wantStates(t *testing.T, table *job.Table, want ...job.State) {
	t.Helper()
	var got []job.State
	for row := range table.Len() {
		got = append(got, table.State(uint32(row)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got the states %d, want %d", got, want)
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

// wrapCalls returns an operation whose calls are wrapped.
func wrapCalls(op Operation, wrap func(Call) Call) Operation {
	send := op.Send
	op.Send = func(group []rows.Row) Call { return wrap(send(group)) }
	return op
}

// noError fails the test if there is an error.
func noError(t testingT, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
