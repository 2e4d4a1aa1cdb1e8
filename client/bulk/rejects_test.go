package bulk

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
)

// TestInvalidRowsEndInTheRejects checks that a refused batch is split until its invalid
// rows stand alone, and that the rejects can be loaded again.
func TestInvalidRowsEndInTheRejects(t *testing.T) {
	for _, status := range []int{400, 413, 422, 200} {
		t.Run(fmt.Sprint("status ", status), func(t *testing.T) {
			f := fake{respond: refuseBad(status)}
			rejects := filepath.Join(t.TempDir(), "r.csv")
			text := keywordRows(50) + "1,1,\"bad \"\"one\"\"\",target\n2,1,bad two,target\n"
			sum := mustLoad(t, "csv", text, createSchema(), f.op(), Options{Rejects: rejects})
			wantCounts(t, sum, counts{Rows: 52, Sent: 50, Refused: 2})
			got := readFile(t, rejects)
			lines := strings.Split(got, "\n")
			slices.Sort(lines)
			want := []string{
				"", fmt.Sprintf(`1,1,"bad ""one""",target,Unprocessable Entity,%d`, status),
				fmt.Sprintf("2,1,bad two,target,Unprocessable Entity,%d", status), "account_id,campaign_id,keyword,keyword_type,error,http_status",
			}
			if !slices.Equal(lines, want) {
				t.Errorf("got the rejects %q, want the lines %q", got, want)
			}
			if again := validRows(t, "csv", got, createSchema()); len(again) != 2 {
				t.Errorf("the rejects have %d rows, want 2", len(again))
			}
			// The rejects of the rejects may replace their own input.
			s, err := rows.Open(decode.Options{Path: rejects}, createSchema())
			noError(t, err)
			defer func() { _ = s.Close() }()
			sum, err = validateAndRun(t.Context(), s, f.op(), Options{Rejects: rejects})
			noError(t, err)
			wantCounts(t, sum, counts{Rows: 2, Refused: 2})
			if err := s.File.CopyTo(io.Discard); err == nil {
				t.Error("the input is still open, which Windows does not let anyone replace")
			}
			if second := readFile(t, rejects); strings.Count(second, "http_status") != 1 || len(second) != len(got) {
				t.Errorf("got the second rejects %q, want the same lines as in the first %q", second, got)
			}
		})
	}
}

// TestRejectsThatAreNotThere puts a folder where the rejects file should be: the summary does not say that there is one.
func TestRejectsThatAreNotThere(t *testing.T) {
	f := fake{respond: refuseBad(422)}
	rejects := filepath.Join(t.TempDir(), "r.csv")
	noError(t, os.MkdirAll(filepath.Join(rejects, "inside"), 0o700))
	s := openText(t, "csv", keywordRows(2)+"2,1,bad two,target\n", createSchema())
	sum, err := validateAndRun(t.Context(), s, f.op(), Options{Rejects: rejects})
	if err == nil || sum.RejectsWritten {
		t.Errorf("got the error %v, and a rejects file: %t; want an error and none", err, sum.RejectsWritten)
	}
}

// TestRejectsHaveTheFormatOfTheInput checks that rejects have the format of their input,
// and refused and invalid rows can be loaded from them again.
func TestRejectsHaveTheFormatOfTheInput(t *testing.T) {
	for format, text := range map[string]string{
		"tsv":    "account_id\tcampaign_id\tkeyword\ttype\n1\t1\tbad\\ta\\\\\ttarget\n",
		"json":   `[{"account_id":1,"campaign_id":1,"keyword":"bad\ta","type":"target","error":"old","extra":1},{"account_id":1,"campaign_id":1,"keyword":"bad b","type":"target"}]`,
		"ndjson": "{\"account_id\":1,\"campaign_id\":1,\"keyword\":\"bad \u007f\",\"type\":\"target\"}\n{oops\n",
		"yaml":   "- account_id: 1\n  campaign_id: 1\n  keyword: \"bad \\x7f\\uFEFF\\u2028: x\"\n  type: target\n- 5\n",
	} {
		t.Run(format, func(t *testing.T) {
			f := fake{respond: refuseBad(422)}
			rejects := filepath.Join(t.TempDir(), "r")
			sch := createSchema()
			sch.Validate = false // control characters are damage
			sum := mustLoad(t, format, text, sch, f.op(), Options{Rejects: rejects, OnInvalid: Skip})
			got := readFile(t, rejects)
			if sum.Refused != 1 || !strings.Contains(got, "Unprocessable Entity") || strings.Contains(got, "old") {
				t.Errorf("got %d refused rows and the rejects\n%s\nwant 1 row with its new error only", sum.Refused, got)
			}
			again := mustLoad(t, format, got, sch, f.op(), Options{OnInvalid: Skip})
			if again.Refused != sum.Refused || again.Invalid != sum.Invalid {
				t.Errorf("from the rejects: got %d refused, %d invalid rows; want %d, %d", again.Refused, again.Invalid, sum.Refused, sum.Invalid)
			}
			if first, second := f.calls[0][0], f.calls[1][0]; first != second {
				t.Errorf("the rejects have the keyword %q, want %q", second, first)
			}
		})
	}
	t.Run("txt becomes csv", func(t *testing.T) {
		sch := createSchema()
		sch.Constants = map[string]string{"account_id": "1", "campaign_id": "1", "keyword_type": "target"}
		f := fake{respond: refuseBad(422)}
		rejects := filepath.Join(t.TempDir(), "r")
		mustLoad(t, "txt", "good\nbad, very\n", sch, f.op(), Options{Rejects: rejects})
		if got, want := readFile(t, rejects), "keyword,error,http_status\n\"bad, very\",Unprocessable Entity,422\n"; got != want {
			t.Errorf("got the rejects %q, want %q", got, want)
		}
	})
	t.Run("semicolons", func(t *testing.T) {
		f := fake{respond: refuseBad(422)}
		rejects := filepath.Join(t.TempDir(), "r")
		mustLoad(t, "csv", "account_id;campaign_id;keyword;type\n1;1;bad;target\n", createSchema(), f.op(), Options{Rejects: rejects})
		if got, want := readFile(t, rejects), "account_id;campaign_id;keyword;type;error;http_status\n1;1;bad;target;Unprocessable Entity;422\n"; got != want {
			t.Errorf("got the rejects %q, want %q", got, want)
		}
	})
}

