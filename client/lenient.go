package client

import (
	"fmt"
	"strconv"
	"strings"

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
		return fmt.Errorf("%s is not a whole number", b)
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
		return fmt.Errorf("%s is not a number", b)
	}
	*n = Number(f)
	return nil
}

// String is a string that the service may send as a number, such as a task id.
type String string

// UnmarshalJSON accepts any value; null leaves the string as it is.
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

// UnmarshalJSON accepts an object with field_name and field_value. A string or a
// number is a field_value without a name, as version 2 writes an identifier;
// anything else is an empty pair.
func (p *FieldValue) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	*p = FieldValue{String(v.Get("field_name").Text()), String(v.Get("field_value").Text())}
	if kind := v.Kind(); kind == record.String || kind == record.Number {
		p.FieldValue = String(v.Text())
	}
	return err
}

// FieldValues are attributes of an account.
type FieldValues []FieldValue

// UnmarshalJSON accepts an array; anything else is no attributes.
func (p *FieldValues) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	*p = nil
	for item := range v.Elements() {
		*p = append(*p, FieldValue{String(item.Get("field_name").Text()), String(item.Get("field_value").Text())})
	}
	return err
}

// Person is the manager of an account or a campaign (contract: Account (version
// 2)). Writes send both fields, an empty one as an empty string.
type Person struct {
	Name  String `json:"name"`
	Email String `json:"email"`
}

// UnmarshalJSON accepts an object; anything else is nobody.
func (p *Person) UnmarshalJSON(b []byte) error {
	v, err := record.ParseValue(b)
	*p = Person{String(v.Get("name").Text()), String(v.Get("email").Text())}
	return err
}
