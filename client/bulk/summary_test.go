package bulk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// TestSummariesAddUp loads random files in random shards, into a service that refuses rows, loses
// responses and is late, and ends each run at a random moment. Where there is one shard, some runs of a
// job validate the rows and some do not. After each run, every row is in exactly one count of its summary, and of what the store
// says of the job.
func TestSummariesAddUp(t *testing.T) {
	for seed := range uint64(*modelRuns) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { loadInRandomRuns(t, rand.New(rand.NewPCG(seed, 11))) })
		})
	}
}

func loadInRandomRuns(t *testing.T, random *rand.Rand) {
	text, lines := strings.Builder{}, 1+random.IntN(60)
	text.WriteString(keywordHead)
	for range lines {
		word := []string{"word", "bad", "word"}[random.IntN(3)]
		kind := []string{"target", "target", "target", "interest", "other"}[random.IntN(5)]
		fmt.Fprintf(&text, "%d,1,%s %d,%s\n", random.IntN(3), word, random.IntN(40), kind)
	}
	path := writeFile(t, "k.csv", text.String())
	s := &lateService{random: random, latency: time.Second, lag: time.Second, loses: []float64{0, 0.3}[random.IntN(2)], rejects: []float64{0, 0.1}[random.IntN(2)]}
	op := s.op()
	op.Send = func(batch []rows.Row) Call {
		return func(_ context.Context, onSend func() error) ([]Outcome, error) {
			if err := onSend(); err != nil {
				return nil, err
			}
			if out, err := refuseBad(422)(batch); err != nil {
				return out, err
			}
			return s.post(batch)
		}
	}
	shards, all := 1+random.IntN(3), 0
	validate := random.IntN(3) > 0
	for i := range shards {
		store := job.Store(filepath.Join(t.TempDir(), "jobs"))
		for run := 0; ; run++ {
			sch := createSchema()
			sch.Shard, sch.Validate = rows.Shard{I: i + 1, N: shards}, validate != (shards == 1 && random.IntN(3) == 0)
			sum, finished := loadUntil(t, store, path, sch, op, Options{now: time.Now,
				BatchSize: 1 + random.IntN(10), Concurrency: 1 + random.IntN(4), Retries: 1, OnInvalid: Skip,
			}, s.draw(10*time.Second), random.IntN(8) == 0)
			if finished || run == 20 {
				all += sum.Rows
				break
			}
		}
	}
	if all != lines {
		t.Errorf("got %d rows in the summaries of all %d shards, want the %d of the file", all, shards, lines)
	}
}

// loadUntil makes one run of a job, which is interrupted after some time if it may not last. It checks the summary.
func loadUntil(t *testing.T, store job.Store, path string, sch rows.Schema, op Operation, o Options, after time.Duration, mayLast bool) (job.Summary, bool) {
	src, err := rows.Open(decode.Options{Path: path}, sch)
	noError(t, err)
	defer func() { _ = src.Close() }()
	var invalid *decode.Error
	if _, err := src.Validate(t.Context()); err != nil && !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	key := job.Key{Operation: op.Name, BaseURL: "mock", Shard: sch.Shard.String()}
	j, err := Begin(store, job.Header{Key: key, File: path, Format: src.File.Format}, src, false)
	noError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	if !mayLast {
		defer time.AfterFunc(after, cancel).Stop()
	}
	sum, _ := Run(ctx, src, Rows(op), j, o)
	cancel()
	noError(t, j.Close())
	checkSum(t, "the run", sum)
	status, err := store.Find(j.ID)
	noError(t, err)
	checkSum(t, "the store", status.Summary)
	return sum, j.Finished() || mayLast
}

// checkSum checks that each row of a summary is in one count.
func checkSum(t *testing.T, where string, s job.Summary) {
	t.Helper()
	parts := []int{s.Sent, s.Present, s.Differs, s.Duplicates, s.Invalid, s.Refused, s.Unknown, s.Remaining}
	total := 0
	for _, part := range parts {
		total += part
		if part < 0 {
			t.Errorf("%s: got %+v, want no count below 0", where, s)
		}
	}
	if total != s.Rows {
		t.Errorf("%s: got %v, which add up to %d, want %d rows", where, parts, total, s.Rows)
	}
}
