package output

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"reseller/client/record"
	"reseller/output/encode"
)

// safeBuffer can be looked at while it is written.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// generated is n records of which only one is in memory, as a reader gives
// them.
func generated(n int) iter.Seq2[record.Record, error] {
	const text = `{"rank_id":%d,"a":"red shoes","b":"target, or not","c":{"x":[1,2],"y":"z"},"account_name":"Customer","note":"x"} `
	return func(yield func(record.Record, error) bool) {
		source, w := io.Pipe()
		go func() {
			chunk := []byte(strings.Repeat(fmt.Sprintf(text, 12345), 500))
			for range n / 500 {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
			_ = w.Close()
		}()
		defer func() { _ = source.Close() }()
		r := record.NewReader(source, 1<<20)
		var rec record.Record
		for range n {
			err := r.Record(&rec)
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

func TestMemoryStaysFlat(t *testing.T) {
	const n = 300_000
	options := []Options{{JQ: ".[] | .rank_id"}}
	for _, f := range []encode.Format{encode.CSV, encode.TSV, encode.JSON, encode.NDJSON, encode.Table, encode.Markdown} {
		options = append(options, Options{Format: f})
	}
	for _, o := range options {
		t.Run(string(o.Format)+o.JQ, func(t *testing.T) {
			t.Parallel()
			p, err := New(io.Discard, o)
			noError(t, err)
			var peak uint64
			count := 0
			watched := func(yield func(record.Record, error) bool) {
				for rec, err := range generated(n) {
					if count++; count%50_000 == 0 {
						runtime.GC()
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
						peak = max(peak, m.HeapAlloc)
					}
					if !yield(rec, err) {
						return
					}
				}
			}
			noError(t, p.Print(context.Background(), abc, watched))
			if count != n || peak > 24<<20 {
				t.Errorf("got %d records with %d MB, want %d with 24 MB at most", count, peak>>20, n)
			}
		})
	}
}

func TestRowsAppearAsTheyCome(t *testing.T) {
	options := []Options{{JQ: ".[] | .a"}}
	for _, f := range []encode.Format{encode.CSV, encode.TSV, encode.JSON, encode.NDJSON, encode.YAML, encode.Markdown} {
		options = append(options, Options{Format: f})
	}
	for _, o := range options {
		t.Run(string(o.Format)+o.JQ, func(t *testing.T) {
			t.Parallel()
			var out safeBuffer
			p, _ := New(&out, o)
			seq := func(yield func(record.Record, error) bool) {
				for i := range 3 {
					rec, _ := record.Parse(fmt.Appendf(nil, `{"a":"row%d"}`, i))
					if i > 0 && !strings.Contains(out.String(), fmt.Sprintf("row%d", i-1)) {
						t.Errorf("got %q, want row %d before the next one", out.String(), i-1)
					}
					for p.out.recentlyFlushed.Load() {
						time.Sleep(time.Millisecond)
					}
					if !yield(rec, nil) {
						return
					}
				}
			}
			if err := p.Print(context.Background(), abc, seq); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSlowTableShowsWhatCame(t *testing.T) {
	stop := errors.New("stop")
	got, err := printed(t, Options{}, failing(stop, `{"a":"one"}`, `{"a":"two"}`))
	if want := "A    B  C\none\ntwo\n"; !errors.Is(err, stop) || got != want {
		t.Errorf("got %q, %v, want %q, %v", got, err, want, stop)
	}
}

func TestErrorMidway(t *testing.T) {
	cause := errors.New("page 2 failed")
	for f, want := range map[encode.Format]string{
		encode.CSV: "a,b,c\n1,,\n", encode.TSV: "a\tb\tc\n1\t\t\n", encode.JSON: "[\n  {\n    \"a\": 1\n  }\n]\n", encode.NDJSON: "{\"a\":1}\n",
		encode.YAML: "- a: 1\n", encode.Markdown: "| a | b | c |\n| --- | --- | --- |\n| 1 |  |  |\n", encode.Table: "A  B  C\n1\n",
	} {
		for _, o := range []Options{{Format: f}, {Format: f, Sort: []string{"a"}}, {Format: f, Whole: true}} {
			if o.Sort != nil || o.Whole {
				want = ""
			}
			t.Run(fmt.Sprint(f, o.Sort, o.Whole), func(t *testing.T) {
				if got, err := printed(t, o, failing(cause, `{"a":1}`)); !errors.Is(err, cause) || got != want {
					t.Errorf("got %q, %v, want %q, %v", got, err, want, cause)
				}
				if got, err := printed(t, o, failing(cause)); !errors.Is(err, cause) || got != "" {
					t.Errorf("failing at once: got %q, %v, want nothing but the error", got, err)
				}
			})
		}
	}
}

type brokenWriter struct {
	after int
	err   error
}

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.after -= len(p); w.after < 0 {
		return 0, w.err
	}
	return len(p), nil
}

func TestWriteErrorsComeBack(t *testing.T) {
	for _, name := range encode.RecordNames() {
		f := encode.Format(name)
		for _, after := range []int{0, 100_000} {
			t.Run(fmt.Sprintf("%s after %d bytes", f, after), func(t *testing.T) {
				p, err := New(&brokenWriter{after, syscall.EPIPE}, Options{Format: f})
				noError(t, err)
				read := 0
				seq := func(yield func(record.Record, error) bool) {
					for rec, err := range generated(50_000) {
						if read++; !yield(rec, err) {
							return
						}
					}
				}
				if err := p.Print(context.Background(), abc, seq); !errors.Is(err, syscall.EPIPE) {
					t.Errorf("got %v, want %v", err, syscall.EPIPE)
				}
				if read == 50_000 {
					t.Error("the printer read all records after the error")
				}
			})
		}
	}
}

func TestCancelledContextStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	want := errors.New("interrupted")
	cancel(want)
	for _, o := range []Options{{Format: encode.CSV}, {Discard: true}, {JQ: "."}, {JQ: ".[]"}} {
		t.Run(string(o.Format)+o.JQ, func(t *testing.T) {
			p, err := New(io.Discard, o)
			noError(t, err)
			if err := p.Print(ctx, abc, generated(1000)); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		})
	}
}

func TestJSONIsValidInEveryWay(t *testing.T) {
	for n := range 3 {
		out := render(t, Options{Format: encode.JSON}, accounts, hostile[:n]...)
		var list []map[string]json.RawMessage
		if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != n {
			t.Errorf("got %d records, %v, want %d", len(list), err, n)
		}
	}
}

// BenchmarkFormats writes the records of a keyword list in every format and
// through some jq programs.
func BenchmarkFormats(b *testing.B) {
	const text = `{"rank_id":123456,"account_id":42,"campaign_id":101,"keyword":"red running shoes","type":"target","status":1,"rank_google_organic":12,"rank_google_map":999}`
	var rec record.Record
	noError(b, record.NewReader(strings.NewReader(text), len(text)).Record(&rec))
	shape := Shape{}
	for name := range rec.Fields() {
		shape.Columns = append(shape.Columns, Column{Name: name})
	}
	options := []Options{{JQ: ".[] | .keyword"}, {JQ: ".[] | {keyword, type}"}, {JQ: ".[] | [.rank_id, .keyword] | @csv"}}
	for _, name := range encode.RecordNames() {
		f := encode.Format(name)
		options = append(options, Options{Format: f})
	}
	for _, o := range options {
		b.Run(string(o.Format)+o.JQ, func(b *testing.B) {
			p, _ := New(io.Discard, o)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			seq := func(yield func(record.Record, error) bool) {
				for range b.N {
					if !yield(rec, nil) {
						return
					}
				}
			}
			noError(b, p.Print(context.Background(), shape, seq))
		})
	}
}
