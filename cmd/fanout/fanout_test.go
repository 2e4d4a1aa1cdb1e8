package fanout

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/transport"
	"reseller/cmd/cli"
)

// bubble calls walk with a fake clock. It returns only when every goroutine that walk
// started has ended.
func bubble(t *testing.T, walk func(ctx context.Context, f *cli.Frame, stderr *bytes.Buffer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		f := cli.NewFrame(cli.Streams{Err: &stderr, Env: func(name string) (string, bool) {
			if name == "RESELLER_BASE_URL" {
				return "http://127.0.0.1:1", true
			}
			return "", false
		}}, "")
		defer f.Close()
		walk(t.Context(), f, &stderr)
	})
}

func numbered(call, row, size int) record.Record {
	rec, err := record.Parse(fmt.Appendf(nil, `{"call":%d,"row":%d,"text":%q}`, call, row, strings.Repeat("x", size)))
	if err != nil {
		panic(err)
	}
	return rec
}

// TestFanInOrder makes random numbers of calls, which take random times, yield random
// rows and may fail. The rows come in the order of the calls. Those of a failed call
// are left out, unless there are too many to be collected. Each failure is reported
// once, in the order of the calls, and there are never more calls at a time than
// workers.
func TestFanInOrder(t *testing.T) {
	type call struct {
		rows, size    int
		before, pause time.Duration
		fails         bool
	}
	rapid.Check(t, func(r *rapid.T) {
		calls := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) call {
			return call{
				rows: rapid.IntRange(0, 9).Draw(r, "rows"), size: rapid.SampledFrom([]int{0, 10, 20, 30, chunkSize / 3}).Draw(r, "size"),
				before: time.Duration(rapid.IntRange(0, 50).Draw(r, "before")), pause: time.Duration(rapid.IntRange(0, 3).Draw(r, "pause")),
				fails: rapid.IntRange(0, 4).Draw(r, "fails") == 0,
			}
		}), 1, 50).Draw(r, "calls")
		workers := rapid.IntRange(1, 9).Draw(r, "workers")
		var under, most atomic.Int64
		fan := &FanOut{Calls: len(calls), Flags: Flags{Concurrency: workers}}
		fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
			most.Store(max(most.Load(), under.Add(1)))
			defer under.Add(-1)
			if err := transport.Sleep(ctx, calls[i].before); err != nil {
				return err
			}
			for row := range calls[i].rows {
				if err := give(numbered(i, row, calls[i].size)); err != nil {
					return err
				}
				if err := transport.Sleep(ctx, calls[i].pause); err != nil {
					return err
				}
			}
			if calls[i].fails {
				return &client.Error{Action: fmt.Sprintf("call %d", i), HTTPStatus: 422}
			}
			return nil
		}
		var got []string
		var failed []int
		var stderrText string
		var ended error
		bubble(t, func(ctx context.Context, f *cli.Frame, stderr *bytes.Buffer) {
			for rec, err := range Run(ctx, f.Session, f.Outcome, fan) {
				if err != nil {
					ended = err
					continue
				}
				got = append(got, rec.Get("call").Text()+"/"+rec.Get("row").Text())
			}
			stderrText = stderr.String()
		})
		var want []string
		wantStderr := ""
		for i, c := range calls {
			rows := c.rows
			if c.fails {
				failed = append(failed, i)
				if c.size*c.rows < chunkSize-1000 {
					rows = 0
				}
				if len(calls) > 1 {
					wantStderr += fmt.Sprintf("failed: call %d failed (422): Unprocessable Entity", i)
					if rows > 0 {
						wantStderr += "; its rows are incomplete"
					}
					wantStderr += "\n"
				}
			}
			for row := range rows {
				want = append(want, fmt.Sprintf("%d/%d", i, row))
			}
		}
		if !slices.Equal(got, want) {
			r.Fatalf("got rows %v\nwant %v", got, want)
		}
		if stderrText != wantStderr {
			r.Fatalf("got on stderr %s\nwant %s", stderrText, wantStderr)
		}
		if len(fan.failed) != len(failed) {
			r.Fatalf("got failed calls %v, want %v", fan.failed, failed)
		}
		for k, f := range fan.failed {
			if f.call != failed[k] {
				r.Fatalf("got failed calls %v, want %v", fan.failed, failed)
			}
		}
		if all := len(failed) == len(calls); (ended != nil) != all {
			r.Fatalf("got error %v after %d of %d calls failed, want one only if all fail", ended, len(failed), len(calls))
		}
		if most.Load() > int64(workers) {
			r.Fatalf("got %d calls at a time, want %d at most", most.Load(), workers)
		}
	})
}

// TestFanKeepsWorkersBusy makes calls of which one in a hundred takes a hundred times
// as long as the others, as a call does that is retried. Although the records come in
// the order of the calls, all calls take hardly longer than they would in any order.
func TestFanKeepsWorkersBusy(t *testing.T) {
	fan := &FanOut{Calls: 2000, Flags: Flags{Concurrency: 8}}
	total := time.Duration(0)
	latency := func(i int) time.Duration {
		if i%100 == 50 {
			return 2 * time.Second
		}
		return 20 * time.Millisecond
	}
	for i := range fan.Calls {
		total += latency(i)
	}
	fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
		if err := transport.Sleep(ctx, latency(i)); err != nil {
			return err
		}
		return give(numbered(i, 0, 100))
	}
	bubble(t, func(ctx context.Context, f *cli.Frame, _ *bytes.Buffer) {
		begun := time.Now()
		n := 0
		for _, err := range Run(ctx, f.Session, f.Outcome, fan) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if took, least := time.Since(begun), total/8; n != 2000 || took > least+least/5 {
			t.Errorf("got %d rows in %s, want 2000 in %s at most", n, took, least+least/5)
		}
	})
}

