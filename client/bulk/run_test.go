package bulk

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"reseller/client"
	"reseller/client/record"
)

// fake is a service that takes batches of keywords.
type fake struct {
	mu      sync.Mutex
	calls   [][]string
	respond func(rows []Row) ([]Outcome, error)
}

func (f *fake) op() Op {
	return Op{Name: "keywords.create", Batch: f.batch, Key: func(r Row) string {
		return r.Values["account_id"].Text() + "/" + r.Values["campaign_id"].Text()
	}}
}

func (f *fake) batch(_ context.Context, rows []Row) ([]Outcome, error) {
	var words []string
	for _, r := range rows {
		words = append(words, r.Values["keyword"].Text())
	}
	f.mu.Lock()
	f.calls = append(f.calls, words)
	f.mu.Unlock()
	if f.respond != nil {
		return f.respond(rows)
	}
	return make([]Outcome, len(rows)), nil
}

func refusal(status int, words ...string) error {
	return &client.Error{Operation: "POST /api/v1/keywords", What: "add keywords", HTTPStatus: status, Messages: words}
}

// blame refuses every call in which a keyword begins with bad.
func blame(status int) func(rows []Row) ([]Outcome, error) {
	return func(rows []Row) ([]Outcome, error) {
		for _, r := range rows {
			if strings.HasPrefix(r.Values["keyword"].Text(), "bad") {
				return nil, refusal(status, "Unprocessable Entity")
			}
		}
		return make([]Outcome, len(rows)), nil
	}
}

func keywordRows(n int) string {
	var b strings.Builder
	b.WriteString(keywordHead)
	for i := range n {
		fmt.Fprintf(&b, "%d,1,word %d,target\n", i%3, i)
	}
	return b.String()
}

