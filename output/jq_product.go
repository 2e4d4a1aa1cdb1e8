package output

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/itchyny/gojq"
)

// products has the functions that take the place of the operators * and *= in a program. A text
// times a number is a single call, which would take up to 2 GB before anything could end it.
const products = `def OpMul(l; r): r as $r | l as $l | _short($l; $r) * $r;
	def OpUpdateMul(l; r): r as $r | l |= OpMul(.; $r);
	def _multiply(l; r): OpMul(l; r); .`

// shortProduct returns the first of two factors, or an error if they make too long a text.
func shortProduct(_ any, factors []any) any {
	for i, factor := range factors {
		text, _ := factor.(string)
		if n, ok := gojq.ToFloat64(factors[1-i]); ok && float64(len(text))*n > maxJQInput {
			return fmt.Errorf("a text times a number has more than %d MB", maxJQInput>>20)
		}
	}
	return factors[0]
}

// callProducts makes the products of a program calls of functions.
func callProducts(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			callProducts(v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			callProducts(field)
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		callProducts(v.Elem())
		if q, _ := v.Interface().(*gojq.Query); q != nil && (q.Op == gojq.OpMul || q.Op == gojq.OpUpdateMul) {
			call := &gojq.Func{Name: strings.TrimPrefix(q.Op.GoString(), "gojq."), Args: []*gojq.Query{q.Left, q.Right}}
			*q = gojq.Query{FuncDefs: q.FuncDefs, Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: call}}
		}
	}
}
