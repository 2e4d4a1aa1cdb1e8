package bulk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"reseller/client"
	"reseller/client/bulk/job"
)

// mayEndRun reports whether a run on an unreliable service may end with an error.
func mayEndRun(err error) bool {
	var incomplete *IncompleteError
	var network *client.NetworkError
	var refusal *client.Error
	var unreadable *client.UnreadableError
	return err == nil || errors.As(err, &incomplete) || errors.As(err, &network) || errors.As(err, &refusal) || errors.As(err, &unreadable) || errors.Is(err, errKilled)
}

// TestEachRowIsStoredExactlyOnce loads a file into a service that fails in every way,
// kills the process and resumes the job until it is finished, and then counts what is
// stored.
func TestEachRowIsStoredExactlyOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "bulk-*")
		noError(t, err)
		defer func() { _ = os.RemoveAll(dir) }()
		rowCount := rapid.IntRange(1, 200).Draw(t, "rows")
		campaigns := rapid.IntRange(1, 5).Draw(t, "campaigns")
		bad := rapid.IntRange(0, min(4, rowCount)).Draw(t, "bad rows")
		f := newUnreliableService(rapid.Uint64().Draw(t, "seed"))
		f.failureRate = rapid.SampledFrom([]float64{0, 0.1, 0.5, 0.9}).Draw(t, "failure rate")
		f.listDelay = rapid.SampledFrom([]time.Duration{0, 500 * time.Millisecond}).Draw(t, "list delay")
		f.changesSpelling, f.storesPartially = rapid.Bool().Draw(t, "changes spelling"), rapid.Bool().Draw(t, "stores partially")
		f.brokenLists = rapid.IntRange(0, 3).Draw(t, "broken lists")
		options := Options{
			BatchSize: rapid.IntRange(1, 30).Draw(t, "batch size"), Concurrency: rapid.IntRange(1, 8).Draw(t, "concurrency"),
			Retries: rapid.IntRange(0, 4).Draw(t, "retries"), sleep: f.sleep, now: f.time, boot: f.boot,
		}
		options.ResendExisting = rapid.IntRange(0, 3).Draw(t, "resend existing") == 0
		var text strings.Builder
		text.WriteString(keywordHead)
		for i := range rowCount {
			word := "Word"
			if i < bad {
				word = "bad"
			}
			fmt.Fprintf(&text, "1,%d,%s  %d,target\n", i%campaigns, word, i)
		}
		for i := bad; i < rowCount; i++ {
			if i%7 == 3 {
				f.addStored("1", fmt.Sprint(i%campaigns), fmt.Sprintf("word %d", i), "target", false)
			}
		}
		before := f.storedCounts()
		path := filepath.Join(dir, "k.csv")
		noError(t, os.WriteFile(path, []byte(text.String()), 0o600))
		store := job.Store(filepath.Join(dir, "jobs"))
		kills := rapid.IntRange(0, 4).Draw(t, "kills")
		var sum job.Summary
		var isUnknown func(row int) bool // after the last run
		for n := 0; ; n++ {
			if n == 60 {
				t.Fatalf("the job is not finished after %d runs: counts %+v; %v", n, countsOf(sum), f)
			}
			if n > 20 {
				f.failureRate, f.brokenLists = 0, 0
			}
			src, j := beginJob(t, store, path, createSchema())
			log := filepath.Join(dir, "jobs", j.ID+".journal")
			durable := int64(-1) // the size of the log when the process was killed
			f.killed, f.killAt = false, 0
			if n < kills {
				f.killAt = f.posts + 1 + f.random.IntN(10)
				f.onKill = func() {
					if info, err := os.Stat(log); err == nil {
						durable = info.Size()
					}
				}
			}
			posts := f.posts
			sum, err = Run(context.Background(), src, Rows(f.op()), j, options)
			table := j.Table()
			isUnknown = func(row int) bool { return table.State(uint32(row)) == job.StateUnknown }
			if !mayEndRun(err) {
				t.Fatalf("run %d got the error %v", n, err)
			}
			finished := j.Finished()
			_ = j.Close()
			_ = src.Close()
			if f.killed {
				tearLog(t, log, durable, f.random)
				continue
			}
			if finished || err == nil && posts == f.posts && sum.Unknown > 0 {
				break // nothing is left that may be sent
			}
		}
		wantStored(t, f, rowCount, bad, campaigns, before, options.ResendExisting, isUnknown)
		if sum.Refused+sum.Unknown < bad || sum.Refused > bad || sum.Sent+sum.Present+sum.Refused+sum.Unknown != rowCount {
			t.Fatalf("got the counts %+v, want %d refused and all %d rows sent, present, refused or unknown", countsOf(sum), bad, rowCount)
		}
	})
}

// tearLog cuts a log off where it ended when the process was killed, and may append the
// beginning of an event.
func tearLog(t *rapid.T, path string, size int64, random *rand.Rand) {
	if size < 0 {
		return
	}
	text, err := os.ReadFile(path)
	noError(t, err)
	torn := append(text[:size:size], []byte{40, 'A', 1, 2, 3}[:random.IntN(6)]...)
	noError(t, os.WriteFile(path, torn, 0o600))
}

// wantStored fails the test unless the valid rows are stored once, or once more than
// before if existing rows are sent again. Rows that are unknown may not be stored.
func wantStored(t *rapid.T, f *unreliableService, rowCount, bad, campaigns int, before map[string]int, resendExisting bool, isUnknown func(int) bool) {
	got := f.storedCounts()
	for i := range rowCount {
		word, want := "word", 1
		if i < bad {
			word, want = "bad", 0
		}
		id := keywordID("1", fmt.Sprint(i%campaigns), fmt.Sprintf("%s %d", word, i))
		if resendExisting {
			want += before[id]
		}
		if got[id] != want && !(isUnknown(i) && got[id] == want-1) {
			t.Fatalf("row %d is stored %d times, want %d (before: %d); %v", i, got[id], want, before[id], f)
		}
	}
}
