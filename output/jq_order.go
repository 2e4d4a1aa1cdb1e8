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
	seed  maphash.Seed
	known map[uint64][]string // by the sum of the hashes of the keys
	lists [][]string          // those that were learned, first of the program and then of the input
	own   int                 // how many are of the program
}

// maxOrders is how many sets of keys are remembered, and how many keys of each.
const maxOrders = 1000

func newKeyOrder() *keyOrder {
	return &keyOrder{seed: maphash.MakeSeed(), known: map[uint64][]string{}}
}

func (o *keyOrder) hash(key string) uint64 { return maphash.String(o.seed, key) }

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
		sum += o.hash(key)
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

func (o *keyOrder) appendJSON(buf []byte, v any) (_ []byte, err error) {
	switch v := v.(type) {
	case map[string]any:
		separator := byte('{')
		for _, key := range o.of(v) {
			if buf, err = o.appendJSON(append(buf, separator), key); err == nil {
				buf, err = o.appendJSON(append(buf, ':'), v[key])
			}
			if err != nil {
				return buf, err
			}
			separator = ','
		}
		if len(v) == 0 {
			buf = append(buf, '{')
		}
		return append(buf, '}'), nil
	case []any:
		separator := byte('[')
		for _, element := range v {
			if buf, err = o.appendJSON(append(buf, separator), element); err != nil {
				return buf, err
			}
			separator = ','
		}
		if len(v) == 0 {
			buf = append(buf, '[')
		}
		return append(buf, ']'), nil
	case int:
		return strconv.AppendInt(buf, int64(v), 10), nil
	case json.Number:
		return append(buf, v...), nil
	case string:
		if record.IsPlain(v) {
			return record.AppendQuote(buf, v), nil
		}
	}
	text, err := gojq.Marshal(v)
	return append(buf, text...), err
}

func (o *keyOrder) text(v any, _ []any) any {
	text, err := o.appendJSON(nil, v)
	if err != nil {
		return err
	}
	return string(text)
}

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
			keys, sum = append(keys, key), sum+o.hash(key)
		}
	}
	o.learn(sum, keys)
	o.own = len(o.lists)
}
