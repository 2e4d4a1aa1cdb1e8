//go:build unix

package form

import (
	"os"
	"os/signal"
	"syscall"
)

// prepare sends to resized whenever the size of the terminal changes, until undo is called.
func prepare(_ *os.File, resized chan<- os.Signal) (undo func()) {
	signal.Notify(resized, syscall.SIGWINCH)
	return func() { signal.Stop(resized) }
}
