package schema

import (
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
	out, open := []byte{'{'}, "" // the object whose members are being written
	end := func() {
		if last := len(out) - 1; out[last] == ',' {
			out = out[:last]
		}
		out = append(out, '}')
	}
	for i := range r.Fields {
		v, ok := values[r.Fields[i].Name]
		if !ok {
			continue
		}
		object, member, isMember := strings.Cut(r.Fields[i].Name, ".")
		if !isMember {
			object, member = "", object
		}
		if open != "" && open != object {
			end()
			out = append(out, ',')
		}
		if object != "" && open != object {
			out = fmt.Appendf(out, "%q:{", object)
		}
		open = object
		out = append(append(fmt.Appendf(out, "%q:", member), v...), ',')
	}
	if open != "" {
		end()
	}
	end()
	return out
}

// PairValue returns an object with field_name and field_value.
func PairValue(name, value string) record.Value {
	return record.Value(fmt.Sprintf(`{"field_name":%s,"field_value":%s}`, record.Quote(name), record.Quote(value)))
}

// AddAttribute returns a copy of an array of attributes in which the attribute with a
// name has a new value. If there is no such attribute, it is added at the end.
func AddAttribute(attributes record.Value, name, value string) record.Value {
	out, found := record.Value("["), false
	for item := range attributes.Elements() {
		if item.Get("field_name").Text() == name {
			if found {
				continue
			}
			item, found = PairValue(name, value), true
		}
		out = append(append(out, item...), ',')
	}
	if !found {
		out = append(append(out, PairValue(name, value)...), ',')
	}
	out[len(out)-1] = ']' // in place of the last comma
	return out
}
