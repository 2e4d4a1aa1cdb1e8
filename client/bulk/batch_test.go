package bulk

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// testOptions are those of a batcher whose batches have up to size rows. It passes them to
// send and fails the test if there is an error.
func testOptions(size int, send func(*openBatch)) batcherOptions {
	return batcherOptions{
		size: func(batchKey) int { return size }, maxBytes: maxOpenBytes,
		encode: func(batchKey) BatchEncoder { return &rowsEncoder{send: func([]rows.Row) Call { return nil }} },
		send: func(open *openBatch) error {
			send(open)
			return nil
		},
	}
}

func TestBatcherGathersRowsByKey(t *testing.T) {
	var got []string
	b := newBatcher(testOptions(2, func(open *openBatch) {
		got = append(got, fmt.Sprintf("%s %t %d %v", open.key.key, open.key.converge, open.key.part, open.rows))
	}))
	for row, key := range []batchKey{
		{key: "a"}, {key: "b"}, {key: "a", converge: true}, {key: "a", part: 1}, {key: "a"}, {key: "a"}, {key: "b"}, {key: "c"},
	} {
		noError(t, b.add(&key, &rows.Row{Ordinal: row}))
	}
	full := []string{"a false 0 [0 4]", "b false 0 [1 6]"}
	if !slices.Equal(got, full) {
		t.Errorf("full batches: got %q, want %q", got, full)
	}
	got = nil
	noError(t, b.drain())
	if want := []string{"a true 0 [2]", "a false 1 [3]", "a false 0 [5]", "c false 0 [7]"}; !slices.Equal(got, want) {
		t.Errorf("open batches, oldest first: got %q, want %q", got, want)
	}
}

// TestBatchesAreFullInAnyOrderOfTheRows gathers rows in many orders with so little memory
// that batches are moved to disk, and read back, several times. All batches of a key but
// one must be full, and the rows of each must be those of the file, in its order.
func TestBatchesAreFullInAnyOrderOfTheRows(t *testing.T) {
	const size = 7
	random := rand.New(rand.NewPCG(5, 6))
	orders := map[string]func(row, keys int) int{
		"sorted":      func(row, keys int) int { return row * keys / 10_000 },
		"interleaved": func(row, keys int) int { return row % keys },
		"random":      func(_, keys int) int { return random.IntN(keys) },
		"one large key": func(_, keys int) int {
			return max(0, random.IntN(2*keys)-keys)
		},
	}
	for name, keyOf := range orders {
		for _, keys := range []int{1, 50, 3_000} {
			t.Run(fmt.Sprintf("%s, %d keys", name, keys), func(t *testing.T) {
				t.Setenv("TMPDIR", t.TempDir())
				want, last, incomplete := map[batchKey]int{}, map[batchKey]int{}, map[batchKey]bool{}
				peak := 0
				var b *batcher
				o := testOptions(size, func(open *openBatch) {
					peak = max(peak, b.bytes)
					if incomplete[open.key] || len(open.rows) > size {
						t.Fatalf("key %v: got a batch of %d rows, want no batch of fewer than %d before the last", open.key, len(open.rows), size)
					}
					incomplete[open.key] = len(open.rows) < size
					for i, row := range open.encoder.(*rowsEncoder).Rows {
						if text := row.Values.Get("text").Text(); row.Ordinal != int(open.rows[i]) || row.Line != row.Ordinal+2 || text != fmt.Sprint(row.Ordinal) {
							t.Fatalf("got line %d, row %d with %q as row %d of the batch, want the row itself", row.Line, row.Ordinal, text, open.rows[i])
						}
						if row.Ordinal < last[open.key] {
							t.Fatalf("key %v: got row %d after row %d, want the order of the file", open.key, row.Ordinal, last[open.key])
						}
						last[open.key] = row.Ordinal
						want[open.key]--
					}
				})
				o.maxBytes = 40 * (openBatchBytes + size*200)
				b = newBatcher(o)
				defer b.discard()
				for row := range 10_000 {
					key := batchKey{key: fmt.Sprint(keyOf(row, keys)), converge: row%5 == 0}
					want[key]++
					err := b.add(&key, &rows.Row{Ordinal: row, Line: row + 2, Values: rows.Values{{Name: "text", JSON: record.Quote(fmt.Sprint(row))}}})
					noError(t, err)
				}
				if spilled := b.spilled != nil; spilled != (keys == 3_000) && keys != 50 {
					t.Errorf("rows were moved to disk: got %t, want %t", spilled, keys == 3_000)
				}
				noError(t, b.drain())
				for key, missing := range want {
					if missing != 0 {
						t.Errorf("key %v: got %d rows too few, want all rows sent once", key, missing)
					}
				}
				if peak > o.maxBytes {
					t.Errorf("got %d bytes of open batches, want at most %d", peak, o.maxBytes)
				}
				if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || runtime.GOOS != "windows" && len(left) > 0 {
					t.Errorf("got the files %v, error %v; want none with a name", left, err)
				}
			})
		}
	}
}

