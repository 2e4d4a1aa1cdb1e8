package bulk

import (
	"fmt"
	"slices"
	"testing"

	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// testBatcher returns a batcher whose batches have up to size rows.
func testBatcher(size int) *batcher {
	return newBatcher(func(batchKey) int { return size }, func(batchKey) BatchEncoder { return &rowsEncoder{Arena: &rows.Arena{}} })
}

func TestBatcherGathersRowsByKey(t *testing.T) {
	b := testBatcher(2)
	var got []string
	collect := func(open *openBatch) {
		if open != nil {
			got = append(got, fmt.Sprintf("%s %t %d %v", open.key.key, open.key.converge, open.key.part, open.rows))
		}
	}
	for row, key := range []batchKey{
		{key: "a"}, {key: "b"}, {key: "a", converge: true}, {key: "a", part: 1}, {key: "a"}, {key: "a"}, {key: "b"}, {key: "c"},
	} {
		collect(b.add(&key, &rows.Row{Ordinal: row}))
	}
	full := []string{"a false 0 [0 4]", "b false 0 [1 6]"}
	if !slices.Equal(got, full) {
		t.Errorf("full batches: got %q, want %q", got, full)
	}
	got = nil
	for open := b.next(); open != nil; open = b.next() {
		collect(open)
	}
	if want := []string{"a true 0 [2]", "a false 1 [3]", "a false 0 [5]", "c false 0 [7]"}; !slices.Equal(got, want) {
		t.Errorf("open batches, oldest first: got %q, want %q", got, want)
	}
}

func TestBatcherClosesTheOldestBatchIfTooManyRowsWait(t *testing.T) {
	b := testBatcher(100)
	for i := range maxOpenRows {
		open := b.add(&batchKey{key: fmt.Sprint(i)}, &rows.Row{Ordinal: i})
		if closed := open != nil; closed != (i == maxOpenRows-1) {
			t.Fatalf("row %d closed a batch: %t, want only row %d to do so", i, closed, maxOpenRows-1)
		}
		if open != nil && open.rows[0] != 0 {
			t.Errorf("got the batch of row %d, want that of row 0", open.rows[0])
		}
	}
}

func TestBatcherKeyOfRow(t *testing.T) {
	b := testBatcher(1)
	values := func(account, campaign string) rows.Values {
		return rows.Values{{Name: "account_id", JSON: record.Value(account)}, {Name: "campaign_id", JSON: record.Value(campaign)}}
	}
	keys := map[string]string{}
	for _, pair := range [][2]string{{"1", "2"}, {"1", "2"}, {"12", "2"}, {"1", "22"}, {"1", "2"}, {"2", "1"}} {
		key, name := b.keyOf(campaignKeyFields, values(pair[0], pair[1])), pair[0]+" and "+pair[1]
		if other, ok := keys[key]; ok && other != name {
			t.Errorf("%s and %s have the key %q, want two keys", name, other, key)
		}
		keys[key] = name
	}
	if len(keys) != 4 {
		t.Errorf("got the keys %q, want 4", keys)
	}
	for i := range maxKeys + 10 {
		b.keyOf(campaignKeyFields, values("1", fmt.Sprint(i)))
	}
	if len(b.keys) > maxKeys {
		t.Errorf("%d keys are remembered, want at most %d", len(b.keys), maxKeys)
	}
	b = testBatcher(1)
	if first, second := b.keyOf(nil, values("1", "2")), b.keyOf(nil, values("7", "8")); first != second {
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
	if sum.Requests != 9 || sum.Operation != "keywords.create" {
		t.Errorf("got %d requests of %s, want 9 of keywords.create", sum.Requests, sum.Operation)
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

func TestMaxBatchOfTheOperationLimitsCalls(t *testing.T) {
	var f fake
	op := f.op()
	op.MaxBatch, op.Key = 1, nil
	if sum := mustLoad(t, "csv", keywordRows(5), createSchema(), op, Options{}); sum.Requests != 5 {
		t.Errorf("got %d requests, want 5", sum.Requests)
	}
}
