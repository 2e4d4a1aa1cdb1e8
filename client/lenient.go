package client

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"reseller/client/record"
)

// An Integer is a whole number, which the service may send as a number or as a string.
type Integer int64

// UnmarshalJSON accepts 7, "7" and 7.0. Null and "" leave the number as it is.
func (n *Integer) UnmarshalJSON(b []byte) error {
	v := record.Value(b)
	if strings.TrimSpace(v.Text()) == "" {
		return nil
	}
	i, ok := v.Int64()
	if !ok {
		return &json.UnmarshalTypeError{Value: string(b), Type: reflect.TypeFor[Integer]()}
	}
	*n = Integer(i)
	return nil
}

// A Number is a number, which the service may send as a string.
type Number float64

// UnmarshalJSON accepts 1.5 and "1.5". Null and "" leave the number as it is.
func (n *Number) UnmarshalJSON(b []byte) error {
	text := strings.TrimSpace(record.Value(b).Text())
	if text == "" {
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return &json.UnmarshalTypeError{Value: string(b), Type: reflect.TypeFor[Number]()}
	}
	*n = Number(f)
	return nil
}

// A String is a string, which the service may send as a number, such as a task id.
type String string

// UnmarshalJSON accepts any value. Null leaves the string as it is.
func (s *String) UnmarshalJSON(b []byte) error {
	if v := record.Value(b); v.Kind() != record.Null {
		*s = String(v.Text())
	}
	return nil
}

// A Boolean is true or false, which the service may send as a string or a number.
type Boolean bool

// UnmarshalJSON accepts any value. False are false, null, 0, "", "0", "false" and empty
// objects and arrays; all other values are true.
func (t *Boolean) UnmarshalJSON(b []byte) error {
	*t = Boolean(truthy(b))
	return nil
}

// A FieldValue is a pair of field_name and field_value, both strings: an attribute of an account.
type FieldValue struct {
	FieldName  String `json:"field_name"`
	FieldValue String `json:"field_value"`
}

// FieldValues are the attributes of an account.
type FieldValues []FieldValue

// UnmarshalJSON accepts an array. Any other value becomes an empty list.
func (p *FieldValues) UnmarshalJSON(b []byte) error {
	*p = nil
	for item := range record.Value(b).Elements() {
		*p = append(*p, FieldValue{String(item.Get("field_name").Text()), String(item.Get("field_value").Text())})
	}
	return nil
}

// A Person is the manager of an account or of a campaign (contract: Account (version
// 2)). Writes send both fields, even if they are empty.
type Person struct {
	Name  String `json:"name"`
	Email String `json:"email"`
}

// UnmarshalJSON accepts an object. A text becomes a name without an e-mail. Any other value becomes an empty Person.
func (p *Person) UnmarshalJSON(b []byte) error {
	v := record.Value(b)
	*p = Person{String(v.Get("name").Text()), String(v.Get("email").Text())}
	if v.Kind() == record.String {
		p.Name = String(v.Text())
	}
	return nil
}
