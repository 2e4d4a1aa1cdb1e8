package bulk

import (
	"fmt"
	"math/rand/v2"
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
		size: func(batchKey) int { return size }, maxBytes: 16 << 20,
		encode: func(batchKey) BatchEncoder { return EncodeRows(func([]rows.Row) Call { return nil })() },
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

// TestBatchesAreFullInAnyOrderOfTheRows gathers rows in many orders with so little memory that several walks are needed. All
// batches of a key but one must be full, and the rows of each must be those of the file, in its order.
func TestBatchesAreFullInAnyOrderOfTheRows(t *testing.T) {
	const size, total = 7, 10_000
	random := rand.New(rand.NewPCG(5, 6))
	orders := map[string]func(row, keys int) int{
		"sorted":      func(row, keys int) int { return row * keys / total },
		"interleaved": func(row, keys int) int { return row % keys },
		"random":      func(_, keys int) int { return random.IntN(keys) },
		"one large key": func(_, keys int) int {
			return max(0, random.IntN(2*keys)-keys)
		},
	}
	for name, keyOf := range orders {
		for _, keys := range []int{1, 50, 3_000} {
			t.Run(fmt.Sprintf("%s, %d keys", name, keys), func(t *testing.T) {
				all, isSent := make([]batchKey, total), make([]bool, total)
				for row := range all {
					all[row] = batchKey{key: fmt.Sprint(keyOf(row, keys)), converge: row%5 == 0}
				}
				last, incomplete := map[batchKey]int{}, map[batchKey]bool{}
				peak, walks, left := 0, 0, total
				var b *batcher
				o := testOptions(size, func(open *openBatch) {
					if incomplete[open.key] || len(open.rows) > size {
						t.Fatalf("key %v: got a batch of %d rows, want no batch of fewer than %d before the last", open.key, len(open.rows), size)
					}
					incomplete[open.key] = len(open.rows) < size
					for i, row := range open.encoder.(*rowsEncoder).Rows {
						if text := row.Values.Get("text").Text(); row.Ordinal != int(open.rows[i]) || row.Line != row.Ordinal+2 || text != fmt.Sprint(row.Ordinal) {
							t.Fatalf("got line %d, row %d with %q as row %d of the batch, want the row itself", row.Line, row.Ordinal, text, open.rows[i])
						}
						if row.Ordinal < last[open.key] || all[row.Ordinal] != open.key || isSent[row.Ordinal] {
							t.Fatalf("key %v: got row %d after row %d, want each row of the key once, in the order of the file", open.key, row.Ordinal, last[open.key])
						}
						last[open.key], isSent[row.Ordinal] = row.Ordinal, true
						left--
					}
				})
				for o.maxBytes = 40 * (openBatchBytes + size*200); left > 0 && walks < 1_000; walks++ {
					b = newBatcher(o)
					for row, key := range all {
						if !isSent[row] {
							noError(t, b.add(&key, &rows.Row{Ordinal: row, Line: row + 2, Values: rows.Values{{Name: "text", JSON: record.Quote(fmt.Sprint(row))}}}))
							peak = max(peak, b.bytes)
						}
					}
					if noError(t, b.drain()); (b.skipped != nil) != (left > 0) {
						t.Fatalf("got skipped rows %t after a walk that left %d", b.skipped != nil, left)
					}
				}
				if left > 0 || walks > 1 != (keys == 3_000) && keys != 50 {
					t.Errorf("%d rows left after %d walks, want none after several if there are 3,000 keys, and after one with one key", left, walks)
				}
				if peak > o.maxBytes {
					t.Errorf("got %d bytes of open batches, want at most %d", peak, o.maxBytes)
				}
			})
		}
	}
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
	if sum.Requests != 9 || sum.Retries != 0 || sum.Operation != "keywords.create" {
		t.Errorf("got %d requests with %d retries of %s, want 9 with none of keywords.create", sum.Requests, sum.Retries, sum.Operation)
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

// TestCallsOfManyKeysAreFull loads rows of many campaigns in turn, also in several walks, since few batches fit into memory.
func TestCallsOfManyKeysAreFull(t *testing.T) {
	const keys, perKey = 300, 40
	var text strings.Builder
	text.WriteString(keywordHead)
	for row := range keys * perKey {
		fmt.Fprintf(&text, "1,%d,word %d,target\n", 1+row%keys, row)
	}
	for _, openBytes := range []int{0, 200 << 10} {
		var f fake
		sum := mustLoad(t, "csv", text.String(), createSchema(), f.op(), Options{openBytes: openBytes})
		if sum.Sent != keys*perKey || sum.Requests != keys {
			t.Errorf("%d bytes: got %d rows sent in %d calls, want %d in %d", openBytes, sum.Sent, sum.Requests, keys*perKey, keys)
		}
	}
}

// TestSkippedRowsAreSentBesideRefusedOnes loads rows of many campaigns, some of them invalid, with memory for few batches: rows
// that one walk skips, and the parts of refused batches, are all sent.
func TestSkippedRowsAreSentBesideRefusedOnes(t *testing.T) {
	const keys, perKey = 60, 12
	var text strings.Builder
	text.WriteString(keywordHead)
	for row := range keys * perKey {
		word := "word"
		if row%50 == 0 {
			word = "bad"
		}
		fmt.Fprintf(&text, "1,%d,%s %d,target\n", 1+row%keys, word, row)
	}
	f := fake{respond: refuseBad(422)}
	sum := mustLoad(t, "csv", text.String(), createSchema(), f.op(), Options{openBytes: 20 << 10, Retries: 1})
	wantCounts(t, sum, counts{Rows: keys * perKey, Sent: keys*perKey - 15, Refused: 15})
}

func TestMaxBatchOfTheOperationLimitsCalls(t *testing.T) {
	var f fake
	op := f.op()
	op.MaxBatch, op.Key = 1, nil
	if sum := mustLoad(t, "csv", keywordRows(5), createSchema(), op, Options{}); sum.Requests != 5 {
		t.Errorf("got %d requests, want 5", sum.Requests)
	}
}
