package output

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/itchyny/gojq"
)

// products has the functions that take the place of the operators * and *=, of add, join and explode in a program. Each is a single
// call, which would take up to 2 GB before anything could end it. Those of the second half keep the order of keys.
const products = `def OpMul(l; r): r as $r | l as $l | _short($l; $r) * $r;
	def OpUpdateMul(l; r): r as $r | l |= OpMul(.; $r);
	def _multiply(l; r): OpMul(l; r); def _add: add; def _join(s): join(s); def _explode: explode;
	def explode: _short(.; 16) | _explode; # each number of the list takes 16 bytes
	def add: _short(.; "") | _add; def add(f): [f] | add; def join(s): s as $s | _short(.; $s) | _join($s);
	def tojson: _json; def tostring: if type == "string" then . else _json end; def leaf_paths: paths(scalars);
	def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
	def with_entries(f): to_entries | map(f) | from_entries; .`

// shortProduct returns the first of two factors, or an error if they make too long a text or list. A list times a text is the
// list joined by the text.
func shortProduct(_ any, factors []any) any {
	size := 0.0
	for i, factor := range factors {
		text, _ := factor.(string)
		other := factors[1-i]
		if members, ok := other.(map[string]any); ok { // add takes the values of an object
			other = slices.Collect(maps.Values(members))
		}
		switch other := other.(type) {
		case []any:
			size = float64(len(text) * len(other))
			for _, part := range other {
				part, _ := part.(string)
				size += float64(len(part))
			}
		default:
			if n, ok := gojq.ToFloat64(other); ok {
				size = max(size, float64(len(text))*n)
			}
		}
	}
	if size > float64(maxJQInput) {
		return fmt.Errorf("a single text or list would have more than %d MB", maxJQInput>>20)
	}
	return factors[0]
}

// visit calls do with the nodes of a program, the inner ones first.
func visit(v reflect.Value, do func(node any)) {
	switch {
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), do)
		}
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			visit(field, do)
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		visit(v.Elem(), do)
		do(v.Interface())
	}
}

func callProduct(q *gojq.Query) {
	if q.Op == gojq.OpMul || q.Op == gojq.OpUpdateMul {
		call := &gojq.Func{Name: strings.TrimPrefix(q.Op.GoString(), "gojq."), Args: []*gojq.Query{q.Left, q.Right}}
		*q = gojq.Query{FuncDefs: q.FuncDefs, Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: call}}
	}
}
