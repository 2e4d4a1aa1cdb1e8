package bulk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
)

const benchRows = 100_000

func benchSource(b *testing.B) *Source {
	b.Helper()
	path := filepath.Join(b.TempDir(), "keywords.csv")
	var text strings.Builder
	text.WriteString("account_id,campaign_id,keyword,keyword_type\n")
	for i := range benchRows {
		fmt.Fprintf(&text, "1,%d,keyword number %d for bikes,target\n", 101+i%5, i)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	src, err := Open(decode.Options{Path: path}, creating())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = src.Close() })
	return src
}

func perRow(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRows), "ns/row")
}

// BenchmarkRows is reading alone.
func BenchmarkRows(b *testing.B) {
	src := benchSource(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range src.Rows() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	perRow(b)
}

// BenchmarkCheck is the pass before the first call.
func BenchmarkCheck(b *testing.B) {
	src := benchSource(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := src.Check(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	perRow(b)
}

// BenchmarkRun is all of a load but its calls, with a journal and without.
func BenchmarkRun(b *testing.B) {
	for _, journaled := range []bool{true, false} {
		b.Run(fmt.Sprintf("journal=%t", journaled), func(b *testing.B) {
			src := benchSource(b)
			op := Op{
				Name: "bench", Key: campaignKey,
				Begin: OfRows(func([]Row) Send {
					return func(context.Context) ([]Outcome, error) { return make([]Outcome, 1), nil }
				}),
				Look: func(_ context.Context, r Reading) (View, error) { return r.Holdings, nil },
			}
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				var job *Job
				_, err := src.Check(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if journaled {
					store := Store(b.TempDir())
					if job, err = store.Begin(Header{Identifying: Identifying{Operation: "bench"}}, src, false); err != nil {
						b.Fatal(err)
					}
				}
				if _, err := Run(context.Background(), src, op, job, Options{}); err != nil {
					b.Fatal(err)
				}
				if job != nil {
					_ = job.Close()
				}
			}
			perRow(b)
		})
	}
}
