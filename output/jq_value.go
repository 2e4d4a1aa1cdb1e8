package output

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/itchyny/gojq"

	"reseller/client/record"
)

// A keyOrder is the order of the keys of objects, which the values of a jq program don't have: an object has that of an object of
// the program or the input with the same keys. One with other keys has first those of the object that it has most keys of, and so
// on, and last, by name, those that no object has.
type keyOrder struct {
	known map[uint64][]string // by the sum of the hashes of the keys
	lists [][]string          // those that were learned, first of the program and then of the input
	own   int                 // how many are of the program
}

// maxOrders is how many sets of keys are remembered, and how many keys of each.
const maxOrders = 1000

var keySeed = maphash.MakeSeed()

// learn remembers the order of keys, the sum of whose hashes is given, unless another one of the same keys was learned before.
func (o *keyOrder) learn(sum uint64, keys []string) {
	if o.known[sum] != nil || len(o.known) >= maxOrders || len(keys) > maxOrders {
		return
	}
	var list []string
	for _, key := range keys {
		if !slices.Contains(list, key) { // an object may have a key twice
			list = append(list, key)
		}
	}
	o.known[sum], o.lists = list, append(o.lists, list)
}

func (o *keyOrder) of(object map[string]any) []string {
	var sum uint64
	for key := range object {
		sum += maphash.String(keySeed, key)
	}
	if keys := o.known[sum]; len(keys) == len(object) {
		return keys
	}
	keys, left := make([]string, 0, len(object)), slices.Sorted(maps.Keys(object))
	for {
		var most []string
		for _, list := range slices.Concat(o.lists[o.own:], o.lists[:o.own]) {
			if shared := slices.DeleteFunc(slices.Clone(list), func(key string) bool { _, isLeft := slices.BinarySearch(left, key); return !isLeft }); len(shared) > len(most) {
				most = shared
			}
		}
		if most == nil {
			break
		}
		keys = append(keys, most...)
		left = slices.DeleteFunc(left, func(key string) bool { return slices.Contains(most, key) })
	}
	keys = append(keys, left...)
	if len(o.known) < maxOrders {
		o.known[sum] = keys
	}
	return keys
}

// appendJSON appends the JSON text of a value of a program.
func (o *keyOrder) appendJSON(buf []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		buf = append(buf, '{')
		for i, key := range o.of(v) {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = o.appendJSON(append(o.appendJSON(buf, key), ':'), v[key])
		}
		return append(buf, '}')
	case []any:
		buf = append(buf, '[')
		for i, element := range v {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = o.appendJSON(buf, element)
		}
		return append(buf, ']')
	case int:
		return strconv.AppendInt(buf, int64(v), 10)
	case json.Number:
		return append(buf, v...)
	case string:
		if record.IsPlain(v) {
			return record.AppendQuote(buf, v)
		}
	}
	text, _ := gojq.Marshal(v) // values of a program have a text
	return append(buf, text...)
}

func (o *keyOrder) text(v any, _ []any) any { return string(o.appendJSON(nil, v)) }

func (o *keyOrder) keys(v any, _ []any) any {
	keys := []any{}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range o.of(v) {
			keys = append(keys, key)
		}
	case []any:
		for i := range v {
			keys = append(keys, i)
		}
	default:
		return fmt.Errorf("%s has no keys", gojq.TypeOf(v))
	}
	return keys
}

func (o *keyOrder) learnKeys(pairs []*gojq.ObjectKeyVal) {
	var keys []string
	var sum uint64
	for _, pair := range pairs {
		key := strings.TrimPrefix(pair.Key, "$")
		if pair.KeyString != nil && pair.KeyString.Queries == nil {
			key = pair.KeyString.Str
		}
		if key != "" {
			keys, sum = append(keys, key), sum+maphash.String(keySeed, key)
		}
	}
	o.learn(sum, keys)
	o.own = len(o.lists)
}