// TestFilesWithoutRows checks that the results have their header alone if no row was loaded, and
// that the rejects are such a file only where the options say so.
func TestFilesWithoutRows(t *testing.T) {
	head := strings.TrimSuffix(keywordHead, "\n")
	for name, c := range map[string]struct {
		options Options
		want    map[string]string // the first line by file
	}{
		"rejects":        {Options{Rejects: "r"}, map[string]string{}},
		"rejects always": {Options{Rejects: "r", RejectsAlways: true}, map[string]string{"r": head + ",error,http_status"}},
		"results":        {Options{Results: "s"}, map[string]string{"s": head}},
	} {
		t.Run(name, func(t *testing.T) {
			var f fake
			t.Chdir(t.TempDir())
			mustLoad(t, "csv", keywordHead, createSchema(), f.op(), c.options)
			files, _ := os.ReadDir(".")
			if len(files) != len(c.want) {
				t.Errorf("got the files %v, want %v", files, c.want)
			}
			for path, line := range c.want {
				if got := readFile(t, path); got != line+"\n" {
					t.Errorf("got %s %q, want %q", path, got, line+"\n")
				}
			}
		})
	}
}

// TestPasswordsAreInNoFile checks that neither rejects nor results contain a password,
// even of rows that can't be read as such.
func TestPasswordsAreInNoFile(t *testing.T) {
	const password = "sesame"
	one := `{"reseller_account_id":1,"account_id":1,"campaign_id":101,"credentials_types_id":4,"username":"u","password":"sesame"}`
	for format, c := range map[string]struct {
		text    string
		leftOut int // rows whose cells are left out
	}{
		"csv":    {credentialsHead + "1,1,101,4,u,sesame,n\n1,1,101,4,u,x,sesame,n\n1,1,101,4,sesame\n", 2},
		"tsv":    {strings.ReplaceAll(credentialsHead+"1,1,101,4,u,sesame,n\n", ",", "\t"), 0},
		"json":   {"[" + one + `,"sesame",["sesame"]]`, 2},
		"ndjson": {one + "\n{\"pasword\":\"sesame\"}\n{\"password\":\"sesame\n", 1},
		"yaml":   {"- " + one + "\n- sesame\n", 1},
	} {
		t.Run(format, func(t *testing.T) {
			text := c.text
			f := fake{respond: func(batch []rows.Row) ([]Outcome, error) {
				if got := batch[0].Values.Get("password").Text(); got != password {
					t.Errorf("got a call with the password %q, want %q", got, password)
				}
				return nil, refusal(422, "no")
			}}
			op := f.op()
			op.MaxBatch = 1
			rejects, results := filepath.Join(t.TempDir(), "r"), filepath.Join(t.TempDir(), "s")
			sum := mustLoad(t, format, text, credentialsSchema(), op, Options{Rejects: rejects, Results: results, OnInvalid: Skip})
			if got := readFile(t, rejects); sum.Refused != 1 || got == "" || strings.Contains(got, password) {
				t.Errorf("got %d refused rows and the rejects\n%s\nwant 1 and no password", sum.Refused, got)
			} else if n := strings.Count(got, "left out, since it may hold a password"); n != c.leftOut {
				t.Errorf("got the rejects\n%s\nwhich say of %d rows that they are left out, want %d", got, n, c.leftOut)
			}
			if info, err := os.Stat(rejects); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the rejects have mode %v (%v), want 0600", info.Mode(), err)
			}
			f.respond = nil
			mustLoad(t, format, text, credentialsSchema(), op, Options{Results: results, OnInvalid: Skip})
			if got := readFile(t, results); got == "" || strings.Contains(got, password) {
				t.Errorf("got the results\n%s\nwant some without the password", got)
			}
		})
	}
}

// TestRejectsThatCannotBeWritten: a job is finished only when its rejects and results are in place.
func TestRejectsThatCannotBeWritten(t *testing.T) {
	f := fake{respond: refuseBad(422)}
	src := openText(t, "csv", keywordHead+"1,1,bad,target\n", createSchema())
	_, err := validateAndRun(t.Context(), src, f.op(), Options{Rejects: filepath.Join(t.TempDir(), "no", "r")})
	wantError(t, err, "can't be written")
}
