package loads_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/job"
	"reseller/client/loads"
	"reseller/client/mock"
)

// Load the keywords in a file, each of them exactly once. Run again, the same
// program loads nothing twice, also after it was killed.
func Example() {
	dir, c, stop := service()
	defer stop()

	path := filepath.Join(dir, "keywords.csv")
	file := "account_id,campaign_id,keyword,keyword_type\n1,101,cargo bikes,target\n1,101,folding bikes,interest\n"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		panic(err)
	}
	for range 2 {
		summary, err := loads.Keywords(c).Run(context.Background(), path, job.Store(filepath.Join(dir, "jobs")), bulk.Options{})
		if err != nil {
			panic(err)
		}
		fmt.Println(summary.Rows, "rows:", summary.Sent, "sent,", summary.Present, "present,", summary.Refused, "refused,", summary.Unknown, "unknown")
	}
	// Output:
	// 2 rows: 2 sent, 0 present, 0 refused, 0 unknown
	// 2 rows: 0 sent, 2 present, 0 refused, 0 unknown
}

// rowsOf returns rows with keywords of campaign 101, and then an error unless it is nil.
func rowsOf(err error, keywords ...string) iter.Seq2[loads.Row, error] {
	return func(yield func(loads.Row, error) bool) {
		for _, keyword := range keywords {
			if !yield(loads.Row{"account_id": 1, "campaign_id": client.Integer(101), "keyword": keyword, "keyword_type": "target"}, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// TestRunRows loads rows that are in no file. A run that was interrupted is gone on with by the same rows, and by no others.
func TestRunRows(t *testing.T) {
	dir, c, stop := service()
	defer stop()
	store, broken := job.Store(filepath.Join(dir, "jobs")), errors.New("the database is gone")
	load := func(ctx context.Context, o bulk.Options, err error, keywords ...string) (string, error) {
		sum, err := loads.Keywords(c).RunRows(ctx, rowsOf(err, keywords...), store, o)
		return fmt.Sprintf("%d rows: %d sent, %d present, %d remaining", sum.Rows, sum.Sent, sum.Present, sum.Remaining), err
	}
	ended, end := context.WithCancel(t.Context())
	end()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := bulk.Options{BatchSize: 1, Concurrency: 1, Progress: func(done, _ int) {
		if done > 0 {
			cancel()
		}
	}}
	for _, c := range []struct {
		name     string
		ctx      context.Context
		options  bulk.Options
		err      error
		keywords []string
		want     string
		failed   string
	}{
		{"an error among the rows", t.Context(), bulk.Options{}, broken, []string{"red shoes"}, "0 rows: 0 sent, 0 present, 0 remaining", "the database is gone"},
		{"rows that end like a file", t.Context(), bulk.Options{}, io.EOF, []string{"red shoes"}, "0 rows: 0 sent, 0 present, 0 remaining", "EOF"},
		{"the end of the context", ended, bulk.Options{}, nil, []string{"red shoes"}, "0 rows: 0 sent, 0 present, 0 remaining", "context canceled"},
		{"an invalid row", t.Context(), bulk.Options{}, nil, []string{"red shoes", ""}, "0 rows: 0 sent, 0 present, 0 remaining", "row 2, keyword: missing"},
		{"no row", t.Context(), bulk.Options{}, nil, nil, "0 rows: 0 sent, 0 present, 0 remaining", ""},
		{"interrupted", ctx, stopped, nil, []string{"red shoes", "blue shoes", "green shoes"}, "3 rows: 1 sent, 0 present, 2 remaining", "context canceled"},
		{"resumed", t.Context(), bulk.Options{}, nil, []string{"red shoes", "blue shoes", "green shoes"}, "3 rows: 3 sent, 0 present, 0 remaining", ""},
		{"once more", t.Context(), bulk.Options{}, nil, []string{"red shoes", "blue shoes", "green shoes"}, "3 rows: 0 sent, 3 present, 0 remaining", ""},
		{"another row", t.Context(), bulk.Options{}, nil, []string{"red shoes", "yellow shoes"}, "2 rows: 1 sent, 1 present, 0 remaining", ""},
	} {
		got, err := load(c.ctx, c.options, c.err, c.keywords...)
		if got != c.want || fmt.Sprint(err) != cmp.Or(c.failed, "<nil>") {
			t.Errorf("%s: got %s, %v; want %s, %s", c.name, got, err, c.want, c.failed)
		}
	}
}

// TestRunRowsOfADatabase loads text as database drivers return it: as bytes, of any encoding.
func TestRunRowsOfADatabase(t *testing.T) {
	dir, c, stop := service()
	defer stop()
	store := job.Store(filepath.Join(dir, "jobs"))
	for _, test := range []struct {
		keyword any
		stored  string
		failed  string
	}{
		{[]byte("red shoes"), "red shoes", "<nil>"},
		{json.RawMessage(`"blue shoes"`), "blue shoes", "<nil>"},
		{[]byte("café"), "café", "<nil>"},
		{`back\ufffdslash`, `back\ufffdslash`, "<nil>"},
		{"a mark \ufffd", "a mark \ufffd", "<nil>"},
		{json.RawMessage(`"a mark \ufffd, escaped"`), "a mark \ufffd, escaped", "<nil>"},
		{"caf\xe9", "", "row 1 has bytes that are no text in UTF-8"},
		{[]byte("caf\xe9"), "", "row 1 has bytes that are no text in UTF-8"},
	} {
		row := loads.Row{"account_id": []byte("1"), "campaign_id": 101, "keyword": test.keyword, "keyword_type": "target"}
		_, err := loads.Keywords(c).RunRows(t.Context(), func(yield func(loads.Row, error) bool) { yield(row, nil) }, store, bulk.Options{})
		isStored := false
		for keyword, err := range c.Keywords(t.Context()) {
			if isStored = isStored || string(keyword.Keyword) == test.stored; err != nil {
				t.Fatal(err)
			}
		}
		if isStored != (test.stored != "") || fmt.Sprint(err) != test.failed {
			t.Errorf("%q: got %v, stored: %t; want %s", test.keyword, err, isStored, test.failed)
		}
	}
}

// TestUnknownFields loads a misspelt field, which stops a load that skips invalid rows, too.
func TestUnknownFields(t *testing.T) {
	dir, c, stop := service()
	defer stop()
	unknown := func(yield func(loads.Row, error) bool) { yield(loads.Row{"account_id": 1, "colour": "red"}, nil) }
	for _, onInvalid := range []string{"", bulk.Skip} {
		sum, err := loads.Keywords(c).RunRows(t.Context(), unknown, job.Store(filepath.Join(dir, "jobs")), bulk.Options{OnInvalid: onInvalid})
		want := "row 1, colour: unknown column: use Load.Schema.Map or Load.Schema.IgnoreUnknown"
		if sum.Rows != 0 || !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("got %d rows and the error %v, want none and %s", sum.Rows, err, want)
		}
	}
	if _, err := loads.Keywords(c).RunRows(t.Context(), nil, job.Store(dir), bulk.Options{}); err == nil {
		t.Error("got no error without an iterator")
	}
	if _, err := loads.Keywords(c).Run(t.Context(), "", job.Store(dir), bulk.Options{}); fmt.Sprint(err) != "there is no file: the path is empty" {
		t.Errorf("got %v without a path", err)
	}
}

// TestMistakes makes mistakes of a program: each has an error of its own, before anything is sent.
func TestMistakes(t *testing.T) {
	dir, c, stop := service()
	defer stop()
	row := loads.Row{"account_id": 1, "campaign_id": 101, "keyword": "red shoes", "keyword_type": "target"}
	odd := loads.Row{"account_id": make(chan int)}
	for _, test := range []struct {
		rows    []loads.Row
		store   job.Store
		options bulk.Options
		want    string
	}{
		{[]loads.Row{row, nil}, job.Store(dir), bulk.Options{}, "row 2 is nil"},
		{[]loads.Row{row, odd}, job.Store(dir), bulk.Options{}, "row 2: json: unsupported type: chan int"},
		{[]loads.Row{row}, "", bulk.Options{}, "the store is empty: it is the path of a folder"},
		{[]loads.Row{row}, job.Store(dir), bulk.Options{OnInvalid: "Skip"}, `Options.OnInvalid: "Skip" is neither stop nor skip`},
		{[]loads.Row{row}, job.Store(dir), bulk.Options{ResendExisting: true, UpdateExisting: true}, "Options.ResendExisting and Options.UpdateExisting can't be used together"},
		{[]loads.Row{row}, job.Store(dir), bulk.Options{Rejects: filepath.Join(dir, "a.csv"), Results: filepath.Join(dir, "a.csv")}, "Options.Rejects and Options.Results are the same file"},
	} {
		sum, err := loads.Keywords(c).RunRows(t.Context(), func(yield func(loads.Row, error) bool) {
			for _, row := range test.rows {
				if !yield(row, nil) {
					return
				}
			}
		}, test.store, test.options)
		if fmt.Sprint(err) != test.want || sum.Requests != nil {
			t.Errorf("got %v and %+v, want %s", err, sum, test.want)
		}
	}
}

// TestRejectsOfRows skips rows that contradict each other: the file of rejects in the store has all of them, with the reasons.
func TestRejectsOfRows(t *testing.T) {
	dir, c, stop := service()
	defer stop()
	store := job.Store(filepath.Join(dir, "jobs"))
	list := func(yield func(loads.Row, error) bool) {
		for i, keyword := range []string{"dup", "Dup", " dup ", "dup"} {
			kind := map[bool]string{true: "interest", false: "target"}[i == 3]
			yield(loads.Row{"account_id": 1, "campaign_id": 101, "keyword": keyword, "keyword_type": kind}, nil)
		}
	}
	sum, err := loads.Keywords(c).RunRows(t.Context(), list, store, bulk.Options{OnInvalid: bulk.Skip})
	if err != nil || sum.Invalid != 4 || sum.Duplicates != 0 || sum.Sent != 0 {
		t.Errorf("got %+v and the error %v, want 4 invalid rows", sum, err)
	}
	rejects, _ := filepath.Glob(filepath.Join(string(store), "*.rejects.ndjson"))
	if len(rejects) != 1 {
		t.Fatalf("got the files %q, want one", rejects)
	}
	text, _ := os.ReadFile(rejects[0])
	if n := strings.Count(string(text), "contradicts row "); n != 4 {
		t.Errorf("got %s, want 4 rows that contradict others", text)
	}
}

// service starts the mock, with a client for it and a folder. A program has an address and a token of its own in their place.
func service() (dir string, c *client.Client, stop func()) {
	dir, err := os.MkdirTemp("", "loads")
	if err != nil {
		panic(err)
	}
	m, err := mock.Start(mock.Options{})
	if err != nil {
		panic(err)
	}
	c, err = client.New(client.Options{BaseURL: m.URL, Tokens: client.StaticToken(m.Token)})
	if err != nil {
		panic(err)
	}
	return dir, c, func() {
		c.Close()
		m.Close()
		_ = os.RemoveAll(dir)
	}
}

// A load of rows that the service refuses in part says so, and writes those
// rows to the rejects file.
func TestRun(t *testing.T) {
	dir, c, stop := service()
	defer stop()
	for _, test := range []struct {
		name, file string
		load       loads.Load
		options    bulk.Options
		want       job.Summary // compared by its counts
		err        bool
	}{
		{name: "invalid rows stop the load", load: loads.Keywords(c), file: "account_id,campaign_id,keyword,keyword_type\n1,101,a,target\n1,101,b,other\n", err: true},
		{
			name: "invalid rows are skipped", load: loads.Keywords(c), options: bulk.Options{OnInvalid: bulk.Skip},
			file: "account_id,campaign_id,keyword,keyword_type\n1,101,a,target\n1,101,b,other\n", want: job.Summary{Rows: 2, Sent: 1, Invalid: 1},
		},
		{name: "an unknown column", load: loads.Keywords(c), file: "account_id,colour\n1,red\n", err: true},
		{
			name: "notes of a campaign that does not exist", load: loads.Notes(c, loads.UpdateOptions{}),
			file: "campaign_id,writer_instructions\n101,Be brief.\n999999,Be brief.\n", want: job.Summary{Rows: 2, Sent: 1, Refused: 1},
		},
		{
			name: "status that accounts have already", load: loads.StatusChanges(c, loads.StatusOptions{}),
			file: "account_id,status\n1,reactivate\n", want: job.Summary{Rows: 1, Present: 1},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rows.csv")
			if err := os.WriteFile(path, []byte(test.file), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := test.load.Run(t.Context(), path, job.Store(filepath.Join(dir, "jobs")), test.options)
			if (err != nil) != test.err {
				t.Fatalf("got error %v, want an error: %v", err, test.err)
			}
			counts := job.Summary{Rows: got.Rows, Sent: got.Sent, Present: got.Present, Refused: got.Refused, Invalid: got.Invalid}
			if err == nil && counts != test.want {
				t.Errorf("got %+v, want %+v", counts, test.want)
			}
		})
	}
}
