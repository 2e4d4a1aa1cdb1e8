package rows

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"reseller/client/bulk/decode"
	"reseller/client/schema"
)

func credentialsSchema() Schema {
	return Schema{Resource: &schema.Credentials, Use: schema.Create, Validate: true, Identity: ByAllFields}
}

func TestFormatIsDetected(t *testing.T) {
	keywords := createSchema()
	keywords.Constants, keywords.IgnoreUnknown = map[string]string{"account_id": "1", "campaign_id": "2", "keyword_type": "target"}, true
	for text, want := range map[string]string{
		`[{"keyword":"a"}]`:                        "json",
		"\xef\xbb\xbf{\"keyword\":\n1}":            "json",
		"{\"keyword\":\"a\"}\n{}":                  "ndjson",
		keywordHead:                                "csv",
		strings.ReplaceAll(keywordHead, ",", ";"):  "csv",
		strings.ReplaceAll(keywordHead, ",", "\t"): "tsv",
		"\"keyword\"\t\"note\"\n":                  "csv",
		"red shoes\nblue shoes, cheap\n":           "txt",
		"keyword\nred shoes\n":                     "csv",
		"Ours\n\nkeyword;town\n":                   "csv",
		"- keyword: a\n":                           "yaml",
		"# ours\n---\n-  'keyword': a\n":           "yaml",
		"http://example.com: new\n":                "txt",
		"red shoes, blue shoes\n":                  "",
		"Keyword text\nred shoes\n":                "",
		"a, b\nc, d\n":                             "",
		"ab  c\n":                                  "",
		"# mine\nred shoes\n":                      "",
		"keyword/1001\n":                           "",
		"1001\n":                                   "",
		"\"red shoes\"\n":                          "",
		"":                                         "ndjson",
	} {
		t.Run(fmt.Sprintf("%.20q", text), func(t *testing.T) {
			s, err := Open(decode.Options{Path: "-", Stdin: strings.NewReader(text)}, keywords)
			if want == "" {
				wantError(t, err, "--input-format", "standard input")
				return
			}
			noError(t, err)
			defer func() { _ = s.Close() }()
			if got := s.File.Format; got != want {
				t.Errorf("got the format %q, want %q", got, want)
			}
		})
	}
}

func TestFormatOfFileNames(t *testing.T) {
	for name, want := range map[string]string{"a.CSV": "csv", "a.jsonl": "ndjson", "a.yml": "yaml", "a.tab": "tsv"} {
		t.Run(name, func(t *testing.T) {
			text := map[string]string{"csv": keywordHead, "tsv": strings.ReplaceAll(keywordHead, ",", "\t")}[want]
			s, err := Open(decode.Options{Path: writeFile(t, name, text)}, createSchema())
			noError(t, err)
			defer func() { _ = s.Close() }()
			if got := s.File.Format; got != want {
				t.Errorf("got the format %q, want %q", got, want)
			}
		})
	}
}

func TestInputsThatCannotBeOpened(t *testing.T) {
	for want, in := range map[string]decode.Options{
		"no such file":           {Path: filepath.Join(t.TempDir(), "x.csv")},
		"is a folder":            {Path: t.TempDir()},
		"stdin is not available": {Path: "-"},
		`unknown format "xls"`:   {Path: writeFile(t, "x", ""), Format: "xls"},
		"is empty":               {Path: writeFile(t, "x", ""), Format: "xlsx"},
		"x.dat is empty":         {Path: writeFile(t, "x.dat", "")},
		"--input-format":         {Path: writeFile(t, "y.dat", "# mine\nred shoes\n")},
	} {
		t.Run(want, func(t *testing.T) {
			_, err := Open(in, createSchema())
			wantError(t, err, want)
		})
	}
}

// validated returns the source of a file, validated.
func validated(t *testing.T, path string) *Source {
	t.Helper()
	s, err := Open(decode.Options{Path: path}, createSchema())
	noError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestChangedFileEndsTheWalk(t *testing.T) {
	path := writeFile(t, "x.csv", keywordHead+"1,1,a,target\n")
	s := validated(t, path)
	noError(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)))
	for _, err := range s.All() {
		if err != nil { // a new date with the same content is no change
			t.Fatal(err)
		}
	}
	noError(t, os.WriteFile(path, []byte(keywordHead+"1,1,a,target\n1,1,b,target\n"), 0o600))
	for _, err := range s.All() {
		wantError(t, err, "changed")
	}
}

