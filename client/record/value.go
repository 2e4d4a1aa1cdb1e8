package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Kind is the JSON type of a value.
type Kind uint8

// The kinds of values. Missing is the kind of a nil Value.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind for messages, such as "a number".
func (k Kind) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// A Value is the JSON text of one value, without white space around it. The methods require valid JSON, which ParseValue, a
// Reader and a Record return. A nil Value is a missing value.
type Value []byte

// Kind returns the kind of the value.
func (v Value) Kind() Kind {
	if len(v) == 0 {
		return Missing
	}
	switch v[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Text returns the value as a person writes it: a string without quotes and escapes, the empty text for null and for a missing
// value, and otherwise the JSON text without white space. The text is valid UTF-8, and has memory of its own.
func (v Value) Text() string {
	var short [64]byte
	return string(v.AppendText(short[:0]))
}

// AppendText appends v.Text() to dst.
func (v Value) AppendText(dst []byte) []byte {
	switch v.Kind() {
	case Missing, Null:
		return dst
	case String:
		return appendUnquoted(dst, v[1:len(v)-1])
	case Array, Object:
		start := len(dst)
		if dst = v.AppendCompact(dst); !utf8.Valid(dst[start:]) {
			dst = append(dst[:start], string([]rune(string(dst[start:])))...)
		}
		return dst
	}
	return append(dst, v...)
}

// AppendCompact appends the JSON text without the white space between its tokens.
func (v Value) AppendCompact(dst []byte) []byte {
	if k := v.Kind(); k != Array && k != Object {
		return append(dst, v...)
	}
	inString := false
	for i := 0; i < len(v); i++ {
		c := v[i]
		switch {
		case inString && c == '\\':
			dst = append(dst, c)
			i++
			c = v[i]
		case c == '"':
			inString = !inString
		case !inString && (c == ' ' || c == '\n' || c == '\t' || c == '\r'):
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// HasElements reports whether the value is an array or an object that is not empty.
func (v Value) HasElements() bool {
	if k := v.Kind(); k != Array && k != Object {
		return false
	}
	first := v[SkipSpace(v, 1)]
	return first != '}' && first != ']'
}

// Int64 returns the value as a whole number, and reports whether it is one. Numbers
// and strings such as "7" and 2.0 are, and "0012" is not.
func (v Value) Int64() (int64, bool) {
	if k := v.Kind(); k != Number && k != String {
		return 0, false
	}
	text := strings.TrimSpace(v.Text())
	if len(text) > 1 && text[0] == '0' && text[1] != '.' {
		return 0, false // the name of something, such as the account 0012
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != float64(int64(f)) || f > 1<<53 || f < -1<<53 {
		return 0, false
	}
	return int64(f), true // a number such as 2.0
}

// Decode decodes the value into what p points to, as json.Unmarshal does. The error of a value of another type names its field.
func (v Value) Decode(p any) error {
	err := json.Unmarshal(v, p)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		kinds := map[string]string{"int64": "a whole number", "float64": "a number", "slice": "an array", "struct": "an object"}
		return fmt.Errorf("%s: %s is not %s", cmp.Or(wrong.Field, "data"), wrong.Value, cmp.Or(kinds[wrong.Type.Kind().String()], wrong.Type.String()))
	}
	return err
}

// Members iterates over the names and values of an object in the order of the text. Values that are not objects have no members.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		rec, err := Parse(v)
		if err != nil {
			return
		}
		for name, member := range rec.Fields() {
			if !yield(name, member) {
				return
			}
		}
	}
}

// Elements iterates over the elements of an array. Values that are not arrays have none.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		s := scanner{b: v, final: true}
		for i := s.space(1); i < len(v) && v[i] != ']'; {
			end, err := s.value(i, 1)
			if err != nil || !yield(v[i:end:end]) {
				return
			}
			if i = s.space(end); i < len(v) && v[i] == ',' {
				i = s.space(i + 1)
			}
		}
	}
}

// Items iterates over the elements of an array, or over the one value that is no array.
func (v Value) Items() iter.Seq[Value] {
	if v.Kind() == Array {
		return v.Elements()
	}
	return slices.Values([]Value{v})
}

// Get returns the value at a path, nil if there is none. In an object, it is the member whose name is the whole path; if there is
// no such member, the part of the path before its first dot names a member, in which the rest of the path is looked up. In an
// array of objects with field_name and field_value, it is the field_value of the first object whose field_name is the path.
func (v Value) Get(path string) Value {
	switch v.Kind() {
	case Object:
		if found := v.member(path); found != nil {
			return found
		}
		if head, rest, nested := strings.Cut(path, "."); nested {
			return v.member(head).Get(rest)
		}
	case Array:
		for pair := range v.Elements() {
			if pair.Kind() == Object && pair.Get("field_name").Text() == path {
				return pair.Get("field_value")
			}
		}
	}
	return nil
}

// appendUnquoted appends the text of a JSON string, given without its quotes. Bytes
// that are not UTF-8 and lone surrogates become U+FFFD.
func appendUnquoted(dst, s []byte) []byte {
	if IsPlain(s) || bytes.IndexByte(s, '\\') < 0 && utf8.Valid(s) {
		return append(dst, s...)
	}
	dst = slices.Grow(dst, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		if c != '\\' {
			r, n := utf8.DecodeRune(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		if s[i+1] != 'u' {
			dst = append(dst, unescape(s[i+1]))
			i += 2
			continue
		}
		r := hex4(s[i+2:])
		i += 6
		if utf16.IsSurrogate(r) {
			low := rune(-1)
			if i+6 <= len(s) && s[i] == '\\' && s[i+1] == 'u' {
				low = hex4(s[i+2:])
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				i += 6
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

func unescape(c byte) byte {
	if i := strings.IndexByte("bfnrt", c); i >= 0 {
		return "\b\f\n\r\t"[i]
	}
	return c
}

func hex4(s []byte) rune {
	var r rune
	for _, c := range s[:4] {
		d, _ := unhex(c)
		r = r<<4 | d
	}
	return r
}
