package bulk

import (
	"math"
	"path/filepath"
	"testing"

	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// TestFilesOfSteps checks the files of a load with steps. The rejects have the reasons of
// all steps, and the fields that must not be sent again are empty. The results have the
// fields that the service set in each step, and the state of each step.
func TestFilesOfSteps(t *testing.T) {
	s := &twoStepService{fails: map[string]error{"a": refusal(422, "bad row"), "x-b2": refusal(409, "bad thing")}}
	steps := s.steps()
	steps[0].NonIdempotent = []string{"keyword_type"}
	steps[1].Results, steps[1].RenameResults = []string{"rank_id"}, map[string]string{"rank_id": "thing_ids"}
	steps[1].ItemLabel = func(v rows.Values) string { return v.Get("keyword").Text() }
	src := openText(t, "csv", keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n", createSchema())
	if _, err := src.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	rejects, results := filepath.Join(t.TempDir(), "r"), filepath.Join(t.TempDir(), "s")
	sum, err := Run(t.Context(), src, steps, nil, withClock(Options{Concurrency: 1, Rejects: rejects, Results: results}))
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 3, Sent: 1, Refused: 2})
	if !sum.PartialSteps {
		t.Error("the summary does not say that some steps succeeded")
	}
	want := "account_id,campaign_id,keyword,keyword_type,error,http_status\n" +
		"1,1,a,target,row: bad row,422\n" +
		"1,1,b,,thing b2: bad thing,409\n"
	if got := readFile(t, rejects); got != want {
		t.Errorf("got the rejects\n%s\nwant\n%s", got, want)
	}
	want = "account_id,campaign_id,keyword,keyword_type,rank_id,thing_ids,row_state,thing_state\n" +
		"1,1,b,target,1,3;,sent,refused\n" +
		"1,1,c,target,2,4;5,sent,sent\n"
	if got := readFile(t, results); got != want {
		t.Errorf("got the results\n%s\nwant\n%s", got, want)
	}
}

// TestManyReasonsAreCounted checks that the rejects name some of the reasons of a row
// and count the others.
func TestManyReasonsAreCounted(t *testing.T) {
	s := &twoStepService{fails: map[string]error{}}
	steps := s.steps()
	steps[1].Items = func(row rows.Row) []rows.Values {
		var items []rows.Values
		for n := range maxReasons + 2 {
			text := row.Values.Get("keyword").Text() + string(rune('a'+n))
			s.fails["x-"+text] = refusal(422, "no")
			items = append(items, rows.Values{{Name: "keyword", JSON: []byte(`"` + text + `"`)}})
		}
		return items
	}
	src := openText(t, "csv", keywordHead+"1,1,a,target\n", createSchema())
	if _, err := src.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	rejects := filepath.Join(t.TempDir(), "r")
	if _, err := Run(t.Context(), src, steps, nil, withClock(Options{Concurrency: 1, Rejects: rejects})); err != nil {
		t.Fatal(err)
	}
	wantError(t, errorText(readFile(t, rejects)), "thing: no; thing: no", "and 2 more")
}

// An errorText is an error with the text of a file, for wantError.
type errorText string

func (e errorText) Error() string { return string(e) }

// TestUnknownItemsAreNamed checks that all items of a row with an unknown outcome are named, not only the first one.
func TestUnknownItemsAreNamed(t *testing.T) {
	t.Parallel()
	rec, values := job.NewRecorder(1), make([]rows.Values, 2)
	for step, owners := range [][]uint32{{0}, {0, 0}} {
		rec.Record(job.StepItems(step, owners))
		rec.Step(step).Record(job.RowResult(job.Result{State: job.StateUnknown}, uint32(len(owners)-1)))
	}
	l := &load{steps: []Step{{Label: "credentials"}, {
		Label: "keyword", Items: func(rows.Row) []rows.Values { return values }, ItemLabel: func(rows.Values) string { return "bikes" },
	}}}
	for step, table := range rec.Table().Steps() {
		l.addRun(table, rec.Step(step))
	}
	want := "credentials: no response; keyword bikes: no response"
	if got, _ := l.reasons(&rows.Row{}, math.MaxInt, "no response", job.StateUnknown); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
