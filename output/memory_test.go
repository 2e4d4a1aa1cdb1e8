package output

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"reseller/client/record"
	"reseller/client/xlsx"
	"reseller/output/encode"
)

// A peakWriter discards what is written, and keeps how much was allocated at most when it
// was written to, and the size of the largest write.
type peakWriter struct {
	heap    uint64
	largest int
	writes  int
}

func (w *peakWriter) Write(p []byte) (int, error) {
	w.largest = max(w.largest, len(p))
	if w.writes++; w.writes%256 == 1 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		w.heap = max(w.heap, m.HeapAlloc)
	}
	return len(p), nil
}

// TestLargeRecordsAreWrittenInParts checks that no format holds the text of a record, which
// may be many times as long as the record.
func TestLargeRecordsAreWrittenInParts(t *testing.T) {
	const size = 1 << 20
	control := `{"a":"` + strings.Repeat("\x7f", size) + `"}`
	name := `{"` + strings.Repeat("\x7f", size) + `":"x"}`
	list := `{"a":["` + strings.Repeat("\x7f", size) + `"]}`
	nested := strings.Repeat("[", 100) + strings.Repeat("]", 100) + ","
	deep := `{"a":[` + strings.TrimSuffix(strings.Repeat(nested, size/len(nested)), ",") + `]}`
	for name, text := range map[string]string{"control characters": control, "control characters in a name": name, "control characters in a list": list, "nested": deep} {
		for _, format := range encode.RecordNames() {
			f := encode.Format(format)
			for _, shape := range []Shape{abc, single(abc)} {
				t.Run(name+" as "+string(f)+map[bool]string{true: " of one record"}[shape.Single], func(t *testing.T) {
					var w peakWriter
					p, err := New(&w, Options{Format: f})
					noError(t, err)
					err = p.Print(context.Background(), shape, records(text))
					var want error
					if f == encode.XLSX && strings.HasPrefix(text, `{"a":`) {
						want = xlsx.ErrTooLong
					}
					if !errors.Is(err, want) {
						t.Fatalf("got %v, want %v", err, want)
					}
					if w.heap > 32<<20 {
						t.Errorf("got a heap of %d MB, want 32 at most", w.heap>>20)
					}
					if f != encode.NDJSON && w.largest > 2*size {
						t.Errorf("got a write of %d MB, want %d at most", w.largest>>20, 2*size>>20)
					}
				})
			}
		}
	}
}

// TestLargeCellsDoNotWidenTheTable checks that a row is not padded to the width of a huge
// cell in another row.
func TestLargeCellsDoNotWidenTheTable(t *testing.T) {
	texts := []string{`{"a":"` + strings.Repeat("x", 60_000) + `","b":1}`}
	for range 99 {
		texts = append(texts, `{"a":"x","b":1}`)
	}
	if got := len(render(t, Options{}, abc, texts...)); got > 400_000 {
		t.Errorf("got %d bytes, want no more than the large cell and rows of 1,000 columns", got)
	}
	if got := len(render(t, Options{}, abc, texts[1:]...)); got > 2_000 {
		t.Errorf("got %d bytes without the large cell, want narrow rows", got)
	}
}

// TestJQResultsAreWrittenInParts checks that a result with many elements, all of
// which are the same one, is never in memory as text.
func TestJQResultsAreWrittenInParts(t *testing.T) {
	var w peakWriter
	p, err := New(&w, Options{Format: encode.JSON, JQ: `[limit(400000; repeat("a"))]`})
	noError(t, err)
	noError(t, p.Print(context.Background(), abc, records(`{"a":1}`)))
	if w.largest > 1<<20 {
		t.Errorf("got a write of %d bytes, want parts", w.largest)
	}
}

// TestManyFieldsBecomeColumns checks that each of many fields becomes a column, or a line of
// the table of one record, and that more than maxColumns columns are an error.
func TestManyFieldsBecomeColumns(t *testing.T) {
	const n = 20_000
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"f` + string(record.Integer(int64(i))) + `":{"x":` + string(record.Integer(int64(i))) + `}`)
	}
	text := "{" + b.String()[1:] + "}"
	for name, o := range map[string]Options{"csv": {Format: encode.CSV, Columns: []string{"all"}}, "table": {Columns: []string{"all"}}} {
		t.Run(name, func(t *testing.T) {
			header, _, _ := strings.Cut(render(t, o, abc, text), "\n")
			if got := strings.Count(strings.ToLower(header), ".f"); got != n {
				t.Errorf("got %d columns, want %d", got, n)
			}
		})
	}
	t.Run("one record", func(t *testing.T) {
		if got := strings.Count(render(t, Options{}, single(abc), text), "\n.f"); got != n {
			t.Errorf("got %d lines, want %d", got, n)
		}
	})
	t.Run("too long names", func(t *testing.T) {
		long := strings.Repeat("\x7f", maxColumnNames/100)
		_, err := printed(t, Options{Format: encode.CSV, Columns: []string{"all"}}, records(`{"`+strings.ReplaceAll(strings.Repeat(long+"-", 20), "-", `":0,"`)+`":0}`))
		if err != nil {
			t.Errorf("got error %v of one name, want none", err)
		}
		var b strings.Builder
		for i := range 20 { // 20 % of the limit, and more than it with escapes
			b.WriteString(`,"` + long + string(record.Integer(int64(i))) + `":0`)
		}
		_, err = printed(t, Options{Format: encode.CSV, Columns: []string{"all"}}, records("{"+b.String()[1:]+"}"))
		if err == nil || !strings.Contains(err.Error(), "too much for columns") {
			t.Errorf("got %v, want an error of the names", err)
		}
	})
	t.Run("a long name is not repeated for each member", func(t *testing.T) {
		name := strings.Repeat("x", encode.MaxFlattenedName+1)
		for name, want := range map[string]string{name[1:]: name[1:] + ".a," + name[1:] + ".b\n1,2\n", name: name + "\n\"{\"\"a\"\":1,\"\"b\"\":2}\"\n"} {
			if got := render(t, Options{Format: encode.CSV}, Shape{}, `{"`+name+`":{"a":1,"b":2}}`); got != want {
				t.Errorf("%d bytes: got %q, want %q", len(name), got, want)
			}
		}
	})
	t.Run("too many columns", func(t *testing.T) {
		_, err := printed(t, Options{Format: encode.CSV, Columns: []string{"all"}}, records(text, manyFields(maxColumns+1)))
		if err == nil || !strings.Contains(err.Error(), "too many for columns") {
			t.Errorf("got %v, want an error of the number of columns", err)
		}
	})
}

// manyFields returns a record of n fields.
func manyFields(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"n` + string(record.Integer(int64(i))) + `":0`)
	}
	return "{" + b.String()[1:] + "}"
}