func mustRun(t *testing.T, format, text string, spec Spec, op Op, o Options) Summary {
	t.Helper()
	s, err := source(t, format, text, spec)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := Run(t.Context(), s, op, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestSummaryKeys(t *testing.T) {
	got, err := json.Marshal(Summary{})
	want := `{"job":"","operation":"","rows":0,"sent":0,"present":0,"differs":0,"duplicates":0,"invalid":0,"refused":0,"unknown":0,"requests":0,"retries":0,"seconds":0}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestBatchesAcrossTheFile(t *testing.T) {
	var f fake
	last, calls := 0, 0
	sum := mustRun(t, "csv", keywordRows(60), creating(), f.op(), Options{BatchSize: 8, Progress: func(done, total int) {
		calls++
		if done <= last || total != 60 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}})
	if sum.Sent != 60 || sum.Rows != 60 || sum.Requests != 9 || last != 60 || calls != 9 || sum.Operation != "keywords.create" {
		t.Errorf("%+v, %d", sum, last)
	}
	for _, words := range f.calls {
		if len(words) != 8 && len(words) != 4 {
			t.Errorf("a call of %d", len(words))
		}
		for _, w := range words {
			var n, first int
			_, _ = fmt.Sscanf(w, "word %d", &n)
			_, _ = fmt.Sscanf(words[0], "word %d", &first)
			if n%3 != first%3 {
				t.Errorf("mixed: %v", words)
			}
		}
	}
}

func TestOpSizeBoundsBatches(t *testing.T) {
	var f fake
	op := f.op()
	op.Size, op.Key = 1, nil
	if sum := mustRun(t, "csv", keywordRows(5), creating(), op, Options{}); sum.Requests != 5 {
		t.Errorf("%+v", sum)
	}
}

func TestManyKeysFlushTheOldest(t *testing.T) {
	g := gathering{size: 100, key: func(r Row) string { return fmt.Sprint(r.Line) }}
	g.byKey = map[string]*list.Element{}
	for i := range maxOpen {
		rows := g.add(Row{Line: i})
		if (rows != nil) != (i == maxOpen-1) {
			t.Fatalf("row %d: %v", i, rows)
		}
		if rows != nil && rows[0].Line != 0 {
			t.Errorf("line %d goes first", rows[0].Line)
		}
	}
}

func TestRefusedRowsStandAlone(t *testing.T) {
	for _, status := range []int{400, 413, 422, 200} {
		f := fake{respond: blame(status)}
		rejects := filepath.Join(t.TempDir(), "r.csv")
		text := keywordRows(50) + "1,1,\"bad \"\"one\"\"\",target\n2,1,bad two,target\n"
		sum := mustRun(t, "csv", text, creating(), f.op(), Options{Rejects: rejects})
		if sum.Sent != 50 || sum.Refused != 2 {
			t.Errorf("%d: %+v", status, sum)
		}
		got, _ := os.ReadFile(rejects)
		lines := strings.Split(string(got), "\n")
		slices.Sort(lines)
		if want := []string{"", fmt.Sprintf(`1,1,"bad ""one""",target,Unprocessable Entity,%d`, status), fmt.Sprintf("2,1,bad two,target,Unprocessable Entity,%d", status), "account_id,campaign_id,keyword,keyword_type,error,http_status"}; !slices.Equal(lines, want) {
			t.Errorf("%q", got)
		}
		again, _, err := load(t, "csv", string(got), creating())
		if err != nil || len(again) != 2 {
			t.Errorf("%v, %v", again, err)
		}
		// Loaded from the rejects and refused again: the file may replace its input.
		s, err := Open(Input{Path: rejects}, creating())
		if err != nil {
			t.Fatal(err)
		}
		if sum, err := Run(t.Context(), s, f.op(), Options{Rejects: rejects}); err != nil || sum.Refused != 2 {
			t.Errorf("%+v, %v", sum, err)
		}
		_ = s.Close()
		if twice, _ := os.ReadFile(rejects); strings.Count(string(twice), "http_status") != 1 || len(twice) != len(got) {
			t.Errorf("%s", twice)
		}
	}
}

func TestForbiddenRefusesTheCall(t *testing.T) {
	f := fake{respond: blame(403)}
	sum := mustRun(t, "csv", keywordRows(9)+"1,1,bad,target\n", creating(), f.op(), Options{})
	if sum.Refused != 4 || sum.Sent != 6 || sum.Requests != 3 {
		t.Errorf("%+v", sum)
	}
}

func TestSomeAnswersStopTheRun(t *testing.T) {
	for _, failure := range []error{refusal(401), refusal(404), refusal(405), &client.GuardError{URL: "x", Why: "y"}, errors.New("no token")} {
		f := fake{respond: func([]Row) ([]Outcome, error) { return nil, failure }}
		s, err := source(t, "csv", keywordRows(100), creating())
		if err != nil {
			t.Fatal(err)
		}
		sum, err := Run(t.Context(), s, f.op(), Options{BatchSize: 1, Concurrency: 2})
		if !errors.Is(err, failure) || sum.Requests > 2 || sum.Sent+sum.Refused+sum.Unknown > 0 {
			t.Errorf("%v: %+v, %v", failure, sum, err)
		}
	}
}

func TestUnknownOutcomes(t *testing.T) {
	lost := &client.NetworkError{Operation: "POST", What: "add keywords", Sent: true, Err: errors.New("reset")}
	n := 0
	f := fake{respond: func(rows []Row) ([]Outcome, error) {
		if n++; n%2 == 0 {
			return nil, lost
		}
		return make([]Outcome, len(rows)), nil
	}}
	sum := mustRun(t, "csv", keywordRows(60), creating(), f.op(), Options{BatchSize: 1, Concurrency: 1})
	if sum.Unknown != 30 || sum.Sent != 30 {
		t.Errorf("%+v", sum)
	}
	for _, silence := range []error{lost, refusal(502), &client.NetworkError{Err: errors.New("refused")}, refusal(429)} {
		f := fake{respond: func([]Row) ([]Outcome, error) { return nil, silence }}
		s, err := source(t, "csv", keywordRows(60), creating())
		if err != nil {
			t.Fatal(err)
		}
		sum, err := Run(t.Context(), s, f.op(), Options{BatchSize: 1, Concurrency: 1})
		if !errors.Is(err, silence) || sum.Unknown != 20 || sum.Requests != 20 {
			t.Errorf("%v: %+v, %v", silence, sum, err)
		}
	}
}

func TestOnInvalid(t *testing.T) {
	text := keywordHead + "1,1,a,target\n1,1,b,both\n1,1,c,target\n1,1,C,interest\n1,1,a,target\n1,1,d\n"
	var f fake
	rejects := filepath.Join(t.TempDir(), "r.csv")
	s, err := source(t, "csv", text, creating())
	if err != nil {
		t.Fatal(err)
	}
	sum, err := Run(t.Context(), s, f.op(), Options{Rejects: rejects})
	wantError(t, err, "line 3, keyword_type", "line 5: contradicts line 4", "line 7: has 3")
	if sum.Requests != 0 || sum.Invalid != 4 || len(f.calls) != 0 {
		t.Errorf("%+v", sum)
	}
	if _, err := os.Stat(rejects); err == nil {
		t.Error("rejects although nothing was loaded")
	}
	sum, err = Run(t.Context(), s, f.op(), Options{Rejects: rejects, OnInvalid: Skip})
	if err != nil || sum.Sent != 1 || sum.Invalid != 4 || sum.Duplicates != 1 || sum.Rows != 6 {
		t.Errorf("%+v, %v", sum, err)
	}
	got, _ := os.ReadFile(rejects)
	want := []string{
		"1,1,b,both,\"line 3, keyword_type: \"\"both\"\" is none of target, interest\",\n",
		"1,1,c,target,line 4: contradicts line 5: the same keyword with different content,\n",
		"1,1,C,interest,line 5: contradicts line 4",
		"1,1,d,,line 7: has 3 cells",
	}
	for _, w := range want {
		if !strings.Contains(string(got), w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
	broken, err := source(t, "csv", keywordHead+"1,1,a,target\n1,1,\"b,target\n", creating())
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), broken, f.op(), Options{OnInvalid: Skip})
	wantError(t, err, "line 3: ")
	if len(f.calls) != 1 {
		t.Error("sent a file that is broken")
	}
}

func TestRejectsInEveryFormat(t *testing.T) {
	row := map[string]string{
		"tsv":    "account_id\tcampaign_id\tkeyword\ttype\n1\t1\tbad\\ta\\\\\ttarget\n",
		"json":   `[{"account_id":1,"campaign_id":1,"keyword":"bad\ta","type":"target","error":"old","extra":1},{"account_id":1,"campaign_id":1,"keyword":"bad b","type":"target"}]`,
		"ndjson": "{\"account_id\":1,\"campaign_id\":1,\"keyword\":\"bad \u007f\",\"type\":\"target\"}\n{oops\n",
		"yaml":   "- account_id: 1\n  campaign_id: 1\n  keyword: \"bad \\x7f\\uFEFF\\u2028: x\"\n  type: target\n- 5\n",
	}
	sent := map[string]int{"tsv": 1, "json": 1, "ndjson": 1, "yaml": 1}
	for format, text := range row {
		f := fake{respond: blame(422)}
		rejects := filepath.Join(t.TempDir(), "r")
		sum := mustRun(t, format, text, creating(), f.op(), Options{Rejects: rejects, OnInvalid: Skip})
		got, _ := os.ReadFile(rejects)
		if sum.Refused != sent[format] || !strings.Contains(string(got), "Unprocessable Entity") || strings.Contains(string(got), "old") {
			t.Errorf("%s: %+v\n%s", format, sum, got)
		}
		again := mustRun(t, format, string(got), creating(), f.op(), Options{OnInvalid: Skip})
		if again.Refused != sum.Refused || again.Invalid != sum.Invalid || f.calls[0][0] != f.calls[1][0] {
			t.Errorf("%s: %+v, %q\n%s", format, again, f.calls, got)
		}
	}
	spec := creating()
	spec.Constants = map[string]string{"account_id": "1", "campaign_id": "1", "keyword_type": "target"}
	f := fake{respond: blame(422)}
	rejects := filepath.Join(t.TempDir(), "r")
	mustRun(t, "txt", "good\nbad, very\n", spec, f.op(), Options{Rejects: rejects})
	if got, _ := os.ReadFile(rejects); string(got) != "keyword,error,http_status\n\"bad, very\",Unprocessable Entity,422\n" {
		t.Errorf("%q", got)
	}
	f = fake{respond: blame(422)}
	mustRun(t, "csv", "account_id;campaign_id;keyword;type\n1;1;bad;target\n", creating(), f.op(), Options{Rejects: rejects})
	if got, _ := os.ReadFile(rejects); string(got) != "account_id;campaign_id;keyword;type;error;http_status\n1;1;bad;target;Unprocessable Entity;422\n" {
		t.Errorf("%q", got)
	}
}

func TestNoFileWithoutRows(t *testing.T) {
	var f fake
	dir := t.TempDir()
	mustRun(t, "csv", keywordRows(3), creating(), f.op(), Options{Rejects: filepath.Join(dir, "r")})
	mustRun(t, "csv", keywordHead, creating(), f.op(), Options{Rejects: filepath.Join(dir, "r"), Results: filepath.Join(dir, "s")})
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v", left)
	}
}

func TestRejectsHoldNoPassword(t *testing.T) {
	secret := "sesame"
	bad := func(rows []Row) ([]Outcome, error) {
		if rows[0].Values["password"].Text() != secret {
			t.Error("the password was not sent")
		}
		return nil, refusal(422, "no")
	}
	one := `{"reseller_account_id":1,"account_id":1,"campaign_id":101,"credentials_types_id":4,"username":"u","password":"sesame"}`
	for format, text := range map[string]string{
		"csv":    credentialsHead + "1,1,101,4,u,sesame,n\n1,1,101,4,u,x,sesame,n\n1,1,101,4,sesame\n",
		"tsv":    strings.ReplaceAll(credentialsHead+"1,1,101,4,u,sesame,n\n", ",", "\t"),
		"json":   "[" + one + `,"sesame",["sesame"]]`,
		"ndjson": one + "\n{\"pasword\":\"sesame\"}\n{\"password\":\"sesame\n",
		"yaml":   "- " + one + "\n- sesame\n",
	} {
		f := fake{respond: bad}
		op := f.op()
		op.Size = 1
		rejects, results := filepath.Join(t.TempDir(), "r"), filepath.Join(t.TempDir(), "s")
		sum := mustRun(t, format, text, credentials(), op, Options{Rejects: rejects, Results: results, OnInvalid: Skip})
		got, _ := os.ReadFile(rejects)
		if sum.Refused != 1 || len(got) == 0 || strings.Contains(string(got), secret) {
			t.Errorf("%s: %+v\n%s", format, sum, got)
		}
		info, err := os.Stat(rejects)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		f.respond = nil
		mustRun(t, format, text, credentials(), op, Options{Results: results, OnInvalid: Skip})
		if got, _ := os.ReadFile(results); len(got) == 0 || strings.Contains(string(got), secret) {
			t.Errorf("%s: results\n%s", format, got)
		}
	}
}

func TestResults(t *testing.T) {
	given, err := record.Parse([]byte(`{"account_id":"7","campaign_id":107,"task_id":"T1"}`))
	if err != nil {
		t.Fatal(err)
	}
	states := []string{Sent, Present, Differs, Refused, Unknown, ""}
	respond := func(rows []Row) ([]Outcome, error) {
		out := make([]Outcome, len(rows))
		for i := range rows {
			out[i] = Outcome{State: states[i], Result: given, HTTPStatus: 422, Message: "no"}
		}
		return out, nil
	}
	for format, c := range map[string]struct{ text, want string }{
		"csv": {"rank_id,account_id,status\n1,,1\n2,,1\n3,,1\n4,,1\n5,,1\n6,9,0\n",
			"rank_id,account_id,status,campaign_id,task_id\n1,7,1,107,T1\n2,7,1,107,T1\n6,9,0,107,T1\n"},
		"ndjson": {"{\"rank_id\":1,\"account_id\":\"\"}\n{\"rank_id\":2,\"account_id\":3}\n",
			"{\"rank_id\":1,\"account_id\":\"7\",\"campaign_id\":\"107\",\"task_id\":\"T1\"}\n{\"rank_id\":2,\"account_id\":3,\"campaign_id\":\"107\",\"task_id\":\"T1\"}\n"},
		"json": {`[{"rank_id":1}]`, "[\n{\"rank_id\":1,\"account_id\":\"7\",\"campaign_id\":\"107\",\"task_id\":\"T1\"}\n]\n"},
	} {
		f := fake{respond: respond}
		op := f.op()
		op.Key, op.Gives = nil, []string{"account_id", "campaign_id", "task_id"}
		results := filepath.Join(t.TempDir(), "s")
		sum := mustRun(t, format, c.text, updating(), op, Options{Results: results})
		if got, _ := os.ReadFile(results); string(got) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", format, got, c.want)
		}
		if format == "csv" && (sum.Sent != 2 || sum.Present != 1 || sum.Differs != 1 || sum.Refused != 1 || sum.Unknown != 1) {
			t.Errorf("%+v", sum)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := fake{respond: func(rows []Row) ([]Outcome, error) {
		cancel()
		return make([]Outcome, len(rows)), nil
	}}
	s, err := source(t, "csv", keywordRows(1000), creating())
	if err != nil {
		t.Fatal(err)
	}
	sum, err := Run(ctx, s, f.op(), Options{BatchSize: 1, Concurrency: 2})
	if !errors.Is(err, context.Canceled) || sum.Sent == 0 || sum.Sent > 4 {
		t.Errorf("%+v, %v", sum, err)
	}
}

func TestBatchMustTellAllRows(t *testing.T) {
	f := fake{respond: func([]Row) ([]Outcome, error) { return nil, nil }}
	s, err := source(t, "csv", keywordRows(3), creating())
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), s, f.op(), Options{})
	wantError(t, err, "0 outcomes for 1 rows")
}

func TestRejectsThatCannotBeWritten(t *testing.T) {
	f := fake{respond: blame(422)}
	s, err := source(t, "csv", keywordHead+"1,1,bad,target\n", creating())
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), s, f.op(), Options{Rejects: filepath.Join(t.TempDir(), "no", "r")})
	wantError(t, err, "can't be written")
}
