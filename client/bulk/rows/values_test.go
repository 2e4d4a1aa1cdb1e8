package rows

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
)

func TestValuesSetAndGet(t *testing.T) {
	var v Values
	v.Set("a", record.Value("1"))
	v.Set("b", record.Value("2"))
	v.Set("a", record.Value("3"))
	if got, want := describe(Row{Values: v}), "a=3 b=2"; got != want {
		t.Errorf("got the values %s, want %s", got, want)
	}
	if got := v.Get("c"); got != nil {
		t.Errorf("Get of a field without a value: got %s, want nil", got)
	}
	if got := describe(Row{Values: FromMap(v.Map())}); got != "a=3 b=2" {
		t.Errorf("through a map: got the values %s, want a=3 b=2", got)
	}
}

// TestClonedRowsOutliveTheWalk checks that clones do not share memory with the rows of
// a walk.
func TestClonedRowsOutliveTheWalk(t *testing.T) {
	json := []byte("1")
	row := Row{Line: 2, Ordinal: 1, Values: Values{{"a", json}}, Cells: []string{"1"}}
	clones := Clone(row, row)
	json[0] = '9'
	row.Values[0].Name = "b"
	for i, clone := range clones {
		if got := describe(clone); got != "a=1" || clone.Line != 2 || clone.Ordinal != 1 || clone.Cells != nil {
			t.Errorf("clone %d: got %s, line %d, ordinal %d, cells %q; want a=1, 2, 1 and none", i, got, clone.Line, clone.Ordinal, clone.Cells)
		}
	}
}

func TestExpandDerivesItems(t *testing.T) {
	s, err := source(t, "csv", keywordHead+"1,1,a,target\n1,1,b,target\nx,1,y,target\n1,1,c,target\n", createSchema())
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Validate(t.Context())
	wantError(t, err, "line 4, account_id") // that row has no items
	items := func(row Row) []Values {       // none for a, one for b, two for c
		text := row.Values.Get("keyword").Text()
		var out []Values
		for n := range int(text[0] - 'a') {
			out = append(out, Values{{"keyword", record.Quote(text + string(rune('1'+n)))}})
		}
		return out
	}
	all := func(skip func(row int) bool) (texts []string, ordinals []int, src *Source) {
		src = s.Expand(items, ByAllFields, []uint32{1, 3, 3}, skip)
		for row, err := range src.All() {
			if err != nil {
				t.Fatal(err)
			}
			texts, ordinals = append(texts, row.Values.Get("keyword").Text()), append(ordinals, row.Ordinal)
		}
		return texts, ordinals, src
	}
	texts, ordinals, src := all(func(int) bool { return false })
	if !slices.Equal(texts, []string{"b1", "c1", "c2"}) || !slices.Equal(ordinals, []int{0, 1, 2}) || src.Len() != 3 {
		t.Errorf("got the items %q with ordinals %v of %d, want b1, c1, c2 with 0 to 2 of 3", texts, ordinals, src.Len())
	}
	src.DropIndex() // the index of items is needed until the end
	if index, err := src.Index(); err != nil || index == nil {
		t.Errorf("Index after DropIndex: got %v, error %v; want the index", index, err)
	}
	if s.DropIndex(); s.index != nil {
		t.Error("got the index of the file after DropIndex, want none")
	}
	texts, ordinals, _ = all(func(row int) bool { return row == 1 })
	if !slices.Equal(texts, []string{"c1", "c2"}) || !slices.Equal(ordinals, []int{1, 2}) {
		t.Errorf("with a row skipped: got the items %q with ordinals %v, want c1, c2 with 1, 2", texts, ordinals)
	}
}

// TestKeptRowsAreNotReadAgain checks that the valid rows of a small file come without the file, whatever a caller does with them
// and whichever of them it refuses, and those of a large one do not.
func TestKeptRowsAreNotReadAgain(t *testing.T) {
	defer func(room int) { maxKept = room }(maxKept)
	for name, room := range map[string]int{"small": 1 << 20, "large file": 1, "large rows": 1000} {
		t.Run(name, func(t *testing.T) {
			maxKept = room
			text := ""
			for _, row := range []string{`1,"a"`, `1,"b"`, `"x","y"`, `1,"c"`, `1,"a"`} {
				account, keyword, _ := strings.Cut(row, ",")
				text += fmt.Sprintf(`{"account_id":%s,"campaign_id":1,"keyword":%s,"keyword_type":"target"}`+"\n", account, keyword)
			}
			s, err := source(t, "ndjson", text, createSchema())
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Validate(t.Context())
			wantError(t, err, "line 3, account_id")
			s.Append(Appended{Name: "appended", Values: Values{{"keyword", record.Quote("d")}}})
			for row := range s.Valid() {
				if row.Ordinal == 1 {
					s.Refuse(row, Fault{Column: "keyword", Reason: "refused"})
				}
			}
			_ = s.Close() // from now on, the file can't be read
			for range 2 {
				got := ""
				for row, err := range s.Valid() {
					if err != nil {
						got = "error"
						break
					}
					got += fmt.Sprintf("%s/%d ", row.Values.Get("keyword").Text(), row.Ordinal)
					row.Values.Set("keyword", record.Quote("changed"))
				}
				if want := map[bool]string{true: "a/0 c/3 d/5 ", false: "error"}[name == "small"]; got != want {
					t.Errorf("got the rows %q, want %q", got, want)
				}
			}
		})
	}
}

func TestShardString(t *testing.T) {
	for want, shard := range map[string]Shard{"": {}, "2/3": {2, 3}} {
		t.Run("shard "+want, func(t *testing.T) {
			if got := shard.String(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestSmallTablesAreKept: a small csv may be saved in place while its rows are sent.
func TestSmallTablesAreKept(t *testing.T) {
	s, err := source(t, "csv", "account_id,campaign_id,keyword,keyword_type\n1,1,a,target\n1,1,b,target\n", createSchema())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = s.Close() // from now on, the file can't be read
	n := 0
	for _, err := range s.Valid() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("got %d rows, want 2", n)
	}
}
