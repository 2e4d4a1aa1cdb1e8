package rows

import (
	"fmt"
	"iter"
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
		src = s.Expand(items, ByAllFields, []uint32{1, 3, 3}, skip, func(int) bool { return true })
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

// TestKeptRowsAreNotReadAgain checks that the items of kept rows come without the file, and only if no other rows are needed.
func TestKeptRowsAreNotReadAgain(t *testing.T) {
	before := maxKept
	defer func() { maxKept = before }()
	for name, c := range map[string]struct {
		keep, skip, need string // the keywords of the rows
		room             int
		want             string
	}{
		"all":                   {keep: "a b c", need: "a b c", room: 1 << 20, want: "a/0 b/1 c/2"},
		"some":                  {keep: "a c", need: "c", room: 1 << 20, want: "a/0 c/2"},
		"none is needed":        {room: 1 << 20},
		"a kept one is skipped": {keep: "a b", need: "a b", skip: "a", room: 1 << 20, want: "b/1"},
		"one that is skipped":   {keep: "b", need: "a b", skip: "a", room: 1 << 20, want: "b/1"},
		"not enough":            {keep: "a b", need: "c", room: 1 << 20, want: "error"},
		"too many":              {keep: "a b c", need: "c", room: 1, want: "error"},
	} {
		t.Run(name, func(t *testing.T) {
			s := validSource(t, "csv", keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n", createSchema())
			maxKept = c.room
			in := func(list string) func(row int) bool {
				return func(row int) bool { return strings.Contains(list, "abc"[row:row+1]) }
			}
			for range 2 {
				for row, err := range s.Valid() {
					if err != nil {
						t.Fatal(err)
					}
					if in(c.keep)(row.Ordinal) {
						s.Keep(row)
					}
				}
			}
			_ = s.Close() // from now on, the file can't be read
			src := s.Expand(func(row Row) []Values { return []Values{row.Values} }, ByAllFields, []uint32{0, 1, 2}, in(c.skip), in(c.need))
			maxKept = 1
			s.Keep(&Row{Ordinal: 9}) // for which there is no room: the rows that were kept before stay in src
			for range 2 {
				if got := walked(src.All(), func(*Row) {}); got != c.want {
					t.Errorf("got the items %q, want %q", got, c.want)
				}
			}
		})
	}
}

// walked returns the keyword and the ordinal of each row of a walk, or error. each is called with every row, whose values
// are changed afterwards.
func walked(walk iter.Seq2[*Row, error], each func(*Row)) string {
	var got []string
	for row, err := range walk {
		if err != nil {
			return "error"
		}
		got = append(got, fmt.Sprintf("%s/%d", row.Values.Get("keyword").Text(), row.Ordinal))
		each(row)
		row.Values.Set("keyword", record.Quote("changed"))
	}
	return strings.Join(got, " ")
}

// TestAgain keeps rows of a file that then can't be read, walks them again and keeps them a second time.
func TestAgain(t *testing.T) {
	defer func(room int) { maxKept = room }(maxKept)
	for name, c := range map[string]struct {
		keep, refuse string
		room         int
		want         string
	}{
		"all":                 {keep: "a b c", room: 1 << 20, want: "a/0 b/1 c/2 d/3"},
		"some":                {keep: "a c", room: 1 << 20, want: "error"},
		"none":                {room: 1 << 20, want: "error"},
		"too many":            {keep: "a b c", room: 1, want: "error"},
		"one that is refused": {keep: "a b c", refuse: "b", room: 1 << 20, want: "a/0 c/2 d/3"},
		"all but a refused":   {keep: "a c", refuse: "b", room: 1 << 20, want: "a/0 c/2 d/3"},
	} {
		t.Run(name, func(t *testing.T) {
			s := validSource(t, "csv", keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n", createSchema())
			maxKept = c.room
			for row, err := range s.Valid() {
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(c.keep, row.Values.Get("keyword").Text()) {
					s.Keep(row)
				}
				if c.refuse == row.Values.Get("keyword").Text() {
					s.Refuse(row, Fault{Column: "keyword", Reason: "refused"})
				}
			}
			s.Append(Appended{Name: "appended", Values: Values{{"keyword", record.Quote("d")}}})
			_ = s.Close() // from now on, the file can't be read
			maxKept = 1 << 20
			for range 2 {
				got := walked(s.Again(), func(row *Row) {
					if !row.IsAppended() {
						s.Keep(row)
					}
				})
				if got != c.want {
					t.Errorf("got the rows %q, want %q", got, c.want)
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