// TestFanIsBounded has a first call that does not end. No further call is started once
// maxStarted calls, or records of maxBuffered bytes, wait for it.
func TestFanIsBounded(t *testing.T) {
	const workers, rows = 4, 20
	for size, want := range map[int]struct{ calls, least, most int }{
		10:        {300, maxStarted * workers, maxStarted * workers},
		10 << 10:  {60, maxBuffered * workers / (rows * 11 << 10), maxBuffered*workers/(rows*10<<10) + 1 + workers},
		100 << 10: {12, workers, workers}, // each call hands over one chunk and waits with the next
	} {
		var begun, given atomic.Int64
		fan := &FanOut{Calls: want.calls, Flags: Flags{Concurrency: workers}}
		fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
			if begun.Add(1); i == 0 {
				synctest.Wait() // until all other goroutines are blocked
				if b := int(begun.Load()); b < want.least || b > want.most {
					t.Errorf("got %d calls of %d rows of %d bytes started during the first one, want %v", b, rows, size, want)
				}
				if held := given.Load() * int64(size); held > (maxBuffered+2*chunkSize)*workers {
					t.Errorf("got %d bytes buffered during the first call", held)
				}
			}
			for row := range rows {
				if err := give(numbered(i, row, size)); err != nil {
					return err
				}
				given.Add(1)
			}
			return nil
		}
		bubble(t, func(ctx context.Context, f *cli.Frame, _ *bytes.Buffer) {
			n := 0
			for _, err := range Run(ctx, f.Session, f.Outcome, fan) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if n != want.calls*rows {
				t.Errorf("got %d rows, want %d", n, want.calls*rows)
			}
		})
	}
}

// TestFanFinishes makes calls that are finished while their workers make the next calls. All take hardly longer than the
// calls alone. The error that Finish returns is that of the call.
func TestFanFinishes(t *testing.T) {
	const workers, latency = 8, 20 * time.Millisecond
	fan := &FanOut{Calls: 400, Flags: Flags{Concurrency: workers}}
	read := make([]int, fan.Calls)
	var finishing, most atomic.Int64
	fan.Call = func(ctx context.Context, _ *client.Client, i int, _ func(record.Record) error) error {
		if err := transport.Sleep(ctx, latency); err != nil {
			return err
		}
		if read[i] = i; i%100 == 7 {
			return &client.Error{Action: "call", HTTPStatus: 422}
		}
		return nil
	}
	fan.Finish = func(ctx context.Context, i int, err error) error {
		most.Store(max(most.Load(), finishing.Add(1)))
		defer finishing.Add(-1)
		if read[i] != i {
			t.Errorf("got call %d finished before it was made", i)
		}
		if slept := transport.Sleep(ctx, latency/(workers+1)); slept != nil {
			return slept
		}
		if i%100 == 8 {
			return &client.Error{Action: "finish", HTTPStatus: 422}
		}
		return err
	}
	bubble(t, func(ctx context.Context, f *cli.Frame, _ *bytes.Buffer) {
		begun := time.Now()
		for _, err := range Run(ctx, f.Session, f.Outcome, fan) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if took, least := time.Since(begun), time.Duration(fan.Calls/workers)*latency; took > least+latency {
			t.Errorf("got %d calls finished in %s, want %s at most", fan.Calls, took, least+latency)
		}
	})
	var failed []int
	for _, f := range fan.failed {
		failed = append(failed, f.call)
	}
	if want := []int{7, 8, 107, 108, 207, 208, 307, 308}; !slices.Equal(failed, want) {
		t.Errorf("got failed calls %v, want %v", failed, want)
	}
	if got, want := most.Load(), int64(runtime.GOMAXPROCS(0)); got > want {
		t.Errorf("got %d calls finished at a time, want %d at most", got, want)
	}
}

// TestFanUnfinishedIsBounded has calls that are not finished until no other goroutine can run. For each worker, one call is
// under way and one waits, and for each processor one is being finished.
func TestFanUnfinishedIsBounded(t *testing.T) {
	const workers = 4
	want := int64(2*workers + min(runtime.GOMAXPROCS(0), workers))
	fan := &FanOut{Calls: 100, Flags: Flags{Concurrency: workers}}
	var made, finished atomic.Int64
	fan.Call = func(context.Context, *client.Client, int, func(record.Record) error) error {
		made.Add(1)
		return nil
	}
	fan.Finish = func(ctx context.Context, i int, err error) error {
		if transport.Sleep(ctx, time.Second) == nil { // the clock goes on once all goroutines are blocked
			finished.Add(1)
		}
		return err
	}
	bubble(t, func(ctx context.Context, f *cli.Frame, _ *bytes.Buffer) {
		go func() {
			synctest.Wait()
			if got := made.Load(); got != want {
				t.Errorf("got %d calls made before the first was finished, want %d", got, want)
			}
		}()
		for _, err := range Run(ctx, f.Session, f.Outcome, fan) {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if finished.Load() != 100 {
		t.Errorf("got %d calls finished, want 100", finished.Load())
	}
}