// A jqDecoder makes records and values those of a program.
type jqDecoder struct {
	order *keyOrder          // learns the orders of the fields
	names map[string]keyName // field names by their JSON text, at most maxNames, so that records share them
	keys  []string           // the names so far of the objects that are being decoded
}

type keyName struct {
	text string
	hash uint64 // of order
}

const maxNames = 1000

// record decodes a record into fields, which has none.
func (d *jqDecoder) record(rec *record.Record, fields map[string]any) any {
	var sum uint64
	for i := range rec.Len() {
		quoted, v, marks := rec.At(i)
		name := d.name(quoted)
		sum += name.hash
		fields[name.text] = d.value(v, marks)
	}
	d.endObject(0, sum)
	return fields
}

// name returns the name of a field of the object that is being decoded.
func (d *jqDecoder) name(quoted record.Value) keyName {
	name, isKnown := d.names[string(quoted)]
	if !isKnown {
		name.text = quoted.Text()
		name.hash = maphash.String(keySeed, name.text)
		if d.names == nil {
			d.names = map[string]keyName{}
		}
		if len(d.names) < maxNames {
			d.names[string(quoted)] = name
		}
	}
	d.keys = append(d.keys, name.text)
	return name
}

// endObject ends an object whose names begin at a place of keys, and whose hashes have a sum.
func (d *jqDecoder) endObject(start int, sum uint64) {
	d.order.learn(sum, d.keys[start:])
	d.keys = d.keys[:start]
}

// value decodes a value of any kind. Small whole numbers become an int and all others their text, so that large numbers and the
// zeros of 1.00 are kept.
func (d *jqDecoder) value(v record.Value, marks record.Marks) any {
	switch v.Kind() {
	case record.String:
		if marks&(record.MarkEscape|record.MarkNonASCII) == 0 {
			return string(v[1 : len(v)-1])
		}
		return v.Text()
	case record.Array, record.Object:
		decoded, _ := d.decode(v)
		return decoded
	case record.Bool:
		return v[0] == 't'
	case record.Null:
		return nil
	}
	if len(v) <= len("-999999999999999") && string(v) != "-0" {
		if n, err := strconv.Atoi(string(v)); err == nil {
			return n
		}
	}
	return json.Number(v)
}

// decode decodes the value at the beginning of v, and returns what is behind it. It looks at each byte once, however deep the value
// is nested.
func (d *jqDecoder) decode(v record.Value) (decoded any, rest record.Value) {
	switch v[0] {
	case '[':
		elements := []any{}
		for v = behind(v, 1); v[0] != ']'; {
			decoded, v = d.decode(v)
			elements = append(elements, decoded)
		}
		return elements, behind(v, 1)
	case '{':
		fields, start, sum := map[string]any{}, len(d.keys), uint64(0)
		for v = behind(v, 1); v[0] != '}'; {
			end := scalarEnd(v)
			name := d.name(v[:end])
			sum += name.hash
			fields[name.text], v = d.decode(behind(v, end))
		}
		d.endObject(start, sum)
		return fields, behind(v, 1)
	}
	end := scalarEnd(v)
	return d.value(v[:end], record.AllMarks), behind(v, end)
}

// behind returns v from i on, without the white space, the comma and the colon there.
func behind(v record.Value, i int) record.Value {
	if i = record.SkipSpace(v, i); i < len(v) && (v[i] == ',' || v[i] == ':') {
		i = record.SkipSpace(v, i+1)
	}
	return v[i:]
}

// scalarEnd returns where the string, the number or the word at the beginning of v ends.
func scalarEnd(v record.Value) int {
	i, isText := 1, v[0] == '"'
	for i < len(v) && (isText && v[i] != '"' || !isText && strings.IndexByte(",]} \t\r\n", v[i]) < 0) {
		if v[i] == '\\' {
			i++
		}
		i++
	}
	if isText {
		i++
	}
	return i
}
