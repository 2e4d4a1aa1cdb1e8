package bulk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

const benchRows = 100_000

// benchSource returns a source of many keywords.
func benchSource(b *testing.B) *rows.Source {
	b.Helper()
	path := filepath.Join(b.TempDir(), "keywords.csv")
	var text strings.Builder
	text.WriteString("account_id,campaign_id,keyword,keyword_type\n")
	for i := range benchRows {
		fmt.Fprintf(&text, "1,%d,keyword number %d for bikes,target\n", 101+i%5, i)
	}
	noError(b, os.WriteFile(path, []byte(text.String()), 0o600))
	src, err := rows.Open(decode.Options{Path: path}, createSchema())
	noError(b, err)
	b.Cleanup(func() { _ = src.Close() })
	return src
}

// reportPerRow reports the time per row.
func reportPerRow(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRows), "ns/row")
}

// BenchmarkRows measures reading alone.
func BenchmarkRows(b *testing.B) {
	src := benchSource(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range src.All() {
			noError(b, err)
		}
	}
	reportPerRow(b)
}

// BenchmarkValidate measures the validation before the first call.
func BenchmarkValidate(b *testing.B) {
	src := benchSource(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := src.Validate(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	reportPerRow(b)
}

// BenchmarkRun measures a load without its calls, with a log and without.
func BenchmarkRun(b *testing.B) {
	for _, logged := range []bool{true, false} {
		b.Run(fmt.Sprintf("log=%t", logged), func(b *testing.B) {
			src := benchSource(b)
			op := Operation{
				Name: "bench", Key: campaignKeyFields,
				Send: func([]rows.Row) Call {
					return func(_ context.Context, onSend func() error) ([]Outcome, error) {
						if err := onSend(); err != nil {
							return nil, err
						}
						return make([]Outcome, 1), nil
					}
				},
				Snapshot: func(_ context.Context, r SnapshotRequest) (Snapshot, error) { return r.List, nil },
			}
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				var j *job.Job
				_, err := src.Validate(context.Background())
				noError(b, err)
				b.StartTimer()
				if logged {
					store := job.Store(b.TempDir())
					if j, err = Begin(store, job.Header{Key: job.Key{Operation: "bench"}}, src, false); err != nil {
						b.Fatal(err)
					}
				}
				if _, err := Run(context.Background(), src, Rows(op), j, Options{}); err != nil {
					b.Fatal(err)
				}
				if j != nil {
					_ = j.Close()
				}
			}
			reportPerRow(b)
		})
	}
}
