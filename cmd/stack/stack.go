// Package stack makes room on the stack for what most commands need. Whenever a stack grows, the runtime reads the tables of all
// functions that are on it. Since this package imports none, it comes before nearly all others, when these functions are few yet.
package stack

var _ = grow(0)

//go:noinline
func grow(n int) byte {
	if n == 0 {
		return 0
	}
	var room [20 << 10]byte
	return room[n]
}