// TestRowsThatMayBePasswordsStayInMemory checks that such rows are sent in batches that
// are not full, since they must not be written to disk, and that single rows never wait.
func TestRowsThatMayBePasswordsStayInMemory(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing")) // no temporary file can be created
	for _, size := range []int{1, 7} {
		sent := 0
		o := testOptions(size, func(open *openBatch) { sent += len(open.rows) })
		o.inMemory, o.maxBytes = true, 1000
		b := newBatcher(o)
		for row := range 100 {
			if err := b.add(&batchKey{key: fmt.Sprint(row % 10)}, &rows.Row{Ordinal: row}); err != nil {
				t.Fatal(err)
			}
			if size == 1 && sent != row+1 {
				t.Fatalf("batches of one row: got %d rows sent, want %d", sent, row+1)
			}
		}
		if err := b.drain(); err != nil || sent != 100 {
			t.Errorf("batches of %d: got %d rows sent, error %v; want 100", size, sent, err)
		}
	}
	o := testOptions(7, func(*openBatch) {})
	o.maxBytes = 1000
	b, err := newBatcher(o), error(nil)
	for row := 0; row < 100 && err == nil; row++ {
		err = b.add(&batchKey{key: fmt.Sprint(row % 10)}, &rows.Row{Ordinal: row})
	}
	wantError(t, err, "rows can't be kept in a temporary file", "no such file")
}

func TestBatcherKeyOfRow(t *testing.T) {
	cache := newBatcher(batcherOptions{}).keys
	values := func(account, campaign string) rows.Values {
		return rows.Values{{Name: "account_id", JSON: record.Value(account)}, {Name: "campaign_id", JSON: record.Value(campaign)}}
	}
	keys := map[string]string{}
	for _, pair := range [][2]string{{"1", "2"}, {"1", "2"}, {"12", "2"}, {"1", "22"}, {"1", "2"}, {"2", "1"}} {
		key, name := cache.ofRow(campaignKeyFields, values(pair[0], pair[1])), pair[0]+" and "+pair[1]
		if other, ok := keys[key]; ok && other != name {
			t.Errorf("%s and %s have the key %q, want two keys", name, other, key)
		}
		keys[key] = name
	}
	if len(keys) != 4 {
		t.Errorf("got the keys %q, want 4", keys)
	}
	cache = newBatcher(batcherOptions{}).keys
	if first, second := cache.ofRow(nil, values("1", "2")), cache.ofRow(nil, values("7", "8")); first != second {
		t.Errorf("without key fields: got the keys %q and %q, want the same", first, second)
	}
}

func TestRowsOfAKeyShareBatchesAcrossTheFile(t *testing.T) {
	var f fake
	last, reports := 0, 0
	sum := mustLoad(t, "csv", keywordRows(60), createSchema(), f.op(), Options{BatchSize: 8, Progress: func(done, total int) {
		reports++
		if done < last || total != 60 { // done may be the same twice, if two calls end before the first report
			t.Errorf("got progress %d of %d after %d, want it to grow up to 60", done, total, last)
		}
		last = done
	}})
	wantCounts(t, sum, counts{Rows: 60, Sent: 60})
	if *sum.Requests != 9 || *sum.Retries != 0 || sum.Operation != "keywords.create" {
		t.Errorf("got %d requests with %d retries of %s, want 9 with none of keywords.create", *sum.Requests, *sum.Retries, sum.Operation)
	}
	if last != 60 || reports != 10 {
		t.Errorf("got %d progress reports up to %d rows, want 10 up to 60", reports, last)
	}
	for _, texts := range f.calls {
		if len(texts) != 8 && len(texts) != 4 {
			t.Errorf("got a call of %d rows, want 8 or 4", len(texts))
		}
		for _, text := range texts {
			var n, first int
			_, _ = fmt.Sscanf(text, "word %d", &n)
			_, _ = fmt.Sscanf(texts[0], "word %d", &first)
			if n%3 != first%3 {
				t.Errorf("got a call with %q, want one campaign", texts)
			}
		}
	}
}

// TestCallsOfManyKeysAreFull loads rows of many campaigns in turn.
func TestCallsOfManyKeysAreFull(t *testing.T) {
	const keys, perKey = 300, 40
	var f fake
	var text strings.Builder
	text.WriteString("account_id,campaign_id,keyword,keyword_type\n")
	for row := range keys * perKey {
		fmt.Fprintf(&text, "1,%d,word %d,target\n", 1+row%keys, row)
	}
	sum := mustLoad(t, "csv", text.String(), createSchema(), f.op(), Options{})
	if sum.Sent != keys*perKey || *sum.Requests != keys {
		t.Errorf("got %d rows sent in %d calls, want %d in %d", sum.Sent, *sum.Requests, keys*perKey, keys)
	}
}

func TestMaxBatchOfTheOperationLimitsCalls(t *testing.T) {
	var f fake
	op := f.op()
	op.MaxBatch, op.Key = 1, nil
	if sum := mustLoad(t, "csv", keywordRows(5), createSchema(), op, Options{}); *sum.Requests != 5 {
		t.Errorf("got %d requests, want 5", *sum.Requests)
	}
}
