package output

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"reseller/client/record"
	"reseller/output/encode"
)

// order sorts records whose column a has these values and returns their indexes.
func order(t *testing.T, column string, values ...string) string {
	t.Helper()
	var texts []string
	for i, v := range values {
		if v == "" {
			texts = append(texts, `{"b":`+string(rune('0'+i))+`}`)
			continue
		}
		texts = append(texts, `{"a":`+v+`,"b":`+string(rune('0'+i))+`}`)
	}
	out := render(t, Options{Format: encode.CSV, Columns: []string{"b"}, NoHeader: true, Sort: []string{column}}, abc, texts...)
	return strings.ReplaceAll(strings.TrimSpace(out), "\n", "")
}

func TestSort(t *testing.T) {
	for _, tc := range []struct {
		column string
		values []string
		want   string
	}{
		{"a", []string{"10", "9", "-1", "0.5"}, "2310"},
		{"a", []string{`"10"`, "9", `"-1"`}, "210"},
		{"a", []string{"12345678901234567891", "12345678901234567890", "1e19", "1e400", "1e-400", "-1e400"}, "542103"},
		{"a", []string{"1.10", "1.1", "1.09", "1"}, "3201"},
		{"a", []string{"1e99999999999999999999", "1e400", "-1e99999999999999999999", "1e-99999999999999999999", "0"}, "24310"},
		{"a", []string{`"b"`, `"a"`, `"B"`, `"é"`}, "2103"},
		{"a", []string{"null", `"x"`, "", "5"}, "3102"},
		{"-a", []string{"null", `"x"`, "", "5"}, "1302"},
		{"-a", []string{"1", "2", "1", "2"}, "1302"},
		{"a", []string{"1", "1.0", `"1"`, `"01"`}, "0123"},
		{"a", []string{`"1a"`, `"10"`, `"9"`}, "210"},
		{"a", []string{`""`, `"a"`, "1"}, "201"},
		{"a", []string{`"1e"`, `"."`, `"+-1"`, `"1e+-2"`, "7"}, "421" + "03"},
		{"a", []string{"true", "false", "[1]"}, "210"},
	} {
		t.Run(tc.column+" "+strings.Join(tc.values, " "), func(t *testing.T) {
			if got := order(t, tc.column, tc.values...); got != tc.want {
				t.Errorf("got order %s, want %s", got, tc.want)
			}
		})
	}
}

// TestEmptyNumberSortsLast checks that an empty text in a column of numbers is a missing value in both orders: its cell is empty.
func TestEmptyNumberSortsLast(t *testing.T) {
	empty, one := newSortKey(record.Value(`""`), encode.TypeNumber), newSortKey(record.Value("1"), encode.TypeNumber)
	if empty.compare(one, false) <= 0 || empty.compare(one, true) <= 0 {
		t.Error("got an empty text before a number, want it last")
	}
}

func TestSortOrderIsTotal(t *testing.T) {
	values := rapid.SampledFrom([]string{`1`, `"1"`, `"1a"`, `10`, `"9"`, `-0`, `0.0`, `null`, ``, `"x"`, `1e2`, `100`, `-1.5`, `"-"`, `[]`, `1e400`})
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) sortKey { return newSortKey(record.Value(values.Draw(t, name)), encode.TypeOfValue) }
		a, b, c := draw("a"), draw("b"), draw("c")
		for _, down := range []bool{false, true} {
			if a.compare(b, down) != -b.compare(a, down) {
				t.Fatal("not symmetric")
			}
			if a.compare(b, down) <= 0 && b.compare(c, down) <= 0 && a.compare(c, down) > 0 {
				t.Fatal("not transitive")
			}
		}
	})
}

// TestSortInRuns compares the order of records that are sorted in many runs with that of
// records that are sorted in memory.
func TestSortInRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var texts []string
	for i := range 5000 {
		value := []string{`"%d"`, `%d`, `"x%d"`, `null`, `-%d.5`}[random.IntN(5)]
		if strings.Contains(value, "%") {
			value = fmt.Sprintf(value, random.IntN(500))
		}
		texts = append(texts, fmt.Sprintf(`{"a":%s, "b":%d,"c":"%s"}`, value, i, strings.Repeat("é", random.IntN(50))))
	}
	column := encode.Column{Name: "a"}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, descending := range []bool{false, true} {
		t.Run(fmt.Sprintf("descending %v", descending), func(t *testing.T) {
			read := func(memory int) (all []string) {
				for rec, err := range sorted(records(texts...), []sortColumn{{wantedColumn{Column: column}, descending}}, memory) {
					noError(t, err)
					all = append(all, string(rec.Raw()))
				}
				return all
			}
			want := read(sortMemory)
			if got := read(10_000); !slices.Equal(got, want) {
				t.Error("the order in runs differs from that in memory")
			}
		})
	}
	t.Run("failing list", func(t *testing.T) {
		lost := errors.New("connection lost")
		n := 0
		var last error
		for _, err := range sorted(failing(lost, texts...), []sortColumn{{wantedColumn{Column: column}, false}}, 10_000) {
			if last = err; err == nil {
				n++
			}
		}
		if n != 0 || !errors.Is(last, lost) {
			t.Errorf("got %d records and %v, want the error alone", n, last)
		}
	})
	t.Run("reader that stops", func(t *testing.T) {
		for range sorted(records(texts...), []sortColumn{{wantedColumn{Column: column}, false}}, 10_000) {
			break
		}
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got files %v, %v, want none", left, err)
	}
	t.Run("no room for the file", func(t *testing.T) {
		t.Setenv("TMPDIR", dir+"/missing")
		var last error
		for _, err := range sorted(records(texts...), []sortColumn{{wantedColumn{Column: column}, false}}, 10_000) {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), "temporary file") {
			t.Errorf("got %v, want an error of the temporary file", last)
		}
	})
}

// TestSortIsBounded checks that a sort holds no more memory than its limit and the buffers
// of the runs.
func TestSortIsBounded(t *testing.T) {
	const n = 300_000 // 35 MB of text
	column := encode.Column{Name: "rank_id"}
	count := 0
	var peak uint64
	for _, err := range sorted(generated(n), []sortColumn{{wantedColumn{Column: column}, true}}, 4<<20) {
		noError(t, err)
		if count++; count%100_000 == 1 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
	}
	if count != n || peak > 20<<20 {
		t.Errorf("got %d records with %d MB, want %d with 20 MB at most", count, peak>>20, n)
	}
}

// FuzzNumberOrder compares the order of two numbers with that of math/big.
func FuzzNumberOrder(f *testing.F) {
	f.Add("10", "9.99e0")
	f.Add("-0", "+.0e5")
	f.Add("-1e-3", "-0.00099")
	f.Fuzz(func(t *testing.T, a, b string) {
		numbers, keys := [2]*big.Rat{}, [2]sortKey{}
		for i, text := range []string{a, b} {
			key, ok := parseNumber(text)
			if !ok {
				t.Skip("no number")
			}
			if float, err := strconv.ParseFloat(text, 64); err != nil && float == 0 {
				t.Fatalf("%q is taken for a number", text)
			}
			if key.exponent > 10_000 || key.exponent < -10_000 {
				t.Skip("math/big takes too long for its exponent")
			}
			keys[i] = key
			numbers[i], _ = new(big.Rat).SetString(text)
			if numbers[i] == nil {
				t.Fatalf("%q is taken for a number", text)
			}
		}
		if got, want := keys[0].compareInClass(keys[1]), numbers[0].Cmp(numbers[1]); got != want {
			t.Errorf("comparing %q and %q: got %d, want %d", a, b, got, want)
		}
	})
}
