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
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// begin opens a file and takes up its job in a store.
func begin(t interface{ Fatalf(string, ...any) }, store job.Store, path string, spec rows.Schema) (*rows.Source, *job.Job) {
	src, err := rows.Open(decode.Options{Path: path}, spec)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if _, err := src.Validate(context.Background()); err != nil {
		t.Fatalf("%v", err)
	}
	content, err := src.Digest()
	if err != nil {
		t.Fatalf("%v", err)
	}
	j, err := Begin(store, job.Header{Key: job.Key{Operation: "keywords.create", BaseURL: "http://localhost", Digest: content, Shard: spec.Shard.String()}, File: path, Format: src.Format()}, src, false)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return src, j
}

func expected(err error) bool {
	var unfinished *IncompleteError
	var network *client.NetworkError
	var refusal *client.Error
	var unreadable *client.UnreadableError
	return err == nil || errors.As(err, &unfinished) || errors.As(err, &network) || errors.As(err, &refusal) || errors.As(err, &unreadable) || errors.Is(err, errKilled)
}

// TestExactlyOnce loads a file on a service that fails in every way, dies and
// begins again until the job is finished, and then counts.
func TestExactlyOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "bulk-*")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		rows := rapid.IntRange(1, 200).Draw(t, "rows")
		campaigns := rapid.IntRange(1, 5).Draw(t, "campaigns")
		bad := rapid.IntRange(0, min(4, rows)).Draw(t, "bad")
		f := newFaulty(rapid.Uint64().Draw(t, "seed"))
		f.rate = rapid.SampledFrom([]float64{0, 0.1, 0.5, 0.9}).Draw(t, "rate")
		f.lag = rapid.SampledFrom([]time.Duration{0, 500 * time.Millisecond}).Draw(t, "lag")
		f.folds, f.partly = rapid.Bool().Draw(t, "folds"), rapid.Bool().Draw(t, "partly")
		f.broken = rapid.IntRange(0, 3).Draw(t, "broken lists")
		options := Options{
			BatchSize: rapid.IntRange(1, 30).Draw(t, "batch"), Concurrency: rapid.IntRange(1, 8).Draw(t, "workers"),
			Retries: rapid.IntRange(0, 4).Draw(t, "retries"), Sleep: f.pause,
		}
		options.ResendExisting = rapid.IntRange(0, 3).Draw(t, "held") == 0
		var text strings.Builder
		text.WriteString(keywordHead)
		for i := range rows {
			word := "Word"
			if i < bad {
				word = "bad"
			}
			fmt.Fprintf(&text, "1,%d,%s  %d,target\n", i%campaigns, word, i)
		}
		before := map[string]int{}
		for i := range rows {
			if i%7 == 3 && i >= bad {
				f.hold("1", fmt.Sprint(i%campaigns), fmt.Sprintf("word %d", i), "target", false)
				before = f.times()
			}
		}
		path := filepath.Join(dir, "k.csv")
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		store := job.Store(filepath.Join(dir, "jobs"))
		kills := rapid.IntRange(0, 4).Draw(t, "kills")
		var sum job.Summary
		for n := 0; ; n++ {
			if n == 60 {
				t.Fatalf("not finished: %+v, %v", sum, f)
			}
			if n > 20 {
				f.rate, f.broken = 0, 0
			}
			src, j := begin(t, store, path, creating())
			name := filepath.Join(dir, "jobs", j.ID+".journal")
			size := int64(-1)
			f.dead, f.kill = false, 0
			if n < kills {
				f.kill = f.posts + 1 + f.dice.IntN(10)
				f.killed = func() {
					if info, err := os.Stat(name); err == nil {
						size = info.Size()
					}
				}
			}
			sum, err = Run(context.Background(), src, f.op(), j, options)
			if !expected(err) {
				t.Fatalf("%v", err)
			}
			finished := j.Finished()
			_ = j.Close()
			_ = src.Close()
			if f.dead {
				tear(t, name, size, f.dice)
				continue
			}
			if finished {
				break
			}
		}
		check(t, f, rows, bad, campaigns, before, options.ResendExisting, sum)
	})
}

// tear leaves of a journal what a kill at that size would have, and maybe the
// beginning of an entry.
func tear(t *rapid.T, name string, size int64, dice *rand.Rand) {
	if size < 0 {
		return
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	torn := append(whole[:size:size], []byte{40, 'A', 1, 2, 3}[:dice.IntN(6)]...)
	if err := os.WriteFile(name, torn, 0o600); err != nil {
		t.Fatal(err)
	}
}

func check(t *rapid.T, f *faulty, rows, bad, campaigns int, before map[string]int, sendHeld bool, sum job.Summary) {
	got := f.times()
	for i := range rows {
		word, want := "word", 1
		if i < bad {
			word, want = "bad", 0
		}
		id := keywordID("1", fmt.Sprint(i%campaigns), fmt.Sprintf("%s %d", word, i))
		if sendHeld {
			want += before[id]
		}
		if got[id] != want {
			t.Fatalf("row %d is stored %d times, not %d (before: %d); %+v, %v", i, got[id], want, before[id], sum, f)
		}
	}
	if sum.Refused != bad || sum.Unknown != 0 || sum.Sent+sum.Present+sum.Refused != rows {
		t.Fatalf("%+v", sum)
	}
}
