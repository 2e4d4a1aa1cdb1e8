package api

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Body is a JSON object of a request. Methods read its fields one by one and collect the
// problems, so that one response can name every missing field.
type Body struct {
	fields map[string]json.RawMessage
	prefix string // the path of a nested object, such as "keywords[3]."; empty for the whole body
	*problems
}

type problems struct {
	invalid        bool // the body is not a JSON object
	missing, wrong []string
}

// ReadBody returns the body of a request. If it is not a JSON object, Err returns an error.
func ReadBody(raw []byte) *Body {
	b := &Body{problems: &problems{}}
	b.invalid = json.Unmarshal(raw, &b.fields) != nil || b.fields == nil
	return b
}

// Err returns a refusal if the body is not a JSON object, or if a field that was read is
// missing or has the wrong type; otherwise nil.
func (b *Body) Err() error {
	switch {
	case b.invalid:
		return BadRequest("the body is not a JSON object")
	case len(b.missing) > 0:
		return MissingFields(b.missing...)
	case len(b.wrong) > 0:
		return BadRequest(strings.Join(b.wrong, "; "))
	}
	return nil
}

// Has reports whether the body has a field that is not null.
func (b *Body) Has(name string) bool {
	_, ok := b.get(name, false)
	return ok
}

// get returns a field as it was sent; null counts as absent.
func (b *Body) get(name string, required bool) (json.RawMessage, bool) {
	raw, ok := b.fields[name]
	if ok && string(raw) != "null" {
		return raw, true
	}
	if required {
		b.missing = append(b.missing, b.prefix+name)
	}
	return nil, false
}

func (b *Body) mustBe(name, kind string) {
	b.wrong = append(b.wrong, b.prefix+name+" must be "+kind)
}

// field returns a field as a T, which kind names, or nil for an absent field and for one of another type.
func field[T any](b *Body, name, kind string, required bool) *T {
	raw, ok := b.get(name, required)
	if !ok {
		return nil
	}
	v := new(T)
	if json.Unmarshal(raw, v) != nil {
		b.mustBe(name, kind)
		return nil
	}
	return v
}

// required returns a field that must be there, or the zero value if Err reports it.
func required[T any](b *Body, name, kind string) (v T) {
	if sent := field[T](b, name, kind, true); sent != nil {
		v = *sent
	}
	return v
}

// array returns the elements of an array, nil for an absent field. One that is required must have an element.
func array[T any](b *Body, name, kind string, required bool) []T {
	all := field[[]T](b, name, kind, required)
	if all == nil {
		return nil
	}
	if required && len(*all) == 0 {
		b.missing = append(b.missing, b.prefix+name)
	}
	return *all
}

// Text returns a string, or nil for an absent field.
func (b *Body) Text(name string, required bool) *string {
	return field[string](b, name, "a string", required)
}

// RequiredText returns a string, or "" for an absent field, which Err then reports.
func (b *Body) RequiredText(name string) string { return required[string](b, name, "a string") }

// SetText stores a string in value, which stays as it is for an absent field.
func (b *Body) SetText(value *string, name string, required bool) {
	if s := b.Text(name, required); s != nil {
		*value = *s
	}
}

// Integer returns an integer, or nil for an absent field. A number in quotes has the wrong type.
func (b *Body) Integer(name string) *int64 { return field[int64](b, name, "an integer", false) }

func (b *Body) RequiredInteger(name string) int64 { return required[int64](b, name, "an integer") }

// RequiredIntegers returns an array of integers, which must have an element.
func (b *Body) RequiredIntegers(name string) []int64 {
	return array[int64](b, name, "an array of integers", true)
}

func (b *Body) RequiredBool(name string) bool { return required[bool](b, name, "true or false") }

// Object returns a nested object, or nil for an absent field.
func (b *Body) Object(name string) *Body {
	raw, ok := b.get(name, false)
	if !ok {
		return nil
	}
	return b.nested(name, raw)
}

func (b *Body) nested(place string, raw json.RawMessage) *Body {
	o := &Body{prefix: b.prefix + place + ".", problems: b.problems}
	if json.Unmarshal(raw, &o.fields) != nil || o.fields == nil {
		b.mustBe(place, "an object")
		return nil
	}
	return o
}

// Objects returns the elements of an array of objects, which must have an element if the field is required.
func (b *Body) Objects(name string, required bool) []*Body {
	var all []*Body
	for i, item := range array[json.RawMessage](b, name, "an array", required) {
		if o := b.nested(fmt.Sprintf("%s[%d]", name, i), item); o != nil {
			all = append(all, o)
		}
	}
	return all
}

// Texts returns an array of strings, which is empty for an absent field.
func (b *Body) Texts(name string) []string {
	return append([]string{}, array[string](b, name, "an array of strings", false)...)
}
