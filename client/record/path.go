package record

import (
	"bytes"
	"strings"
)

// AllMarks are the marks of a value whose text was not scanned separately, such as a nested
// value. They say that everything may occur in the text.
const AllMarks = ^Marks(0)

// Get returns the value at a path, nil if there is none: the field whose name is the whole path, or else, in the field that the
// part before the first dot names, the value at the rest of the path (see Value.Get).
func (r Record) Get(path string) Value {
	v, _ := r.Find(path)
	return v
}

// Find is Get that also returns the marks of the value. It allocates no memory for
// nested objects, since a list with a nested column calls it for every record.
func (r *Record) Find(path string) (Value, Marks) {
	if v, marks := r.Lookup(path); v != nil {
		return v, marks
	}
	head, rest, nested := strings.Cut(path, ".")
	if !nested {
		return nil, 0
	}
	v, _ := r.Lookup(head)
	return v.Get(rest), AllMarks
}

// member returns the last member of an object with a name, nil if there is none.
func (v Value) member(wanted string) (found Value) {
	if v.Kind() != Object {
		return nil
	}
	s := scanner{b: v, final: true}
	for i, more := s.space(1), v.HasElements(); more; { // without looking at errors, since v is valid
		name := i
		i, _, _ = s.name(i)
		matches := isQuoted(v[name:i], wanted)
		start, _ := s.colon(i)
		i, _ = s.value(start, 0)
		if matches {
			found = v[start:i:i]
		}
		i, more, _ = s.next(i)
	}
	return found
}

func isQuoted(quoted Value, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	return quoted.Text() == name
}

// SkipSpace returns the index of the first byte from i on that is not white space.
func SkipSpace(v []byte, i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\n' || v[i] == '\t' || v[i] == '\r') {
		i++
	}
	return i
}
