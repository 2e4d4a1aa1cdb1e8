package output

import (
	"iter"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/output/encode"
)

// buffered holds all records of a sequence in memory, for output whose first line
// depends on all of them.
type buffered struct {
	raw [][]byte
	err error // the error that the sequence ended in
}

func readAll(seq iter.Seq2[record.Record, error]) buffered {
	var b buffered
	for rec, err := range seq {
		if err != nil {
			b.err = err
			break
		}
		b.raw = append(b.raw, slices.Clone(rec.Raw()))
	}
	return b
}

// replay returns the sequence that was read.
func (b *buffered) replay() iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for _, raw := range b.raw {
			if !yield(record.Parse(raw)) {
				return
			}
		}
		if b.err != nil {
			yield(record.Record{}, b.err)
		}
	}
}

// columns returns a column for each field that occurs in the records: first the
// documented columns, then the others in the order in which they first occur. A
// field with an object gives a column for each field of the object.
func (b *buffered) columns(s Shape) []encode.Column {
	var documented, undocumented []encode.Column
	for _, c := range s.documented() {
		documented = append(documented, c.column())
	}
	used := make([]bool, len(documented))
	seen := map[string]bool{}
	for rec, err := range b.replay() {
		if err != nil {
			break
		}
		for i := range documented {
			if !used[i] {
				v, _ := documented[i].Get(&rec)
				used[i] = v != nil
			}
		}
		for _, c := range s.undocumented(rec) {
			if id := strings.Join(c.Keys, "\x00"); !seen[id] {
				seen[id] = true
				undocumented = append(undocumented, c)
			}
		}
	}
	var all []encode.Column
	for i, c := range documented {
		if used[i] {
			all = append(all, c)
		}
	}
	return append(all, undocumented...)
}

// undocumented returns a column for each field of rec that no documented
// column shows.
func (s Shape) undocumented(rec record.Record) []encode.Column {
	shown := map[string]bool{}
	for _, c := range s.documented() {
		shown[c.Name] = true
		v := rec.Get(c.Name)
		for i := 0; i < len(c.Alt) && encode.IsNull(v); i++ {
			shown[c.Alt[i]] = true
			v = rec.Get(c.Alt[i])
		}
	}
	var out []encode.Column
	var walk func(keys []string, v record.Value)
	walk = func(keys []string, v record.Value) {
		name := strings.Join(keys, ".")
		if shown[name] {
			return
		}
		if v.Kind() == record.Object && len(v.AppendCompact(nil)) > len("{}") {
			for key, member := range v.Members() {
				walk(append(slices.Clone(keys), key), member)
			}
			return
		}
		if len(shown) > 0 { // --columns takes undocumented fields with a leading dot
			name = "." + name
		}
		out = append(out, encode.Column{Name: name, Keys: slices.Clone(keys)})
	}
	for key, v := range rec.Fields() {
		walk([]string{key}, v)
	}
	return out
}