// TestFileChangedInPlaceEndsTheWalk checks that a walk ends before the first row of a
// part that was changed, even if the file's size and date stayed the same.
func TestFileChangedInPlaceEndsTheWalk(t *testing.T) {
	var text strings.Builder
	text.WriteString(keywordHead)
	for i := range 20_000 {
		fmt.Fprintf(&text, "1,1,word %d,target\n", i)
	}
	path := writeFile(t, "x.csv", text.String())
	info, err := os.Stat(path)
	noError(t, err)
	s := validated(t, path)
	rows := 0
	for row, err := range s.All() {
		if rows++; rows == 100 {
			noError(t, errors.Join(os.WriteFile(path, []byte(strings.ReplaceAll(text.String(), "word", "WORT")), 0o600), os.Chtimes(path, time.Time{}, info.ModTime())))
		}
		if err == nil && !bytes.HasPrefix(row.Values.Get("keyword"), []byte(`"word`)) {
			t.Fatalf("row %d has the changed keyword %s", rows, row.Values.Get("keyword"))
		}
		if err != nil {
			wantError(t, err, "changed")
			rows = -1
		}
	}
	if rows >= 0 {
		t.Errorf("got all %d rows, want an error", rows)
	}
	if got, err := s.Digest(); err != nil || got != fmt.Sprintf("%x", sha256.Sum256([]byte(text.String()))) {
		t.Errorf("got the digest %s, error %v; want that of what was validated", got, err)
	}
}

// TestMemoryIsThatOfTheIdentities checks that reading 300,000 rows needs little more
// memory than the index of their identities.
func TestMemoryIsThatOfTheIdentities(t *testing.T) {
	if testing.Short() {
		t.Skip("validating 300,000 rows takes too long for -short")
	}
	path := filepath.Join(t.TempDir(), "big.csv")
	out, err := os.Create(path)
	noError(t, err)
	const rows = 300_000
	var b bytes.Buffer
	b.WriteString(keywordHead)
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d,buy red shoes online number %d,target\n", i%1000, i%1000+100, i)
	}
	if _, err := out.Write(b.Bytes()); err != nil || out.Close() != nil {
		t.Fatal(err)
	}
	b = bytes.Buffer{}
	s, err := Open(decode.Options{Path: path}, createSchema())
	noError(t, err)
	defer func() { _ = s.Close() }()
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak atomic.Uint64
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				peak.Store(max(peak.Load(), now.HeapAlloc))
			}
		}
	}()
	report, err := s.Validate(t.Context())
	if err != nil || report.Send != rows {
		t.Fatalf("got %d rows to send, error %v; want %d", report.Send, err, rows)
	}
	n := 0
	for _, err := range s.All() {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	if grown := int64(peak.Load()) - int64(before.HeapAlloc); n != rows || grown > 40<<20 {
		t.Errorf("got %d rows with %d MB, want %d with at most 40 MB", n, grown>>20, rows)
	}
}

func TestTemplatesCanBeLoaded(t *testing.T) {
	for _, c := range []struct {
		res *schema.Resource
		use schema.Use
	}{
		{&schema.AccountsV2, schema.Create}, {&schema.AccountsV2, schema.Update},
		{&schema.AccountsV1, schema.Create}, {&schema.AccountsV1, schema.Update},
		{&schema.Keywords, schema.Create}, {&schema.Keywords, schema.Update},
		{&schema.Credentials, schema.Create}, {&schema.StatusChange, schema.Create}, {&schema.Notes, schema.Update},
	} {
		var first string
		for _, format := range []string{"csv", "ndjson", "yaml"} {
			t.Run(fmt.Sprintf("%s use %d as %s", c.res.Name, c.use, format), func(t *testing.T) {
				var b bytes.Buffer
				noError(t, WriteTemplate(c.res, c.use, format, &b))
				rows, _, err := validRows(t, format, b.String(), Schema{Resource: c.res, Use: c.use, Validate: true})
				if err != nil || len(rows) != 1 {
					t.Fatalf("got %d rows, error %v; want 1 of the template\n%s", len(rows), err, b.String())
				}
				if first == "" {
					first = describe(rows[0])
				}
				wantRow(t, rows, err, first)
			})
		}
	}
	wantError(t, WriteTemplate(&schema.Keywords, schema.Create, "xml", io.Discard), `"xml"`, "csv, ndjson, yaml")
}

// TestDigestCountsInvalidRows checks that files with passwords have different digests if
// an invalid row is at another place, or is missing.
func TestDigestCountsInvalidRows(t *testing.T) {
	const head, good, bad = "account_id,campaign_id,credentials_types_id,reseller_account_id,username,password,note\n", "1,2,4,9,a,p,\n", "x,2,4,9,a,p,\n"
	digests := map[string]string{}
	for _, text := range []string{head + good + bad, head + bad + good, head + good} {
		src, err := Open(decode.Options{Path: "-", Stdin: strings.NewReader(text), Format: "csv"}, credentialsSchema())
		noError(t, err)
		_, _ = src.Validate(t.Context())
		digest, err := src.Digest()
		if err != nil || digests[digest] != "" {
			t.Errorf("%q has the digest of %q (error %v), want another one", text, digests[digest], err)
		}
		digests[digest] = text
		_ = src.Close()
	}
}
