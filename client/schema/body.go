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
	var pairs []record.Pair
	members := map[string][]record.Pair{} // of the objects among the pairs, by their names
	for i := range r.Fields {
		name := r.Fields[i].Name
		v, ok := values[name]
		object, member, isMember := strings.Cut(name, ".")
		switch {
		case !ok:
		case !isMember:
			pairs = append(pairs, record.Pair{Name: name, Value: v})
		default:
			if members[object] == nil {
				pairs = append(pairs, record.Pair{Name: object})
			}
			members[object] = append(members[object], record.Pair{Name: member, Value: v})
		}
	}
	for i, p := range pairs {
		if members[p.Name] == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if member, ok := strings.CutPrefix(name, p.Name+"."); ok && r.Field(name) == nil {
				members[p.Name] = append(members[p.Name], record.Pair{Name: member, Value: values[name]})
			}
		}
		pairs[i].Value = record.Of(members[p.Name]...).Raw()
	}
	return json.RawMessage(record.Of(pairs...).Raw())
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
