// Package record holds JSON records as the service sent them: the text of an
// object, scanned once, with the places of its fields. Nothing is retyped, so
// nothing is lost between an answer and what is printed.
package record

import (
	"bytes"
	"encoding/json"
	"iter"
	"math"
	"slices"
)

// A Record is one JSON object as it came.
type Record struct {
	raw     []byte
	fields  []field
	marks   Marks
	cache   *nameCache // those of the records that came before, where it came from a Reader
	version uint64     // of names; 0 where they are not all remembered
}

// field notes where a member's name and value stand in raw, quotes included.
type field struct {
	key, keyEnd, val, end uint32
	keyMarks, marks       Marks
}

// Marks tell what is in a JSON text, so that one that needs nothing done to it
// can be copied as it is.
type Marks uint8

// The marks.
const (
	MarkComma    Marks = 1 << iota // a string holds a comma,
	MarkEscape                     // a backslash,
	MarkNonASCII                   // DEL or a byte beyond ASCII
	MarkSpace                      // there is white space between the parts
)

// Parse scans the object in raw, white space around it allowed. The record
// keeps raw; it must not be changed afterwards.
func Parse(raw []byte) (Record, error) {
	if uint64(len(raw)) > math.MaxUint32 { // a field is found by 32 bits
		return Record{}, ErrTooLarge
	}
	s := scanner{b: raw, final: true}
	start := s.space(0)
	if start < len(raw) && raw[start] != '{' {
		return Record{}, &SyntaxError{Offset: int64(start), Message: "an object was expected"}
	}
	var rec Record
	end := start
	err := errIncomplete
	s.marks = 0 // of what stands before the record
	if start < len(raw) {
		end, err = s.record(start, 0, &rec)
	}
	if err == errIncomplete {
		return Record{}, &SyntaxError{Offset: int64(len(raw)), Message: "the text ends too soon"}
	}
	if err != nil {
		return Record{}, err
	}
	if rest := s.space(end); rest != len(raw) {
		return Record{}, &SyntaxError{Offset: int64(rest), Message: "something follows the value"}
	}
	rec.raw = raw[start:end:end]
	return rec, nil
}

// ParseValue checks that raw is one JSON value and returns it without the
// white space around it.
func ParseValue(raw []byte) (Value, error) {
	s := scanner{b: raw, final: true}
	start := s.space(0)
	end, err := s.value(start, 0)
	if err == errIncomplete {
		return nil, &SyntaxError{Offset: int64(len(raw)), Message: "the text ends too soon"}
	}
	if err != nil {
		return nil, err
	}
	if rest := s.space(end); rest != len(raw) {
		return nil, &SyntaxError{Offset: int64(rest), Message: "something follows the value"}
	}
	return Value(raw[start:end:end]), nil
}

// Raw is the record's JSON text as it came.
func (r Record) Raw() Value { return r.raw }

// Len is the number of fields.
func (r Record) Len() int { return len(r.fields) }

// Fields walks names and values in the order they came.
func (r Record) Fields() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i := range r.fields {
			f := &r.fields[i]
			if !yield(string(appendUnquoted(nil, r.raw[f.key+1:f.keyEnd-1])), r.value(f)) {
				return
			}
		}
	}
}

func (r Record) value(f *field) Value { return r.raw[f.val:f.end:f.end] }

// Marks are those of the record's whole text.
func (r Record) Marks() Marks { return r.marks }

// At is the name of field i, in quotes as it came, its value, and the marks of
// both.
func (r *Record) At(i int) (name, v Value, marks Marks) {
	f := &r.fields[i]
	return r.raw[f.key:f.keyEnd:f.keyEnd], r.raw[f.val:f.end:f.end], f.keyMarks | f.marks
}

// Field is the value of field i and its marks.
func (r *Record) Field(i int) (Value, Marks) {
	f := &r.fields[i]
	return r.raw[f.val:f.end:f.end], f.marks
}

// Lookup returns the top-level field of that name and its marks. Of two fields
// of one name the last counts.
func (r Record) Lookup(name string) (Value, Marks) {
	if i := r.index(name); i >= 0 {
		return r.Field(i)
	}
	return nil, 0
}

// index is the place of the field of that name, or -1.
func (r *Record) index(name string) int {
	for i := len(r.fields) - 1; i >= 0; i-- {
		f := &r.fields[i]
		key := r.raw[f.key+1 : f.keyEnd-1]
		if string(key) == name ||
			f.keyMarks&(MarkEscape|MarkNonASCII) != 0 && string(appendUnquoted(nil, key)) == name {
			return i
		}
	}
	return -1
}

// Has tells whether the record carries a field of that very name.
func (r Record) Has(name string) bool {
	v, _ := r.Lookup(name)
	return v != nil
}

// Decode fills the struct that v points to, as encoding/json does.
func (r Record) Decode(v any) error { return json.Unmarshal(r.raw, v) }

// Clone is a copy that outlives the iteration it came from.
func (r Record) Clone() Record {
	r.raw, r.fields = bytes.Clone(r.raw), slices.Clone(r.fields)
	return r
}

// Prepend is a copy with the fields of front put before its own. Names that the
// record carries already are left as they are.
func (r Record) Prepend(front ...Pair) Record {
	size := len(r.raw)
	for _, p := range front {
		size += len(p.Name) + len(p.Value) + len(`"":,`)
	}
	out := append(make([]byte, 0, size), '{')
	for _, p := range front {
		if r.Has(p.Name) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(appendName(out, p.Name), ':'), p.Value...)
	}
	with := Record{fields: make([]field, 0, len(front)+len(r.fields))}
	s := scanner{b: append(out, '}'), final: true}
	if _, err := s.record(0, 0, &with); err != nil {
		return r
	}
	if len(r.fields) > 0 && len(out) > 1 {
		out = append(out, ',')
	}
	body := bytes.TrimLeft(r.raw[1:], " \t\r\n")
	shift := uint32(len(out) - (len(r.raw) - len(body))) // less than 0 wraps around, and back
	with.raw, with.marks = append(out, body...), with.marks|r.marks
	for _, f := range r.fields {
		f.key, f.keyEnd, f.val, f.end = f.key+shift, f.keyEnd+shift, f.val+shift, f.end+shift
		with.fields = append(with.fields, f)
	}
	return with
}

// appendName writes name in quotes.
func appendName(dst []byte, name string) []byte {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(name)
			return append(dst, quoted...)
		}
	}
	return append(append(append(dst, '"'), name...), '"')
}

// A Pair is a field to put into a record.
type Pair struct {
	Name  string
	Value Value
}
