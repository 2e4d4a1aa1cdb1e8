package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client/record"
)

// Values are the values of one write, by Field.Name.
type Values map[string]record.Value

// Body returns the JSON object of a write, with the values in the order of the
// resource's fields. Values whose names have a dot become members of an object, which may have others that are no fields.
func (r *Resource) Body(values Values) json.RawMessage {
	out, open := []byte{'{'}, "" // the object whose members are being written
	end := func() {              // of an object, with its members that are no fields
		if open != "" {
			for _, name := range slices.Sorted(maps.Keys(values)) {
				if member, ok := strings.CutPrefix(name, open+"."); ok && r.Field(name) == nil {
					out = append(append(fmt.Appendf(out, "%s:", record.Quote(member)), values[name]...), ',')
				}
			}
		}
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
		out = append(append(append(out, '"'), member...), `":`...)
		out = append(append(out, v...), ',')
	}
	if open != "" {
		end()
		open = ""
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
	isIt := func(item record.Value) bool { return item.Get("field_name").Text() == name }
	items := slices.Collect(attributes.Elements())
	at := slices.IndexFunc(items, isIt)
	if items = slices.DeleteFunc(items, isIt); at < 0 {
		at = len(items)
	}
	return record.ArrayOf(slices.Insert(items, at, PairValue(name, value))...)
}
