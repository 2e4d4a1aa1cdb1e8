package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"reseller/client/record"
)

// Values are the values of one write, by Field.Name.
type Values map[string]record.Value

// Body returns the JSON object of a write, with the values in the order of the
// resource's fields. Values whose names have a dot become members of an object.
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

// pairValue returns an object with field_name and field_value.
func pairValue(name, value string) record.Value {
	return record.Value(fmt.Sprintf(`{"field_name":%s,"field_value":%s}`, record.Quote(name), record.Quote(value)))
}

// AddAttribute returns a copy of an array of attributes in which the attribute with a
// name has a new value. If there is no such attribute, it is added at the end.
func AddAttribute(attributes record.Value, name, value string) record.Value {
	out := record.Value("[")
	found := false
	add := func(v record.Value) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	for item := range attributes.Elements() {
		if item.Get("field_name").Text() != name {
			add(item)
		} else if !found {
			add(pairValue(name, value))
			found = true
		}
	}
	if !found {
		add(pairValue(name, value))
	}
	return append(out, ']')
}
