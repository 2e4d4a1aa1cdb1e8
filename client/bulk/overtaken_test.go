package bulk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// A lateRecords is a service whose records are changed. It carries out calls up to a minute after their
// connection has ended.
type lateRecords struct {
	random *rand.Rand
	mu     sync.Mutex
	kinds  map[string]string // by the text of the record
	loses  float64           // the share of calls that get no response
	isDead bool              // the process was killed
}

func (s *lateRecords) op() Operation {
	return Operation{
		Name: "keywords.update", Idempotent: true, Changes: true, Record: "keyword",
		Snapshot: func(context.Context, SnapshotRequest) (Snapshot, error) {
			return SnapshotFunc(func(_ context.Context, row *rows.Row) (Outcome, error) {
				s.mu.Lock()
				defer s.mu.Unlock()
				if s.kinds[row.Values.Get("keyword").Text()] == row.Values.Get("keyword_type").Text() {
					return Outcome{State: Present}, nil
				}
				return Outcome{State: Absent}, nil
			}), nil
		},
		ReadBack: ReadBackPerRow,
		Send: func(batch []rows.Row) Call {
			return func(_ context.Context, onSend func() error) ([]Outcome, error) {
				if err := onSend(); err != nil {
					return nil, err
				}
				return s.put(batch)
			}
		},
	}
}

func (s *lateRecords) put(batch []rows.Row) ([]Outcome, error) {
	s.mu.Lock()
	latency, late, lost, never := time.Duration(s.random.IntN(3000))*time.Millisecond, time.Duration(s.random.Int64N(int64(maxLate))), s.random.Float64() < s.loses, s.random.IntN(4) == 0
	s.mu.Unlock()
	time.Sleep(latency)
	s.mu.Lock()
	defer s.mu.Unlock()
	store := func() {
		for _, row := range batch {
			s.kinds[row.Values.Get("keyword").Text()] = row.Values.Get("keyword_type").Text()
		}
	}
	if !s.isDead && !lost {
		store()
		return make([]Outcome, len(batch)), nil
	}
	if !never {
		time.AfterFunc(late-latency, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			store()
		})
	}
	return nil, errLostResponse
}

// TestUpdatesAreNotOvertaken changes records by a file, kills the process or loses responses, and soon afterwards changes the
// records by another file, or back. What the second file says must hold in the end, and what is told as done must be so.
func TestUpdatesAreNotOvertaken(t *testing.T) {
	overtaken := 0
	for seed := range uint64(*modelRuns) {
		synctest.Test(t, func(t *testing.T) { overtaken += overtakenIn(t, seed) })
	}
	if overtaken > 0 {
		t.Errorf("%d records have the value of the first file in the end", overtaken)
	}
}

func overtakenIn(t *testing.T, seed uint64) (overtaken int) {
	random := rand.New(rand.NewPCG(seed, 5))
	s := &lateRecords{random: random, kinds: map[string]string{}, loses: []float64{0, 0.2}[random.IntN(2)]}
	n, began, before := 1+random.IntN(30), time.Now(), []string{"target", "other"}[random.IntN(2)]
	file := func(kind string) string {
		var text strings.Builder
		text.WriteString(keywordHead)
		for i := range n {
			s.kinds[fmt.Sprint("word ", i)] = before
			fmt.Fprintf(&text, "1,1,word %d,%s\n", i, kind)
		}
		return writeFile(t, kind+".csv", text.String())
	}
	files := []string{file("interest"), file("target")}
	store := job.Store(filepath.Join(t.TempDir(), "jobs"))
	for i, path := range files {
		o := Options{BatchSize: 1 + random.IntN(5), Concurrency: 1 + random.IntN(4), Retries: 4}
		o.boot = func() job.Boot { return job.Boot{ID: "boot", Uptime: time.Since(began)} }
		src, j := beginJob(t, store, path, createSchema())
		ctx, cancel := context.WithCancel(t.Context())
		if err := AwaitUpdates(ctx, j, o); err != nil {
			t.Error(err)
		}
		kill := time.NewTimer(time.Hour)
		if i == 0 {
			kill = time.AfterFunc(time.Duration(random.Int64N(int64(10*time.Second))), func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.isDead = true
				cancel()
			})
		}
		_, err := Run(ctx, src, Rows(s.op()), j, o)
		kill.Stop()
		if table := j.Table(); i == 1 && (err != nil || table.Count(job.StateUnknown) > 0) {
			t.Errorf("seed %d: got %d unknown rows, error %v", seed, table.Count(job.StateUnknown), err)
		}
		cancel()
		_, _ = j.Close(), src.Close()
		s.mu.Lock()
		s.isDead, s.loses = false, 0
		s.mu.Unlock()
		time.Sleep(time.Duration(random.Int64N(int64(5 * time.Second))))
	}
	time.Sleep(2 * maxLate)
	for _, kind := range s.kinds {
		if kind == "interest" {
			overtaken++
		}
	}
	return overtaken
}
