// Package crash lets a program say what happens when one of its goroutines panics. Go itself ends a program with exit code 2,
// which means to the users of this one that nothing was sent.
package crash

import (
	"runtime/debug"
	"sync/atomic"
)

// A Handler gets the value of a panic and the stack of its goroutine. It ends the program.
type Handler func(value any, stack []byte)

var handler atomic.Pointer[Handler]

// Handle sets the handler. Without one, as in a program that uses only the library, a panic ends the program as Go does.
func Handle(h Handler) { handler.Store(&h) }

// Recover calls the handler if the goroutine panics. Every goroutine defers it as its last deferred call, which runs first:
// before other goroutines can take the panic for the regular end of this one.
func Recover() {
	h := handler.Load()
	if h == nil {
		return
	}
	if value := recover(); value != nil {
		(*h)(value, debug.Stack())
	}
}
