package record

import (
	"bytes"
	"iter"
	"math"
	"slices"
)

// A Record is one JSON object as the service sent it. The zero Record has no fields and no text.
type Record struct {
	raw    []byte
	*index // nil for the zero Record; a pointer, since lists pass each record on by value several times
}

// An index says what is where in the text of a record.
type index struct {
	fields  []field
	marks   Marks
	cache   *nameCache // the cache of the Reader that read the record, or nil
	version uint64     // the version of the cache when the record was read; 0 without a cache
}

// A field holds the positions of a name and of its value in Record.raw. Those of the name include its quotes.
type field struct {
	key, keyEnd, val, end uint32
	keyMarks, marks       Marks
}

// Marks is a set of bits that say what occurs in a JSON text. By its marks, an output
// format decides whether it can copy the text as it is.
type Marks uint8

// The bits of Marks.
const (
	MarkComma    Marks = 1 << iota // a string contains a comma
	MarkEscape                     // a string contains an escape
	MarkNonASCII                   // a string contains DEL or a byte beyond ASCII
	MarkSpace                      // there is white space between the tokens
	MarkNested                     // a value is an array or an object
)

// Parse returns the record in raw, which must be one JSON object; there may be white space around it. The record refers to raw,
// which must not be changed afterwards. The error is a *SyntaxError, or ErrTooLarge if raw is longer than 4 GB.
func Parse(raw []byte) (Record, error) {
	if uint64(len(raw)) > math.MaxUint32 { // the positions of fields have 32 bits
		return Record{}, ErrTooLarge
	}
	s := scanner{b: raw, final: true}
	start := s.space(0)
	if start < len(raw) && raw[start] != '{' {
		return Record{}, &SyntaxError{Offset: int64(start), Message: "expected an object"}
	}
	rec := Record{index: &index{}}
	end := start
	err := errIncomplete
	s.marks = 0 // the white space before the record does not count
	if start < len(raw) {
		end, err = s.record(start, 0, &rec)
	}
	if rec.raw, err = s.whole(start, end, err); err != nil {
		return Record{}, err
	}
	return rec, nil
}

// ParseValue returns the JSON value in raw without the white space around it. The error is a *SyntaxError.
func ParseValue(raw []byte) (Value, error) {
	s := scanner{b: raw, final: true}
	start := s.space(0)
	end, err := s.value(start, 0)
	return s.whole(start, end, err)
}

// whole returns the value from start to end, which must be all that s has but for white
// space. err is that of the scan of the value.
func (s *scanner) whole(start, end int, err error) (Value, error) {
	if err == errIncomplete {
		return nil, &SyntaxError{Offset: int64(len(s.b)), Message: "unexpected end"}
	}
	if err != nil {
		return nil, err
	}
	if rest := s.space(end); rest != len(s.b) {
		return nil, &SyntaxError{Offset: int64(rest), Message: "unexpected text after the value"}
	}
	return s.b[start:end:end], nil
}

// Raw returns the JSON text of the record as the service sent it.
func (r Record) Raw() Value { return r.raw }

// String returns the text of the record, as the service sent it.
func (r Record) String() string { return string(r.raw) }

// Len returns the number of fields.
func (r Record) Len() int { return len(r.all()) }

func (r *Record) all() []field {
	if r.index == nil {
		return nil
	}
	return r.fields
}

// Fields iterates over the names and values of the fields in the order of the text.
func (r Record) Fields() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, f := range r.all() {
			if !yield(string(appendUnquoted(nil, r.raw[f.key+1:f.keyEnd-1])), r.raw[f.val:f.end:f.end]) {
				return
			}
		}
	}
}

// Marks returns the marks of the whole text.
func (r Record) Marks() Marks {
	if r.index == nil {
		return 0
	}
	return r.marks
}

// At returns the name of field i as a JSON string, its value, and the marks of both.
func (r *Record) At(i int) (name, v Value, marks Marks) {
	f := &r.fields[i]
	return r.raw[f.key:f.keyEnd:f.keyEnd], r.raw[f.val:f.end:f.end], f.keyMarks | f.marks
}

// Field returns the value of field i and its marks.
func (r *Record) Field(i int) (Value, Marks) {
	f := &r.fields[i]
	return r.raw[f.val:f.end:f.end], f.marks
}

// Lookup returns the value of the top-level field with a name, and the marks of the
// value. If several fields have the name, it returns the last one; if none has, nil.
func (r Record) Lookup(name string) (Value, Marks) {
	if i := r.indexOf(name); i >= 0 {
		return r.Field(i)
	}
	return nil, 0
}

func (r *Record) indexOf(name string) int {
	fields := r.all()
	for i := len(fields) - 1; i >= 0; i-- {
		f := &fields[i]
		key := r.raw[f.key+1 : f.keyEnd-1]
		if string(key) == name ||
			f.keyMarks&(MarkEscape|MarkNonASCII) != 0 && string(appendUnquoted(nil, key)) == name {
			return i
		}
	}
	return -1
}

// Decode decodes the record into the struct that v points to, as Value.Decode does.
func (r Record) Decode(v any) error { return Value(r.raw).Decode(v) }

// Clone returns a copy that stays valid when the Reader reads the next value.
func (r Record) Clone() Record {
	r.raw = bytes.Clone(r.raw)
	if r.index != nil {
		own := *r.index
		own.fields = slices.Clone(own.fields)
		r.index = &own
	}
	return r
}

// Prepend returns a copy of the record with fields in front. It leaves out the fields whose names the record has already.
func (r Record) Prepend(front ...Pair) Record {
	size := len(r.raw)
	for _, p := range front {
		size += len(p.Name) + len(p.Value) + len(`"":,`)
	}
	out := append(make([]byte, 0, size), '{')
	for _, p := range front {
		if r.indexOf(p.Name) >= 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(AppendQuote(out, p.Name), ':'), p.Value...)
	}
	with := Record{index: &index{fields: make([]field, 0, len(front)+r.Len())}}
	s := scanner{b: append(out, '}'), final: true}
	if _, err := s.record(0, 0, &with); err != nil {
		return r
	}
	if r.Len() > 0 && len(out) > 1 {
		out = append(out, ',')
	}
	body := bytes.TrimLeft(r.raw[1:], " \t\r\n")
	shift := uint32(len(out) - (len(r.raw) - len(body))) // may wrap around: adding it to a position wraps back
	with.raw, with.marks = append(out, body...), with.marks|r.Marks()
	for _, f := range r.all() {
		f.key, f.keyEnd, f.val, f.end = f.key+shift, f.keyEnd+shift, f.val+shift, f.end+shift
		with.fields = append(with.fields, f)
	}
	return with
}

// A Pair is the name and the value of a field.
type Pair struct {
	Name  string
	Value Value
}
