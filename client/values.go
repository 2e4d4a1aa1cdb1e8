package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"reseller/client/record"
)

// Integer is a whole number that the service may send as a number or as a string.
type Integer int64

// UnmarshalJSON accepts 7, "7", 7.0, null and "".
func (n *Integer) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(v.Text())
	if text == "" {
		return nil
	}
	i, ok := v.Int64()
	if !ok {
		return fmt.Errorf("%s is no whole number", b)
	}
	*n = Integer(i)
	return nil
}

// Number is a number that the service may send as a string.
type Number float64

// UnmarshalJSON accepts 1.5, "1.5", null and "".
func (n *Number) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(v.Text())
	if text == "" {
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%s is no number", b)
	}
	*n = Number(f)
	return nil
}

// String is a text that the service may send as a number, as it does with
// task ids.
type String string

// UnmarshalJSON accepts any value; null leaves the text as it is.
func (s *String) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	if err != nil {
		return err
	}
	if v.Kind() != record.Null {
		*s = String(v.Text())
	}
	return nil
}

// Boolean is true or false, which the service may send as a string or number.
type Boolean bool

// UnmarshalJSON accepts true, "true", 1 and their opposites.
func (t *Boolean) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	*t = Boolean(truthy(v))
	return err
}

// FieldValue is a pair of field_name and field_value, both strings: an
// attribute, or the identifier of an account in version 1.
type FieldValue struct {
	FieldName  String `json:"field_name"`
	FieldValue String `json:"field_value"`
}

// UnmarshalJSON takes a text or a number for a field_value without a name, as
// version 2 writes an identifier, and anything else but an object for an empty
// pair.
func (p *FieldValue) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	*p = FieldValue{String(v.Get("field_name").Text()), String(v.Get("field_value").Text())}
	if kind := v.Kind(); kind == record.String || kind == record.Number {
		p.FieldValue = String(v.Text())
	}
	return err
}

// FieldValues are the attributes of an account.
type FieldValues []FieldValue

// UnmarshalJSON takes anything but an array for none.
func (p *FieldValues) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	*p = nil
	for item := range v.Elements() {
		*p = append(*p, FieldValue{String(item.Get("field_name").Text()), String(item.Get("field_value").Text())})
	}
	return err
}

// Person is the manager of an account or campaign (contract: Account (version
// 2)). Both fields are written, an empty one as an empty string.
type Person struct {
	Name  String `json:"name"`
	Email String `json:"email"`
}

// UnmarshalJSON takes anything but an object for nobody.
func (p *Person) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	*p = Person{String(v.Get("name").Text()), String(v.Get("email").Text())}
	return err
}

// Values are the fields of one write, by the names that Resource gives them.
type Values map[string]record.Value

// Body is the JSON object that a write with these values sends, in the order
// of the resource's fields; dotted names become members of an object.
func (r *Resource) Body(values Values) json.RawMessage {
	var b bytes.Buffer
	open := "" // the object whose members are being written
	b.WriteByte('{')
	comma := func() {
		if last := b.Bytes()[b.Len()-1]; last != '{' {
			b.WriteByte(',')
		}
	}
	for i := range r.Fields {
		name := r.Fields[i].Name
		v, ok := values[name]
		if !ok {
			continue
		}
		object, member, dotted := strings.Cut(name, ".")
		if !dotted {
			object, member = "", name
		}
		if open != object {
			if open != "" {
				b.WriteByte('}')
			}
			if object != "" {
				comma()
				fmt.Fprintf(&b, "%q:{", object)
			}
			open = object
		}
		comma()
		fmt.Fprintf(&b, "%q:", member)
		b.Write(v)
	}
	if open != "" {
		b.WriteByte('}')
	}
	b.WriteByte('}')
	return b.Bytes()
}

// Quote is s as a JSON value.
func Quote(s string) record.Value { return AppendQuote(nil, s) }

// AppendQuote appends s as a JSON value.
func AppendQuote(dst []byte, s string) []byte {
	if out, ok := appendPlain(dst, s); ok {
		return out
	}
	if strings.ContainsFunc(s, mustEscape) || !utf8.ValidString(s) {
		return appendEscaped(dst, s)
	}
	return append(append(append(dst, '"'), s...), '"')
}

// appendPlain is AppendQuote for what needs no look, as most texts do.
func appendPlain(dst []byte, s string) ([]byte, bool) {
	if !record.Plain(s) {
		return dst, false
	}
	return append(append(append(dst, '"'), s...), '"'), true
}

// mustEscape tells whether a character may not stand in JSON, or in JavaScript,
// as it is.
func mustEscape(r rune) bool {
	return r < ' ' || r == '"' || r == '\\' || r == '\u2028' || r == '\u2029'
}

func appendEscaped(dst []byte, s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can't fail
	return append(dst, bytes.TrimSpace(b.Bytes())...)
}
