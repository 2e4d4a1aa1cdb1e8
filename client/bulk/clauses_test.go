package bulk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// TestClockThatJumps: how long a call lasted is measured by the clock of its run,
// so the log contains no time of day.
func TestClockThatJumps(t *testing.T) {
	path := file(t, "k.csv", keywordRows(3))
	store := job.Store(filepath.Join(t.TempDir(), "jobs"))
	src, j := begin(t, store, path, creating())
	r := makeRun(src, Operation{}, j.Recorder, Options{}, time.Now().Add(-5*time.Second), 3)
	if err := r.sender.markInFlight(&batch{rows: []uint32{0, 1, 2}}); err != nil {
		t.Fatal(err)
	}
	j.Record(job.Heartbeat(40 * time.Second))
	_ = j.Close()
	_ = src.Close()
	src, again := begin(t, store, path, creating())
	defer func() { _, _ = src.Close(), again.Close() }()
	if left, longest := again.StartRun(); left != 3 || longest > 35*time.Second || longest < 34*time.Second {
		t.Errorf("%d rows left in flight, the longest call %v; want 3, just below 35s", left, longest)
	}
}

// TestListThatNeverComesWhole: what can't be read back is unknown, and is not
// sent again.
func TestListThatNeverComesWhole(t *testing.T) {
	f := newFaulty(1)
	op := lossy(f, 1, false)
	look, whole := op.Snapshot, 1
	op.Snapshot = func(ctx context.Context, r SnapshotRequest) (Snapshot, error) {
		if whole--; whole < 0 {
			f.lists++
			return nil, &client.UnreadableError{Action: "list keywords", HTTPStatus: 200, Err: errors.New("cut short")}
		}
		return look(ctx, r)
	}
	sum, err := settleRun(t, f, op, 30, Options{Retries: 4})
	if err != nil || sum.Unknown != 10 || sum.Sent != 20 || len(f.stored) != 20 || f.lists != 1+maxReadings {
		t.Errorf("%+v, %v, %v", sum, err, f)
	}
}

// TestEightCallsAtATime, a hundred rows in each, where nobody says otherwise.
func TestEightCallsAtATime(t *testing.T) {
	src, err := source(t, "csv", strings.NewReplacer("\n1,1,", "\n0,1,", "\n2,1,", "\n0,1,").Replace(keywordRows(1600)), creating())
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		under, leave := atomic.Int32{}, make(chan struct{})
		f := fake{respond: func(batch []rows.Row) ([]Outcome, error) {
			under.Add(1)
			<-leave
			return make([]Outcome, len(batch)), nil
		}}
		go func() {
			sum, err := checkedRun(context.Background(), src, f.op(), Options{})
			if err != nil || sum.Sent != 1600 || len(f.calls) != 16 {
				t.Errorf("%+v in %d calls, %v", sum, len(f.calls), err)
			}
		}()
		synctest.Wait()
		if n := under.Load(); n != 8 {
			t.Errorf("%d calls at a time", n)
		}
		close(leave)
	})
}

// TestShardsOfEveryFormat: the same row is in the same shard, however it is
// written, and wherever in the file.
func TestShardsOfEveryFormat(t *testing.T) {
	words := []string{"red shoes", "Café", "a;b", `say "so"`, "x\ty", "ß", "7", "-", "löß", "two\nlines"}
	texts := map[string]string{"csv": keywordHead, "tsv": "account_id\tcampaign_id\tkeyword\ttype\n", "json": "["}
	for i, word := range words {
		cell := strings.ReplaceAll(word, `"`, `""`)
		json := string(record.Quote(word))
		texts["csv"] += fmt.Sprintf("1,1,\"%s\",target\r\n", cell)
		texts["tsv"] += fmt.Sprintf("1\t1\t%s\ttarget\n", strings.NewReplacer("\t", `\t`, "\n", `\n`).Replace(word))
		object := fmt.Sprintf(`{"type":"target","account_id":"1","campaign_id":1,"keyword":%s}`, json)
		texts["ndjson"] = object + "\n" + texts["ndjson"] // the other way round
		texts["yaml"] += "- keyword: " + json + "\n  account_id: 1\n  campaign_id: 1\n  keyword_type: target\n"
		if i > 0 {
			texts["json"] += ","
		}
		texts["json"] += object
	}
	texts["json"] += "]"
	for n := 1; n <= 5; n++ {
		var first []string
		for _, format := range []string{"csv", "tsv", "json", "ndjson", "yaml"} {
			var got, all []string
			for i := 1; i <= n; i++ {
				spec := creating()
				spec.Shard = rows.Shard{I: i, N: n}
				rows, _, err := load(t, format, texts[format], spec)
				if err != nil {
					t.Fatalf("%s: %v", format, err)
				}
				for _, row := range rows {
					word := row.Values.Get("keyword").Text()
					got, all = append(got, fmt.Sprint(i, word)), append(all, word)
				}
			}
			slices.Sort(got)
			slices.Sort(all)
			if len(slices.Compact(all)) != len(words) || len(got) != len(words) {
				t.Errorf("%s in %d shards: %q", format, n, got)
			}
			if first == nil {
				first = got
			}
			if !slices.Equal(first, got) {
				t.Errorf("%s in %d shards: %q, csv %q", format, n, got, first)
			}
		}
	}
}

// TestResultsThroughALink: the file that a symbolic link names is replaced, not
// the link.
func TestResultsThroughALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.csv"), filepath.Join(dir, "link.csv")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links can be made here:", err)
	}
	var f fake
	mustRun(t, "csv", keywordRows(3), creating(), f.op(), Options{Results: link})
	if text, err := os.ReadFile(target); err != nil || !strings.HasPrefix(string(text), keywordHead[:10]) {
		t.Errorf("%q, %v", text, err)
	}
}
