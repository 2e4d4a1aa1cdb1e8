package form

import (
	"os"

	"golang.org/x/sys/windows"
)

// prepare has a console take escape sequences. It does not tell its size, which the next key shows.
func prepare(out *os.File, _ chan<- os.Signal) (undo func()) {
	console, mode := windows.Handle(out.Fd()), uint32(0)
	_ = windows.GetConsoleMode(console, &mode)
	_ = windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
	return func() { _ = windows.SetConsoleMode(console, mode) }
}
