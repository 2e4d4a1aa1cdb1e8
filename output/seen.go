package output

import (
	"iter"
	"slices"
	"strings"

	"reseller/client/record"
)

// held is a whole sequence in memory, for formats that must know all of it
// before the first line.
type held struct {
	raw [][]byte
	err error
}

func hold(seq iter.Seq2[record.Record, error]) held {
	var h held
	for rec, err := range seq {
		if err != nil {
			h.err = err
			break
		}
		h.raw = append(h.raw, slices.Clone(rec.Raw()))
	}
	return h
}

func (h held) replay() iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for _, raw := range h.raw {
			if !yield(record.Parse(raw)) {
				return
			}
		}
		if h.err != nil {
			yield(record.Record{}, h.err)
		}
	}
}

// columns are all that the records carry: the documented ones first, then the
// others in the order they were first seen, objects taken apart.
func (h held) columns(s Shape) []column {
	var documented, others []column
	for _, c := range s.every() {
		documented = append(documented, newColumn(c))
	}
	used := make([]bool, len(documented))
	known := map[string]bool{}
	for rec, err := range h.replay() {
		if err != nil {
			break
		}
		for i := range documented {
			if !used[i] {
				v, _ := documented[i].get(&rec)
				used[i] = v != nil
			}
		}
		for _, c := range s.others(rec) {
			if id := strings.Join(c.keys, "\x00"); !known[id] {
				known[id] = true
				others = append(others, c)
			}
		}
	}
	var all []column
	for i, c := range documented {
		if used[i] {
			all = append(all, c)
		}
	}
	return append(all, others...)
}

// others are the fields of rec that no documented column shows.
func (s Shape) others(rec record.Record) []column {
	shown := map[string]bool{}
	for _, c := range s.every() {
		shown[c.Name] = true
		v := rec.Get(c.Name)
		for i := 0; i < len(c.Alt) && none(v); i++ {
			shown[c.Alt[i]] = true
			v = rec.Get(c.Alt[i])
		}
	}
	var out []column
	var walk func(keys []string, v record.Value)
	walk = func(keys []string, v record.Value) {
		name := strings.Join(keys, ".")
		if shown[name] {
			return
		}
		if v.Kind() == record.Object && len(v.AppendCompact(nil)) > len("{}") {
			for key, inner := range v.Members() {
				walk(append(slices.Clone(keys), key), inner)
			}
			return
		}
		if len(shown) > 0 { // among documented columns it is told by its dot
			name = "." + name
		}
		out = append(out, column{name: name, keys: keys})
	}
	for key, v := range rec.Fields() {
		walk([]string{key}, v)
	}
	return out
}
