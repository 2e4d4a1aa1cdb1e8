package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// checkSequence checks that records which are read one after the other, while the reader
// remembers their names, equal those that are parsed alone and by encoding/json.
func checkSequence(t *testing.T, texts ...[]byte) {
	t.Helper()
	var want []Record
	finder := Finder{Names: []string{"a", "", "missing", "id", "\u00e9"}}
	for _, text := range texts {
		rec, err := Parse(text)
		if err != nil || !json.Valid(text) {
			return
		}
		want = append(want, rec)
		for name := range rec.Fields() {
			finder.Names = append(finder.Names, name)
		}
	}
	r := NewReader(bytes.NewReader(bytes.Join(texts, []byte(" "))), 1<<20)
	var rec Record
	for i := range want {
		if err := r.Record(&rec); err != nil {
			t.Fatalf("%q: record %d: %v", texts, i, err)
		}
		if marks := marksOf(rec.Raw()[1:]); rec.Marks() != want[i].Marks() || rec.Marks() != marks {
			t.Fatalf("%q: record %d has the marks %b, parsed alone %b, want %b", texts, i, rec.Marks(), want[i].Marks(), marks)
		}
		if !bytes.Equal(rec.raw, want[i].raw) || !slices.Equal(rec.fields, want[i].fields) {
			t.Fatalf("%q: record %d is %q %v, want %q %v as parsed alone", texts, i, rec.raw, rec.fields, want[i].raw, want[i].fields)
		}
		for j := range rec.Len() {
			if name, v, marks := rec.At(j); marks != marksOf(name)|marksOf(v) {
				t.Fatalf("%q: record %d: field %s %s has marks %b", texts, i, name, v, marks)
			}
		}
		var members map[string]json.RawMessage
		_ = json.Unmarshal(rec.Raw(), &members)
		for j, place := range finder.In(&rec) {
			var got Value
			if place >= 0 {
				got, _ = rec.Field(place)
			}
			if !bytes.Equal(got, members[finder.Names[j]]) {
				t.Fatalf("%q: record %d: %q is %q, want %q", texts, i, finder.Names[j], got, members[finder.Names[j]])
			}
		}
	}
}

// marksOf finds the marks of a text the slow way.
func marksOf(text []byte) (marks Marks) {
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			inString = !inString
		case inString && c == '\\':
			marks |= MarkEscape
			i++
		case inString && c == ',':
			marks |= MarkComma
		case c >= 0x7f:
			marks |= MarkNonASCII
		case !inString && strings.IndexByte(" \t\r\n", c) >= 0:
			marks |= MarkSpace
		case !inString && (c == '{' || c == '['):
			marks |= MarkNested
		}
	}
	return marks
}

func TestRecordsInSequence(t *testing.T) {
	texts := [][]byte{
		[]byte(`{"a":1,"b":"x"}`), []byte(`{"a":2,"b":"y, z"}`), []byte(`{"a":3}`), []byte(`{"b":"x","a":1}`), []byte(`{}`),
		[]byte(`{"a":1,"b":2,"c":[1, "é"]}`), []byte(`{"a":1,"a":2}`), []byte(`{"\u0061":1,"é":2}`), []byte(`{ "a" : 1 , "b" : 2 }`),
		[]byte(`{"aa":1,"b":2}`), []byte(`{"a":10,"b":-0.5e1,"c":true,"d":null}`), []byte(`{"` + strings.Repeat("n", 2*maxCachedLen) + `":1,"id":2}`),
	}
	var many strings.Builder
	for i := range 2 * maxCached {
		fmt.Fprintf(&many, `,"n%d":%d`, i, i)
	}
	texts = append(texts, []byte(`{`+many.String()[1:]+`}`), []byte(`{`+strings.ReplaceAll(many.String()[1:], "n99", "m99")+`}`))
	for _, a := range texts {
		for _, b := range texts {
			checkSequence(t, a, b, b, a)
		}
	}
	checkSequence(t, texts...)
}

func FuzzRecordsInSequence(f *testing.F) {
	for i := range samples {
		f.Add([]byte(samples[i]), []byte(samples[(i+1)%len(samples)]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		checkSequence(t, a, b, a)
		checkSequence(t, b, a, a, b)
	})
}
