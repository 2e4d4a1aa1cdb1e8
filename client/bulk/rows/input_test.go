package rows

import (
	"bytes"
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

func credentials() Schema {
	return Schema{Resource: &schema.Credentials, Use: schema.Create, Validate: true, Identity: ByAllFields}
}

func TestFormatIsTold(t *testing.T) {
	for text, want := range map[string]string{
		`[{"keyword":"a"}]`:                        "json",
		"\xef\xbb\xbf{\"keyword\":\n1}":            "json",
		"{\"keyword\":\"a\"}\n{}":                  "ndjson",
		keywordHead:                                "csv",
		strings.ReplaceAll(keywordHead, ",", ";"):  "csv",
		strings.ReplaceAll(keywordHead, ",", "\t"): "tsv",
		"red shoes\nblue shoes\n":                  "",
		"red shoes, blue shoes\n":                  "",
		"keyword\nred shoes\n":                     "",
		"- keyword: a\n":                           "",
		"":                                         "",
	} {
		s, err := Open(decode.Options{Path: "-", Stdin: strings.NewReader(text)}, creating())
		switch {
		case want == "":
			wantError(t, err, "--input-format", "standard input")
		case err != nil || s.Format() != want:
			t.Errorf("%q: %v", text, err)
		}
		if err == nil {
			_ = s.Close()
		}
	}
	for name, want := range map[string]string{"a.CSV": "csv", "a.jsonl": "ndjson", "a.yml": "yaml", "a.tab": "tsv"} {
		text := strings.ReplaceAll(keywordHead, ",", map[bool]string{true: "\t", false: ","}[want == "tsv"])
		if want == "yaml" || want == "ndjson" {
			text = ""
		}
		s, err := Open(decode.Options{Path: file(t, name, text)}, creating())
		if err != nil || s.Format() != want {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_ = s.Close()
	}
}

func TestInputErrors(t *testing.T) {
	for want, in := range map[string]decode.Options{
		"no such file":          {Path: filepath.Join(t.TempDir(), "x.csv")},
		"is a folder":           {Path: t.TempDir()},
		"no standard input":     {Path: "-"},
		`unknown format "xlsx"`: {Path: file(t, "x", ""), Format: "xlsx"},
		"--input-format":        {Path: file(t, "x.dat", "")},
	} {
		_, err := Open(in, creating())
		wantError(t, err, want)
	}
}

// checked is a source of a file that was checked.
func checked(t *testing.T, path string) *Source {
	t.Helper()
	s, err := Open(decode.Options{Path: path}, creating())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFileThatChanges(t *testing.T) {
	path := file(t, "x.csv", keywordHead+"1,1,a,target\n")
	s := checked(t, path)
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, err := range s.All() {
		if err != nil { // what it holds counts, not when it was written
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte(keywordHead+"1,1,a,target\n1,1,b,target\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range s.All() {
		wantError(t, err, "changed")
	}
}

// What was changed in place ends a walk before any row of it, however late it is
// and whatever the file's date says.
func TestFileChangesInPlace(t *testing.T) {
	var text strings.Builder
	text.WriteString(keywordHead)
	for i := range 20_000 {
		fmt.Fprintf(&text, "1,1,word %d,target\n", i)
	}
	path := file(t, "x.csv", text.String())
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	s := checked(t, path)
	rows := 0
	for row, err := range s.All() {
		if rows++; rows == 100 {
			if err := errors.Join(os.WriteFile(path, []byte(strings.ReplaceAll(text.String(), "word", "WORT")), 0o600), os.Chtimes(path, time.Time{}, info.ModTime())); err != nil {
				t.Fatal(err)
			}
		}
		if err == nil && !bytes.HasPrefix(row.Values.Get("keyword"), []byte(`"word`)) {
			t.Fatalf("row %d: %s", rows, row.Values.Get("keyword"))
		}
		if err != nil {
			wantError(t, err, "changed")
			rows = -1
		}
	}
	if rows >= 0 {
		t.Errorf("all %d rows came", rows)
	}
	if _, err := s.Digest(); err == nil {
		t.Error("it has a content")
	}
}

// TestMemory loads 300,000 rows; what it needs must be what identities need.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("300,000 rows")
	}
	path := filepath.Join(t.TempDir(), "big.csv")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
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
	s, err := Open(decode.Options{Path: path}, creating())
	if err != nil {
		t.Fatal(err)
	}
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
		t.Fatalf("%+v, %v", report, err)
	}
	n := 0
	for _, err := range s.All() {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	if grown := int64(peak.Load()) - int64(before.HeapAlloc); n != rows || grown > 40<<20 {
		t.Errorf("%d rows, %d MB", n, grown>>20)
	}
}

func TestExamplesLoad(t *testing.T) {
	for _, c := range []struct {
		res *schema.Resource
		use schema.Use
	}{
		{&schema.AccountsV2, schema.Create}, {&schema.AccountsV2, schema.Update},
		{&schema.AccountsV1, schema.Create}, {&schema.AccountsV1, schema.Update},
		{&schema.Keywords, schema.Create}, {&schema.Keywords, schema.Update},
		{&schema.Credentials, schema.Create}, {&schema.StatusChange, schema.Create}, {&schema.Notes, schema.Update},
	} {
		var same string
		for _, format := range []string{"csv", "ndjson", "yaml"} {
			var b bytes.Buffer
			if err := WriteTemplate(c.res, c.use, format, &b); err != nil {
				t.Fatal(err)
			}
			rows, _, err := load(t, format, b.String(), Schema{Resource: c.res, Use: c.use, Validate: true})
			if err != nil || len(rows) != 1 {
				t.Fatalf("%s %s: %v\n%s", c.res.Name, format, err, b.String())
			}
			if same == "" {
				same = show(rows[0])
			}
			if show(rows[0]) != same {
				t.Errorf("%s %s: %s\nwant %s", c.res.Name, format, show(rows[0]), same)
			}
		}
	}
	wantError(t, WriteTemplate(&schema.Keywords, schema.Create, "xml", io.Discard), `"xml"`, "csv, ndjson, yaml")
}

// The place of an invalid row is part of the digest of a file with passwords.
func TestDigestHasInvalidRows(t *testing.T) {
	const head, good, bad = "account_id,campaign_id,credentials_types_id,reseller_account_id,username,password,note\n", "1,2,4,9,a,p,\n", "x,2,4,9,a,p,\n"
	contents := map[string]string{}
	for _, text := range []string{head + good + bad, head + bad + good, head + good} {
		src, err := Open(decode.Options{Path: "-", Stdin: strings.NewReader(text), Format: "csv"}, credentials())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = src.Validate(t.Context())
		content, err := src.Digest()
		if err != nil || contents[content] != "" {
			t.Errorf("%q is %q, %v", text, contents[content], err)
		}
		contents[content] = text
		_ = src.Close()
	}
}
