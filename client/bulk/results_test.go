package bulk

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/bulk/rows"
	"reseller/client/record"
)

func mustRecord(t *testing.T, object string) record.Record {
	t.Helper()
	rec, err := record.Parse([]byte(object))
	noError(t, err)
	return rec
}

// TestResultsHaveTheRowsThatExist checks that the results contain the rows that were
// sent or present, with the fields that the service gave.
func TestResultsHaveTheRowsThatExist(t *testing.T) {
	fields := mustRecord(t, `{"account_id":"7","campaign_id":107,"task_id":"T1"}`)
	states := []string{Sent, Present, Differs, Refused, Unknown, ""} // by row
	for format, c := range map[string]struct {
		text, want string
		counts     counts
	}{
		"csv": {
			"rank_id,account_id,status\n1,,1\n2,,1\n3,,1\n4,,1\n5,,1\n6,9,0\n",
			"rank_id,account_id,status,campaign_id,task_id\n1,7,1,107,T1\n2,7,1,107,T1\n3,7,1,107,T1\n6,9,0,107,T1\n",
			counts{Rows: 6, Sent: 2, Present: 1, Differs: 1, Refused: 1, Unknown: 1},
		},
		"ndjson": {
			"{\"rank_id\":1,\"account_id\":\"\"}\n{\"rank_id\":2,\"account_id\":3}\n",
			"{\"rank_id\":1,\"account_id\":7,\"campaign_id\":107,\"task_id\":\"T1\"}\n{\"rank_id\":2,\"account_id\":3,\"campaign_id\":107,\"task_id\":\"T1\"}\n",
			counts{Rows: 2, Sent: 1, Present: 1},
		},
		"json": {`[{"rank_id":1}]`, "[\n{\"rank_id\":1,\"account_id\":7,\"campaign_id\":107,\"task_id\":\"T1\"}\n]\n", counts{Rows: 1, Sent: 1}},
	} {
		t.Run(format, func(t *testing.T) {
			f := fake{respond: func(batch []rows.Row) ([]Outcome, error) {
				out := make([]Outcome, len(batch))
				for i := range batch {
					out[i] = Outcome{State: states[i], Result: fields, HTTPStatus: 422, Message: "no"}
				}
				return out, nil
			}}
			op := f.op()
			op.Key, op.Results = nil, []string{"account_id", "campaign_id", "task_id"}
			results := filepath.Join(t.TempDir(), "s")
			sum := mustLoad(t, format, c.text, updateSchema(), op, Options{Results: results})
			if got := readFile(t, results); got != c.want {
				t.Errorf("got the results\n%s\nwant\n%s", got, c.want)
			}
			wantCounts(t, sum, c.counts)
		})
	}
}

// TestResultsReadMissingIDs checks that ids which the responses do not contain are read from
// the list, until the list shows all of them.
func TestResultsReadMissingIDs(t *testing.T) {
	for name, c := range map[string]struct {
		emptyLists int // the number of lists after the first one that do not show the rows
		want       string
		note       string
	}{
		"in the first list":  {0, "1,1,a,target,1000\n1,1,b,target,1001\n", ""},
		"in the second list": {1, "1,1,a,target,1000\n1,1,b,target,1001\n", ""},
		"in no list":         {10, "1,1,a,target,\n1,1,b,target,\n", "no ids for 2 rows in "},
	} {
		t.Run(name, func(t *testing.T) {
			f := newUnreliableService(1)
			op := f.op()
			snapshot := op.Snapshot
			lists, empty := 0, c.emptyLists
			op.Snapshot = func(ctx context.Context, r SnapshotRequest) (Snapshot, error) {
				if lists++; lists > 1 && empty > 0 {
					empty--
					return r.List, nil
				}
				return snapshot(ctx, r)
			}
			results := filepath.Join(t.TempDir(), "s")
			var notes []string
			sum, err := runUnreliable(t, keywordHead+"1,1,a,target\n1,1,b,target\n", f, op, Options{Results: results, Note: func(text string) { notes = append(notes, text) }})
			noError(t, err)
			wantCounts(t, sum, counts{Rows: 2, Sent: 2})
			if got, want := readFile(t, results), strings.TrimSuffix(keywordHead, "\n")+",rank_id\n"+c.want; got != want {
				t.Errorf("got the results %q, want %q", got, want)
			}
			if got := strings.Join(notes, "\n"); !strings.HasPrefix(got, c.note) || c.note == "" && got != "" {
				t.Errorf("got the notes %q, want %q", got, c.note)
			}
		})
	}
}

// TestResultsThroughALink checks that the results replace the file that a symbolic link
// points to, and that the link stays a link.
func TestResultsThroughALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.csv"), filepath.Join(dir, "link.csv")
	noError(t, os.WriteFile(target, []byte("old"), 0o600))
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links can be made here:", err)
	}
	var f fake
	mustLoad(t, "csv", keywordRows(3), createSchema(), f.op(), Options{Results: link})
	if got := readFile(t, target); !strings.HasPrefix(got, strings.TrimSuffix(keywordHead, "\n")) {
		t.Errorf("the target of the link contains %q, want the results", got)
	}
}
