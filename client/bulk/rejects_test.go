package bulk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

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
		s, err := rows.Open(decode.Options{Path: rejects}, creating())
		if err != nil {
			t.Fatal(err)
		}
		if sum, err := checkedRun(t.Context(), s, f.op(), Options{Rejects: rejects}); err != nil || sum.Refused != 2 {
			t.Errorf("%+v, %v", sum, err)
		}
		_ = s.Close()
		if twice, _ := os.ReadFile(rejects); strings.Count(string(twice), "http_status") != 1 || len(twice) != len(got) {
			t.Errorf("%s", twice)
		}
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
	bad := func(batch []rows.Row) ([]Outcome, error) {
		if batch[0].Values.Get("password").Text() != secret {
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
		op.MaxBatch = 1
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
	respond := func(batch []rows.Row) ([]Outcome, error) {
		out := make([]Outcome, len(batch))
		for i := range batch {
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
		op.Key, op.Results = nil, []string{"account_id", "campaign_id", "task_id"}
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

func TestRejectsThatCannotBeWritten(t *testing.T) {
	f := fake{respond: blame(422)}
	s, err := source(t, "csv", keywordHead+"1,1,bad,target\n", creating())
	if err != nil {
		t.Fatal(err)
	}
	_, err = checkedRun(t.Context(), s, f.op(), Options{Rejects: filepath.Join(t.TempDir(), "no", "r")})
	wantError(t, err, "can't be written")
}
