//go:build unix

package form

import (
	"os"
	"os/signal"
	"syscall"
)

// prepare has resized told when the terminal has another size.
func prepare(_ *os.File, resized chan<- os.Signal) (undo func()) {
	signal.Notify(resized, syscall.SIGWINCH)
	return func() { signal.Stop(resized) }
}
