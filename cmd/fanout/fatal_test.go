package fanout

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/transport"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/encode"
)

// What ends the whole walk ends it in its turn, and no further call is begun.
func TestFanEnds(t *testing.T) {
	refused := &client.Error{Action: "call", HTTPStatus: 401}
	for name, c := range map[string]struct {
		err      error
		failFast bool
		want     int
	}{
		"token refused": {err: refused, want: cli.ExitAuth},
		"file":          {err: errors.New("no space left"), want: cli.ExitFailed},
		"fail fast":     {err: &client.Error{Action: "call", HTTPStatus: 404}, failFast: true, want: cli.ExitNotFound},
	} {
		for _, workers := range []int{1, 5} {
			var begun atomic.Int64
			fan := &FanOut{Calls: 500, Flags: Flags{Concurrency: workers, FailFast: c.failFast}}
			fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
				begun.Add(1)
				if err := transport.Sleep(ctx, time.Duration(100-i%7)); err != nil {
					return err
				}
				if i >= 30 {
					return c.err
				}
				return give(numbered(i, 0, 0))
			}
			bubble(t, func(ctx context.Context, f *cli.Frame, stderr *bytes.Buffer) {
				rows := 0
				var ended error
				for _, err := range Run(ctx, f.Session, f.Outcome, fan) {
					if ended = err; err == nil {
						rows++
					}
				}
				if rows != 30 || cli.ExitCode(ended) != c.want || stderr.Len() > 0 || begun.Load() > int64(30+workers) {
					t.Errorf("%s, %d workers: %d rows, %v, %d calls, %s", name, workers, rows, ended, begun.Load(), stderr)
				}
			})
		}
	}
}

// A signal, or a reader who has had enough, ends the calls under way.
func TestFanStops(t *testing.T) {
	for _, stop := range []string{"signal", "reader", "signal at once"} {
		ended := 0
		fan := &FanOut{Calls: 500, Flags: Flags{Concurrency: 5}}
		var under atomic.Int64
		fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
			under.Add(1)
			defer under.Add(-1)
			for row := range 3 { // more than may wait
				if err := give(numbered(i, row, chunkSize)); err != nil {
					return err
				}
			}
			if i < 20 {
				return nil
			}
			return transport.Sleep(ctx, time.Hour)
		}
		bubble(t, func(ctx context.Context, f *cli.Frame, _ *bytes.Buffer) {
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			begun := time.Now()
			if stop == "signal at once" {
				cancel(cli.Interrupted{})
			}
			var last error
			for _, err := range Run(ctx, f.Session, f.Outcome, fan) {
				if last = err; err != nil {
					continue
				}
				if ended++; ended == 20 && stop == "reader" {
					break
				}
				if ended == 20 {
					cancel(cli.Interrupted{})
				}
			}
			if interrupted := errors.As(last, new(cli.Interrupted)); interrupted != (stop != "reader") || time.Since(begun) > time.Minute || under.Load() != 0 {
				t.Errorf("%s: %v after %s, %d calls under way", stop, last, time.Since(begun), under.Load())
			}
		})
	}
}

// Writes are all made, though nobody listens any more.
func TestFanWrites(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var made atomic.Int64
		fan := &FanOut{Calls: 50, Writes: true, Flags: Flags{Concurrency: workers}}
		fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
			if err := transport.Sleep(ctx, time.Second); err != nil {
				return err
			}
			made.Add(1)
			return give(numbered(i, 0, 0))
		}
		bubble(t, func(ctx context.Context, f *cli.Frame, _ *bytes.Buffer) {
			for range Run(ctx, f.Session, f.Outcome, fan) {
				break
			}
		})
		if made.Load() != 50 {
			t.Errorf("%d of 50 writes were made by %d workers", made.Load(), workers)
		}
	}
}

// An error of Finish that ends the whole walk has no further call begun, also while an earlier call is under way.
func TestFanEndsWhileFinishing(t *testing.T) {
	const workers = 5
	fan := &FanOut{Calls: 500, Flags: Flags{Concurrency: workers}}
	var begun atomic.Int64
	fan.Call = func(ctx context.Context, _ *client.Client, i int, _ func(record.Record) error) error {
		if begun.Add(1); i == 0 {
			return transport.Sleep(ctx, time.Hour)
		}
		return transport.Sleep(ctx, time.Second)
	}
	fan.Finish = func(_ context.Context, i int, err error) error {
		if i == 30 {
			return errors.New("no space left")
		}
		return err
	}
	bubble(t, func(ctx context.Context, f *cli.Frame, _ *bytes.Buffer) {
		var ended error
		for _, err := range Run(ctx, f.Session, f.Outcome, fan) {
			ended = err
		}
		if cli.ExitCode(ended) != cli.ExitFailed || fan.consumed != 30 || begun.Load() > 31+3*workers {
			t.Errorf("got %v after %d calls, %d begun, want the error of Finish after 30 calls", ended, fan.consumed, begun.Load())
		}
	})
}

// TestExportEndsWithItsOutput writes to a reader that is gone. A failures file asks for all calls, but not where nobody is left: then
// it lists the calls that were not made, too.
func TestExportEndsWithItsOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := cli.NewFrame(cli.Streams{Out: goneReader{}, Err: io.Discard, Env: func(name string) (string, bool) {
			return "http://127.0.0.1:1", name == "RESELLER_BASE_URL"
		}}, "")
		defer f.Close()
		var calls atomic.Int64
		const all = 1000
		fan := &FanOut{Calls: all, Flags: Flags{Concurrency: 1, Failures: filepath.Join(t.TempDir(), "failed.csv"), written: new(bool)}}
		fan.Row = func(i int) []record.Pair { return []record.Pair{{Name: "call", Value: record.Integer(int64(i))}} }
		fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
			calls.Add(1)
			if err := transport.Sleep(ctx, time.Second); err != nil {
				return err
			}
			return give(numbered(i, 0, 0))
		}
		out, err := f.Output.Open(output.Shape{Columns: encode.Columns("call")})
		if err != nil {
			t.Fatal(err)
		}
		defer out.Abort()
		err = Export(t.Context(), f.Session, f.Outcome, fan, out, func(list iter.Seq2[record.Record, error]) error { return out.Records(t.Context(), list) })
		if n := calls.Load(); err == nil || n > all/2 {
			t.Errorf("got %v after %d calls, want an error after a few", err, n)
		}
		if n := len(fan.failed); n < all/2 || n > all {
			t.Errorf("got %d failures, want those of all calls whose rows nobody has got", n)
		}
	})
}

type goneReader struct{}

func (goneReader) Write([]byte) (int, error) { return 0, syscall.EPIPE }
