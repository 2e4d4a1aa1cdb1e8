package output

import (
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
	out := render(t, Options{Format: encode.CSV, Columns: []string{"b"}, NoHeader: true, Sort: column}, abc, texts...)
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

func TestSortOrderIsTotal(t *testing.T) {
	values := rapid.SampledFrom([]string{`1`, `"1"`, `"1a"`, `10`, `"9"`, `-0`, `0.0`, `null`, ``, `"x"`, `1e2`, `100`, `-1.5`, `"-"`, `[]`, `1e400`})
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) sortKey { return newSortKey(record.Value(values.Draw(t, name))) }
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
